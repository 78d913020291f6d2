// The rows of a stage that are in this process, and what belongs to them.
#pragma once

#include <functional>
#include <memory>

#include "rows/row_numbers.hpp"
#include "rows/row_source.hpp"
#include "site/targets.hpp"
#include "store/row_store.hpp"
#include "table/feature_map.hpp"

namespace induce::detail {

struct StageRows {
  std::unique_ptr<const RowSource> x;           // in the model's units
  std::unique_ptr<const RowNumbers> y, weight;  // as in Targets
  // Makes room for numbers of the rows; by default in memory.
  std::function<std::unique_ptr<RowNumbers>(Index rows, Index width)> room{};
};

// Both must outlive the result.
StageRows stage_rows(const RowMatrix& X, const Targets& targets);
// All rows of a store, which must outlive the result. `classes`: of the likelihood.
StageRows stage_rows(const RowStore& store, const FeatureMap& map, Index classes);

}  // namespace induce::detail
