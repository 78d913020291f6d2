#include "train/sites_left_out.hpp"

#include "core/leave_one_out.hpp"
#include "site/jaakkola_jordan.hpp"
#include "train/row_sums.hpp"

namespace induce::detail {

void report_sites_left_out(const SitesOfRows& of, const Frame& frame, const Posterior& q,
                           const SiteSet& sites_of_all, Report& report) {
  const TrainingPlan& plan = of.plan;
  Pass pass(of.X, frame.m(), of.workers);
  Vector m, S2;
  pass.marginals(frame, q, m, S2);
  Sites sites(of.X.rows());
  const auto likelihood = plan.likelihood.given(frame.prior.thresholds);
  if (plan.all)  // X is a sample: the sites of its rows are not known apart
    refresh_sites(*make_site_rule(plan.method.rule, *likelihood), plan.targets, m, S2, of.workers, sites);
  else
    of.rows.read_sites(sites_of_all, sites.w, sites.t);
  const Vector copies = Vector::Ones(of.X.rows());  // rows are not merged
  LeaveOneOut without = leave_one_out(pass, frame, sites, copies, m, S2);
  if (plan.method.rule == "jj" && !plan.all)  // so many rows do not need it
    if (auto moved =
            means_without_each(pass, frame, sites, jj_slopes(sites, plan.targets.weight, m, S2), copies, m))
      without.m = *std::move(moved);
  report_leave_one_out(predictive_probabilities(*likelihood, without.m, without.S2, of.workers), plan.targets,
                       *likelihood, report);
}

}  // namespace induce::detail
