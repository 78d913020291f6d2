// How good the model is: measures with intervals, the reliability diagram, and the ROC curve or the confusion matrix.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <induce/costs.hpp>

#include "svg/chart.hpp"
#include "page/html.hpp"
#include "page/sections.hpp"
#include "text/format.hpp"

namespace induce::detail {
namespace {

constexpr std::size_t reliability_bins = 10, most_in_matrix = 20, most_confused = 20, most_roc_points = 200;
constexpr Chart::Margins room_for_percents{60, 12, 10, 34};

std::string interval(const Estimate& estimate, int digits, bool as_percent) {
  const auto text = [&](double x) { return as_percent ? percent(x, digits) : fixed(x, digits); };
  if (std::isnan(estimate.lower)) return "";
  return "<span class=\"whole\">" + text(estimate.lower) + " to " + text(estimate.upper) + "</span>";
}

std::string measures_table(const Tested& tested) {
  const bool many = tested.classes > 2;
  const std::string whose = tested.base_of_training ? "of the training rows" : "of these rows";
  HtmlTable table{"Measures, each with its 95 % interval",
                  {"measure", "value", "95 % interval", "for comparison", "what it says"},
                  {}};
  table.rows.push_back(
      {"Accuracy", percent(tested.accuracy.value, 1), interval(tested.accuracy, 1, true),
       percent(tested.base_accuracy, 1) + " by always naming the most frequent class " + whose,
       "How often the most probable class is the right one."});
  table.rows.push_back({"Log loss", fixed(tested.nll.value, 4), interval(tested.nll, 4, false),
                        fixed(tested.base_nll, 4) + " by giving every row the class frequencies " + whose +
                            (tested.base_of_training ? " (the base rate)" : ""),
                        "Surprise per row, in nats. Less is better; being sure and wrong costs most."});
  table.rows.push_back({"Brier score", fixed(tested.brier.value, 4), interval(tested.brier, 4, false), "",
                        many ? "Squared error of all probabilities of a row: 0 is perfect, 2 the worst."
                             : "Squared error of the probability: 0 is perfect, 0.25 a coin, 1 the worst."});
  table.rows.push_back(
      {"AUC", fixed(tested.auc.value, 4), interval(tested.auc, 4, false), "0.5 by guessing",
       many ? "Chance that a row of a class gets more of its probability than a row of another class does; "
              "the mean over classes."
            : "Chance that a row of the second class gets a higher probability than one of the first."});
  if (!std::isnan(tested.rps.value)) {
    table.rows.push_back({"Ranked probability score", fixed(tested.rps.value, 4),
                          interval(tested.rps, 4, false), "",
                          "Squared error of the chance to be at or below a level, over all levels: 0 is "
                          "perfect, 1 the worst. Near misses cost less than far ones."});
    table.rows.push_back({"Error in levels", fixed(tested.level_error.value, 4),
                          interval(tested.level_error, 4, false), "",
                          "How many levels the most probable class is away from the right one, on average."});
  }
  table.rows.push_back({"Calibration error", percent(tested.ece, 1), "", "0 % is perfect",
                        "How far stated probabilities are from what happens, on average (15 bins)."});
  return to_html(table);
}

std::string fit_measures(const std::string& caption, const Metrics& metrics) {
  HtmlTable table{caption, {"rows", "accuracy", "log loss", "Brier score", "AUC", "calibration error"}, {}};
  table.rows.push_back({grouped(metrics.n), percent(metrics.accuracy, 1), fixed(metrics.nll, 4),
                        fixed(metrics.brier, 4), fixed(metrics.auc, 4), percent(metrics.ece, 1)});
  return to_html(table);
}

std::string training_measures(const FitFacts& fit) {
  const std::string which = fit.held_out_by == "time"     ? "the latest training rows"
                            : fit.held_out_by == "groups" ? "training rows, with all of their group"
                                                          : "training rows",
                    each = fit.held_out_by == "rows" ? ", each " : ", ",
                    without = fit.class_weights_given ? "; without the class weights" : "";
  std::string out;
  if (fit.cross_validation)
    out += fit_measures("Cross-validation: " + which + each + "predicted by a fit without it" + without,
                        *fit.cross_validation);
  if (fit.leave_one_out)
    out += fit_measures(
        "Leave-one-out: " + which + each + "left out of the finished fit (a little optimistic)" + without,
        *fit.leave_one_out);
  return out;
}

struct ReliabilityBin {
  double n = 0, p = 0, hits = 0;
};

std::array<ReliabilityBin, reliability_bins> bins_of(const Tested& tested) {
  std::array<ReliabilityBin, reliability_bins> bins{};
  for (std::size_t i = 0; i < tested.n(); ++i) {
    const double p = tested.classes == 2 ? tested.prediction.probability(i, 1) : tested.top[i];
    const bool hit = tested.classes == 2 ? tested.y[i] == 1 : tested.predicted[i] == tested.y[i];
    ReliabilityBin& bin =
        bins[std::min(reliability_bins - 1, static_cast<std::size_t>(p * reliability_bins))];
    bin.n += 1;
    bin.p += p;
    bin.hits += hit;
  }
  return bins;
}

std::string reliability(const Model& model, const Tested& tested) {
  const bool many = tested.classes > 2;
  const auto bins = bins_of(tested);
  double most = 0;
  for (const ReliabilityBin& bin : bins) most = std::max(most, bin.n);
  Chart chart(
      360, 300, {0, 1}, {0, 1},
      "Reliability diagram: stated probability against observed frequency; the table below has its numbers.",
      room_for_percents);
  chart.y_axis("what happened", percent_ticks());
  chart.x_axis("what the model said", percent_ticks());
  for (std::size_t k = 0; k < bins.size(); ++k)
    if (bins[k].n > 0)
      chart.box(static_cast<double>(k) / reliability_bins + 0.01, 0,
                static_cast<double>(k + 1) / reliability_bins - 0.01, 0.22 * bins[k].n / most,
                "class=\"bar\"", counted(static_cast<std::size_t>(bins[k].n), "row"));
  chart.segment(0, 0, 1, 1, "guide");
  const std::string who = many ? "the predicted class" : shown_name(model.names().classes[1]);
  HtmlTable table{"Stated probability and observed frequency",
                  {"stated", "rows", "stated on average", "observed", "95 % interval"},
                  {}};
  for (std::size_t k = 0; k < bins.size(); ++k) {
    if (bins[k].n == 0) continue;
    const Estimate observed = share_of(bins[k].hits, bins[k].n);
    const double p = bins[k].p / bins[k].n;
    chart.segment(p, observed.lower, p, observed.upper, "whisker");
    chart.dot(p, observed.value, "s0", 4);
    table.rows.push_back({percent(static_cast<double>(k) / reliability_bins) + " to " +
                              percent(static_cast<double>(k + 1) / reliability_bins),
                          grouped(static_cast<unsigned long long>(bins[k].n)), percent(p, 1),
                          percent(observed.value, 1), interval(observed, 1, true)});
  }
  return "<figure class=\"card\"><figcaption><strong>Can the probabilities be trusted?</strong> Rows are "
         "grouped by the probability that the model gave " +
         who +
         ". If it says 30 %, it should happen in 30 % of such rows: dots on the dashed line. Whiskers show "
         "what chance alone may do; bars at the bottom, how many rows each dot stands for.</figcaption>" +
         chart.svg() + folded("As a table", to_html(table)) + "</figure>\n";
}

// The mean cost of labels on the rows, from how many rows of each class get each label.
double cost_per_row(const std::vector<double>& counts, const Costs& costs) {
  double sum = 0, rows = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    sum += counts[k] * costs[k];
    rows += counts[k];
  }
  return sum / rows;
}

// `costs`: of decisions, or empty.
std::string roc(const Model& model, const Tested& tested, const Costs& costs) {
  const std::vector<double> p = tested.prediction.probabilities_of(1);
  std::vector<std::size_t> order(tested.n());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return p[a] > p[b]; });
  const auto ones = static_cast<double>(tested.counts[1]), zeros = static_cast<double>(tested.counts[0]);
  if (ones == 0 || zeros == 0)
    return "<p class=\"note\">The rows are all of one class, so there is no ROC curve.</p>\n";
  Chart::Points points{{0, 0}};
  double right = 0, wrong = 0;
  const std::string own = shown_name(model.names().classes[1]);
  HtmlTable table{"What each threshold does",
                  {"predict it from", "found", "false alarms", "of those predicted, right"},
                  {}};
  if (!costs.empty()) table.header.emplace_back("cost per row");
  int tenths = 9;  // of the threshold that comes next
  const auto pass_thresholds = [&](double probability) {
    for (; tenths > 0 && probability < 0.1 * tenths; --tenths) {
      table.rows.push_back({percent(0.1 * tenths), percent(right / ones, 1), percent(wrong / zeros, 1),
                            right + wrong > 0 ? percent(right / (right + wrong), 1) : "-"});
      if (!costs.empty())
        table.rows.back().push_back(
            readable(cost_per_row({zeros - wrong, wrong, ones - right, right}, costs), 4));
    }
  };
  for (std::size_t k = 0; k < order.size(); ++k) {
    pass_thresholds(p[order[k]]);
    (tested.y[order[k]] == 1 ? right : wrong) += 1;
    const bool tied = k + 1 < order.size() && p[order[k + 1]] == p[order[k]];
    const double moved = std::max(wrong / zeros - points.back().first, right / ones - points.back().second);
    if (!tied && (moved >= 1.0 / most_roc_points || k + 1 == order.size()))
      points.emplace_back(wrong / zeros, right / ones);
  }
  pass_thresholds(0);
  Chart chart(360, 300, {0, 1}, {0, 1},
              "ROC curve, area " + fixed(tested.auc.value, 3) + "; the table below has its numbers.",
              room_for_percents);
  chart.y_axis("found", percent_ticks());
  chart.x_axis("false alarms", percent_ticks());
  chart.segment(0, 0, 1, 1, "guide");
  Chart::Points floor;
  for (const auto& [x, y] : points) floor.emplace_back(x, 0);
  chart.area(points, floor, "s0");
  chart.line(points, "s0");
  return "<figure class=\"card\"><figcaption><strong>How well are the classes told apart?</strong> The ROC "
         "curve: how many of the rows of " +
         own +
         " are found (up), at the price of how many false alarms among the others (right), if it is "
         "predicted from a lower and lower probability on. The area is the AUC; the dashed line is "
         "guessing.</figcaption>" +
         chart.svg() + folded("As a table", to_html(table)) + "</figure>\n";
}

