// See report_text.hpp.
#include "report_text.hpp"

#include <algorithm>

#include "describe/fields.hpp"
#include "text.hpp"

namespace induce::cli {
namespace {

std::string line(const std::string& name, const std::string& text) {
  return "  " + pad_right(name, 8) + text + "\n";
}

// The features with the shortest length-scales: along them the classes change most.
std::string relevance_text(const std::vector<Relevance>& sorted) {
  constexpr std::size_t shown = 5;
  std::string text;
  for (std::size_t k = 0; k < std::min(shown, sorted.size()); ++k)
    text += (k ? ", " : "") + sorted[k].feature + " " + significant(sorted[k].inverse_lengthscale, 2);
  return text + " (inverse length-scales" + (sorted.size() > shown ? ", all in --json)" : ")");
}

// One that all features share tells nothing about any of them.
bool has_own_lengthscales(const Theta& theta) {
  return std::any_of(theta.parameters.begin(), theta.parameters.end(), [](const Parameter& parameter) {
    return parameter.per_feature && parameter.values.size() > 1;
  });
}

}  // namespace

std::string theta_text(const Theta& theta) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  for (const Parameter& parameter : theta.parameters) {
    const ParameterWords words = words_of(parameter);
    const std::vector<double>& values = parameter.values;
    const std::string label(words.label);
    if (values.size() > 1) {
      const auto [least, most] = std::minmax_element(values.begin(), values.end());
      add(std::to_string(values.size()) + " " + label + "s from " + significant(*least, 4) + " to " +
          significant(*most, 4));
    } else if (!values.empty() && values[0] != 0) {
      add(label + " " + significant(values[0], 4));
    } else if (!words.absent.empty()) {
      add(std::string(words.absent));
    }
  }
  return text;
}

std::string metrics_header() {
  return "  " + pad_right("", 8) + pad_left("n", 10) + pad_left("accuracy", 11) + pad_left("nll", 10) +
         pad_left("brier", 10) + pad_left("ece", 10) + pad_left("auc", 10) + "\n";
}

std::string metrics_row(const std::string& name, const Metrics& metrics) {
  return "  " + pad_right(name, 8) + pad_left(grouped(metrics.n), 10) +
         pad_left(fixed(metrics.accuracy, 4), 11) + pad_left(fixed(metrics.nll, 4), 10) +
         pad_left(fixed(metrics.brier, 4), 10) + pad_left(fixed(metrics.ece, 4), 10) +
         pad_left(fixed(metrics.auc, 4), 10) + "\n";
}

std::string report_text(const FitSummary& summary) {
  const Report& report = summary.report;
  std::string text = report.method + ", " + name_of(report.status);
  text += (report.message.empty() ? "" : ": " + report.message) + "\n";
  text += line("size", counted(report.n, "row") + ", " + counted(report.d, "feature") + ", " +
                           counted(report.m, "inducing input"));
  text += line("time", significant(report.seconds, 3) + " s, " +
                           counted(static_cast<std::size_t>(report.iterations), "iteration") + ", " +
                           counted(static_cast<std::size_t>(report.passes), "pass", "passes"));
  text += line("bound", fixed(report.bound, 3) + ", elbo " + fixed(report.elbo, 3) + ", of which " +
                            fixed(report.sparsity_price, 3) + " is the price of sparsity");
  text += line("theta", theta_text(report.theta));
  if (report.warp != "none")
    text +=
        line("warp", report.warp + (summary.options.warp == Warp::automatic ? ", by the better bound" : ""));
  if (has_own_lengthscales(report.theta))
    text += line("matters", relevance_text(sorted_relevance(report.relevance, summary.model.names())));
  if (const auto& found = summary.calibration)
    text += line("trust", "ece " + fixed(found->ece, 4) + ", nll " + fixed(found->nll, 4) + " against " +
                              fixed(found->base_nll, 4) + " of the base rate (" +
                              (found->on == "test" ? "test rows" : "each row left out in turn") + ")");
  text += metrics_header() + metrics_row("train", summary.train);
  if (report.leave_one_out && !summary.test) text += metrics_row("one out", *report.leave_one_out);
  if (summary.test) text += metrics_row("test", *summary.test);
  return text;
}

}  // namespace induce::cli
