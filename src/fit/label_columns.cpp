#include "fit/label_columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "text/format.hpp"

namespace induce::detail {
namespace {

constexpr double most_errors = 0.01;  // relative to those of the most frequent class
constexpr double most_chance = 1e-6;
constexpr std::size_t most_names = 5;

struct Errors {
  Index rows = 0;
  double weight = 0;
};

// The rows that are judged, and what does not depend on the column.
struct Labelled {
  Labelled(const MemoryStore& merged, std::size_t classes)
      : rows(merged), log_factorial(static_cast<std::size_t>(rows.n()) + 1, 0) {
    for (std::size_t k = 1; k < log_factorial.size(); ++k)
      log_factorial[k] = log_factorial[k - 1] + std::log(static_cast<double>(k));
    std::vector<std::size_t> count(classes, 0);
    std::vector<double> weight(classes, 0);
    for (Index i = 0; i < rows.n(); ++i) {
      class_of.push_back(static_cast<std::size_t>(rows.label(i)));
      ++count[class_of.back()];
      weight[class_of.back()] += rows.weight()[i];
    }
    log_ways = log_factorial.back();
    for (const std::size_t n : count) {
      log_ways -= log_factorial[n];
      present += n > 0 ? 1 : 0;
    }
    total = std::accumulate(weight.begin(), weight.end(), 0.0);
    base_errors = total - *std::max_element(weight.begin(), weight.end());
  }

  std::size_t classes() const { return present; }
  double log_choose(std::size_t n, std::size_t k) const {
    return log_factorial[n] - log_factorial[k] - log_factorial[n - k];
  }
  // `log_rules`: logarithm of the number of rules of this kind.
  bool is_determined(const Errors& errors, double log_rules) const {
    if (!(errors.weight <= most_errors * base_errors)) return false;
    const std::size_t n = class_of.size(), e = static_cast<std::size_t>(errors.rows);
    const double log_chance = log_rules + log_choose(n, e) +
                              static_cast<double>(e) * std::log(static_cast<double>(classes() - 1)) +
                              std::log(static_cast<double>(e + 1)) - log_ways;
    return log_chance + std::log(static_cast<double>(rows.table().d)) < std::log(most_chance);
  }

  const MemoryStore& rows;
  std::vector<std::size_t> class_of;  // by row
  std::vector<double> log_factorial;
  std::size_t present = 0;  // classes with rows
  double log_ways = 0, total = 0, base_errors = 0;
};

struct Cell {
  double x, weight;
  std::size_t label;
};

// The cells of a column in the order of their values, gaps last.
std::vector<Cell> cells_of(const Labelled& data, Index column) {
  std::vector<Cell> cells;
  for (Index i = 0; i < data.rows.n(); ++i)
    cells.push_back(
        {data.rows.row(i)[column], data.rows.weight()[i], data.class_of[static_cast<std::size_t>(i)]});
  std::stable_sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) {
    return std::isnan(a.x) ? false : std::isnan(b.x) || a.x < b.x;
  });
  return cells;
}

// The errors of the values, and how many values there are.
std::pair<Errors, Index> errors_of_values(const std::vector<Cell>& cells, std::size_t classes) {
  Errors errors;
  Index values = 0;
  std::vector<double> weight(classes, 0);
  for (std::size_t first = 0, end = 0; first < cells.size(); first = end, ++values) {
    const auto same = [&](double x) {
      return x == cells[first].x || (std::isnan(x) && std::isnan(cells[first].x));
    };
    for (end = first; end < cells.size() && same(cells[end].x); ++end)
      weight[cells[end].label] += cells[end].weight;
    const auto best =
        static_cast<std::size_t>(std::max_element(weight.begin(), weight.end()) - weight.begin());
    for (std::size_t k = first; k < end; ++k) {
      weight[cells[k].label] = 0;
      if (cells[k].label == best && end - first > 1) continue;
      errors.rows += 1;
      errors.weight += cells[k].weight;
    }
  }
  return {errors, values};
}

