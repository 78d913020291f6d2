#include "train/plan_kernels.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "train/find_terms.hpp"
#include "train/marginal_effects.hpp"

namespace induce::detail {
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

// Some of the rows, in the units of the first feature map.
struct Sample {
  Sample(const TrainingPlan& plan, TableView table, const Draw& drawn, Workers& workers) {
    const Index count = std::min(drawn.weight.size(), sample_rows);
    const std::vector<Index> distinct(drawn.distinct.begin(), drawn.distinct.begin() + count);
    X = plan.maps[0].apply(table, plan.rows.table_rows(distinct), workers);
    targets = {plan.targets.y(distinct), drawn.weight.head(count)};
  }

  RowMatrix X;
  Targets targets;
};

Columns find_columns(const TrainingPlan& plan, TableView table, const Draw& drawn, Workers& workers) {
  const auto [X, targets] = Sample(plan, table, drawn, workers);
  const std::vector<Index>& group_of = plan.setting.group_of;
  const std::vector<MarginalEffect> effects =
      marginal_effects(X, group_of, targets, plan.likelihood.latent_functions(), workers);
  Columns columns{.with_effects = columns_with_effects(effects, X, group_of, column_budget(X.cols())),
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

// "pairs" becomes the list of those that were found, or nothing.
std::string with_pairs(std::string name, const TrainingPlan& plan, const Sample& sample, Workers& workers) {
  char separator = ':';
  for (const auto& [first, second] : find_pairs(plan, sample.X, sample.targets, workers)) {
    name += separator + std::to_string(first) + '*' + std::to_string(second);
    separator = ',';
  }
  if (separator == ':') name.resize(name.rfind('+') == std::string::npos ? 0 : name.rfind('+'));
  return name.empty() ? "mains" : name;
}

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

KernelPlan plan_kernel(const std::string& name, const TrainingPlan& of, const std::vector<double>& means,
                       const Columns& columns = {}) {
  const MethodDefaults& defaults = of.method.defaults;
  KernelPlan plan;
  plan.layout = {.kernel = make_kernel(name, of.setting),
                 .mean = of.options.mean.value_or(defaults.mean),
                 .inputs = of.options.learn_inputs.value_or(defaults.learn_inputs)};
  const std::vector<double> none(means.size(), 0);
  plan.start = start_prior(*plan.layout.kernel, plan.layout.mean ? means : none, of.options.start);
  const auto at = plan.layout.kernel->find("additive.lengthscales");
  if (at && of.setting.ard && name.ends_with(additive_name(columns.with_effects, of.setting.groups())))
    for (std::size_t k = 0; k < columns.lengthscales.size(); ++k)
      plan.start.theta[*at + static_cast<Index>(k)] = columns.lengthscales[k] * of.setting.spread;
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

void add_axes(TrainingPlan& plan, TableView table, const Draw& rows, Workers& workers) {
  const Sample sample(plan, table, rows, workers);
  find_axes(plan.maps[0], sample.X, sample.targets.weight, plan.n, plan.likelihood.latent_functions(),
            plan.setting);
}

std::vector<KernelPlan> plan_kernels(const TrainingPlan& plan, TableView table, const Draw& rows,
                                     Workers& workers) {
  const std::vector<double> means = plan.likelihood.latent_means(base_rates(plan, rows));
  const std::string& asked = plan.kernel;
  const Index d = plan.setting.groups();
  const bool choose = asked == "auto";
  if (choose && !plan.method.defaults.choose_model) return {plan_kernel("se", plan, means)};
  if (!choose) {
    std::string name = asked;
    Columns columns;
    if (name.ends_with("additive")) {
      columns = find_columns(plan, table, rows, workers);
      if (d > few_features && !columns.with_effects.empty())
        name.replace(name.size() - 8, 8, additive_name(columns.with_effects, d));
    }
    if (name.ends_with("pairs")) name = with_pairs(name, plan, Sample(plan, table, rows, workers), workers);
    return {plan_kernel(name, plan, means, columns)};
  }
  const Columns columns = find_columns(plan, table, rows, workers);
  const std::string additive =
      columns.with_effects.empty() ? "" : "+" + additive_name(columns.with_effects, d);
  std::vector<KernelPlan> plans;
  for (const char* shape : shapes) plans.push_back(plan_kernel(shape, plan, means));
  const auto add_family = [&](Family family, const std::string& part, const Columns& of) {
    for (const char* shape : shapes) {
      plans.push_back(plan_kernel(shape + part, plan, means, of));
      plans.back().family = family;
    }
  };
  add_family(Family::additive, additive, columns);
  if (means.size() > 1) add_family(Family::linear, "+linear", {});
  return plans;
}

}  // namespace induce::detail
