// Leave-one-out metrics where rows belong together: a row is predicted without its whole group. For each fold of groups, q is
// brought to the fixed point of the sites of all other rows, at the fitted parameters and inducing inputs, and predicts the fold.
// Nothing is reported if that was stopped.
#include "train/candidate_fit.hpp"
#include "train/group_error.hpp"

namespace induce::detail {

void CandidateFit::report_folds_left_out(const Folds& folds, Report& report) const {
  const Likelihood& likelihood = fit_->plan().likelihood;
  const Index width = likelihood.probabilities();
  Vector probability(folds.rows() * width);
  Targets targets(Vector(folds.rows()));
  for (Index fold = 0; fold < folds.count(); ++fold) {
    const Index first = folds.first(fold) - folds.first(0), count = folds.rows(fold);
    CandidateFit others = *this;
    others.side_.first_row = folds.first(fold + 1);
    others.rows_ = static_cast<Index>(fit_->order.size()) - count;
    others.forget_rows();
    if (!others.finish()) return;
    const HeldOut found = others.predict_next(count);
    probability.segment(first * width, count * width) = found.probability;
    targets.y.segment(first, count) = found.targets.y;
    targets.weight.segment(first, count) = found.targets.weight;
  }
  detail::report_leave_one_out(probability, targets, likelihood, report);
  report.leave_one_out->nll_error = error_of_groups(
      *fit_, folds, {probability.data(), static_cast<std::size_t>(probability.size())}, targets);
}

}  // namespace induce::detail
