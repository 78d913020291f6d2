// The table of kernels: one line each.
#include <algorithm>
#include <charconv>
#include <cmath>

#include <induce/error.hpp>

#include "kernel/matern.hpp"
#include "kernel/squared_exponential.hpp"

namespace induce::detail {
namespace {

template <class Kind>
std::unique_ptr<Shape> make() {
  return std::make_unique<Kind>();
}

struct Entry {
  std::string_view name;
  std::unique_ptr<Shape> (*make)();
};

constexpr Entry table[] = {
    {"se", make<SquaredExponential>},
    {"matern12", make<Matern12>},
    {"matern32", make<Matern32>},
    {"matern52", make<Matern52>},
};
constexpr std::string_view general = "matern:";

std::unique_ptr<Shape> make_general(std::string_view name) {
  const std::string_view text = name.substr(general.size());
  double nu = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), nu);
  if (error != std::errc() || end != text.data() + text.size() || !(nu >= smallest_nu && nu <= largest_nu))
    throw usage_error("kernel '" + std::string(name) + "': NU in matern:NU must be a number from 0.1 to 30");
  if (nu == 0.5) return make<Matern12>();
  if (nu == 1.5) return make<Matern32>();
  if (nu == 2.5) return make<Matern52>();
  return std::make_unique<MaternBessel>(nu);
}

}  // namespace

void Shape::add_line(double x, const double* z, Index m, double variance, double* K) const {
  constexpr Index most = 64;
  double r2[most];
  for (Index first = 0; first < m; first += most) {
    const Index count = std::min(most, m - first);
    for (Index j = 0; j < count; ++j) r2[j] = (x - z[first + j]) * (x - z[first + j]);
    covariance(r2, count, variance);
    for (Index j = 0; j < count; ++j) K[first + j] += r2[j];
  }
}

std::unique_ptr<Shape> make_shape(std::string_view name) {
  for (const auto& entry : table)
    if (entry.name == name) return entry.make();
  if (name.starts_with(general)) return make_general(name);
  std::string known;
  for (const auto& entry : table) known += std::string(entry.name) + ", ";
  throw usage_error("unknown kernel '" + std::string(name) + "'; known: " + known +
                    "matern:NU, linear, mains, pairs, and sums");
}

const std::vector<std::string>& example_shapes() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& entry : table) all.emplace_back(entry.name);
    for (const char* nu : {"0.3", "0.8", "1.2", "3.7"}) all.push_back(std::string(general) + nu);
    return all;
  }();
  return names;
}

}  // namespace induce::detail
