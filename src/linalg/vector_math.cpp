#include "linalg/vector_math.hpp"

namespace induce::detail {

INDUCE_MULTIVERSION void exp_inplace(double* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) x[i] = exp_fast(x[i]);
}

}  // namespace induce::detail
