#include "explain/points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace induce::detail {
namespace {

constexpr double missing_value = std::numeric_limits<double>::quiet_NaN();

// Distances, increasing; those that differ by rounding only are one. The first is 0.
std::vector<double> different(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  std::vector<double> out{0};
  for (const double distance : all)
    if (distance > out.back() + 1e-9 * all.back()) out.push_back(distance);
  return out;
}

std::size_t nearest(const std::vector<double>& sorted, double x) {
  const auto right =
      static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), x) - sorted.begin());
  if (right == sorted.size() || (right > 0 && x - sorted[right - 1] < sorted[right] - x)) return right - 1;
  return right;
}

// How two points differ apart from their numbers: the number of features that differ by 1.
struct Kind {
  Index levels, missing;
  auto operator<=>(const Kind&) const = default;  // NOLINT(modernize-use-nullptr): of the comparison with 0
};

}  // namespace

ColumnPoints::ColumnPoints(const FeatureMap& map, Index column, const FeatureRange& range, Index points,
                           bool other)
    : column_(static_cast<std::size_t>(column)) {
  const Encoding& encoding = map.encoding;
  Index features = 1;
  std::vector<double> at_value = range.few_at;
  values_ = range.few;
  first_ = column;
  value_ = 0;
  if (!encoding.is_plain()) {
    const ColumnCode& code = encoding.codes()[column];
    std::tie(first_, features) = encoding.features_of(column);
    missing_ = code.gaps;
    levels_ = !code.is_number || !code.repeated.empty();
    value_ = code.is_number ? encoding.value_of(column) - first_ : -1;
    level_first_ = code.is_number ? 1 : 0;
    if (levels_) {
      values_ = code.repeated;
      if (!code.is_number) {
        values_.assign(code.levels.begin(), code.levels.end());
        if (other || values_.empty()) values_.push_back(static_cast<double>(code.level_count));
      }
    }
  }
  const bool grid = values_.empty();
  if (grid) {
    const Vector line = Vector::LinSpaced(points, range.low, range.high);
    const Index value = first_ + value_;
    RowMatrix table = RowMatrix::Zero(points, map.features());
    table.col(value) = line;
    const RowMatrix undone = map.undo(std::move(table));
    for (Index g = 0; g < points; ++g)
      if (g == 0 || (undone(g, value) > values_.back() && line[g] > at_value.back())) {
        at_value.push_back(line[g]);
        values_.push_back(undone(g, value));
      }
  }
  at_ = Matrix::Zero(features, static_cast<Index>(values_.size()) + (missing_ ? 1 : 0));
  if (levels_ || missing_) {  // through the map: what a value is in the features
    std::vector<double> row(static_cast<std::size_t>(map.columns()), missing_value), out(map.features());
    const auto encode = [&](double value, Index point) {
      row[column] = value;
      map.apply(row.data(), 1, out.data());
      at_.col(point) = Eigen::Map<const Vector>(out.data() + first_, features);
    };
    for (std::size_t g = 0; g < values_.size(); ++g) encode(values_[g], static_cast<Index>(g));
    if (missing_) encode(missing_value, at_.cols() - 1);
  }
  if (!levels_)
    for (std::size_t g = 0; g < values_.size(); ++g) at_(value_, static_cast<Index>(g)) = at_value[g];
  if (value_ >= 0) grid_ = FeatureGrid(at_.row(value_).head(static_cast<Index>(values_.size())));
}

RowMatrix ColumnPoints::rows(Index features) const {
  RowMatrix out = RowMatrix::Zero(count(), features);
  out.middleCols(first_, at_.rows()) = at_.transpose();
  return out;
}

FeatureGrid::Position ColumnPoints::position_of(const RowMatrix& X, Index row) const {
  const auto x = X.row(row).segment(first_, features());
  const Index last = count() - 1;
  if (value_ < 0) {
    Index level = 0;
    while (level < features() - 1 && x[level] == 0) ++level;
    if (missing_ && level == features() - 1) return {last, 0};
    return {std::min(level, static_cast<Index>(values_.size()) - 1), 0};
  }
  if (missing_ && x[features() - 1] != 0) return {last, 0};
  return grid_.position_of(x[value_]);
}

Vector ColumnPoints::shares(const RowMatrix& X, Index rows) const {
  Vector p = Vector::Zero(count());
  for (Index i = 0; i < rows; ++i) {
    const auto [left, share] = position_of(X, i);
    p[left] += 1 - share;
    if (share != 0) p[left + 1] += share;
  }
  return p / static_cast<double>(rows);
}

double ColumnPoints::interpolate(const Vector& y, const RowMatrix& X, Index row) const {
  const auto [left, share] = position_of(X, row);
  return share == 0 ? y[left] : (1 - share) * y[left] + share * y[left + 1];
}

void ColumnPoints::thin() {
  const auto last = static_cast<Index>(values_.size()) - 1;
  if (levels_ || missing_ || last < 3) return;
  at_ = Matrix{{at_(0, 0), at_(0, last / 2), at_(0, last)}};
  values_ = {values_[0], values_[static_cast<std::size_t>(last / 2)],
             values_[static_cast<std::size_t>(last)]};
  grid_ = FeatureGrid(at_.row(0));
}

ColumnPoints::Differences ColumnPoints::differences() const {
  const auto kind_of = [&](Index g, Index h) {
    Kind kind{0, 0};
    for (Index f = 0; f < features(); ++f) {
      if (f == value_ || at_(f, g) == at_(f, h)) continue;
      ++(value_ >= 0 && missing_ && f == features() - 1 ? kind.missing : kind.levels);
    }
    return kind;
  };
  const auto distance = [&](Index g, Index h) {
    return value_ < 0 ? 0 : std::abs(at_(value_, g) - at_(value_, h));
  };
  std::map<Kind, std::vector<double>> distances{{Kind{0, 0}, {0}}};
  for (Index g = 0; g < count(); ++g)
    for (Index h = 0; h < g; ++h) distances[kind_of(g, h)].push_back(distance(g, h));
  std::map<Kind, Index> first_of;
  Index total = 0;
  for (auto& [kind, all] : distances) {
    all = different(std::move(all));
    first_of[kind] = total;
    total += static_cast<Index>(all.size());
  }
  Differences out{Matrix::Zero(features(), total), Eigen::MatrixXi::Zero(count(), count())};
  for (const auto& [kind, all] : distances)
    for (std::size_t k = 0; k < all.size(); ++k) {
      auto column = out.differences.col(first_of[kind] + static_cast<Index>(k));
      if (value_ >= 0) column[value_] = all[k];
      column.segment(level_first_, kind.levels).setOnes();
      if (kind.missing > 0) column[features() - 1] = 1;
    }
  for (Index g = 0; g < count(); ++g)
    for (Index h = 0; h < count(); ++h) {
      const Kind kind = g == h ? Kind{0, 0} : kind_of(g, h);
      out.which_difference(g, h) =
          static_cast<int>(first_of[kind] + static_cast<Index>(nearest(distances[kind], distance(g, h))));
    }
  return out;
}

}  // namespace induce::detail
