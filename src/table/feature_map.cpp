#include "table/feature_map.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "rows/blocks.hpp"
#include "table/yeo_johnson.hpp"

namespace induce::detail {
namespace {

constexpr Index sample_size = 2000;  // rows used to fit an exponent
// Smallest gain in log likelihood per value that justifies a warp, and the gain of a heavy tail.
constexpr double min_gain = 0.01, gain_of_heavy_tail = 0.3;
constexpr double max_scaled = 1e30;  // bound on |x - origin|/unit; its highest power is still finite

struct FeatureWarp {
  double origin = 0, unit = 1, exponent = 1, log_likelihood = 0;
};

// A sample of one feature: values and normalized weights.
struct Sample {
  std::vector<double> x, share;
};

FeatureWarp try_warp(const Sample& sample, double origin, double unit) {
  const std::vector<double>& x = sample.x;
  std::vector<double> scaled(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    scaled[i] = std::clamp((x[i] - origin) / unit, -max_scaled, max_scaled);
  const PowerFit fit = fit_yeo_johnson(scaled, sample.share);
  return {origin, unit, fit.exponent, fit.log_likelihood - std::log(unit)};
}

// The weighted median of |x| over the nonzero x.
double median_magnitude(const Sample& sample) {
  std::vector<std::pair<double, double>> magnitudes;
  double total = 0, below = 0;
  for (std::size_t i = 0; i < sample.x.size(); ++i) {
    if (sample.x[i] == 0) continue;
    magnitudes.emplace_back(std::fabs(sample.x[i]), sample.share[i]);
    total += sample.share[i];
  }
  std::sort(magnitudes.begin(), magnitudes.end());
  for (const auto& [magnitude, share] : magnitudes)
    if ((below += share) >= total / 2) return magnitude;
  return 1;
}

// One column without its gaps.
Sample sample_of(const MemoryStore& X, Index column, const Vector& share) {
  Sample sample;
  for (Index i = 0; i < share.size(); ++i) {
    const double x = X.row(i * X.n() / share.size())[column];
    if (std::isnan(x)) continue;
    sample.x.push_back(x);
    sample.share.push_back(share[i]);
  }
  if (static_cast<Index>(sample.x.size()) == share.size()) return sample;
  const double present = std::accumulate(sample.share.begin(), sample.share.end(), 0.0);
  for (double& each : sample.share) each /= present;
  return sample;
}

// From a map of columns to one of the features of an encoding.
FeatureMap features_map(const FeatureMap& map, const Encoding& encoding) {
  const Index d = encoding.features();
  FeatureMap out{{}, {}, {}, Standardizer::identity(d), encoding};
  if (map.warped()) {
    out.origin = Vector::Zero(d);
    out.unit = out.exponent = Vector::Ones(d);
  }
  for (Index column = 0; column < encoding.columns(); ++column) {
    const Index f = encoding.value_of(column);
    if (f < 0) continue;
    out.standardizer.shift[f] = map.standardizer.shift[column];
    out.standardizer.scale[f] = map.standardizer.scale[column];
    if (!map.warped()) continue;
    out.origin[f] = map.origin[column];
    out.unit[f] = map.unit[column];
    out.exponent[f] = map.exponent[column];
  }
  for (const Index column : map.standardizer.constant)
    if (encoding.value_of(column) >= 0) out.standardizer.constant.push_back(encoding.value_of(column));
  return out;
}

FeatureWarp best_warp(const Sample& x, double mean, double deviation, double least_gain) {
  const FeatureWarp by_zero = try_warp(x, 0, median_magnitude(x)), by_mean = try_warp(x, mean, deviation);
  const FeatureWarp& best = by_zero.log_likelihood > by_mean.log_likelihood ? by_zero : by_mean;
  // Without warping, the log likelihood per value is -log(deviation).
  const bool gains = best.log_likelihood > -std::log(deviation) + least_gain;
  return gains && best.exponent != 1 ? best : FeatureWarp{};
}

}  // namespace

FeatureMap FeatureMap::standardized(const MemoryStore& X, Workers& workers, const Encoding& encoding) {
  FeatureMap map{{}, {}, {}, Standardizer::fit(X, workers)};
  return encoding.is_plain() ? map : features_map(map, encoding);
}

std::optional<FeatureMap> FeatureMap::one_scale(const MemoryStore& X, Workers& workers) {
  constexpr Index fewest = 16;
  const Index d = X.columns(), count = std::min(X.n(), sample_size);
  if (d < fewest) return std::nullopt;
  Vector low = Vector::Constant(d, INFINITY), high = -low, another = low;  // another value than the two ends
  for (Index i = 0; i < count; ++i) {
    const Eigen::Map<const Vector> x(X.row(i * X.n() / count), d);
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  for (Index i = 0; i < count; ++i) {
    const double* x = X.row(i * X.n() / count);
    for (Index f = 0; f < d; ++f)
      if (x[f] != low[f] && x[f] != high[f]) another[f] = x[f];
  }
  const double widest = (high - low).maxCoeff();
  double varying = 0, wide = 0, graded = 0;
  for (Index f = 0; f < d; ++f) {
    if (high[f] == low[f]) continue;
    varying += 1;
    wide += high[f] - low[f] > widest / 2;
    graded += std::isfinite(another[f]);
  }
  if (varying < fewest || wide < varying / 2 || graded < 0.9 * varying) return std::nullopt;
  FeatureMap map = standardized(X, workers);
  double squares = 0;
  for (Index f = 0; f < d; ++f)
    squares += high[f] == low[f] ? 0 : map.standardizer.scale[f] * map.standardizer.scale[f];
  map.standardizer.scale.setConstant(std::sqrt(squares / varying));
  return map;
}

FeatureMap FeatureMap::centred(const MemoryStore& X, Workers& workers, const Encoding& encoding) {
  FeatureMap map = standardized(X, workers, encoding);
  map.standardizer.scale.setOnes();
  return map;
}

FeatureMap FeatureMap::yeo_johnson(const MemoryStore& X, Workers& workers, Warped which,
                                   const Encoding& encoding) {
  const Standardizer plain = Standardizer::fit(X, workers);
  const Index d = plain.features();  // columns
  FeatureMap map{Vector::Zero(d), Vector::Ones(d), Vector::Ones(d), Standardizer::identity(d)};
  const Index count = std::min(X.n(), sample_size);
  Vector share(count);
  for (Index i = 0; i < count; ++i) share[i] = X.weight()[i * X.n() / count];
  share /= share.sum();
  workers.run(d, [&](Index f, int /*worker*/) {
    if (!encoding.is_plain() && !encoding.codes()[f].is_number) return;
    const Sample sample = sample_of(X, f, share);
    if (sample.x.empty()) return;
    const FeatureWarp best = best_warp(sample, plain.shift[f], plain.scale[f],
                                       which == Warped::heavy_tails ? gain_of_heavy_tail : min_gain);
    map.origin[f] = best.origin;
    map.unit[f] = best.unit;
    map.exponent[f] = best.exponent;
  });
  std::vector<Index> all(static_cast<std::size_t>(X.n()));
  std::iota(all.begin(), all.end(), Index{0});
  const RowMatrix warped = map.apply(X.table(), X.table_rows(all), workers);
  map.standardizer = Standardizer::fit(
      MemoryStore::as_it_is({warped.data(), all.size(), X.table().d}, {}, {X.weight().data(), all.size()}),
      workers);
  return encoding.is_plain() ? map : features_map(map, encoding);
}

Index FeatureMap::warped_features() const { return (exponent.array() != 1).count(); }

void FeatureMap::apply(const double* x, Index rows, double* out) const {
  const Index d = features();
  if (!encoding.is_plain()) {
    encoding.apply(x, rows, out);
    x = out;
  }
  if (warped()) {
    for (Index f = 0; f < d; ++f) {
      const double p = exponent[f];
      for (Index i = f; i < rows * d; i += d)
        out[i] = p == 1 ? x[i]
                        : detail::yeo_johnson(
                              std::clamp((x[i] - origin[f]) / unit[f], -max_scaled, max_scaled), p);
    }
    x = out;
  }
  standardizer.apply(x, rows, out);
  if (encoding.is_plain()) return;
  for (Index i = 0; i < rows * d; ++i)
    if (std::isnan(out[i])) out[i] = 0;
}

RowMatrix FeatureMap::apply(TableView X, Workers& workers) const {
  RowMatrix out(static_cast<Index>(X.n), features());
  for_each_block(Blocks::light(out.rows()), workers, [&](Index first, Index count, int /*worker*/) {
    apply(X.row(static_cast<std::size_t>(first)), count, out.row(first).data());
  });
  return out;
}

RowMatrix FeatureMap::apply(TableView X, std::span<const Index> rows, Workers& workers) const {
  RowMatrix out(static_cast<Index>(rows.size()), features());
  for_each_block(Blocks::light(out.rows()), workers, [&](Index first, Index count, int /*worker*/) {
    for (Index i = first; i < first + count; ++i)
      apply(X.row(static_cast<std::size_t>(rows[i])), 1, out.row(i).data());
  });
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

}  // namespace induce::detail
