#include "fit/start_model.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include <induce/error.hpp>

#include "model/class_weights.hpp"
#include "train/methods.hpp"

namespace induce::detail {
namespace {

void check_options(const Options& options, const Model& model, const std::string& start) {
  const auto refuse = [&](const std::string& option) {
    throw usage_error(start + ": the " + option + " is that of the model; leave out the option " + option);
  };
  if (traits_of(options.method).method != Method::vi_newton)
    throw usage_error(start + ": a start needs the method vi-newton, the default; this is " +
                      std::string(traits_of(options.method).name));
  if (has_additive_part(model.kernel()))
    throw usage_error(start + ": its kernel, " + model.kernel() +
                      ", has an additive part, which fits no longer have; fit without a start, with mains "
                      "instead, as in kernel = se+mains");
  if (options.kernel != "auto" && options.kernel != model.kernel()) refuse("kernel");
  if (options.warp != Warp::automatic) refuse("warp");
  if (options.ard) refuse("ard");
  if (options.noise) refuse("noise");
  if (!options.standardize) refuse("standardize");
  if (options.start.signal_std || options.start.lengthscale || options.start.noise_std) refuse("start");
  if (options.likelihood != "auto" && options.likelihood != model.likelihood()) refuse("likelihood");
  if (options.inducing && options.inducing < model.inducing())
    throw usage_error(start + ": the model has " + std::to_string(model.inducing()) +
                      " inducing inputs, and the fit may have only " + std::to_string(options.inducing) +
                      "; leave out inducing, or fit without a start");
}

void check_columns(const Names& names, std::size_t columns, const Model& model, const std::string& start) {
  const Names& known = model.names();
  if (model.sparse()) throw data_error(start + ": it is a model of sparse rows, which cannot be a start");
  if (columns != model.features())
    throw data_error(start + ": the data has " + std::to_string(columns) + " features but the model has " +
                     std::to_string(model.features()));
  if (names.classes != known.classes)
    throw data_error(start + ": the classes of the data are not those of the model");
  for (std::size_t c = 0; c < columns; ++c) {
    const auto name_in = [&](const Names& of) {
      return of.features.empty() ? "feature " + std::to_string(c) : of.features[c];
    };
    const auto kind_in = [&](const Names& of) {
      return of.columns.empty() ? ColumnKind::number : of.columns[c].kind;
    };
    if (!names.features.empty() && !known.features.empty() && names.features[c] != known.features[c])
      throw data_error(start + ": column " + std::to_string(c + 1) + " is '" + name_in(names) +
                       "' but the model has '" + name_in(known) + "' there");
    if (kind_in(names) != kind_in(known))
      throw data_error(start + ": '" + name_in(names) + "' is a " + std::string(name_of(kind_in(names))) +
                       " but the model has a " + std::string(name_of(kind_in(known))) + " there");
  }
}

// The same features, with the numbers that levels have in the new table.
Encoding with_levels(const Encoding& encoding, const Names& names, const Names& known,
                     const std::string& start) {
  if (encoding.is_plain() || names.columns.empty()) return encoding;
  std::vector<ColumnCode> codes = encoding.codes();
  for (std::size_t c = 0; c < codes.size(); ++c) {
    if (codes[c].is_number) continue;
    const std::vector<std::string>& levels = names.columns[c].levels;
    for (Index& level : codes[c].levels) {
      const std::string& text = known.columns[c].levels[static_cast<std::size_t>(level)];
      const auto found = std::lower_bound(levels.begin(), levels.end(), text);
      if (found == levels.end() || *found != text)
        throw data_error(
            start + ": no row has the level '" + text + "' of " +
            (names.features.empty() ? "feature " + std::to_string(c) : "'" + names.features[c] + "'") +
            ", which the model has a feature for; fit without a start");
      level = found - levels.begin();
    }
    codes[c].level_count = static_cast<Index>(levels.size());
  }
  return Encoding(std::move(codes), encoding.order());
}

// What makes the kernel of the model, by its name.
KernelSetting setting_of(const FeatureMap& map, const Kernel& kernel) {
  KernelSetting setting{.d = map.features(),
                        .ard = std::any_of(kernel.parameters().begin(), kernel.parameters().end(),
                                           [](const KernelParameter& each) { return each.per_feature; }),
                        .noise = kernel.find("noise_std").has_value(),
                        .group_of = map.encoding.group_of()};
  const Terms* terms = kernel.terms();
  if (!terms) return setting;
  for (const bool pair : {false, true})
    for (Index column = 0; column < map.columns(); ++column) {
      Axis axis{.first = column, .count = 1, .value = column, .knots = {}, .ranks = {}};
      if (!map.encoding.is_plain()) {
        std::tie(axis.first, axis.count) = map.encoding.features_of(column);
        axis.value = map.encoding.value_of(column);
      }
      for (Index p = 0; p < terms->count(); ++p)
        for (std::size_t k = 0; k < (*terms)[p].columns.size(); ++k)
          if ((*terms)[p].columns[k] == column && ((*terms)[p].columns.size() > 1) == pair)
            axis = (*terms)[p].axes[k];
      (pair ? setting.pair_axes : setting.axes).push_back(std::move(axis));
    }
  return setting;
}

}  // namespace

std::optional<StartModel> start_model(const Options& options, const Names& names,
                                      const std::vector<char>& has_gaps) {
  if (options.start_from.empty()) return std::nullopt;
  const std::string start = "start_from = " + options.start_from;
  const Model model = Model::load(options.start_from);
  const ModelState& state = state_of(model);
  check_options(options, model, start);
  check_columns(names, has_gaps.size(), model, start);
  for (std::size_t c = 0; c < has_gaps.size(); ++c)
    if (has_gaps[c] && (state.map.encoding.is_plain() || !state.map.encoding.codes()[c].gaps))
      throw data_error(
          start + ": " +
          (names.features.empty() ? "feature " + std::to_string(c) : "'" + names.features[c] + "'") +
          " has missing values, and had none when the model was fitted; fit without a start");
  StartModel out{.map = state.map,
                 .setting = setting_of(state.map, *state.fitted.frame.kernel),
                 .fitted = without_class_weights(state.fitted, state.learned.class_weights)};
  out.map.encoding = with_levels(out.map.encoding, names, state.names, start);
  return out;
}

}  // namespace induce::detail
