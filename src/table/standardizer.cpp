// See standardizer.hpp.
#include "table/standardizer.hpp"

#include <cmath>
#include <limits>
#include <string>

#include <induce/error.hpp>

#include "rows/reducer.hpp"

namespace induce::detail {
namespace {

void check_features(Index found, Index expected) {
  if (found != expected)
    throw data_error("the table has " + std::to_string(found) + " features, expected " +
                     std::to_string(expected));
}

// The smallest and largest value of each feature, and the sum of the weights of its rows.
class Extremes : public RowSum {
 public:
  void clear(Index d) {
    d_ = d;
    numbers_.resize(3 * d);
    numbers_.head(d).setConstant(std::numeric_limits<double>::infinity());
    numbers_.segment(d, d).setConstant(-std::numeric_limits<double>::infinity());
    numbers_.tail(d).setZero();
  }
  void include(const double* x, double weight) {
    for (Index f = 0; f < d_; ++f) {
      numbers_[f] = std::fmin(numbers_[f], x[f]);
      numbers_[d_ + f] = std::fmax(numbers_[d_ + f], x[f]);
      numbers_[2 * d_ + f] += std::isnan(x[f]) ? 0 : weight;
    }
  }
  Extremes& operator+=(const Extremes& other) {
    numbers_.head(d_) = numbers_.head(d_).cwiseMin(other.numbers_.head(d_));
    numbers_.segment(d_, d_) = numbers_.segment(d_, d_).cwiseMax(other.numbers_.segment(d_, d_));
    numbers_.tail(d_) += other.numbers_.tail(d_);
    return *this;
  }
  Vector low() const { return numbers_.head(d_); }
  Vector high() const { return numbers_.segment(d_, d_); }
  Vector weight() const { return numbers_.tail(d_); }

 private:
  Index d_ = 0;
};

// One value per feature.
class Features : public RowSum {
 public:
  void clear(Index d) { numbers_.setZero(d); }
  Vector& all() { return numbers_; }
};

}  // namespace

Standardizer Standardizer::identity(Index features) {
  return {Vector::Zero(features), Vector::Ones(features), {}};
}

Standardizer Standardizer::fit(const MemoryStore& X, Workers& workers) {
  if (X.n() == 0) throw data_error("the table has no rows; standardization needs at least one");
  const Index n = X.n(), d = X.columns();
  const Blocks blocks = Blocks::light(n);
  Standardizer fitted = identity(d);

  Reducer<Extremes> ranges(blocks, workers);
  Extremes& range = ranges.add_up([&](Extremes& sum) { sum.clear(d); },
                                  [&](Index first, Index rows, int /*worker*/, Extremes& sum) {
                                    for (Index i = first; i < first + rows; ++i)
                                      sum.include(X.row(i), X.weight()[i]);
                                  });
  // A feature without a value has the range from 0 to 0.
  const Vector total = range.weight(), low = (total.array() > 0).select(range.low(), 0.0),
               high = (total.array() > 0).select(range.high(), 0.0);

  // Sums differences from the middle of the range, with weights normalized to 1, so that nothing overflows.
  Reducer<Features> sums(blocks, workers);
  const auto mean_of = [&](const auto& of) -> Vector {
    return sums
        .add_up([&](Features& sum) { sum.clear(d); },
                [&](Index first, Index rows, int /*worker*/, Features& sum) {
                  for (Index i = first; i < first + rows; ++i)
                    for (Index f = 0; f < d; ++f)
                      if (const double x = X.row(i)[f]; !std::isnan(x))
                        sum.all()[f] += of(x, f) * (X.weight()[i] / total[f]);
                })
        .all();
  };
  const Vector middle = low / 2 + high / 2;
  Vector mean = middle + mean_of([&](double x, Index f) { return x - middle[f]; });
  const Vector first_pass = mean;
  mean += mean_of([&](double x, Index f) { return x - first_pass[f]; });

  const Vector radius = (high - mean).cwiseMax(mean - low);  // the largest distance from the mean
  const Vector unit = (radius.array() > 0).select(radius, 1.0);
  const Vector variance = mean_of([&](double x, Index f) {  // in units of unit^2
    const double scaled = (x - mean[f]) / unit[f];
    return scaled * scaled;
  });

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

}  // namespace induce::detail
