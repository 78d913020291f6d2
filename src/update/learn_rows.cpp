#include "update/learn_rows.hpp"

#include <algorithm>
#include <cmath>

#include <induce/error.hpp>

#include "core/onto.hpp"
#include "core/pass.hpp"
#include "update/surprise.hpp"

namespace induce::detail {
namespace {

constexpr int most_rounds = 40;
constexpr double shortest_step = 1.0 / 64;
constexpr double tolerance = 1e-9;                         // of the bound, relative
constexpr std::size_t most_kept = std::size_t{256} << 20;  // bytes for K and V

class Rounds {
 public:
  Rounds(const Fitted& old, const Likelihood& likelihood, const RowMatrix& X, const Targets& targets,
         Workers& workers)
      : frame_(old.frame),
        likelihood_(likelihood),
        targets_(targets),
        workers_(workers),
        functions_(likelihood.latent_functions()),
        rule_(make_site_rule("newton", likelihood)),
        pass_(X, frame_.m(), workers, most_kept),
        sites_(X.rows(), functions_),
        next_(X.rows(), functions_) {
    for (const Posterior& each : old.q) {
      old_.emplace_back(each);
      if (!old_.back().ok())
        throw data_error("the model cannot be updated: its posterior is not one of a fit");
    }
  }

  LearnedRows run(const std::vector<Posterior>& start) {
    LearnedRows out{start, 0, 0};
    double bound = visit(out.q), step = functions_ > 1 ? 2.0 / 3 : 1;  // as in train/profiled_bound.cpp
    std::vector<Posterior> trial(start.size());
    while (out.rounds < most_rounds) {
      const Sites before = sites_, target = next_;
      const double slack = tolerance * (1 + std::abs(bound));
      double found = -INFINITY;
      for (; step >= shortest_step; step /= 2) {
        sites_.w = before.w + step * (target.w - before.w);
        sites_.t = before.t + step * (target.t - before.t);
        found = bound_of(trial);
        if (found >= bound - slack) break;
      }
      if (!(found >= bound - slack)) break;
      ++out.rounds;
      std::swap(out.q, trial);
      const double gain = found - bound;
      bound = found;
      if (gain < slack) break;
    }
    return out;
  }

 private:
  // E log p at q. Makes next_ the sites there: a Newton site has the expectation of log p under its marginal.
  double visit(const std::vector<Posterior>& q) {
    RowVisitor visitor;
    visitor.end = [&](Index first, Index rows, const double* m, const double* S2, int /*worker*/,
                      double* totals) {
      const Index at = first * functions_;
      double *w = next_.w.data() + at, *t = next_.t.data() + at;
      rule_->refresh(targets_.y.data() + first, m, S2, rows, w, t, next_.c.data() + first);
      for (Index i = 0; i < rows; ++i) {
        const double weight = targets_.weight[first + i];
        double value = next_.c[first + i];
        for (Index k = i * functions_; k < (i + 1) * functions_; ++k) {
          value += t[k] * m[k] - w[k] * (m[k] * m[k] + S2[k]) / 2;
          w[k] *= weight;
          t[k] *= weight;
        }
        totals[0] += weight * value;
      }
    };
    return pass_.marginals(frame_, q, visitor)[0];
  }

  // Of the q that belongs to sites_.
  double bound_of(std::vector<Posterior>& q) {
    Sums& sums = pass_.first_half(frame_, sites_);
    std::vector<double> KL(q.size());
    workers_.run(functions_, [&](Index c, int /*worker*/) { KL[c] = old_[c].learn(frame_, sums, c, q[c]); });
    double all = 0;
    for (const double each : KL) all += each;
    return std::isfinite(all) ? visit(q) - all : -INFINITY;
  }

  const Frame& frame_;
  const Likelihood& likelihood_;
  const Targets& targets_;
  Workers& workers_;
  Index functions_;
  std::unique_ptr<const SiteRule> rule_;
  Pass pass_;
  Sites sites_, next_;  // the first has w = t = 0, whose q is the old one
  std::vector<OldPosterior> old_;
};

}  // namespace

LearnedRows learn_rows(const Fitted& old, const Likelihood& likelihood, const RowMatrix& X,
                       const Targets& targets, Workers& workers) {
  LearnedRows out = Rounds(old, likelihood, X, targets, workers).run(old.q);
  const Vector p = probabilities_of({old.frame, out.q}, likelihood, X, workers);
  out.fitted_log = log_of_labels(p, targets, likelihood.probabilities());
  return out;
}

}  // namespace induce::detail
