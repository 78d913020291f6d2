#include "train/local_site_rows.hpp"

#include <algorithm>

#include "core/tight_trace.hpp"

namespace induce::detail {
namespace {

// The softmax does not see a function h that is added to all f_c, so the best h is that with the least KL: minus
// sum_c (m_c - mean_c)/r_c^2 over sum_c 1/r_c^2. The sites have no terms between classes and would take many rounds to
// find it.
void remove_common_part(const Frame& frame, Index rows, double* m) {
  const Index functions = frame.functions();
  for (Index first = 0; first < rows * functions; first += functions) {
    double sum = 0, norm = 0;
    for (Index c = 0; c < functions; ++c) {
      const double r2 = frame.scale(c) * frame.scale(c);
      sum += (m[first + c] - frame.mean(c)) / r2;
      norm += 1 / r2;
    }
    for (Index c = 0; c < functions; ++c) m[first + c] -= sum / norm;
  }
}

// sum_i E s_i(f_i) without the constants.
double expected(const double* w, const double* t, const double* m, const double* S2, Index count) {
  double sum = 0;
  for (Index k = 0; k < count; ++k) sum += t[k] * m[k] - w[k] * (m[k] * m[k] + S2[k]) / 2;
  return sum;
}

}  // namespace

LocalSiteRows::LocalSiteRows(StageRows here, const StageNeeds& needs, Workers& workers)
    : here_(std::move(here)),
      functions_(needs.likelihood.latent_functions()),
      unparametrized_(needs.likelihood),
      rule_name_(needs.rule),
      likelihood_(needs.likelihood.given({})),
      rule_(make_site_rule(needs.rule, *likelihood_)),
      workers_(workers),
      pass_(*here_.x, needs.m, workers, needs.memory),
      prior_totals_(RowTree::over(here_.x->leaves(), Blocks::largest), workers),
      buffers_(static_cast<std::size_t>(workers.size())) {
  const Index rows = std::min(here_.x->n(), Blocks::largest);
  for (Buffers& work : buffers_) {
    for (Vector* numbers : {&work.y, &work.weight, &work.next_c, &work.residual, &work.variance})
      numbers->resize(rows);
    for (Vector* numbers : {&work.w, &work.t, &work.next_w, &work.next_t, &work.mean})
      numbers->resize(rows * functions_);
  }
}

void LocalSiteRows::use(const Vector& thresholds) {
  if (thresholds.size() == thresholds_.size() && thresholds == thresholds_) return;
  thresholds_ = thresholds;
  likelihood_ = unparametrized_.given(thresholds_);
  rule_ = make_site_rule(rule_name_, *likelihood_);
}

SiteSet LocalSiteRows::make_set() {
  if (free_->empty()) {
    const auto room = [&] {
      return here_.room ? here_.room(n(), functions_) : std::make_unique<NumbersInMemory>(n(), functions_);
    };
    free_->push_back(static_cast<int>(sets_.size()));
    sets_.push_back(std::make_unique<Stored>(Stored{room(), room()}));
    free_->reserve(sets_.size());  // the function below must not ask for memory
  }
  const int number = free_->back();
  free_->pop_back();
  return {std::shared_ptr<const int>(new int(number),
                                     [free = free_](const int* done) {
                                       free->push_back(*done);
                                       delete done;
                                     }),
          0};
}

void LocalSiteRows::refresh(const Frame* frame, Index first, Index rows, const double* m, const double* S2,
                            Buffers& work, Stored& to, double* totals) const {
  const double *y = here_.y->read(first, rows, work.y.data()),
               *weight = here_.weight->read(first, rows, work.weight.data());
  if (frame && functions_ > 1) {
    std::copy_n(m, rows * functions_, work.mean.data());
    remove_common_part(*frame, rows, work.mean.data());
    m = work.mean.data();
  }
  rule_->refresh(y, m, S2, rows, work.next_w.data(), work.next_t.data(), work.next_c.data());
  for (Index i = 0; i < rows; ++i) {
    work.next_w.segment(i * functions_, functions_) *= weight[i];
    work.next_t.segment(i * functions_, functions_) *= weight[i];
    totals[RowTotal::constants] += weight[i] * work.next_c[i];
  }
  totals[RowTotal::next] += expected(work.next_w.data(), work.next_t.data(), m, S2, rows * functions_);
  to.w->write(first, rows, work.next_w.data());
  to.t->write(first, rows, work.next_t.data());
}

void LocalSiteRows::load_sites(Stored& from, Index first, Index rows, Buffers& work) const {
  work.old_w = from.w->read(first, rows, work.w.data());
  work.old_t = from.t->read(first, rows, work.t.data());
}

SiteSet LocalSiteRows::sites_at(const Vector& m, const Vector& S2, const Vector& thresholds) {
  use(thresholds);
  SiteSet made = make_set();
  last_pass_ = nullptr;
  made.c = prior_totals_.add_up([](auto& sum) { sum.clear(); },
                                [&](Index first, Index rows, int worker, auto& sum) {
                                  Buffers& work = buffers_[static_cast<std::size_t>(worker)];
                                  Vector all_m(rows * functions_), all_S2(rows * functions_);
                                  for (Index k = 0; k < all_m.size(); ++k) {
                                    all_m[k] = m[k % functions_];
                                    all_S2[k] = S2[k % functions_];
                                  }
                                  refresh(nullptr, first, rows, all_m.data(), all_S2.data(), work,
                                          stored(made), &sum[0]);
                                })[RowTotal::constants];
  return made;
}

// The pass of the stage, or a new one if the frame has another number of inducing inputs.
Pass& LocalSiteRows::pass_for(const Frame& frame) {
  if (frame.m() != m()) other_pass_ = std::make_unique<Pass>(*here_.x, frame.m(), workers_);
  Pass& pass = frame.m() == m() ? pass_ : *other_pass_;
  last_pass_ = &pass;
  return pass;
}

SiteSet LocalSiteRows::sites_at(const Frame& frame, const Posteriors& q) {
  use(frame.prior.thresholds);
  SiteSet made = make_set();
  RowVisitor visit;
  visit.end = [&](Index first, Index rows, const double* m, const double* S2, int worker, double* totals) {
    refresh(nullptr, first, rows, m, S2, buffers_[static_cast<std::size_t>(worker)], stored(made), totals);
  };
  made.c = pass_for(frame).marginals(frame, q, visit)[RowTotal::constants];
  return made;
}

SiteSet LocalSiteRows::between(const SiteSet& from, const SiteSet& target, double step) {
  SiteSet made = make_set();
  Stored &a = stored(from), &b = stored(target), &to = stored(made);
  for_each_block(Blocks::light(n()), workers_, [&](Index first, Index rows, int worker) {
    Buffers& work = buffers_[static_cast<std::size_t>(worker)];
    const auto mix = [&](const RowNumbers& from_a, const RowNumbers& from_b, RowNumbers& made_numbers) {
      const double *x = from_a.read(first, rows, work.w.data()), *z = from_b.read(first, rows, work.t.data());
      for (Index k = 0; k < rows * functions_; ++k) work.next_w[k] = x[k] + step * (z[k] - x[k]);
      made_numbers.write(first, rows, work.next_w.data());
    };
    mix(*a.w, *b.w, *to.w);
    mix(*a.t, *b.t, *to.t);
  });
  made.c = from.c + step * (target.c - from.c);
  return made;
}

Sums& LocalSiteRows::first_half(const Frame& frame, const SiteSet& sites) {
  Stored& from = stored(sites);
  Sums& sums = pass_.first_half(frame, [&](Index first, Index rows, int worker) -> SiteBlock {
    Buffers& work = buffers_[static_cast<std::size_t>(worker)];
    load_sites(from, first, rows, work);
    return {work.old_w, work.old_t, 0};
  });
  sums.c() += sites.c;
  return sums;
}

SiteRows::Answer LocalSiteRows::second_half(const Frame& frame, const Posteriors& q, const SiteSet& sites,
                                            const Wanted& wanted) {
  use(frame.prior.thresholds);
  Answer answer;
  answer.next = make_set();
  Stored &from = stored(sites), &to = stored(answer.next);
  if (Marginals* all = wanted.marginals)
    for (Vector* numbers : {&all->m, &all->S2}) numbers->resize(n() * functions_);
  RowVisitor visit;
  visit.begin = [&](Index first, Index rows, int worker) {
    load_sites(from, first, rows, buffers_[static_cast<std::size_t>(worker)]);
  };
  visit.response = [&](Index c, Index /*first*/, Index rows, const double* m, const double* /*S2*/, double* g,
                       double* s, int worker) {
    const Buffers& work = buffers_[static_cast<std::size_t>(worker)];
    for (Index i = 0; i < rows; ++i) {
      const Index at = i * functions_ + c;
      g[i] = work.old_t[at] - work.old_w[at] * m[i];
      s[i] = -work.old_w[at] / 2;
    }
  };
  visit.end = [&](Index first, Index rows, const double* m, const double* S2, int worker, double* totals) {
    Buffers& work = buffers_[static_cast<std::size_t>(worker)];
    totals[RowTotal::old] += expected(work.old_w, work.old_t, m, S2, rows * functions_);
    if (wanted.marginals) {
      std::copy_n(m, rows * functions_, wanted.marginals->m.data() + first * functions_);
      std::copy_n(S2, rows * functions_, wanted.marginals->S2.data() + first * functions_);
    }
    if (wanted.residual) S2 = tight_variances(stored(*wanted.residual), first, rows, S2, work);
    refresh(&frame, first, rows, m, S2, work, to, totals);
    if (wanted.adjoint) add_threshold_slopes(first, rows, m, S2, work, totals);
  };
  const double* totals = nullptr;
  last_pass_ = &pass_;
  if (wanted.adjoint) {
    answer.adjoint = &pass_.second_half(frame, q, visit);
    totals = answer.adjoint->totals();
  } else {
    totals = &pass_.marginals(frame, q, visit)[0];
  }
  answer.take_totals(sites, totals);
  return answer;
}

const double* LocalSiteRows::tight_variances(Stored& residual, Index first, Index rows, const double* S2,
                                             Buffers& work) const {
  const double *k_ii = residual.w->read(first, rows, work.residual.data()),
               *weight = here_.weight->read(first, rows, work.weight.data());
  for (Index i = 0; i < rows; ++i)
    work.variance[i] = tight_variance(work.old_w[i], weight[i], k_ii[i], S2[i]);
  return work.variance.data();
}

SiteRows::TightTrace LocalSiteRows::tight_trace(const Frame& frame, const Posterior& certain,
                                                const SiteSet& sites, bool with_adjoint) {
  TightTrace trace;
  trace.residual = make_set();
  Stored &from = stored(sites), &to = stored(trace.residual);
  RowVisitor visit;
  visit.begin = [&](Index first, Index rows, int worker) {
    Buffers& work = buffers_[static_cast<std::size_t>(worker)];
    load_sites(from, first, rows, work);
    work.weights = here_.weight->read(first, rows, work.weight.data());
  };
  visit.response = [&](Index /*c*/, Index /*first*/, Index rows, const double* /*m*/, const double* residual,
                       double* g, double* s, int worker) {
    const Buffers& work = buffers_[static_cast<std::size_t>(worker)];
    std::fill_n(g, rows, 0.0);
    for (Index i = 0; i < rows; ++i) s[i] = -tight_gain_slope(work.old_w[i], work.weights[i], residual[i]);
  };
  visit.end = [&](Index first, Index rows, const double* /*m*/, const double* residual, int worker,
                  double* totals) {
    const Buffers& work = buffers_[static_cast<std::size_t>(worker)];
    for (Index i = 0; i < rows; ++i)
      totals[RowTotal::next] += tight_gain(work.old_w[i], work.weights[i], residual[i]);
    to.w->write(first, rows, residual);
  };
  last_pass_ = &pass_;
  if (with_adjoint) {
    trace.adjoint = &pass_.second_half(frame, certain, visit, true);
    trace.gain = trace.adjoint->totals()[RowTotal::next];
  } else {
    trace.gain = pass_.marginals(frame, certain, visit)[RowTotal::next];
  }
  return trace;
}

void LocalSiteRows::add_threshold_slopes(Index first, Index rows, const double* m, const double* S2,
                                         Buffers& work, double* totals) const {
  if (thresholds_.size() == 0) return;
  likelihood_->add_threshold_slopes(here_.y->read(first, rows, work.y.data()), m, S2,
                                    here_.weight->read(first, rows, work.weight.data()), rows,
                                    totals + row_totals);
}

double LocalSiteRows::expected_log(const Frame& frame, const Posteriors& q, Vector& threshold_slopes) {
  use(frame.prior.thresholds);
  RowVisitor visit;
  visit.end = [&](Index first, Index rows, const double* m, const double* S2, int worker, double* totals) {
    Buffers& work = buffers_[static_cast<std::size_t>(worker)];
    const double *y = here_.y->read(first, rows, work.y.data()),
                 *weight = here_.weight->read(first, rows, work.weight.data());
    likelihood_->expected_log(y, m, S2, rows, work.next_c.data());
    for (Index i = 0; i < rows; ++i) totals[RowTotal::next] += weight[i] * work.next_c[i];
    add_threshold_slopes(first, rows, m, S2, work, totals);
  };
  auto& totals = pass_for(frame).marginals(frame, q, visit);
  threshold_slopes = Eigen::Map<const Vector>(&totals[0] + row_totals, thresholds_.size());
  return totals[RowTotal::next];
}

void LocalSiteRows::read_sites(const SiteSet& sites, Vector& w, Vector& t) {
  const auto copy = [&](const RowNumbers& from, Vector& to) {
    to.resize(n() * functions_);
    const double* numbers = from.read(0, n(), to.data());
    if (numbers != to.data()) std::copy_n(numbers, to.size(), to.data());
  };
  copy(*stored(sites).w, w);
  copy(*stored(sites).t, t);
}

SiteSet LocalSiteRows::make_sites(const Vector& w, const Vector& t, double c) {
  SiteSet made = make_set();
  stored(made).w->write(0, n(), w.data());
  stored(made).t->write(0, n(), t.data());
  made.c = c;
  return made;
}

}  // namespace induce::detail
