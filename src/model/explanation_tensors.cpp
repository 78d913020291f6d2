#include "model/explanation_tensors.hpp"

#include <algorithm>
#include <cmath>

namespace induce {
namespace {

std::string flaw_of_effect(const Effect& effect) {
  for (std::size_t g = 0; g < effect.values.size(); ++g) {
    if (!std::isfinite(effect.values[g])) return "has an effect that is not finite";
    if (g > 0 && !(effect.values[g - 1] < effect.values[g]))
      return "has an effect whose values do not increase";
  }
  for (std::size_t g = 0; g < effect.mean.size(); ++g) {
    if (!std::isfinite(effect.lower[g]) || !std::isfinite(effect.upper[g]))
      return "has an effect that is not finite";
    if (!(effect.lower[g] <= effect.mean[g] && effect.mean[g] <= effect.upper[g]))
      return "has an effect outside its band";
  }
  return "";
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
  return packed;
}

std::string unpack(const ExplanationTensors& packed, Explanation& out) {
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

}  // namespace induce
