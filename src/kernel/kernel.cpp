// Code shared by all kernels, and the grammar of kernel names.
#include "kernel/kernel.hpp"

#include <algorithm>
#include <charconv>

#include <induce/error.hpp>
#include <induce/options.hpp>

#include "kernel/additive.hpp"
#include "kernel/stationary.hpp"
#include "kernel/sum.hpp"
#include "kernel/white_noise.hpp"

namespace induce::detail {

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

std::vector<KernelTerm> Kernel::terms(const double* /*theta*/, Index /*d*/) const {
  throw data_error("kernel '" + name() + "' cannot be exported");
}

Index KernelSetting::groups() const {
  return group_of.empty() ? d : *std::max_element(group_of.begin(), group_of.end()) + 1;
}

std::optional<Index> Kernel::find(std::string_view name) const {
  Index at = 0;
  for (const KernelParameter& parameter : parameters()) {
    if (parameter.name == name) return at;
    at += parameter.count;
  }
  return std::nullopt;
}

namespace {

constexpr std::string_view additive = "additive";

// The columns of "additive:0,5,7"; empty for "additive": all.
std::vector<Index> additive_features(std::string_view part, const KernelSetting& setting) {
  std::vector<Index> features;
  if (part == additive) return features;
  std::string_view list = part.substr(additive.size() + 1);
  const auto fail = [&](const std::string& why) {
    throw usage_error("kernel '" + std::string(part) + "': " + why);
  };
  for (;;) {
    Index f = -1;
    const auto [end, error] = std::from_chars(list.data(), list.data() + list.size(), f);
    const std::size_t used = static_cast<std::size_t>(end - list.data());
    if (error != std::errc() || f < 0 || (used < list.size() && list[used] != ','))
      fail("columns must be indices from 0, separated by commas");
    if (!features.empty() && f <= features.back()) fail("columns must be increasing");
    if (setting.d > 0 && f >= setting.groups())
      fail("there is no column " + std::to_string(f) + "; the data has " + std::to_string(setting.groups()));
    features.push_back(f);
    if (used == list.size()) return features;
    list.remove_prefix(used + 1);
  }
}

}  // namespace

// Parameters of the first part have plain names; those of the others are prefixed with the name of the part. An
// additive part has the shape of the part before it.
std::shared_ptr<const Kernel> make_kernel(std::string_view name, const KernelSetting& setting) {
  std::vector<std::unique_ptr<const Kernel>> parts;
  std::vector<std::string> known;
  std::string last_shape = "se";
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('+', begin), name.size());
    const std::string part(name.substr(begin, end - begin));
    const bool is_additive = part == additive || part.starts_with(std::string(additive) + ":");
    const std::string kind = is_additive ? std::string(additive) : part;
    if (part.empty() && !name.empty())
      throw usage_error("kernel '" + std::string(name) + "': a sum needs a kernel before and after each +");
    if (std::find(known.begin(), known.end(), kind) != known.end())
      throw usage_error("kernel '" + std::string(name) + "': " + kind + " appears twice in the sum");
    if (is_additive) {
      parts.push_back(
          std::make_unique<AdditiveKernel>(last_shape, additive_features(part, setting), setting));
    } else if (part == "linear") {
      parts.push_back(StationaryKernel::nearly_linear(setting));
    } else {
      parts.push_back(std::make_unique<StationaryKernel>(part, setting, known.empty() ? "" : part + "."));
      last_shape = part;
    }
    known.push_back(kind);
    begin = end + 1;
  }
  if (setting.noise) parts.push_back(std::make_unique<WhiteNoise>());
  if (parts.size() == 1) return std::shared_ptr<const Kernel>(std::move(parts[0]));
  return std::make_shared<SumKernel>(std::move(parts));
}

}  // namespace induce::detail

void induce::check_kernel_name(std::string_view name) {
  if (name != "auto") detail::make_kernel(name, {.d = 0});
}
