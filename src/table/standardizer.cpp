// See standardizer.hpp.
#include "table/standardizer.hpp"

#include <cmath>
#include <limits>
#include <string>

#include <induce/error.hpp>

namespace induce {
namespace {

void check_features(Index found, Index expected) {
  if (found != expected)
    throw data_error("the table has " + std::to_string(found) + " features, the model " +
                     std::to_string(expected));
}

}  // namespace

Standardizer Standardizer::identity(Index features) {
  return {Vector::Zero(features), Vector::Ones(features), {}};
}

Standardizer Standardizer::fit(TableView X) { return fit(all_rows(X, {})); }

Standardizer Standardizer::fit(const WeightedRows& X) {
  if (X.n() == 0) throw data_error("the table has no rows; at least one is needed to standardize it");
  const Index n = X.n(), d = X.d();
  const auto row = [&](Index i) { return Eigen::Map<const Vector>(X.row(i), d); };
  const Vector share = X.weight / X.weight.sum();
  Standardizer fitted = identity(d);

  // Sums are of differences to a value in the data's midst, with shares that add up to 1, so that none
  // overflows.
  Vector low = row(0), high = low, offset = Vector::Zero(d), correction = Vector::Zero(d);
  for (Index i = 0; i < n; ++i) {
    low = low.cwiseMin(row(i));
    high = high.cwiseMax(row(i));
  }
  const Vector middle = low / 2 + high / 2;
  for (Index i = 0; i < n; ++i) offset += (row(i) - middle) * share[i];
  Vector mean = middle + offset;
  for (Index i = 0; i < n; ++i) correction += (row(i) - mean) * share[i];
  mean += correction;

  const Vector reach = (high - mean).cwiseMax(mean - low);  // the largest distance to the mean
  const Vector unit = (reach.array() > 0).select(reach, 1.0);
  Vector variance = Vector::Zero(d);  // in squares of unit
  for (Index i = 0; i < n; ++i) variance += share[i] * ((row(i) - mean).cwiseQuotient(unit)).cwiseAbs2();

  for (Index f = 0; f < d; ++f) {
    const double rounding =
        4 * std::numeric_limits<double>::epsilon() * std::fmax(std::fabs(low[f]), std::fabs(high[f]));
    const double scale = unit[f] * std::sqrt(variance[f]);
    if (high[f] - low[f] <= rounding || !(scale > 0)) {
      fitted.constant.push_back(f);
      fitted.shift[f] = low[f] == high[f] ? low[f] : mean[f];
    } else {
      fitted.shift[f] = mean[f];
      fitted.scale[f] = scale;
    }
  }
  return fitted;
}

void Standardizer::apply(const double* x, Index rows, double* out) const {
  const Index d = features();
  for (Index i = 0; i < rows; ++i)
    for (Index f = 0; f < d; ++f) out[i * d + f] = (x[i * d + f] - shift[f]) / scale[f];
}

RowMatrix Standardizer::apply(TableView X) const {
  check_features(static_cast<Index>(X.d), features());
  RowMatrix out(static_cast<Index>(X.n), features());
  apply(X.x, out.rows(), out.data());
  return out;
}

RowMatrix Standardizer::undo(RowMatrix X) const {
  check_features(X.cols(), features());
  for (Index i = 0; i < X.rows(); ++i)
    for (Index f = 0; f < X.cols(); ++f) X(i, f) = X(i, f) * scale[f] + shift[f];
  return X;
}

}  // namespace induce
