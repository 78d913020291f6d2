#include "data/feature_map.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/yeo_johnson.hpp"

namespace induce {
namespace {

constexpr std::size_t sample_size = 2000;  // rows that an exponent is fitted to: it needs no more
constexpr double no_gain = 0.01;           // likelihood per value below which a feature is left as it is
constexpr double farthest = 1e30;          // in units: its highest power is still finite
constexpr Index strip = 1024;

// A row of weight w is met as often as w rows would be.
std::vector<std::size_t> evenly_spaced(std::size_t n, std::span<const double> weights) {
  std::vector<std::size_t> rows;
  if (weights.empty()) {
    const std::size_t count = std::min(n, sample_size);
    for (std::size_t i = 0; i < count; ++i) rows.push_back(i * n / count);
    return rows;
  }
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0),
               step = total / static_cast<double>(sample_size);
  double passed = 0, next = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (passed += weights[i]; next < passed; next += step) rows.push_back(i);
  return rows;
}

struct Shape1 {  // of one feature's warp
  double origin = 0, unit = 1, exponent = 1, log_likelihood = 0;
};

Shape1 try_warp(const std::vector<double>& x, double origin, double unit) {
  std::vector<double> scaled(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    scaled[i] = std::clamp((x[i] - origin) / unit, -farthest, farthest);
  const PowerFit fit = fit_yeo_johnson(scaled);
  return {origin, unit, fit.exponent, fit.log_likelihood - std::log(unit)};
}

double median_size(const std::vector<double>& x) {
  std::vector<double> size;
  for (const double v : x)
    if (v != 0) size.push_back(std::fabs(v));
  if (size.empty()) return 1;
  std::nth_element(size.begin(), size.begin() + static_cast<long>(size.size() / 2), size.end());
  return size[size.size() / 2];
}

Shape1 best_warp(const std::vector<double>& x, double mean, double deviation) {
  const Shape1 by_zero = try_warp(x, 0, median_size(x)), by_mean = try_warp(x, mean, deviation);
  const Shape1& best = by_zero.log_likelihood > by_mean.log_likelihood ? by_zero : by_mean;
  // Unwarped, the likelihood per value is -log deviation of the values.
  const bool gains = best.log_likelihood > -std::log(deviation) + no_gain;
  return gains && best.exponent != 1 ? best : Shape1{};
}

}  // namespace

FeatureMap FeatureMap::standardized(TableView X, Weights weights) {
  return {{}, {}, {}, Standardizer::fit(X, weights)};
}

FeatureMap FeatureMap::centred(TableView X, Weights weights) {
  FeatureMap map = standardized(X, weights);
  map.standardizer.scale.setOnes();
  return map;
}

FeatureMap FeatureMap::yeo_johnson(TableView X, Workers& workers, Weights weights) {
  const Standardizer plain = Standardizer::fit(X, weights);
  const Index d = plain.features();
  FeatureMap map{Vector::Zero(d), Vector::Ones(d), Vector::Ones(d), Standardizer::identity(d)};
  const std::vector<std::size_t> sample = evenly_spaced(X.n, weights);
  workers.run(d, [&](Index f, int /*worker*/) {
    std::vector<double> x(sample.size());
    for (std::size_t i = 0; i < sample.size(); ++i) x[i] = X.row(sample[i])[f];
    const Shape1 best = best_warp(x, plain.shift[f], plain.scale[f]);
    map.origin[f] = best.origin;
    map.unit[f] = best.unit;
    map.exponent[f] = best.exponent;
  });
  const RowMatrix bent = map.apply(X, workers);
  map.standardizer = Standardizer::fit(
      {bent.data(), static_cast<std::size_t>(bent.rows()), static_cast<std::size_t>(d)}, weights);
  return map;
}

void FeatureMap::apply(const double* x, Index rows, double* out) const {
  if (!warped()) return standardizer.apply(x, rows, out);
  const Index d = features();
  for (Index f = 0; f < d; ++f) {
    const double p = exponent[f];
    for (Index i = f; i < rows * d; i += d)
      out[i] = p == 1 ? x[i]
                      : induce::yeo_johnson(std::clamp((x[i] - origin[f]) / unit[f], -farthest, farthest), p);
  }
  standardizer.apply(out, rows, out);
}

RowMatrix FeatureMap::apply(TableView X, Workers& workers) const {
  RowMatrix out(static_cast<Index>(X.n), features());
  const Index n = out.rows();
  workers.run((n + strip - 1) / strip, [&](Index number, int /*worker*/) {
    const Index first = number * strip;
    apply(X.row(static_cast<std::size_t>(first)), std::min(strip, n - first), out.row(first).data());
  });
  return out;
}

RowMatrix FeatureMap::apply(TableView X, const std::vector<Index>& rows) const {
  RowMatrix out(static_cast<Index>(rows.size()), features());
  for (Index i = 0; i < out.rows(); ++i)
    apply(X.row(static_cast<std::size_t>(rows[static_cast<std::size_t>(i)])), 1, out.row(i).data());
  return out;
}

RowMatrix FeatureMap::undo(RowMatrix X) const {
  X = standardizer.undo(std::move(X));
  if (!warped()) return X;
  for (Index i = 0; i < X.rows(); ++i)
    for (Index f = 0; f < X.cols(); ++f)
      if (exponent[f] != 1) X(i, f) = origin[f] + unit[f] * yeo_johnson_inverse(X(i, f), exponent[f]);
  return X;
}

}  // namespace induce
