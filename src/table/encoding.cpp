#include "table/encoding.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "store/row_order.hpp"
#include "text/words.hpp"

namespace induce::detail {
namespace {

constexpr double fewest_rows = 5;  // of a level or a repeated value with a feature of its own
constexpr std::size_t most_levels = 100, most_features_of_levels = 600, most_repeated = 64;
constexpr double share_of_one_value = 0.5;  // from here on, other repeated values get features
constexpr std::size_t fewest_values = 10;   // below, a smooth function serves as well
// In a table with more such columns, the common value is a background (pixels, counts of words), and the rest are quantities.
constexpr std::ptrdiff_t most_repeating_columns = 8;

std::vector<double> column_of_table(TableView table, Index column) {
  std::vector<double> values(table.n);
  for (std::size_t i = 0; i < table.n; ++i) values[i] = table.row(i)[column];
  return values;
}

// How many rows have each level.
std::vector<double> rows_of_levels(const std::vector<double>& codes, std::size_t levels) {
  std::vector<double> count(levels, 0);
  for (const double code : codes)
    if (code < static_cast<double>(levels)) count[static_cast<std::size_t>(code)] += 1;
  return count;
}

// The indices of the largest counts, at most `most` and none below fewest_rows; increasing.
std::vector<Index> frequent(const std::vector<double>& count, std::size_t most) {
  std::vector<Index> by_count(count.size());
  std::iota(by_count.begin(), by_count.end(), Index{0});
  std::stable_sort(by_count.begin(), by_count.end(), [&](Index a, Index b) { return count[a] > count[b]; });
  std::vector<Index> kept;
  for (const Index k : by_count)
    if (kept.size() < most && count[k] >= fewest_rows) kept.push_back(k);
  std::sort(kept.begin(), kept.end());
  return kept;
}

// `x` has no gaps.
std::vector<double> repeated_values(std::vector<double> x) {
  if (x.size() < fewest_values) return {};
  // A value that half of the rows have is the median.
  std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
  const double median = x[x.size() / 2];
  const auto times = std::count(x.begin(), x.end(), median);
  if (static_cast<double>(times) < share_of_one_value * static_cast<double>(x.size())) return {};
  std::map<double, double> rows_of;
  for (const double value : x) rows_of[value + 0.0] += 1;  // -0 is 0
  if (rows_of.size() < fewest_values) return {};
  std::vector<double> values, count, repeated;
  for (const auto& [value, rows] : rows_of) {
    values.push_back(value);
    count.push_back(rows);
  }
  for (const Index k : frequent(count, most_repeated))
    repeated.push_back(values[static_cast<std::size_t>(k)]);
  return repeated.size() < 2 ? std::vector<double>{} : repeated;
}

}  // namespace

Encoding::Encoding(std::vector<ColumnCode> codes, std::vector<Index> order)
    : codes_(std::move(codes)), order_(std::move(order)), places_(codes_.size()) {
  for (const Index column : order_) {
    const ColumnCode& code = codes_[column];
    Place& place = places_[column];
    place.first = features();
    const auto begin_group = [&](Group::Part part) { groups_.push_back({column, part}); };
    const auto add_feature = [&] {
      group_of_.push_back(static_cast<Index>(groups_.size()) - 1);
      return features() - 1;
    };
    if (code.is_number) {
      begin_group(Group::Part::value);
      place.value = add_feature();
      if (!code.repeated.empty()) begin_group(Group::Part::levels);
      for (std::size_t k = 0; k < code.repeated.size(); ++k) {
        const Index feature = add_feature();
        if (k == 0) place.levels = feature;
      }
      if (code.gaps) begin_group(Group::Part::missing);
    } else {
      begin_group(Group::Part::levels);
      place.feature_of_level.assign(static_cast<std::size_t>(code.level_count), -1);
      for (const Index level : code.levels) {
        const Index feature = add_feature();
        if (place.levels < 0) place.levels = feature;
        place.feature_of_level[static_cast<std::size_t>(level)] = feature;
      }
      place.other = add_feature();
    }
    if (code.gaps) place.missing = add_feature();
    place.count = features() - place.first;
  }
}

Encoding Encoding::find(TableView table, const Names& names, Workers& workers,
                        const std::vector<char>& more_gaps) {
  const std::size_t columns = table.d;
  std::vector<ColumnCode> codes(columns);
  std::vector<std::vector<double>> rows_of(columns);  // by level
  workers.run(static_cast<Index>(columns), [&](Index column, int /*worker*/) {
    ColumnCode& code = codes[column];
    code.is_number = names.columns.empty() || !names.columns[column].has_levels();
    std::vector<double> x = column_of_table(table, column);
    code.gaps = std::erase_if(x, [](double value) { return std::isnan(value); }) > 0 ||
                (!more_gaps.empty() && more_gaps[column]);
    if (code.is_number)
      code.repeated = repeated_values(std::move(x));
    else
      rows_of[column] = rows_of_levels(x, names.columns[column].levels.size());
    code.level_count = static_cast<Index>(rows_of[column].size());
  });
  const auto repeats = [](const ColumnCode& code) { return !code.repeated.empty(); };
  if (std::count_if(codes.begin(), codes.end(), repeats) > most_repeating_columns)
    for (ColumnCode& code : codes) code.repeated.clear();
  if (std::all_of(codes.begin(), codes.end(), [](const ColumnCode& code) { return code.is_plain(); }))
    return {};
  // Many columns with many levels: fewer of each.
  for (std::size_t most = most_levels;; most = most * 3 / 4) {
    std::size_t features = 0;
    for (std::size_t column = 0; column < columns; ++column) {
      if (codes[column].is_number) continue;
      codes[column].levels = frequent(rows_of[column], most);
      features += codes[column].levels.size();
    }
    if (features <= most_features_of_levels || most <= 4) break;
  }
  return Encoding(std::move(codes), columns_by_name(columns, names.features));
}

void Encoding::encode_column(Index column, double x, double* out) const {
  const ColumnCode& code = codes_[column];
  const Place& place = places_[column];
  std::fill_n(out + place.first, place.count, 0.0);
  if (code.is_number) {
    out[place.value] = x;
    if (std::isnan(x)) {
      if (place.missing >= 0) out[place.missing] = 1;
    } else if (!code.repeated.empty()) {
      const auto found = std::lower_bound(code.repeated.begin(), code.repeated.end(), x);
      if (found != code.repeated.end() && *found == x)
        out[place.levels + (found - code.repeated.begin())] = 1;
    }
    return;
  }
  Index feature = place.other;
  if (std::isnan(x)) {
    if (place.missing >= 0) feature = place.missing;
  } else if (x >= 0 && x < static_cast<double>(place.feature_of_level.size())) {
    const Index own = place.feature_of_level[static_cast<std::size_t>(x)];
    if (own >= 0) feature = own;
  }
  out[feature] = 1;
}

void Encoding::apply(const double* x, Index rows, double* out) const {
  for (Index i = 0; i < rows; ++i)
    for (Index column = 0; column < columns(); ++column)
      encode_column(column, x[i * columns() + column], out + i * features());
}

namespace {

std::string name_of_column(Index column, const std::vector<std::string>& names) {
  return names.empty() ? unnamed_feature(static_cast<std::size_t>(column)) : names[column];
}

}  // namespace

std::string Encoding::name_of_group(Index group, const std::vector<std::string>& names) const {
  const auto& [column, part] = groups_[group];
  const std::string name = name_of_column(column, names);
  if (part == Group::Part::missing) return name + " (missing)";
  return part == Group::Part::levels && codes_[column].is_number ? name + " (values)" : name;
}

std::vector<std::string> Encoding::names_of_features(const Names& names) const {
  std::vector<std::string> all(group_of_.size());
  for (Index column = 0; column < columns(); ++column) {
    const ColumnCode& code = codes_[column];
    const Place& place = places_[column];
    const std::string name = name_of_column(column, names.features);
    if (place.value >= 0) all[place.value] = name;
    if (place.other >= 0) all[place.other] = name + "=(other)";
    if (place.missing >= 0) all[place.missing] = name + " (missing)";
    for (std::size_t k = 0; k < code.repeated.size(); ++k)
      all[place.levels + static_cast<Index>(k)] = name + "=" + shortest(code.repeated[k]);
    for (std::size_t k = 0; k < code.levels.size(); ++k)
      all[place.levels + static_cast<Index>(k)] =
          name + "=" + names.columns[column].levels[static_cast<std::size_t>(code.levels[k])];
  }
  return all;
}

}  // namespace induce::detail
