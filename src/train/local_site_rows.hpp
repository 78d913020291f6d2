// The rows of a stage, or a part of them, in this process. See site_rows.hpp for what is asked of them.
#pragma once

#include <memory>
#include <vector>

#include "likelihood/likelihood.hpp"
#include "site/site.hpp"
#include "train/row_owner.hpp"
#include "train/site_rows.hpp"
#include "train/stage_rows.hpp"

namespace induce::detail {

class LocalSiteRows final : public SiteRows {
 public:
  LocalSiteRows(StageRows here, const StageNeeds& needs, Workers& workers);

  Index n() const override { return pass_.n(); }
  Index d() const override { return pass_.d(); }
  Index m() const override { return pass_.m(); }
  long passes() const override { return pass_.count(); }
  std::size_t kept_bytes() const override { return pass_.kept_bytes(); }

  SiteSet sites_at(const Vector& m, const Vector& S2, const Vector& thresholds) override;
  SiteSet sites_at(const Frame& frame, const Posteriors& q) override;
  SiteSet between(const SiteSet& from, const SiteSet& target, double step) override;
  Sums& first_half(const Frame& frame, const SiteSet& sites) override;
  Answer second_half(const Frame& frame, const Posteriors& q, const SiteSet& sites,
                     const Wanted& wanted) override;
  TightTrace tight_trace(const Frame& frame, const Posterior& certain, const SiteSet& sites,
                         bool with_adjoint) override;
  using SiteRows::expected_log;
  double expected_log(const Frame& frame, const Posteriors& q, Vector& threshold_slopes) override;
  void read_sites(const SiteSet& sites, Vector& w, Vector& t) override;
  SiteSet make_sites(const Vector& w, const Vector& t, double c) override;

  // For an owner of a part of the rows, whose sums are those of subtrees: the constants and expectations of the last
  // request without an adjoint, and the sums of the last pass.
  const Reducer<Totals<row_totals>>& totals() const {
    return last_pass_ ? last_pass_->totals() : prior_totals_;
  }
  const Pass& pass() const { return pass_; }

 private:
  struct Stored {
    std::unique_ptr<RowNumbers> w, t;  // of residuals: only w
  };
  struct Buffers {  // of one worker, for a block
    Vector y, weight, w, t, next_w, next_t, next_c, mean, residual, variance;
    const double *old_w = nullptr, *old_t = nullptr;  // the sites that were given
    const double* weights = nullptr;
  };
  Stored& stored(const SiteSet& sites) { return *sets_[static_cast<std::size_t>(*sites.number)]; }
  SiteSet make_set();
  Pass& pass_for(const Frame& frame);
  // Makes likelihood_ and rule_ those of the thresholds.
  void use(const Vector& thresholds);
  // The new sites of a block, for its marginals; adds E s_i and the constants to the totals.
  void refresh(const Frame* frame, Index first, Index rows, const double* m, const double* S2, Buffers& work,
               Stored& to, double* totals) const;
  void add_threshold_slopes(Index first, Index rows, const double* m, const double* S2, Buffers& work,
                            double* totals) const;
  void load_sites(Stored& from, Index first, Index rows, Buffers& work) const;
  const double* tight_variances(Stored& residual, Index first, Index rows, const double* S2,
                                Buffers& work) const;

  StageRows here_;
  Index functions_;
  const Likelihood& unparametrized_;
  const std::string rule_name_;
  Vector thresholds_;
  std::shared_ptr<const Likelihood> likelihood_;  // with the thresholds
  std::unique_ptr<const SiteRule> rule_;
  Workers& workers_;
  Pass pass_;
  Reducer<Totals<row_totals>> prior_totals_;
  std::unique_ptr<Pass> other_pass_;  // of a frame with another number of inducing inputs
  const Pass* last_pass_ = nullptr;   // of the last answer, if it needed one
  std::vector<Buffers> buffers_;
  std::vector<std::unique_ptr<Stored>> sets_;
  std::shared_ptr<std::vector<int>> free_ = std::make_shared<std::vector<int>>();  // numbers of unused sets
};

}  // namespace induce::detail
