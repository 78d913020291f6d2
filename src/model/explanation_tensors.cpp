// The tensors of an explanation: see model_tensors.hpp.
#include <algorithm>
#include <utility>

#include "model/model_tensors.hpp"

namespace induce::detail {
namespace {

std::string pair_name(const std::string& what, std::size_t first, std::size_t second) {
  return what + "." + std::to_string(first) + "*" + std::to_string(second);
}

void add_terms(const Explanation& explanation, std::size_t functions, Tensors& out) {
  std::vector<double> shares;
  for (const TermShare& term : explanation.terms) shares.push_back(term.share);
  if (!shares.empty()) out["term_shares"] = list_of(std::move(shares));
  for (const PairEffect& pair : explanation.pairs) {
    const auto& [first, second, mean, lower, upper] = pair;
    std::vector<double> values = first.values, all = mean;
    append(values, second.values, 0, second.values.size());
    append(all, lower, 0, lower.size());
    append(all, upper, 0, upper.size());
    out[pair_name("pair_values", first.feature, second.feature)] = list_of(std::move(values));
    out[pair_name("pair_effect", first.feature, second.feature)] = {
        {3, functions, first.points(), second.points()}, std::move(all)};
  }
}

PairEffect read_pair(TensorReader& file, std::size_t one, std::size_t other, std::size_t functions,
                     const std::vector<bool>& gaps) {
  PairEffect out{
      {one, {}, !gaps.empty() && gaps[one]}, {other, {}, !gaps.empty() && gaps[other]}, {}, {}, {}};
  const std::string name = pair_name("pair_effect", one, other);
  const Sizes& shape = file.shape(name);
  const std::vector<double> values = file.list(pair_name("pair_values", one, other));
  if (shape.size() != 4 || shape[2] <= out.first.missing || shape[3] <= out.second.missing ||
      shape[2] - out.first.missing > values.size() ||
      values.size() != shape[2] - out.first.missing + shape[3] - out.second.missing)
    file.reject("its " + name + " does not match its values");
  const std::vector<double> all = file.numbers(name, {3, functions, shape[2], shape[3]});
  append(out.first.values, values, 0, shape[2] - out.first.missing);
  append(out.second.values, values, shape[2] - out.first.missing, shape[3] - out.second.missing);
  const std::size_t each = all.size() / 3;
  append(out.mean, all, 0, each);
  append(out.lower, all, each, each);
  append(out.upper, all, 2 * each, each);
  return out;
}

}  // namespace

void add_explanation(const Explanation& explanation, Tensors& out) {
  const std::vector<Effect>& effects = explanation.effects;
  std::vector<double> points, importance, missing;
  std::size_t functions = 1;
  for (const Effect& effect : effects) {
    points.push_back(static_cast<double>(effect.values.size()));
    if (!effect.values.empty()) functions = effect.mean.size() / effect.values.size();
  }
  for (const auto& [main, total] : explanation.importance) importance.insert(importance.end(), {main, total});
  const auto curves = [&](std::vector<double> Effect::*member, std::size_t times) {
    std::vector<double> all;
    for (std::size_t c = 0; c < times; ++c)
      for (const Effect& effect : effects)
        append(all, effect.*member, c * effect.values.size(), effect.values.size());
    const std::size_t each = all.size() / times;
    return Tensor{times > 1 ? Sizes{times, each} : Sizes{each}, std::move(all)};
  };
  out["effect_values"] = curves(&Effect::values, 1);
  out["effect_mean"] = curves(&Effect::mean, functions);
  out["effect_lower"] = curves(&Effect::lower, functions);
  out["effect_upper"] = curves(&Effect::upper, functions);
  out["effect_points"] = list_of(std::move(points));
  out["importance"] = {{effects.size(), 2}, std::move(importance)};
  add_terms(explanation, functions, out);
  const auto has_gaps = [](const Effect& effect) { return !effect.missing_mean.empty(); };
  if (std::none_of(effects.begin(), effects.end(), has_gaps)) return;
  const std::vector<double> none(functions, 0);
  for (const Effect& effect : effects)
    for (const auto* numbers : {&effect.missing_mean, &effect.missing_lower, &effect.missing_upper})
      append(missing, numbers->empty() ? none : *numbers, 0, functions);
  out["effect_missing"] = {{effects.size(), 3, functions}, std::move(missing)};
}

Explanation read_explanation(TensorReader& file, std::size_t columns, std::size_t functions,
                             const std::vector<bool>& gaps) {
  const std::vector<double> points = file.numbers("effect_points", {columns}),
                            importance = file.numbers("importance", {columns, 2}),
                            values = file.list("effect_values");
  const std::size_t all = values.size();
  const Sizes size = functions > 1 ? Sizes{functions, all} : Sizes{all};
  const std::vector<double> mean = file.numbers("effect_mean", size),
                            lower = file.numbers("effect_lower", size),
                            upper = file.numbers("effect_upper", size);
  std::vector<double> missing;
  if (!gaps.empty() && file.has("effect_missing"))
    missing = file.numbers("effect_missing", {columns, 3, functions});
  Explanation out;
  std::size_t at = 0;
  for (std::size_t f = 0; f < columns; ++f) {
    if (!is_index(points[f], all - at + 1) || points[f] == 0) break;
    const auto count = static_cast<std::size_t>(points[f]);
    const auto curves = [&](const std::vector<double>& numbers) {  // of every class
      std::vector<double> own;
      for (std::size_t first = at; first < numbers.size(); first += all) append(own, numbers, first, count);
      return own;
    };
    out.effects.push_back({f, curves(values), curves(mean), curves(lower), curves(upper)});
    out.importance.push_back({importance[2 * f], importance[2 * f + 1]});
    at += count;
    if (missing.empty() || !gaps[f]) continue;
    Effect& effect = out.effects.back();
    std::size_t first = 3 * f * functions;
    for (auto* numbers : {&effect.missing_mean, &effect.missing_lower, &effect.missing_upper})
      append(*numbers, missing, std::exchange(first, first + functions), functions);
  }
  if (out.effects.size() != columns || at != all)
    file.reject("it has effects whose number of points is wrong");
  return out;
}

void read_terms(TensorReader& file, const Kernel& kernel, bool joint, std::size_t functions,
                const std::vector<bool>& gaps, Explanation& out) {
  if (!file.has("term_shares")) return;
  for (std::size_t column = 0; column < out.effects.size(); ++column) out.terms.push_back({{column}});
  for (Index p = 0; kernel.terms() && p < kernel.terms()->count(); ++p) {
    const std::vector<Index>& columns = (*kernel.terms())[p].columns;
    if (columns.size() < 2) continue;
    out.terms.push_back({{columns.begin(), columns.end()}});
    out.pairs.push_back(read_pair(file, static_cast<std::size_t>(columns[0]),
                                  static_cast<std::size_t>(columns[1]), functions, gaps));
  }
  if (joint) out.terms.push_back({});
  const std::vector<double> shares = file.numbers("term_shares", {out.terms.size()});
  for (std::size_t k = 0; k < shares.size(); ++k) out.terms[k].share = shares[k];
}

}  // namespace induce::detail
