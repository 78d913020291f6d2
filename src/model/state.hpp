// The contents of a Model.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <induce/explain.hpp>
#include <induce/model.hpp>

#include "store/column_ranges.hpp"
#include "table/feature_map.hpp"
#include "table/projection.hpp"
#include "table/typical_values.hpp"
#include "core/fitted.hpp"
#include "likelihood/likelihood.hpp"
#include "model/learned.hpp"

namespace induce::detail {

struct ModelState {
  Names names;
  FeatureMap map;
  TypicalValues typical;                // empty if an earlier version of the library wrote the model
  ColumnRanges ranges;                  // the same, or a model of sparse rows
  std::string kernel, method, version;  // version: of the library that fitted it
  std::shared_ptr<const Likelihood> likelihood;
  Theta theta;
  Fitted fitted;
  std::shared_ptr<const Projection> projection;  // of a model of sparse rows: applied before the map
  std::optional<Explanation> explanation;        // over the training rows
  Learned learned;
};

// The public form of theta, from a frame.
Theta theta_of(const Frame& frame);

std::shared_ptr<ModelState> make_state(const Names& names, const FeatureMap& map,
                                       const TypicalValues& typical, const std::string& kernel,
                                       const std::string& method, const Likelihood& likelihood,
                                       const Fitted& fitted,
                                       std::optional<Explanation> explanation = std::nullopt);

}  // namespace induce::detail