// The largest value on the side of the lower class that leaves the fewest errors between two classes.
double threshold_between(const std::vector<Cell>& lower, const std::vector<Cell>& upper) {
  double errors = 0, best = INFINITY, at = -INFINITY;
  for (const Cell& cell : lower) errors += cell.weight;
  for (std::size_t i = 0, k = 0; i < lower.size() || k < upper.size();) {
    const double x =
        std::min(i < lower.size() ? lower[i].x : INFINITY, k < upper.size() ? upper[k].x : INFINITY);
    for (; i < lower.size() && lower[i].x == x; ++i) errors -= lower[i].weight;
    for (; k < upper.size() && upper[k].x == x; ++k) errors += upper[k].weight;
    if (errors < best) {
      best = errors;
      at = x;
    }
  }
  return at;
}

// The classes in the order of their medians.
Errors errors_of_thresholds(const std::vector<Cell>& cells, std::size_t classes) {
  Errors errors;
  std::vector<std::vector<Cell>> by_class(classes);
  for (const Cell& cell : cells)
    if (!std::isnan(cell.x)) by_class[cell.label].push_back(cell);
  std::erase_if(by_class, [](const std::vector<Cell>& each) { return each.empty(); });
  std::sort(by_class.begin(), by_class.end(), [](const std::vector<Cell>& a, const std::vector<Cell>& b) {
    const double x = a[a.size() / 2].x, z = b[b.size() / 2].x;
    return x != z ? x < z : a[0].label < b[0].label;
  });
  std::vector<double> thresholds;
  std::vector<std::size_t> place(classes, 0);
  for (std::size_t k = 0; k < by_class.size(); ++k) {
    place[by_class[k][0].label] = k;
    if (k > 0) thresholds.push_back(threshold_between(by_class[k - 1], by_class[k]));
  }
  std::sort(thresholds.begin(), thresholds.end());
  for (const Cell& cell : cells) {
    const auto interval = static_cast<std::size_t>(
        std::lower_bound(thresholds.begin(), thresholds.end(), cell.x) - thresholds.begin());
    if (!std::isnan(cell.x) && interval == place[cell.label]) continue;
    errors.rows += 1;
    errors.weight += cell.weight;
  }
  return errors;
}

// The accuracy of a column that determines the label.
std::optional<double> accuracy_of(const Labelled& data, Index column, bool has_levels, std::size_t classes) {
  const std::vector<Cell> cells = cells_of(data, column);
  const std::size_t n = cells.size(), present = data.classes();
  const auto [errors, values] = errors_of_values(cells, classes);
  if (data.is_determined(errors, static_cast<double>(values) * std::log(static_cast<double>(present))))
    return 1 - errors.weight / data.total;
  if (has_levels) return std::nullopt;
  const Errors threshold_errors = errors_of_thresholds(cells, classes);
  if (data.is_determined(threshold_errors, data.log_factorial[present] + data.log_choose(n - 1, present - 1)))
    return 1 - threshold_errors.weight / data.total;
  return std::nullopt;
}

}  // namespace

std::string warning_of_label_columns(const MemoryStore& merged, const Names& names, Workers& workers) {
  const std::size_t classes = names.classes.size(), columns = merged.table().d;
  const Labelled data(merged, classes);
  if (data.classes() < 2) return "";
  std::vector<std::optional<double>> found(columns);
  workers.run(static_cast<Index>(columns), [&](Index column, int /*worker*/) {
    const auto at = static_cast<std::size_t>(column);
    found[at] = accuracy_of(data, column, !names.columns.empty() && names.columns[at].has_levels(), classes);
  });
  std::string list;
  std::size_t count = 0;
  double least = 1;
  for (std::size_t column = 0; column < columns; ++column) {
    if (!found[column]) continue;
    least = std::min(least, *found[column]);
    if (++count <= most_names)
      list += (count > 1 ? ", " : "") +
              (names.features.empty() ? std::to_string(column + 1) : names.features[column]);
  }
  if (count > most_names) list += " and " + std::to_string(count - most_names) + " more";
  if (count == 0) return "";
  if (count == 1)
    return "column " + list + " alone determines the label (accuracy " + fixed(least, 4) +
           "): is it another name of the label? Drop it if so";
  return "each of the columns " + list + " alone determines the label (accuracy at least " + fixed(least, 4) +
         "): are they other names of the label? Drop them if so";
}

}  // namespace induce::detail
