#include "summary_text.hpp"

#include <algorithm>
#include <cmath>

#include "describe/fields.hpp"
#include "text/compose.hpp"
#include "text/format.hpp"

namespace induce::cli {
namespace {

constexpr std::size_t kRowNameWidth = 15;

// The features that matter most.
std::string importance_text(const std::vector<FeatureImportance>& sorted) {
  constexpr std::size_t shown = 5;
  std::string text;
  for (std::size_t k = 0; k < std::min(shown, sorted.size()); ++k)
    text += (k ? ", " : "") + sorted[k].feature + " " + fixed(100 * sorted[k].total, 0) + " %";
  return text + " of the latent variance" + (sorted.size() > shown ? " (full list in --json)" : "");
}

// "label kind, 3 classes: a 50, b 40, c 7 rows", or the first ten of many and "16 more of 7 to 60 rows".
std::string label_text(const Names& all, const std::vector<std::size_t>& rows) {
  constexpr std::size_t most = 10;
  const std::vector<std::string>& names = all.classes;
  const std::size_t shown = std::min(most, names.size());
  std::string text =
      "label" + (all.label.empty() ? "" : " " + all.label) + ", " + grouped(names.size()) + " classes: ";
  for (std::size_t c = 0; c < shown; ++c) text += (c ? ", " : "") + names[c] + " " + grouped(rows[c]);
  if (shown == names.size()) return text + " rows";
  const auto [fewest, largest] =
      std::minmax_element(rows.begin() + static_cast<std::ptrdiff_t>(shown), rows.end());
  return text + " and " + grouped(names.size() - shown) + " more of " +
         (*fewest == *largest ? "" : grouped(*fewest) + " to ") + counted(*largest, "row");
}

// "2 ids"; empty if there are none.
std::string count_of(const std::vector<ColumnSummary>& columns, std::string_view kind, const std::string& one,
                     const std::string& many) {
  const auto count = static_cast<std::size_t>(std::count_if(
      columns.begin(), columns.end(), [&](const ColumnSummary& column) { return column.kind == kind; }));
  return count == 0 ? "" : counted(count, one, many);
}

// "14: 6 numbers, 8 categories; 2,399 rows with gaps"; empty if all columns are numbers and there is no gap.
std::string columns_text(const FitSummary& summary) {
  const Dataset& table = summary.data.train;
  const std::vector<ColumnSummary>& columns = table.columns;
  const auto features =
      static_cast<std::size_t>(std::count_if(columns.begin(), columns.end(), [](const ColumnSummary& column) {
        return column.feature.has_value();
      }));
  const std::string used = joined({count_of(columns, "number", "number", "numbers"),
                                   count_of(columns, "category", "category", "categories"),
                                   count_of(columns, "boolean", "boolean", "booleans"),
                                   count_of(columns, "date", "date", "dates")});
  const std::string left_out =
      joined({count_of(columns, "id", "id", "ids"), count_of(columns, "empty", "empty", "empty"),
              count_of(columns, "dropped", "dropped", "dropped"),
              count_of(columns, "group", "group", "groups"), count_of(columns, "time", "time", "times")});
  const bool only_numbers = used == counted(features, "number") && left_out.empty();
  if (columns.empty() || (only_numbers && table.rows_with_gaps == 0)) return "";
  return grouped(features) + ": " + used + (left_out.empty() ? "" : "; left out: " + left_out) +
         (table.rows_with_gaps ? "; " + counted(table.rows_with_gaps, "row") + " with gaps" : "");
}

std::string theta_text(const Theta& theta) {
  std::vector<std::string> all;
  for (const Parameter& parameter : theta.parameters) {
    const std::vector<double>& values = parameter.values;
    const std::string label = parameter_label(parameter), absent(words_of(parameter).absent);
    if (values.size() > 1) {
      const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
      all.push_back(std::to_string(values.size()) + " " + label + "s from " + readable(*smallest, 4) +
                    " to " + readable(*largest, 4));
    } else if (!values.empty() && values[0] != 0) {
      all.push_back(label + " " + readable(values[0], 4));
    } else if (!absent.empty()) {
      all.push_back(absent);
    }
  }
  return joined(all);
}

// "se+mains of 11+pairs:0*3" for a long list of columns.
std::string short_kernel(const std::string& name) {
  constexpr std::ptrdiff_t shown = 6;
  std::string text;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('+', begin), name.size());
    const std::string part = name.substr(begin, end - begin);
    const auto columns = std::count(part.begin(), part.end(), ',') + 1;
    text += (begin > 0 ? "+" : "") +
            (columns > shown ? part.substr(0, part.find(':')) + " of " + std::to_string(columns) : part);
    begin = end + 1;
  }
  return text;
}

