#include "model/explanation_tensors.hpp"

#include <algorithm>
#include <cmath>

namespace induce::detail {
namespace {

std::string flaw_of_band(const std::vector<double>& mean, const std::vector<double>& lower,
                         const std::vector<double>& upper) {
  for (std::size_t g = 0; g < mean.size(); ++g) {
    if (!std::isfinite(lower[g]) || !std::isfinite(upper[g])) return "has an effect that is not finite";
    if (!(lower[g] <= mean[g] && mean[g] <= upper[g])) return "has an effect outside its band";
  }
  return "";
}

std::string flaw_of_effect(const Effect& effect) {
  for (std::size_t g = 0; g < effect.values.size(); ++g) {
    if (!std::isfinite(effect.values[g])) return "has an effect that is not finite";
    if (g > 0 && !(effect.values[g - 1] < effect.values[g]))
      return "has an effect whose values do not increase";
  }
  std::string flaw = flaw_of_band(effect.mean, effect.lower, effect.upper);
  if (flaw.empty()) flaw = flaw_of_band(effect.missing_mean, effect.missing_lower, effect.missing_upper);
  return flaw;
}

}  // namespace

ExplanationTensors pack(const Explanation& explanation) {
  ExplanationTensors packed;
  const auto append = [](std::vector<double>& to, const std::vector<double>& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  std::size_t classes = 1;
  for (const Effect& effect : explanation.effects) {
    packed.points.push_back(static_cast<double>(effect.values.size()));
    append(packed.values, effect.values);
    if (!effect.values.empty()) classes = effect.mean.size() / effect.values.size();
  }
  for (std::size_t c = 0; c < classes; ++c)
    for (const Effect& effect : explanation.effects) {
      const auto of_class = [&](const std::vector<double>& curves) {
        const auto first = curves.begin() + static_cast<std::ptrdiff_t>(c * effect.values.size());
        return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(effect.values.size()));
      };
      append(packed.mean, of_class(effect.mean));
      append(packed.lower, of_class(effect.lower));
      append(packed.upper, of_class(effect.upper));
    }
  for (const auto& [main, total] : explanation.importance)
    packed.importance.insert(packed.importance.end(), {main, total});
  const auto has_gaps = [](const Effect& effect) { return !effect.missing_mean.empty(); };
  if (std::none_of(explanation.effects.begin(), explanation.effects.end(), has_gaps)) return packed;
  const std::vector<double> none(classes, 0);
  for (const Effect& effect : explanation.effects)
    for (const auto* numbers : {&effect.missing_mean, &effect.missing_lower, &effect.missing_upper})
      append(packed.missing, numbers->empty() ? none : *numbers);
  return packed;
}

std::string unpack(const ExplanationTensors& packed, const std::vector<bool>& gaps, Explanation& out) {
  const std::size_t all = packed.values.size();
  std::size_t at = 0;
  for (std::size_t f = 0; f < packed.points.size(); ++f) {
    const double points = packed.points[f];
    if (!(points >= 1 && points <= static_cast<double>(all - at)) || points != std::floor(points))
      return "has effects whose number of points is wrong";
    const std::size_t end = at + static_cast<std::size_t>(points);
    const auto part = [&](const std::vector<double>& column) {  // of every class
      std::vector<double> curves;
      for (std::size_t first = at; first < column.size(); first += all)
        curves.insert(curves.end(), column.begin() + static_cast<std::ptrdiff_t>(first),
                      column.begin() + static_cast<std::ptrdiff_t>(first + end - at));
      return curves;
    };
    out.effects.push_back(
        {f, part(packed.values), part(packed.mean), part(packed.lower), part(packed.upper)});
    out.importance.push_back({packed.importance[2 * f], packed.importance[2 * f + 1]});
    if (!packed.missing.empty() && gaps[f]) {
      const std::size_t functions = packed.missing.size() / (3 * packed.points.size());
      auto first = packed.missing.begin() + static_cast<std::ptrdiff_t>(3 * f * functions);
      Effect& effect = out.effects.back();
      for (auto* numbers : {&effect.missing_mean, &effect.missing_lower, &effect.missing_upper}) {
        numbers->assign(first, first + static_cast<std::ptrdiff_t>(functions));
        first += static_cast<std::ptrdiff_t>(functions);
      }
    }
    at = end;
  }
  return at == all ? "" : "has effects whose number of points is wrong";
}

std::string flaw_of(const Explanation& explanation) {
  for (const Effect& effect : explanation.effects)
    if (std::string flaw = flaw_of_effect(effect); !flaw.empty()) return flaw;
  for (const auto& [main, total] : explanation.importance)
    if (!(main >= 0 && total >= main && std::isfinite(total))) return "has an importance out of range";
  return "";
}

}  // namespace induce::detail
