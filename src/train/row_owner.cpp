#include "train/row_owner.hpp"

#include "train/local_site_rows.hpp"

namespace induce::detail {

std::unique_ptr<SiteRows> LocalOwner::site_rows(const RowMatrix& X, const Targets& targets,
                                                const StageNeeds& needs) {
  return std::make_unique<LocalSiteRows>(stage_rows(X, targets), needs, workers_);
}

std::unique_ptr<SiteRows> LocalOwner::site_rows(const FeatureMap& map, const StageNeeds& needs) {
  return std::make_unique<LocalSiteRows>(stage_rows(*all_, map, needs.likelihood.classes()), needs, workers_);
}

}  // namespace induce::detail
