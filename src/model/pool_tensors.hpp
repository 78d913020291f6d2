// The inducing inputs of a model of sparse rows (table/row_pool.hpp) as tensors for its file: m rows of p columns, in the units
// of the model, without their zeros.
//   pool_starts (m + 1)       where each row begins, and the end of the last      pool_width (1)     p
//   pool_columns, pool_values the entries, columns increasing within a row
// and, if columns were divided by their size,
//   column_scales (p)
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "io/safetensors.hpp"
#include "table/row_pool.hpp"

namespace induce {

std::map<std::string, Tensor> pool_tensors(const RowPool& pool);

// The tensors that a file with a pool of m rows must have, with their shapes; empty if it has no pool.
std::map<std::string, std::vector<std::size_t>> shapes_of_pool(const CheckedTensors& file, std::size_t m);

// From a file whose tensors have these shapes. Returns the reason why it cannot, to follow "the model", or nothing.
std::string read_pool(const CheckedTensors& file, std::shared_ptr<const RowPool>& out);

}  // namespace induce
