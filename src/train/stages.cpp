#include "train/stages.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "train/methods.hpp"
#include "train/policy.hpp"
#include "train/term_worth.hpp"

namespace induce::detail {
double tolerance_unit(double bound, Index rows) {
  const double left = std::abs(bound);
  return std::min(std::sqrt(left * usual_loss * static_cast<double>(rows)), 5 * left);
}

Stages::Stages(Index n, Index d, Index inducing, bool find_inducing, bool learned, Index minority,
               Index sample, Index distinct, double effort)
    : n_(n),
      d_(d),
      target_(inducing),
      sample_(sample),
      distinct_(distinct ? distinct : n),
      find_inducing_(find_inducing),
      effort_(effort) {
  first_m_ = !find_inducing_ && !learned ? target_ : std::min(target_, policy::first_inducing);
  first_rows_ = std::max({policy::fewest_rows, 10 * first_m_, 4 * d,
                          policy::fewest_of_a_class * (n / std::max<Index>(minority, 1))});
  if (sample_ > 0) first_rows_ = std::min(first_rows_, std::max<Index>(1, sample_ / 2));  // some are held out
}

std::size_t inducing_of_growth(std::size_t rows) {
  return std::min(policy::most_inducing, std::max<std::size_t>(1, rows / 4));
}

StagePlan Stages::staged(Index rows, Index m) const {
  StagePlan stage{rows, m, policy::worth / effort_};
  if (rows == n_ && m == target_) make_last(stage);
  return stage;
}

StagePlan Stages::first() const {
  Index rows = n_;
  while (rows > policy::row_growth * first_rows_ / 2) rows = std::max(first_rows_, rows / policy::row_growth);
  return staged(sample_ > 0 ? std::min(rows, first_rows_ * policy::row_growth / 2) : rows, first_m_);
}

void Stages::make_last(StagePlan& stage) {
  const double effort = policy::worth / stage.tolerance;
  stage.patience = policy::worth * policy::long_work * effort;
  stage.last = true;
}

void Stages::make_cheap(StagePlan& stage) {
  stage.patience = 0;
  stage.last = false;
}

StagePlan Stages::last(Index m) const {
  StagePlan stage{n_, m, policy::worth / effort_};
  make_last(stage);
  return stage;
}

bool Stages::worth_growing(const StagePlan& now, Index m, double bound, double gain, double price,
                           Index functions, const TermSize& terms) const {
  if (m < now.m || m >= target_) return false;
  if (!find_inducing_) return true;
  const double work = policy::usual_passes * work_of_pass(distinct_, next(now, m).m, d_, functions, terms);
  const double worth = policy::worth / effort_ * tolerance_unit(bound, distinct_) *
                       (policy::worth_of_size + work / policy::long_work);
  const double expected = std::isinf(gain) ? 2 * price : std::sqrt(std::max(gain, 0.0) * price);
  return expected >= worth;
}

StagePlan Stages::next(const StagePlan& now, Index m) const {
  if (now.rows < n_) {
    Index rows = n_;
    while (rows / policy::row_growth > now.rows) rows /= policy::row_growth;
    if (rows < n_ && rows > within_sample(rows)) rows = 2 * now.rows < sample_ ? sample_ : n_;
    return staged(rows, now.m);
  }
  const Index next = policy::input_growth * m;
  return staged(n_, 3 * next > 2 * target_ ? target_ : next);  // avoids a small last step
}

bool ConvergenceTest::after(double value, double work) {
  if (past_.size() > policy::window) past_.pop_front();
  past_.push_back({value, work});
  return judge();
}

bool ConvergenceTest::reconsider(double patience) {
  patience_ = patience;
  return judge();
}

bool ConvergenceTest::judge() {
  converged_ = false;
  if (past_.empty()) return false;
  const Mark &first = past_.front(), &now = past_.back();
  const double work = now.work + patience_;
  if (past_.size() <= policy::window) return false;
  const double pace = (now.value - first.value) / (now.work - first.work);
  const double enough_gain =
      tolerance_ * (1 + now.work / policy::long_work) * tolerance_unit(now.value, rows_);
  converged_ = pace * work < std::max(enough_gain, policy::no_gain);
  return converged_;
}

void StagePlan::archive(Archive& a) {
  a("rows", rows);
  a("m", m);
  a("tolerance", tolerance);
  a("patience", patience);
  a("last", last);
}

// Four products of m x m with the rows, three of them for each latent function; the kernel forward and back, with an
// exponential counted as 20.
double work_of_pass(Index rows, Index m, Index d, Index functions, const TermSize& terms) {
  const double n = static_cast<double>(rows), inputs = static_cast<double>(m),
               functions_of = static_cast<double>(functions), z = static_cast<double>(terms.entries);
  const double joint = n * inputs * static_cast<double>((3 * functions + 1) * m + 6 * d + 60);
  if (terms.values == 0) return joint;
  const double size = inputs + static_cast<double>(terms.values);
  return joint + functions_of * (n * z * (4 * inputs + 3 * z + 20) + size * size * size);
}

TermSize::TermSize(const Terms* terms) {
  if (!terms) return;
  values = terms->values();
  for (Index p = 0; p < terms->count(); ++p) entries += (*terms)[p].entries();
}

double TermWorth::price(const TermSize& now, const TermSize& more) const {
  if (doubling == 0) return 0;
  const Index joint = std::max<Index>(m, 1);  // without a joint part the first term would double nothing
  return doubling * std::log2(work_of_pass(rows, joint, d, functions, now + more) /
                              work_of_pass(rows, joint, d, functions, now));
}

}  // namespace induce::detail
