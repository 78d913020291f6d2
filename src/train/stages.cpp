#include "train/stages.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "train/methods.hpp"

namespace induce::detail {
namespace {

constexpr Index row_growth = 4, input_growth = 2;
constexpr Index fewest_rows = 2000;
constexpr Index fewest_of_a_class = 50;      // so that the first rows include both classes
constexpr Index first_inducing = 100;        // fewer lead to a worse start (docs/decisions.md)
constexpr std::size_t most_inducing = 1000;  // upper limit unless the user sets m

// Tolerances of ConvergenceTest while rows grow, while inputs grow, and at the end.
constexpr double rows_tolerance = 2e-2, inputs_tolerance = 1.5e-2, final_tolerance = 1.5e-2;
// What a doubling must gain: so many units of the tolerance, and so many nats per row for every so many operations (n m^2)
// of a pass with the new inputs, which take about a third of a second.
constexpr double worth_doubling = 8e-3, worth_of_cost = 1e-3, cost_unit = 8e9;
// A gain that is never worth a doubling of the work, in nats over all rows.
constexpr double no_gain = 0.3;
// The longer a fit has run, the more a doubling of its work must gain: in operations, about a minute.
constexpr double long_work = 2e12;
// The final stage of even a cheap fit may continue for that many operations, less than a second.
constexpr double final_patience = 3e10;
// Passes of the last stage if m is given. It will take more than these, so with fewer inputs, where iterations are
// far cheaper, a stage may continue for as long.
constexpr double last_passes = 2;

constexpr std::size_t window = 5, short_window = 2;  // iterations
constexpr double much_work =
    0.3;  // fraction of all work for which a short window suffices, except in the last stage

}  // namespace

double tolerance_unit(double bound, Index rows) {
  constexpr double usual = 0.3;  // nats per row
  const double left = std::abs(bound);
  return std::min(std::sqrt(left * usual * static_cast<double>(rows)), 5 * left);
}

Stages::Stages(Index n, Index d, Index inducing, bool find_inducing, bool learned, Index minority,
               Index sample, Index distinct)
    : n_(n),
      d_(d),
      target_(inducing),
      sample_(sample),
      distinct_(distinct ? distinct : n),
      find_inducing_(find_inducing) {
  first_m_ = !find_inducing_ && !learned ? target_ : std::min(target_, first_inducing);
  first_rows_ =
      std::max({fewest_rows, 10 * first_m_, 4 * d, fewest_of_a_class * (n / std::max<Index>(minority, 1))});
  if (sample_ > 0) first_rows_ = std::min(first_rows_, std::max<Index>(1, sample_ / 2));  // some are held out
}

std::size_t inducing_of_growth(std::size_t rows) {
  return std::min(most_inducing, std::max<std::size_t>(1, rows / 4));
}

StagePlan Stages::staged(Index rows, Index m) const {
  const bool last = rows == n_ && m == target_;
  const double tolerance = last ? final_tolerance : rows < n_ ? rows_tolerance : inputs_tolerance;
  const bool prepares = rows == n_ && !find_inducing_;
  const double patience = last       ? final_patience
                          : prepares ? last_passes * work_of_pass(distinct_, target_, d_)
                                     : 0;
  return {rows, m, tolerance, patience, last};
}

StagePlan Stages::first() const {
  Index rows = n_;
  while (rows > row_growth * first_rows_ / 2) rows = std::max(first_rows_, rows / row_growth);
  return staged(sample_ > 0 ? std::min(rows, first_rows_ * row_growth / 2) : rows, first_m_);
}

StagePlan Stages::last(Index m) const { return {n_, m, final_tolerance, final_patience, true}; }

void Stages::make_last(StagePlan& stage) {
  stage.tolerance = final_tolerance;
  stage.patience = final_patience;
  stage.last = true;
}

bool Stages::worth_growing(const StagePlan& now, Index m, double bound, double gain, double price) const {
  if (m < now.m || m >= target_) return false;
  if (!find_inducing_) return true;
  const double rows = static_cast<double>(distinct_), inputs = static_cast<double>(next(now, m).m);
  const double worth = worth_doubling * tolerance_unit(bound, distinct_) +
                       worth_of_cost * rows * (rows * inputs * inputs / cost_unit);
  const double expected = std::isinf(gain) ? 2 * price : std::sqrt(std::max(gain, 0.0) * price);
  return expected >= worth;
}

StagePlan Stages::next(const StagePlan& now, Index m) const {
  if (now.rows < n_) {
    Index rows = n_;
    while (rows / row_growth > now.rows) rows /= row_growth;
    if (rows < n_ && rows > within_sample(rows)) rows = 2 * now.rows < sample_ ? sample_ : n_;
    return staged(rows, now.m);
  }
  const Index next = input_growth * m;
  return staged(n_, 3 * next > 2 * target_ ? target_ : next);  // avoids a small last step
}

bool ConvergenceTest::after(double value, double work) {
  if (past_.size() > window) past_.pop_front();
  past_.push_back({value, work});
  return judge();
}

bool ConvergenceTest::reconsider_as_last(double tolerance, double patience) {
  tolerance_ = tolerance;
  patience_ = patience;
  last_ = true;
  return judge();
}

bool ConvergenceTest::judge() {
  converged_ = false;
  if (past_.empty()) return false;
  const Mark &first = past_.front(), &now = past_.back();
  const double work = now.work + patience_;
  const bool enough = past_.size() > window ||
                      (!last_ && past_.size() > short_window && now.work - first.work > much_work * work);
  if (!enough) return false;
  const double pace = (now.value - first.value) / (now.work - first.work);
  const double enough_gain = tolerance_ * (1 + now.work / long_work) * tolerance_unit(now.value, rows_);
  converged_ = pace * work < std::max(enough_gain, no_gain);
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
double work_of_pass(Index rows, Index m, Index d, Index functions, const Terms* terms) {
  const double n = static_cast<double>(rows), inputs = static_cast<double>(m),
               functions_of = static_cast<double>(functions);
  const double joint = n * inputs * static_cast<double>((3 * functions + 1) * m + 6 * d + 60);
  if (!terms) return joint;
  double z = 0;
  for (Index p = 0; p < terms->count(); ++p) z += static_cast<double>((*terms)[p].entries());
  const double size = inputs + static_cast<double>(terms->values());
  return joint + functions_of * (n * z * (4 * inputs + 3 * z + 20) + size * size * size);
}

}  // namespace induce::detail
