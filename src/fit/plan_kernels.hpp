// The kernels that a fit may use, each with its starting point.
//
// "auto" stands for six: the squared exponential, Matern 5/2 and Matern 3/2, each alone and with an additive part.
// Which of them predicts best is found during the fit (train/choose_model.hpp). The additive part has only the columns
// with an effect of their own (train/marginal_effects.hpp) and starts from the length-scales found there. With more than
// two classes there are three more, with a linear part: small tables are often no more than that.
#pragma once

#include <vector>

#include <induce/options.hpp>

#include "rows/workers.hpp"
#include "table/feature_map.hpp"
#include "train/plan.hpp"

namespace induce {

struct KernelRequest {
  const Options& options;
  const MethodDefaults& defaults;
  const WeightedRows& rows;
  const Targets& targets;
  const FeatureMap& map;  // for the look at each feature alone
  KernelSetting setting;
  std::vector<double> start_means;  // one for each latent function
};

std::vector<KernelPlan> plan_kernels(const KernelRequest& request, Workers& workers);

}  // namespace induce
