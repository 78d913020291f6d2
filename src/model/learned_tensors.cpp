// What a model remembers of what it learned, as tensors: see model_format.hpp.
#include <cmath>

#include "model/model_tensors.hpp"

namespace induce::detail {
namespace {

constexpr std::size_t numbers_of_update = 6;

bool is_share(double x) { return x >= 0 && x <= 1; }

}  // namespace

void add_learned(const Learned& learned, Tensors& out) {
  if (!learned.known()) return;
  out["trained_rows"] = list_of({learned.rows});
  if (!learned.class_weights.empty()) out["class_weights"] = list_of(learned.class_weights);
  if (!learned.updates.empty()) {
    Tensor& all = out["updates"] = {{learned.updates.size(), numbers_of_update}, {}};
    for (const PastUpdate& each : learned.updates)
      for (const double x : {each.rows, each.nll, each.expected_nll, each.z, each.kept, each.inputs_added})
        all.values.push_back(x);
  }
  const ColumnMoments& moments = learned.moments;
  if (moments.empty()) return;
  Tensor& columns = out["column_moments"] = {{moments.gaps.size(), 3}, {}};
  std::vector<double> levels;
  for (std::size_t c = 0; c < moments.gaps.size(); ++c) {
    for (const double x : {moments.mean[c], moments.deviation[c], moments.gaps[c]})
      columns.values.push_back(x);
    append(levels, moments.levels[c], 0, moments.levels[c].size());
  }
  if (!levels.empty()) out["level_shares"] = list_of(std::move(levels));
}

Learned read_learned(TensorReader& file, const Names& names, std::size_t columns) {
  Learned out;
  if (!file.has("trained_rows")) return out;
  out.rows = file.number("trained_rows");
  if (!(out.rows > 0 && std::isfinite(out.rows))) file.reject("it has no number of trained_rows");
  if (file.has("class_weights")) out.class_weights = file.numbers("class_weights", {names.classes.size()});
  for (const double weight : out.class_weights)
    if (!(weight > 0 && std::isfinite(weight))) file.reject("it has a class weight that is not positive");
  if (file.has("updates")) {
    const Sizes& size = file.shape("updates");
    const std::vector<double> all = file.numbers("updates", {size.empty() ? 0 : size[0], numbers_of_update});
    for (std::size_t k = 0; k < all.size(); k += numbers_of_update) {
      out.updates.push_back({all[k], all[k + 1], all[k + 2], all[k + 3], all[k + 4], all[k + 5]});
      const PastUpdate& each = out.updates.back();
      if (!(each.rows > 0 && each.nll >= 0 &&
            std::isfinite(each.rows + each.nll + each.expected_nll + each.z)) ||
          !(each.kept > 0 && each.kept <= 1) || !is_index(each.inputs_added, std::size_t{1} << 31))
        file.reject("it has an update that cannot have been");
    }
  }
  if (!file.has("column_moments")) return out;
  const std::vector<double> numbers = file.numbers("column_moments", {columns, 3});
  const std::vector<double> levels =
      file.has("level_shares") ? file.list("level_shares") : std::vector<double>();
  std::size_t at = 0;
  for (std::size_t c = 0; c < columns; ++c) {
    const double mean = numbers[3 * c], deviation = numbers[3 * c + 1], gaps = numbers[3 * c + 2];
    if (!std::isfinite(mean) || !(deviation >= 0 && std::isfinite(deviation)) || !is_share(gaps))
      file.reject("it has column_moments out of range");
    out.moments.mean.push_back(mean);
    out.moments.deviation.push_back(deviation);
    out.moments.gaps.push_back(gaps);
    const std::size_t known = names.columns.empty() ? 0 : names.columns[c].levels.size();
    std::vector<double>& shares = out.moments.levels.emplace_back();
    if (known > levels.size() - at) file.reject("it has level_shares that do not match its levels");
    append(shares, levels, at, known);
    at += known;
    for (const double share : shares)
      if (!is_share(share)) file.reject("it has a level share that is not between 0 and 1");
  }
  if (at != levels.size()) file.reject("it has level_shares that do not match its levels");
  return out;
}

}  // namespace induce::detail
