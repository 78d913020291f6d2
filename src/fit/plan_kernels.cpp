#include "fit/plan_kernels.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "train/marginal_effects.hpp"

namespace induce {
namespace {

constexpr Index sample_rows = 20000;  // for the look at each feature alone
constexpr Index few_features = 32;    // up to here "additive" in a name means all columns
constexpr std::array<const char*, 3> shapes{"se", "matern52", "matern32"};

// Additive columns that cost about as much as the rest of a pass with 200 inducing inputs; a column costs two
// exponentials per entry of K.
double column_budget(Index d) { return std::max(18.0, static_cast<double>(4 * 200 + 6 * d) / 85); }

struct Columns {
  std::vector<Index> with_effects;
  std::vector<double> lengthscales;  // of these
};

Columns find_columns(const KernelRequest& request, Workers& workers) {
  const Index count = std::min(request.rows.n(), sample_rows);
  const std::vector<Index> rows(request.rows.rows.begin(), request.rows.rows.begin() + count);
  const RowMatrix X = request.map.apply(request.rows.table, rows, workers);
  const Targets targets(request.targets.y.head(count), request.targets.weight.head(count));
  const std::vector<MarginalEffect> effects = marginal_effects(
      X, request.setting.group_of, targets, static_cast<Index>(request.start_means.size()), workers);
  Columns columns{
      .with_effects = columns_with_effects(effects, X, request.setting.group_of, column_budget(X.cols())),
      .lengthscales = {}};
  for (const Index f : columns.with_effects) columns.lengthscales.push_back(effects[f].lengthscale);
  return columns;
}

std::string additive_name(const std::vector<Index>& columns, Index d) {
  std::string name = "additive";
  if (static_cast<Index>(columns.size()) == d) return name;
  for (std::size_t k = 0; k < columns.size(); ++k) name += (k ? "," : ":") + std::to_string(columns[k]);
  return name;
}

// theta from the caller where given, else from the kernel.
Prior start_prior(const Kernel& kernel, const std::vector<double>& means, const Start& start) {
  Prior prior{.theta = kernel.start(), .mean = means.size() == 1 ? means[0] : 0, .Z = {}};
  for (std::size_t c = 0; means.size() > 1 && c < means.size(); ++c)
    prior.classes.push_back({.mean = means[c], .scale = 1});
  const auto set = [&](const char* name, const std::optional<double>& value) {
    if (!value) return;
    Index at = 0;
    for (const KernelParameter& parameter : kernel.parameters()) {
      if (parameter.name == name) prior.theta.segment(at, parameter.count).setConstant(*value);
      at += parameter.count;
    }
  };
  set("signal_std", start.signal_std);
  set("lengthscales", start.lengthscale);
  set("noise_std", start.noise_std);
  return prior;
}

KernelPlan plan_kernel(const std::string& name, const KernelRequest& request, const Columns& columns) {
  const Options& options = request.options;
  KernelPlan plan;
  plan.layout = {.kernel = make_kernel(name, request.setting),
                 .mean = options.mean.value_or(request.defaults.mean),
                 .inputs = options.learn_inputs.value_or(request.defaults.learn_inputs)};
  const std::vector<double> none(request.start_means.size(), 0);
  plan.start = start_prior(*plan.layout.kernel, plan.layout.mean ? request.start_means : none, options.start);
  const auto at = plan.layout.kernel->find("additive.lengthscales");
  if (at && request.setting.ard &&
      name.ends_with(additive_name(columns.with_effects, request.setting.groups())))
    for (std::size_t k = 0; k < columns.lengthscales.size(); ++k)
      plan.start.theta[*at + static_cast<Index>(k)] = columns.lengthscales[k] * request.setting.spread;
  return plan;
}

}  // namespace

std::vector<KernelPlan> plan_kernels(const KernelRequest& request, Workers& workers) {
  const std::string& asked = request.options.kernel;
  const Index d = request.setting.groups();
  const bool choose = asked == "auto";
  if (choose && !request.defaults.choose_model) return {plan_kernel("se", request, {})};
  std::vector<KernelPlan> plans;
  if (!choose) {
    std::string name = asked;
    Columns columns;
    if (name.ends_with("additive")) {
      columns = find_columns(request, workers);
      if (d > few_features && !columns.with_effects.empty())
        name.replace(name.size() - 8, 8, additive_name(columns.with_effects, d));
    }
    return {plan_kernel(name, request, columns)};
  }
  for (const char* shape : shapes) plans.push_back(plan_kernel(shape, request, {}));
  const auto add_family = [&](Family family, const std::string& part, const Columns& columns) {
    for (const char* shape : shapes) {
      plans.push_back(plan_kernel(shape + part, request, columns));
      plans.back().family = family;
    }
  };
  const Columns columns = find_columns(request, workers);
  if (!columns.with_effects.empty())
    add_family(Family::additive, "+" + additive_name(columns.with_effects, d), columns);
  if (request.start_means.size() > 1) add_family(Family::linear, "+linear", {});
  return plans;
}

}  // namespace induce
