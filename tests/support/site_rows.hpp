// The rows of a stage, without a plan.
#pragma once

#include "train/local_site_rows.hpp"

namespace induce::testing {

// The matrix and the targets must outlive the result.
inline std::unique_ptr<SiteRows> rows_of_table(const RowMatrix& X, const Targets& targets, Index m,
                                               const Likelihood& likelihood, std::string_view rule,
                                               Workers& workers, std::size_t memory) {
  return std::make_unique<LocalSiteRows>(stage_rows(X, targets),
                                         StageNeeds{m, likelihood, std::string(rule), {}, memory}, workers);
}

}  // namespace induce::testing