// ", chosen by the bound: -49.21 (se -51.80, ...)", or ", chosen by 8,000 held-out rows of the training table: nll 0.4577
// (se 0.4612 +- 0.0011, ...)" with the standard error of the difference, and why; empty if there was no choice. "chosen as
// se+mains+pairs" if the model, of this name now, would otherwise be one that lost.
std::string choice_text(const Report& report, std::string_view what, const std::string& name_now) {
  for (const Chosen& choice : report.choices) {
    if (choice.what != what) continue;
    const bool by_bound = choice.held_out == 0;
    std::vector<std::string> figures;
    std::string as;
    for (const Chosen::Candidate& other : choice.others) {
      figures.push_back(
          other.name + " " +
          (by_bound ? fixed(other.bound, 2) : fixed(other.nll, 4) + " +- " + fixed(other.nll_error, 4)));
      if (other.name == name_now) as = " as " + choice.chosen.name;
    }
    return ", chosen" + as +
           (by_bound ? " by the bound: " + fixed(choice.chosen.bound, 2)
                     : " by " + counted(choice.held_out, "held-out row") + " of the training table: nll " +
                           fixed(choice.chosen.nll, 4)) +
           " (" + joined(figures) + "); " + choice.reason;
  }
  return "";
}

std::string chosen_name(const Report& report, std::string_view what, const std::string& otherwise) {
  for (const Chosen& choice : report.choices)
    if (choice.what == what) return choice.chosen.name;
  return otherwise;
}

// " (choosing 0.9 s, last stage 0.3 s)"; empty for methods without growth.
std::string time_parts(const Report& report) {
  if (report.stages.empty()) return "";
  std::string text;
  if (report.choosing_seconds > 0) text = "choosing " + readable(report.choosing_seconds, 2) + " s, ";
  return " (" + text + "last stage " + readable(report.last_seconds, 2) + " s)";
}

// `ordered`: of ordered classes, which have two more.
std::string metrics_header(bool ordered) {
  const std::string more = ordered ? pad_left("rps", 10) + pad_left("level error", 13) : "";
  return pad_left("n", 10) + pad_left("accuracy", 10) + pad_left("nll", 10) + pad_left("+-", 8) +
         pad_left("brier", 10) + pad_left("ece", 10) + pad_left("auc", 10) + more;
}

std::string metrics_row(const Metrics& metrics) {
  const std::string more = std::isnan(metrics.rps) ? ""
                                                   : pad_left(fixed(metrics.rps, 4), 10) +
                                                         pad_left(fixed(metrics.level_error, 4), 13);
  return pad_left(grouped(metrics.n), 10) + pad_left(fixed(metrics.accuracy, 4), 10) +
         pad_left(fixed(metrics.nll, 4), 10) + pad_left(fixed(metrics.nll_error, 4), 8) +
         pad_left(fixed(metrics.brier, 4), 10) + pad_left(fixed(metrics.ece, 4), 10) +
         pad_left(fixed(metrics.auc, 4), 10) + more;
}

}  // namespace

