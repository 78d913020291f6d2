#include "fit/check_data.hpp"

#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include <induce/error.hpp>

#include "rows/sparse_rows.hpp"
#include "text/words.hpp"

namespace induce::detail {

namespace {

constexpr std::size_t most_classes = 1000;

bool is_number(const std::string& text, double& value) {
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && at == end;
}

// Many numbers that are not whole, or that few rows share, are a quantity rather than classes.
bool looks_like_a_quantity(const std::vector<std::string>& classes, std::size_t rows) {
  constexpr std::size_t few = 20, rows_per_class = 5;
  if (classes.size() <= few) return false;
  bool whole = true;
  for (const std::string& name : classes) {
    double value = 0;
    if (!is_number(name, value)) return false;
    whole = whole && value == std::floor(value);
  }
  return !whole || rows < rows_per_class * classes.size();
}

// How to say that numbers are not classes but shares or counts.
std::string advice_on_counts(const std::vector<std::string>& classes) {
  bool shares = true, counts = true;
  for (const std::string& name : classes) {
    double value = 0;
    is_number(name, value);
    shares = shares && value >= 0 && value <= 1;
    counts = counts && value >= 0 && value == std::floor(value);
  }
  return shares   ? "; if they are shares of successes, say so (option shares)"
         : counts ? "; if they are successes of trials, name the trials (option trials)"
                  : "";
}

void check_classes(const std::vector<std::string>& classes, std::size_t rows) {
  if (classes.size() < 2) throw data_error("there is only one class: two are needed");
  if (looks_like_a_quantity(classes, rows))
    throw data_error(
        "the label has " + std::to_string(classes.size()) + " different numbers in " + std::to_string(rows) +
        " rows: it looks like a quantity (regression), and induce predicts classes; is it the right "
        "column? Otherwise put its values into a few groups" +
        advice_on_counts(classes));
  if (classes.size() > most_classes)
    throw data_error("the label has " + std::to_string(classes.size()) + " classes: at most " +
                     std::to_string(most_classes) +
                     " are supported; merge rare ones, or check the label column");
}

void check_columns(std::size_t d, const std::vector<Column>& columns) {
  if (columns.empty()) return;
  if (columns.size() != d)
    throw data_error("there are " + std::to_string(d) + " features but " + std::to_string(columns.size()) +
                     " columns with kinds");
  for (std::size_t f = 0; f < d; ++f) {
    const std::vector<std::string>& levels = columns[f].levels;
    if (!columns[f].has_levels() && !levels.empty())
      throw data_error("feature " + std::to_string(f) + " is a " + std::string(name_of(columns[f].kind)) +
                       ", which has no levels");
    for (std::size_t k = 1; k < levels.size(); ++k)
      if (!(levels[k - 1] < levels[k]))
        throw data_error("feature " + std::to_string(f) + ": level '" + levels[k] +
                         "' is not after the one before it; levels must be different and in bytewise order");
  }
}

// A number must be finite or missing, a level also a whole number.
bool is_valid(double x, bool is_level) {
  return std::isnan(x) || (std::isfinite(x) && (!is_level || (x >= 0 && x == std::floor(x))));
}

void check_names(std::size_t d, const Names& names) {
  if (!names.features.empty() && names.features.size() != d)
    throw data_error("there are " + std::to_string(d) + " features but " +
                     std::to_string(names.features.size()) + " feature names");
  check_columns(d, names.columns);
}

// Sizes and labels, and `check_row(i)` of each row after its label.
template <class CheckRow>
void check_rows(std::size_t n, std::size_t d, std::span<const int> y, const Names& names,
                const CheckRow& check_row) {
  if (n == 0 || d == 0) throw data_error("the data has no rows or no features");
  if (y.size() != n)
    throw data_error("there are " + std::to_string(n) + " rows but " + std::to_string(y.size()) + " labels");
  check_classes(names.classes, n);
  check_names(d, names);
  const std::size_t classes = names.classes.size();
  std::vector<std::size_t> count(classes, 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (y[i] < 0 || static_cast<std::size_t>(y[i]) >= classes)
      throw data_error("label " + std::to_string(y[i]) + " in row " + std::to_string(i) + ": must be " +
                       (classes == 2
                            ? std::string("0 or 1")
                            : "from 0 to " + std::to_string(classes - 1) + ", the index of a class"));
    ++count[static_cast<std::size_t>(y[i])];
    check_row(i);
  }
  for (std::size_t k = 0; k < classes; ++k) {
    if (count[k] == n) throw data_error("all labels are '" + names.classes[k] + "': two classes are needed");
    if (count[k] == 0 && classes > 2) throw data_error("class '" + names.classes[k] + "' has no rows");
  }
}

}  // namespace

Names with_classes(Names names, std::size_t classes) {
  if (!names.classes.empty()) return names;
  for (std::size_t c = 0; c < std::max<std::size_t>(classes, 2); ++c)
    names.classes.push_back(std::to_string(c));
  return names;
}

Names with_classes(Names names, std::span<const int> labels) {
  const int last = labels.empty() ? 0 : *std::max_element(labels.begin(), labels.end());
  // More classes than rows: check_data says which label is wrong.
  const bool plausible = last > 0 && static_cast<std::size_t>(last) < labels.size();
  return with_classes(std::move(names), plausible ? static_cast<std::size_t>(last) + 1 : 2);
}

void check_data(TableView X, std::span<const int> y, const Names& names) {
  check_rows(X.n, X.d, y, names, [&](std::size_t i) {
    for (std::size_t f = 0; f < X.d; ++f)
      if (const bool is_level = !names.columns.empty() && names.columns[f].has_levels();
          !is_valid(X.row(i)[f], is_level))
        throw data_error("row " + std::to_string(i) + ", feature " + std::to_string(f) + ": " +
                         shortest(X.row(i)[f]) +
                         (is_level ? " is not the index of a level" : " is not a finite number"));
  });
}

void check_data(const SparseView& X, std::span<const int> y, const Names& names) {
  check_rows(X.n, X.d, y, names, [&](std::size_t i) { check_sparse_values(X, i); });
}

void check_sparse_fit(const Names& names, const Options& options) {
  for (const char* list : {"mains:", "pairs:"})
    if (options.kernel.find(list) != std::string::npos)
      throw usage_error("kernel '" + options.kernel +
                        "': the table is sparse, and its kernel has no columns to choose; use mains, pairs");
  for (const Column& column : names.columns)
    if (column.kind != ColumnKind::number)
      throw data_error("a column of a sparse table is a " + std::string(name_of(column.kind)) +
                       ": all must be numbers");
}

void check_facts(const RowFacts& facts, std::size_t columns, const Names& names) {
  const std::size_t classes = names.classes.size();
  check_classes(names.classes, static_cast<std::size_t>(facts.rows));
  check_names(columns, names);
  if (facts.class_rows.size() > classes)
    throw data_error("label " + std::to_string(facts.class_rows.size() - 1) + ": must be from 0 to " +
                     std::to_string(classes - 1) + ", the index of a class");
  for (std::size_t k = 0; k < classes; ++k)
    if (k >= facts.class_rows.size() || facts.class_rows[k] == 0)
      throw data_error("class '" + names.classes[k] + "' has no rows");
}

void check_several_groups(std::span<const int> of, bool in_time, const char* of_what) {
  if (std::any_of(of.begin(), of.end(), [&](int each) { return each != of[0]; })) return;
  throw data_error(of_what + std::string(in_time ? " have the same time: two are needed"
                                                 : " are of one group: two are needed"));
}

void check_groups(const Groups& groups, std::size_t rows, std::span<const double> weights) {
  if (groups.of.empty()) return;
  if (groups.of.size() != rows)
    throw data_error("there are " + std::to_string(rows) + " rows but " + std::to_string(groups.of.size()) +
                     " groups");
  for (std::size_t i = 0; i < rows; ++i)
    if (groups.of[i] < 0)
      throw data_error("group " + std::to_string(groups.of[i]) + " in row " + std::to_string(i) +
                       ": must be a number from 0");
  std::vector<int> counted;
  for (std::size_t i = 0; i < rows; ++i)
    if (weights.empty() || weights[i] > 0) counted.push_back(groups.of[i]);
  check_several_groups(counted, groups.in_time);
}

void check_weights(std::span<const int> y, std::span<const double> weights, const Names& names) {
  if (weights.empty()) return;
  if (weights.size() != y.size())
    throw data_error("there are " + std::to_string(y.size()) + " rows but " + std::to_string(weights.size()) +
                     " weights");
  std::vector<bool> counts(names.classes.size(), false);
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!(weights[i] >= 0 && std::isfinite(weights[i])))
      throw data_error("weight " + shortest(weights[i]) + " in row " + std::to_string(i) +
                       ": must be a number of at least 0");
    if (weights[i] > 0) counts[static_cast<std::size_t>(y[i])] = true;
  }
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (!counts[k])
      throw data_error(counts.size() == 2 ? "all rows of one class have weight 0: two classes are needed"
                                          : "all rows of class '" + names.classes[k] + "' have weight 0");
}

}  // namespace induce::detail