std::string confusion_matrix(const Model& model, const Tested& tested) {
  const std::size_t C = tested.classes;
  const std::vector<double> counts = confusion(tested.predicted, tested.y, C);
  const std::vector<std::string>& classes = model.names().classes;
  if (C > most_in_matrix) {
    std::vector<std::size_t> cells;
    for (std::size_t k = 0; k < counts.size(); ++k)
      if (k / C != k % C && counts[k] > 0) cells.push_back(k);
    std::stable_sort(cells.begin(), cells.end(), [&](auto a, auto b) { return counts[a] > counts[b]; });
    cells.resize(std::min(cells.size(), most_confused));
    HtmlTable table{"Classes that are confused most", {"true class", "predicted as", "rows"}, {}};
    for (const std::size_t k : cells)
      table.rows.push_back({shown_name(classes[k / C]), shown_name(classes[k % C]),
                            grouped(static_cast<unsigned long long>(counts[k]))});
    return to_html(table);
  }
  std::string out =
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Confusion matrix\"><table "
      "class=\"matrix\"><caption>Which classes are taken for which: a line is a true class, a column what it "
      "was predicted as</caption><thead><tr><th scope=\"col\">true class</th>";
  for (const std::string& each : classes) out += "<th scope=\"col\">" + shown_name(each, 16) + "</th>";
  out += "<th scope=\"col\">right</th></tr></thead><tbody>\n";
  for (std::size_t c = 0; c < C; ++c) {
    const auto rows = static_cast<double>(tested.counts[c]);
    out += "<tr><th scope=\"row\">" + shown_name(classes[c], 24) + "</th>";
    for (std::size_t k = 0; k < C; ++k) {
      const double count = counts[c * C + k], share = rows > 0 ? count / rows : 0;
      out += "<td class=\"" + std::string(k == c ? "right" : "wrong") +
             "\" style=\"--share:" + fixed(share, 2) + "\">" +
             (count > 0 ? grouped(static_cast<unsigned long long>(count)) : "·") + "</td>";
    }
    out += "<td>" + (rows > 0 ? percent(counts[c * C + c] / rows, 1) : std::string("-")) + "</td></tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string about_costs(const Model& model, const Tested& tested, const Costs& costs) {
  if (costs.empty()) return "";
  const auto mean_cost = [&](const std::vector<int>& labels) {
    return readable(cost_per_row(confusion(labels, tested.y, tested.classes), costs), 4);
  };
  std::string text = "With the costs that were given, the label of least expected cost is chosen";
  if (const auto threshold = threshold_of_costs(costs))
    text += ": " + shown_name(model.names().classes[1]) + " from " + percent(*threshold, 1) + " on";
  return "<p class=\"note\">" + text + ". On these rows that costs " +
         mean_cost(least_costly(tested.prediction.probabilities, tested.classes, costs)) +
         " per row; the most probable labels cost " + mean_cost(tested.predicted) + ".</p>\n";
}

std::string whose_rows(const PageRows& rows, const Tested& tested) {
  const std::string file =
      rows.source.empty() ? "the rows given" : "the rows of " + shown_name(rows.source, 60);
  if (rows.held_out)
    return "On <strong>" + counted(tested.n(), "held-out row") + "</strong> (" + file +
           "), which the model has not seen: this is what to expect of new rows of the same kind.";
  return "On <strong>" + counted(tested.n(), "row") + "</strong>: " + file +
         ". If the model was trained on them, these figures are too good: judge a model by rows that it has "
         "not seen, and say that they were held out.";
}

}  // namespace

std::string quality_section(const Model& model, const PageRows& rows, const FitFacts& fit,
                            const Tested* tested) {
  const std::string measures = training_measures(fit);
  if (!tested)
    return section("quality", "How good is it?",
                   measures.empty() ? "Not known here: the page was made without rows to test on. Give a "
                                      "file with labels, best one that was not used for training."
                                    : "The page was made without rows to test on. The fit itself has tested "
                                      "its training rows as if they were new:",
                   measures);
  std::string markup = measures_table(*tested);
  markup += "<div class=\"columns\">\n" + reliability(model, *tested) +
            (model.classes() == 2 ? roc(model, *tested, rows.costs) : "") + "</div>\n" +
            about_costs(model, *tested, rows.costs);
  if (model.classes() > 2) markup += confusion_matrix(model, *tested);
  if (!measures.empty()) markup += folded("What the fit itself found on its training rows", measures);
  return section("quality", "How good is it?",
                 whose_rows(rows, *tested) +
                     " The intervals say how far chance may have moved a figure, with so many rows.",
                 markup);
}

}  // namespace induce::detail
