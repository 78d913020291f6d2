#include "train/plan_kernels.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "train/grow_terms.hpp"

namespace induce::detail {
namespace {

constexpr std::array<const char*, 3> shapes{"se", "matern52", "matern32"};

// What the latent functions and the likelihood start from: those of the base rates.
struct BaseRateStart {
  std::vector<double> means;
  Vector thresholds;
};

// theta from the caller where given, else from the kernel.
Prior start_prior(const Kernel& kernel, const BaseRateStart& from, bool with_means, const Start& start) {
  const std::vector<double> none(from.means.size(), 0), &means = with_means ? from.means : none;
  Prior prior{.theta = kernel.start(), .mean = means.size() == 1 ? means[0] : 0, .Z = {}};
  prior.thresholds = from.thresholds;
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

KernelPlan plan_kernel(const std::string& name, const TrainingPlan& of, const BaseRateStart& from) {
  const MethodDefaults& defaults = of.method.defaults;
  const std::string joint = has_terms(name) ? TermList(name, of.maps[0].columns()).joint : name;
  KernelPlan plan{.name = name,
                  .layout = {.kernel = make_kernel(joint.empty() ? "se" : joint, of.setting),
                             .mean = from.thresholds.size() == 0 && of.options.mean.value_or(defaults.mean),
                             .inputs = of.options.learn_inputs.value_or(defaults.learn_inputs),
                             .thresholds = of.method.rule == "newton"},
                  .start = {},
                  .family = has_terms(name) ? Family::terms : Family::plain};
  plan.start = start_prior(*plan.layout.kernel, from, plan.layout.mean, of.options.start);
  return plan;
}

}  // namespace

std::vector<double> base_rates(const TrainingPlan& plan, const Draw& rows) {
  const Index classes = plan.likelihood.classes();
  std::vector<double> rates(static_cast<std::size_t>(classes), 0);
  for (Index i = 0; i < rows.weight.size(); ++i) {
    const double y = plan.targets.y[rows.distinct[static_cast<std::size_t>(i)]];
    rates[static_cast<std::size_t>(classes == 2 ? y > 0 : y)] += rows.weight[i];
  }
  for (double& rate : rates) rate /= rows.weight.sum();
  return rates;
}

std::vector<KernelPlan> plan_kernels(const TrainingPlan& plan, const Draw& rows) {
  const std::vector<double> rates = base_rates(plan, rows);
  const BaseRateStart from{plan.likelihood.latent_means(rates), plan.likelihood.first_thresholds(rates)};
  if (plan.kernel != "auto") return {plan_kernel(plan.kernel, plan, from)};
  if (!plan.method.defaults.choose_model) return {plan_kernel("se", plan, from)};
  std::vector<KernelPlan> plans;
  for (const std::string rest : {"", "+mains+pairs"})
    for (const char* shape : shapes) plans.push_back(plan_kernel(shape + rest, plan, from));
  return plans;
}

}  // namespace induce::detail
