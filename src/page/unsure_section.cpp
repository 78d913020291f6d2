// Where the model is unsure, and the rows that surprised it most.
#include <algorithm>
#include <cmath>
#include <map>

#include "page/html.hpp"
#include "page/sections.hpp"
#include "describe/values.hpp"
#include "text/format.hpp"

namespace induce::detail {
namespace {

constexpr std::size_t most_surprising = 10, most_groups = 8, most_features_grouped = 12, parts_of_numbers = 4;
constexpr double smallest_share = 0.02;  // of the rows, for a group to be named
constexpr std::size_t smallest_group = 10;
constexpr std::size_t most_values_shown = 8;

// Rows that have something in common.
struct RowGroup {
  std::size_t feature = 0;
  std::string text;
  double rows = 0, top = 0, right = 0;

  double unsure() const { return 1 - top / rows; }
};

// Levels, missing values, and quarters of the numbers.
std::vector<RowGroup> groups_of(const Names& names, std::size_t feature, TableView X, const Tested& tested) {
  std::vector<double> cuts;
  if (!has_levels(names, feature)) {
    std::vector<double> sorted;
    for (std::size_t i = 0; i < X.n; ++i)
      if (const double x = X.row(i)[feature]; !std::isnan(x)) sorted.push_back(x);
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t k = 1; k < parts_of_numbers && !sorted.empty(); ++k)
      if (const double cut = sorted[k * sorted.size() / parts_of_numbers];
          cut > sorted.front() && (cuts.empty() || cut > cuts.back()))
        cuts.push_back(cut);
  }
  std::map<double, RowGroup> groups;  // by level, by the first value, or by -1: missing
  constexpr double missing = -1e308, lowest = -1e307;
  for (std::size_t i = 0; i < X.n; ++i) {
    const double x = X.row(i)[feature];
    double key = missing;
    if (!std::isnan(x)) {
      const auto above = std::upper_bound(cuts.begin(), cuts.end(), x);
      key = has_levels(names, feature) ? x : above == cuts.begin() ? lowest : *(above - 1);
    }
    RowGroup& group = groups[key];
    group.rows += 1;
    group.top += tested.top[i];
    group.right += tested.predicted[i] == tested.y[i];
  }
  std::vector<RowGroup> out;
  for (auto& [key, group] : groups) {
    const auto text = [&](double value) { return value_text(names, feature, value, 4); };
    const auto next = std::upper_bound(cuts.begin(), cuts.end(), key);
    group.feature = feature;
    if (key == missing)
      group.text = "missing";
    else if (has_levels(names, feature))
      group.text = text(key);
    else if (cuts.empty())
      group.text = "any number";
    else if (key == lowest)
      group.text = "below " + text(cuts.front());
    else
      group.text = next == cuts.end() ? text(key) + " or more" : text(key) + " to " + text(*next);
    out.push_back(group);
  }
  return out;
}

std::string unsure_groups(const Model& model, const PageRows& rows, const Explanation* explanation,
                          const Tested& tested) {
  const Names& names = model.names();
  std::vector<std::size_t> features = by_importance(model, explanation);
  features.resize(std::min(features.size(), most_features_grouped));
  const double least =
      std::max(static_cast<double>(smallest_group), smallest_share * static_cast<double>(rows.X.n));
  std::vector<RowGroup> groups;
  for (const std::size_t feature : features)
    for (const RowGroup& group : groups_of(names, feature, rows.X, tested))
      if (group.rows >= least) groups.push_back(group);
  std::stable_sort(groups.begin(), groups.end(),
                   [](const RowGroup& a, const RowGroup& b) { return a.unsure() > b.unsure(); });
  groups.resize(std::min(groups.size(), most_groups));
  HtmlTable table{
      "Groups of rows for which the model is least sure",
      {"rows with", "number of rows", "probability of the class it names", "how often that is right"},
      {}};
  for (const RowGroup& group : groups)
    table.rows.push_back(
        {shown_name(feature_name(names, group.feature), 28) + ": " + shown_name(group.text, 32),
         grouped(static_cast<unsigned long long>(group.rows)), percent(group.top / group.rows),
         percent(group.right / group.rows)});
  return groups.empty() ? "" : to_html(table);
}

// With two classes: how often the data leave open on which side of 1/2 the truth is.
std::string undecided(const Tested& tested) {
  if (tested.classes > 2) return "";
  std::size_t open = 0;
  for (std::size_t i = 0; i < tested.n(); ++i)
    open += std::fabs(tested.prediction.mean[i]) < 1.959963985 * std::sqrt(tested.prediction.variance[i]);
  return " For " + percent(static_cast<double>(open) / static_cast<double>(tested.n())) +
         " of the rows the data do not settle which class is the more likely one: the 95 % range of its "
         "chance includes 50 %.";
}

std::string values_of(const Model& model, const PageRows& rows, const Explanation* explanation,
                      std::size_t row) {
  const Names& names = model.names();
  const std::vector<std::size_t> features = by_importance(model, explanation);
  std::string out;
  for (std::size_t k = 0; k < std::min(features.size(), most_values_shown); ++k)
    out += (k ? ", " : "") + shown_name(feature_name(names, features[k]), 24) + " " +
           shown_name(value_text(names, features[k], rows.X.row(row)[features[k]], 4), 24);
  return out + (features.size() > most_values_shown ? ", …" : "");
}

std::string surprising_table(const Model& model, const PageRows& rows, const Explanation* explanation,
                             const Tested& tested, const std::vector<std::size_t>& surprising) {
  const std::vector<std::string>& classes = model.names().classes;
  const bool values = rows.values && !rows.sparse;
  HtmlTable table{"The most surprising rows",
                  {"row", "its label", "probability of the label", "what the model said"},
                  {}};
  if (values) table.header.emplace_back("the most important of its values");
  for (const std::size_t i : surprising) {
    table.rows.push_back({values ? "<button type=\"button\" class=\"row\" data-row=\"" + std::to_string(i) +
                                       "\">" + std::to_string(i) + "</button>"
                                 : std::to_string(i),
                          shown_name(classes[static_cast<std::size_t>(tested.y[i])], 24),
                          tested.true_probability[i] >= 1e-4
                              ? percent(tested.true_probability[i], 2)
                              : readable(100 * tested.true_probability[i], 2) + " %",
                          shown_name(classes[static_cast<std::size_t>(tested.predicted[i])], 24) + ", " +
                              percent(tested.top[i], 1)});
    if (values) table.rows.back().push_back(values_of(model, rows, explanation, i));
  }
  return to_html(table);
}

}  // namespace

