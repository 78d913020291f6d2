// Leave-one-out of a posterior that the sites of the rows determine (core/leave_one_out.hpp).
#pragma once

#include "train/plan.hpp"
#include "train/site_rows.hpp"

namespace induce::detail {

struct SitesOfRows {
  const TrainingPlan& plan;
  const RowMatrix& X;  // all rows, or those of a sample
  SiteRows& rows;
  Workers& workers;
};

// `sites`: of all rows, for which q is the best posterior.
void report_sites_left_out(const SitesOfRows& of, const Frame& frame, const Posterior& q,
                           const SiteSet& sites, Report& report);

}  // namespace induce::detail