std::string parameter_label(const Parameter& parameter) {
  const std::size_t dot = parameter.name.rfind('.');  // "matern:1.2.lengthscales": a kernel of a sum
  if (dot == std::string::npos) return std::string(words_of(parameter).label);
  const Parameter plain{parameter.name.substr(dot + 1), {}};
  return parameter.name.substr(0, dot) + " " + std::string(words_of(plain).label);
}

std::string metrics_table(const Metrics& metrics) {
  return metrics_header(!std::isnan(metrics.rps)) + "\n" + metrics_row(metrics) + "\n";
}

std::string summary_line(const std::string& name, const std::string& text) {
  return "  " + pad_right(name, kRowNameWidth) + text + "\n";
}

std::string summary_text(const FitSummary& summary) {
  const Report& report = summary.fit.report;
  std::string text = label_text(summary.fit.model.names(), summary.data.class_rows) + "\n";
  text += report.method + ", " + name_of(report.status);
  text += (report.message.empty() ? "" : ": " + report.message) + "\n";
  text += summary_line("size", counted(report.n, "row") + ", " + counted(report.d, "feature") + ", " +
                                   counted(report.m, "inducing input"));
  const std::string columns = columns_text(summary);
  if (!columns.empty()) text += summary_line("columns", columns);
  text += summary_line("time", readable(report.seconds, 3) + " s" + time_parts(report) + ", " +
                                   counted(static_cast<std::size_t>(report.iterations), "iteration") + ", " +
                                   counted(static_cast<std::size_t>(report.passes), "pass", "passes"));
  text += summary_line("bound", fixed(report.bound, 3) + ", elbo " + fixed(report.elbo, 3) +
                                    ", sparsity price " + fixed(report.sparsity_price, 3));
  if (std::isfinite(report.doubling_gain))
    text += summary_line("outlook", "twice the inducing inputs would gain about " +
                                        readable(report.doubling_gain, 2) + " nats, " +
                                        readable(report.doubling_gain / static_cast<double>(report.n), 2) +
                                        " per row");
  text += summary_line("kernel", short_kernel(report.kernel) + choice_text(report, "kernel", report.kernel));
  text += summary_line("theta", theta_text(report.theta));
  const std::string warp_choice = choice_text(report, "warp", chosen_name(report, "warp", report.warp));
  if (report.warp != "none" || !warp_choice.empty())
    text += summary_line("warp", chosen_name(report, "warp", report.warp) + warp_choice);
  if (!report.importance.empty())
    text += summary_line("importance",
                         importance_text(sorted_importance(report.importance, summary.fit.model.names())));
  if (const auto& found = summary.calibration)
    text += summary_line(
        "calibration",
        "ece " + fixed(found->ece, 4) + ", nll " + fixed(found->nll, 4) +
            (std::isfinite(found->base_nll) ? ", nll of the base rate " + fixed(found->base_nll, 4) : "") +
            " (" + found->on + ")");
  text += summary_line("", metrics_header(!std::isnan(summary.train.rps))) +
          summary_line("train", metrics_row(summary.train));
  if (report.cross_validation && !summary.test)
    text += summary_line("cross-validated", metrics_row(*report.cross_validation));
  else if (report.leave_one_out && !summary.test)
    text += summary_line(report.held_out_by == "rows" ? "leave-one-out" : "left out",
                         metrics_row(*report.leave_one_out)) +
            summary_line("", "at the fitted parameters: optimistic if there are few rows or many features");
  if (report.held_out_by != "rows" && !summary.test && report.leave_one_out)
    text +=
        summary_line("", report.held_out_by == "time" ? "of the latest fifth of the rows"
                                                      : "rows of one group are predicted without each other");
  if (summary.test) text += summary_line("test", metrics_row(*summary.test));
  if (!summary.test && report.leave_one_out && !report.class_weights.empty())
    text += summary_line("", "of the fit before its classes were balanced, as is calibration");
  return text;
}

}  // namespace induce::cli
