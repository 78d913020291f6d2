#include "row_groups.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include <induce/error.hpp>

#include "linalg/random.hpp"

namespace induce::cli {
namespace {

std::string flag_of(const FitArguments& arguments) { return arguments.group.empty() ? "--time" : "--group"; }
const std::string& column_of(const FitArguments& arguments) {
  return arguments.group.empty() ? arguments.time : arguments.group;
}

ColumnSummary& find_column(Dataset& data, const FitArguments& arguments) {
  const std::string& given = column_of(arguments);
  for (ColumnSummary& column : data.columns)
    if (column.name == given || (column.name.empty() && std::to_string(column.number) == given))
      return column;
  for (ColumnSummary& column : data.columns)
    if (std::to_string(column.number) == given) return column;
  throw usage_error(flag_of(arguments) + ": the table has no column '" + given + "'" +
                    (data.columns.empty() ? "; only CSV has such columns" : " besides its label"));
}

template <class Numbers>
void erase_at(Numbers& numbers, std::size_t at) {
  if (!numbers.empty()) numbers.erase(numbers.begin() + static_cast<std::ptrdiff_t>(at));
}

void erase_feature(Dataset& data, ColumnSummary& column) {
  const std::size_t feature = *column.feature;
  const auto f = static_cast<Eigen::Index>(feature), d = data.X.cols();
  RowMatrix rest(data.X.rows(), d - 1);
  rest << data.X.leftCols(f), data.X.rightCols(d - f - 1);
  data.X = std::move(rest);
  erase_at(data.names.features, feature);
  erase_at(data.names.columns, feature);
  if (std::all_of(data.names.columns.begin(), data.names.columns.end(),
                  [](const Column& each) { return each.kind == ColumnKind::number; }))
    data.names.columns.clear();
  for (ColumnSummary& other : data.columns)
    if (other.feature && *other.feature > feature) --*other.feature;
  column.feature.reset();
  data.left_out.push_back(column.number);
}

}  // namespace

void read_groups(ReadOptions& how, const FitArguments& arguments) {
  const std::string& column = column_of(arguments);
  (arguments.group.empty() ? how.time : how.group) = column;
}

RowGroups take_groups(Dataset& data, const FitArguments& arguments) {
  RowGroups groups{.in_time = !arguments.time.empty()};
  if (column_of(arguments).empty()) return groups;
  ColumnSummary& column = find_column(data, arguments);
  const std::string what = flag_of(arguments) + ": " + column.shown;
  if (!column.feature || (groups.in_time && column.kind != "number" && column.kind != "date"))
    throw data_error(
        what + " is " + (column.kind == "empty" || column.kind == "dropped" ? "" : "a column of kind ") +
        column.kind + (groups.in_time && column.kind != "dropped" ? ": must be numbers or dates" : ""));
  const Vector values = data.X.col(static_cast<Eigen::Index>(*column.feature));
  std::vector<double> different(values.begin(), values.end());
  std::sort(different.begin(), different.end());
  different.erase(std::unique(different.begin(), different.end()), different.end());
  if (different.size() < 2) throw data_error(what + " has one value: two are needed");
  for (const double value : values)
    groups.of.push_back(
        static_cast<int>(std::lower_bound(different.begin(), different.end(), value) - different.begin()));
  if (data.X.cols() == 1) throw data_error(what + " is the only column besides the label");
  erase_feature(data, column);
  column.kind = groups.in_time ? "time" : "group";
  return groups;
}

std::vector<bool> held_out_groups(const RowGroups& groups, double fraction, std::uint64_t seed) {
  const int last = *std::max_element(groups.of.begin(), groups.of.end());
  std::vector<std::size_t> rows(static_cast<std::size_t>(last) + 1, 0), order(rows.size());
  for (const int group : groups.of) ++rows[static_cast<std::size_t>(group)];
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!groups.in_time) Random(seed).shuffle(order);
  std::vector<bool> held(rows.size(), false);
  double left = fraction * static_cast<double>(groups.of.size());
  for (std::size_t k = order.size(); k-- > 1 && left > 0;) {
    held[order[k]] = true;
    left -= static_cast<double>(rows[order[k]]);
  }
  std::vector<bool> of_rows;
  for (const int group : groups.of) of_rows.push_back(held[static_cast<std::size_t>(group)]);
  return of_rows;
}

}  // namespace induce::cli
