// The projection of a model of sparse rows (table/projection.hpp) as tensors for its file:
//   projection_width (1)     columns of a table
//   projection_columns (u)   those in use, increasing         projection (u, q)     W
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/safetensors.hpp"
#include "table/projection.hpp"

namespace induce::detail {

std::map<std::string, Tensor> projection_tensors(const Projection& projection);

// The tensors that a file with a projection to q features must have, with their shapes; empty if it has none.
std::map<std::string, std::vector<std::size_t>> shapes_of_projection(const CheckedTensors& file,
                                                                     std::size_t q);

// From a file whose tensors have these shapes. Returns the reason why it cannot, to follow "the model", or nothing.
std::string read_projection(const CheckedTensors& file, std::shared_ptr<const Projection>& out);

}  // namespace induce::detail
