// See usable.hpp.
#include "model/usable.hpp"

#include <cmath>

#include "likelihood/thresholds.hpp"
#include "table/yeo_johnson.hpp"

namespace induce::detail {
namespace {

constexpr double smallest = 1e-150, largest = 1e150;  // squares are still finite

// NaN is in no range.
bool all_within(const Eigen::Ref<const Matrix>& x, double low, double high) {
  return (x.array() >= low).all() && (x.array() <= high).all();
}

bool positive(const Vector& x) { return (x.array() > 0).all() && x.allFinite(); }

bool is_cholesky_factor(const Matrix& L) {
  for (Index j = 0; j < L.cols(); ++j)
    if (!(L(j, j) > 0) || (L.col(j).head(j).array() != 0).any()) return false;
  return true;
}

// Up to rounding.
bool is_symmetric(const Matrix& D) {
  if (D.size() == 0) return true;
  const double tolerance = 1e-8 * std::fmax(1, D.cwiseAbs().maxCoeff());
  for (Index j = 0; j < D.cols(); ++j)
    for (Index i = 0; i < j; ++i)
      if (!(std::fabs(D(i, j) - D(j, i)) <= tolerance)) return false;
  return true;
}

std::string flaw_of(const FeatureMap& map) {
  if (!map.standardizer.shift.allFinite() || !positive(map.standardizer.scale))
    return "has a feature whose scale is not positive";
  if (!map.warped()) return "";
  if (!map.origin.allFinite() || !positive(map.unit)) return "has a warp whose unit is not positive";
  if (!all_within(map.exponent, lowest_exponent, highest_exponent))
    return "has a warp whose exponent is out of range";
  return "";
}

std::string flaw_of(const Frame& frame) {
  Index at = 0;
  for (const KernelParameter& parameter : frame.kernel->parameters()) {
    if (!all_within(frame.prior.theta.segment(at, parameter.count), smallest, largest))
      return "has " + parameter.name + " out of range";
    at += parameter.count;
  }
  for (Index c = 0; c < frame.functions(); ++c) {
    if (!(std::fabs(frame.mean(c)) <= largest)) return "has a mean out of range";
    if (!(frame.scale(c) >= smallest && frame.scale(c) <= largest)) return "has a class scale out of range";
  }
  if (!are_thresholds(frame.prior.thresholds)) return "has thresholds that do not increase";
  if (!(frame.jitter >= 0 && frame.jitter <= 1)) return "has a jitter out of range";
  if (!frame.placed->inputs_within_reach()) return "has inducing inputs too far away for finite distances";
  if (!is_cholesky_factor(frame.L)) return "has a whitener that is not a Cholesky factor";
  return "";
}

std::string flaw_of(const Posterior& q) {
  if (!is_symmetric(q.D)) return "has a posterior that is not symmetric";
  if (!q.alpha.allFinite() || !q.P.allFinite()) return "has a posterior that is not finite";
  return "";
}

// Curves have increasing values within their bands, importance is not negative, and shares are at most 1.
std::string flaw_of_band(const std::vector<double>& mean, const std::vector<double>& lower,
                         const std::vector<double>& upper) {
  for (std::size_t g = 0; g < mean.size(); ++g) {
    if (!std::isfinite(lower[g]) || !std::isfinite(upper[g])) return "has an effect that is not finite";
    if (!(lower[g] <= mean[g] && mean[g] <= upper[g])) return "has an effect outside its band";
  }
  return "";
}

// Levels are numbers up to that of all others together.
std::string flaw_of_values(const std::vector<double>& values, const Names& names, std::size_t feature) {
  const bool levels = !names.columns.empty() && names.columns[feature].has_levels();
  if (levels && !values.empty() &&
      !(values.front() >= 0 && values.back() <= static_cast<double>(names.columns[feature].levels.size())))
    return "has an effect of a level that a column does not have";
  for (std::size_t g = 0; g < values.size(); ++g) {
    if (!std::isfinite(values[g])) return "has an effect that is not finite";
    if (g > 0 && !(values[g - 1] < values[g])) return "has an effect whose values do not increase";
  }
  return "";
}

std::string flaw_of_effect(const Effect& effect, const Names& names) {
  std::string flaw = flaw_of_values(effect.values, names, effect.feature);
  if (flaw.empty()) flaw = flaw_of_band(effect.mean, effect.lower, effect.upper);
  if (flaw.empty()) flaw = flaw_of_band(effect.missing_mean, effect.missing_lower, effect.missing_upper);
  return flaw;
}

std::string flaw_of_pair(const PairEffect& pair, const Names& names) {
  std::string flaw = flaw_of_values(pair.first.values, names, pair.first.feature);
  if (flaw.empty()) flaw = flaw_of_values(pair.second.values, names, pair.second.feature);
  if (flaw.empty()) flaw = flaw_of_band(pair.mean, pair.lower, pair.upper);
  return flaw;
}

std::string flaw_of(const Explanation& explanation, const Names& names) {
  for (const Effect& effect : explanation.effects)
    if (std::string flaw = flaw_of_effect(effect, names); !flaw.empty()) return flaw;
  for (const PairEffect& pair : explanation.pairs)
    if (std::string flaw = flaw_of_pair(pair, names); !flaw.empty()) return flaw;
  for (const TermShare& term : explanation.terms)
    if (!(term.share >= 0 && term.share <= 1)) return "has a share of a term out of range";
  for (const auto& [main, total] : explanation.importance)
    if (!(main >= 0 && total >= main && std::isfinite(total))) return "has an importance out of range";
  return "";
}

}  // namespace

std::string flaw_of(const ModelState& state) {
  std::string flaw = flaw_of(state.map);
  if (flaw.empty()) flaw = flaw_of(state.fitted.frame);
  for (const Posterior& q : state.fitted.q)
    if (flaw.empty()) flaw = flaw_of(q);
  if (flaw.empty() && state.explanation) flaw = flaw_of(*state.explanation, state.names);
  return flaw;
}

}  // namespace induce::detail
