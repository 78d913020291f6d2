#include "train/plan_kernels.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "train/grow_terms.hpp"

namespace induce::detail {
namespace {

constexpr std::array<const char*, 3> shapes{"se", "matern52", "matern32"};

// theta from the caller where given, else from the kernel.
Prior start_prior(const Kernel& kernel, const std::vector<double>& means, const Start& start) {
  Prior prior{.theta = kernel.start(), .mean = means.size() == 1 ? means[0] : 0, .Z = {}};
  for (std::size_t c = 0; means.size() > 1 && c < means.size(); ++c)
    prior.classes.push_back({.mean = means[c], .scale = 1});
  const auto set = [&](const char* name, const std::optional<double>& value) {
    for_each_parameter(kernel, [&](Index at, const KernelParameter& parameter) {
      if (value && parameter.name == name) prior.theta.segment(at, parameter.count).setConstant(*value);
    });
  };
  set("signal_std", start.signal_std);
  set("lengthscales", start.lengthscale);
  set("noise_std", start.noise_std);
  return prior;
}

KernelPlan plan_kernel(const std::string& name, const TrainingPlan& of, const std::vector<double>& means) {
  const MethodDefaults& defaults = of.method.defaults;
  const std::string joint = has_terms(name) ? TermList(name, of.maps[0].columns()).joint : name;
  KernelPlan plan{.name = name,
                  .layout = {.kernel = make_kernel(joint.empty() ? "se" : joint, of.setting),
                             .mean = of.options.mean.value_or(defaults.mean),
                             .inputs = of.options.learn_inputs.value_or(defaults.learn_inputs)},
                  .start = {},
                  .family = has_terms(name) ? Family::terms : Family::plain};
  const std::vector<double> none(means.size(), 0);
  plan.start = start_prior(*plan.layout.kernel, plan.layout.mean ? means : none, of.options.start);
  return plan;
}

}  // namespace

std::vector<double> base_rates(const TrainingPlan& plan, const Draw& rows) {
  const Index functions = plan.likelihood.latent_functions();
  std::vector<double> rates(static_cast<std::size_t>(functions == 1 ? 2 : functions), 0);
  for (Index i = 0; i < rows.weight.size(); ++i) {
    const double y = plan.targets.y[rows.distinct[static_cast<std::size_t>(i)]];
    rates[static_cast<std::size_t>(functions == 1 ? y > 0 : y)] += rows.weight[i];
  }
  for (double& rate : rates) rate /= rows.weight.sum();
  return rates;
}

std::vector<KernelPlan> plan_kernels(const TrainingPlan& plan, const Draw& rows) {
  const std::vector<double> means = plan.likelihood.latent_means(base_rates(plan, rows));
  if (plan.kernel != "auto") return {plan_kernel(plan.kernel, plan, means)};
  if (!plan.method.defaults.choose_model) return {plan_kernel("se", plan, means)};
  std::vector<KernelPlan> plans;
  const auto add_family = [&](Family family, const std::string& rest) {
    for (const char* shape : shapes) {
      plans.push_back(plan_kernel(shape + rest, plan, means));
      plans.back().family = family;
    }
  };
  add_family(Family::plain, "");
  add_family(Family::terms, "+mains+pairs");
  if (means.size() > 1) add_family(Family::linear, "+linear");
  return plans;
}

}  // namespace induce::detail
