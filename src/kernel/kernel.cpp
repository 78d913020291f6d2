// Code shared by all kernels, and the grammar of kernel names.
#include "kernel/kernel.hpp"

#include <algorithm>

#include <induce/error.hpp>
#include <induce/options.hpp>

#include "kernel/stationary.hpp"
#include "kernel/sum.hpp"
#include "kernel/white_noise.hpp"

namespace induce {

Index Kernel::size() const {
  Index size = 0;
  for (const KernelParameter& parameter : parameters()) size += parameter.count;
  return size;
}

Vector Kernel::start() const {
  Vector theta(size());
  Index at = 0;
  for (const KernelParameter& parameter : parameters()) {
    theta.segment(at, parameter.count).setConstant(parameter.start);
    at += parameter.count;
  }
  return theta;
}

std::optional<Index> Kernel::find(std::string_view name) const {
  Index at = 0;
  for (const KernelParameter& parameter : parameters()) {
    if (parameter.name == name) return at;
    at += parameter.count;
  }
  return std::nullopt;
}

// Parameters of the first shape have plain names; those of the others are prefixed with the name of the shape.
std::shared_ptr<const Kernel> make_kernel(std::string_view name, const KernelSetting& setting) {
  std::vector<std::unique_ptr<const Kernel>> parts;
  std::vector<std::string> known;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('+', begin), name.size());
    const std::string shape(name.substr(begin, end - begin));
    if (shape.empty() && !name.empty())
      throw usage_error("kernel '" + std::string(name) + "': a sum needs a kernel before and after each +");
    if (std::find(known.begin(), known.end(), shape) != known.end())
      throw usage_error("kernel '" + std::string(name) + "': " + shape + " appears twice in the sum");
    parts.push_back(std::make_unique<StationaryKernel>(shape, setting, known.empty() ? "" : shape + "."));
    known.push_back(shape);
    begin = end + 1;
  }
  if (setting.noise) parts.push_back(std::make_unique<WhiteNoise>());
  if (parts.size() == 1) return std::shared_ptr<const Kernel>(std::move(parts[0]));
  return std::make_shared<SumKernel>(std::move(parts));
}

void check_kernel_name(std::string_view name) { make_kernel(name, {}); }

}  // namespace induce
