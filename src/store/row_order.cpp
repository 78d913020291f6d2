#include "store/row_order.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "linalg/random.hpp"

namespace induce::detail {
namespace {

// NaN are equal and come last.
int compare(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return static_cast<int>(std::isnan(a)) - static_cast<int>(std::isnan(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

}  // namespace

std::uint64_t hash_of_row(const double* x, std::size_t d, std::span<const Index> order, int label) {
  std::uint64_t state = static_cast<std::uint64_t>(label);
  for (std::size_t k = 0; k < d; ++k) {
    const double value = x[order.empty() ? k : static_cast<std::size_t>(order[k])];
    const double same =
        std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value + 0.0;  // -0 becomes 0
    state ^= std::bit_cast<std::uint64_t>(same);
    state = splitmix64(state);
  }
  return state;
}

int compare_rows(const double* x, int label, const double* z, int label_of_z, std::size_t d) {
  for (std::size_t f = 0; f < d; ++f)
    if (const int order = compare(x[f], z[f]); order != 0) return order;
  return label == label_of_z ? 0 : label < label_of_z ? -1 : 1;
}

std::vector<Index> columns_by_name(std::size_t columns, const std::vector<std::string>& names) {
  std::vector<Index> order(columns);
  std::iota(order.begin(), order.end(), Index{0});
  if (!names.empty())
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return names[a] < names[b]; });
  return order;
}

}  // namespace induce::detail