std::vector<std::size_t> surprising_rows(const Tested& tested) {
  std::vector<std::size_t> order(tested.n());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const std::size_t count = std::min(order.size(), most_surprising);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](auto a, auto b) {
                      return tested.true_probability[a] != tested.true_probability[b]
                                 ? tested.true_probability[a] < tested.true_probability[b]
                                 : a < b;
                    });
  order.resize(count);
  return order;
}

std::string unsure_section(const Model& model, const PageRows& rows, const Explanation* explanation,
                           const Tested& tested, const std::vector<std::size_t>& surprising) {
  std::size_t sure = 0;
  for (const double p : tested.top) sure += p >= 0.9;
  const std::string lead =
      "For " + percent(static_cast<double>(sure) / static_cast<double>(tested.n())) +
      " of the rows the model gives one class at least 90 %." + undecided(tested) +
      " Unsure is not wrong: where nothing in the columns tells, an honest model says so.";
  const std::string surprises =
      "<p>Below are the rows whose label got the least probability: rare cases, wrong labels, or something "
      "that the columns do not tell. Row 0 is the first row with a label" +
      std::string(rows.values ? "; its number is a button that puts it into the what-if below"
                              : "; values of rows are shown only if asked for") +
      ".</p>\n";
  return section("unsure", "Where it is unsure, and what surprised it", lead,
                 (rows.sparse ? "" : unsure_groups(model, rows, explanation, tested)) + surprises +
                     surprising_table(model, rows, explanation, tested, surprising));
}

}  // namespace induce::detail
