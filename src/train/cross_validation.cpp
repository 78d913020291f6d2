#include "train/cross_validation.hpp"

#include <algorithm>
#include <cmath>

#include <induce/metrics.hpp>

#include "text/format.hpp"

namespace induce::detail {
namespace {

constexpr Index fewest_of_others = 4;  // rows outside the largest class: fewer cannot be in every fold
const double evidence = std::log(20.0);
// Of the time of a fit that has a limit. The final fit of a small table takes little.
constexpr double share_of_choice = 0.3, share_of_folds = 0.8;
constexpr int most_iterations = 200;  // of a candidate: all of them must leave some of the fit's limit
constexpr double patient_passes = 20;
constexpr double least_gain = 0.5;  // nats: where an optimizer stops makes nearly as much of a difference
// Few rows need all that they have: a fit of three quarters of 200 rows is clearly worse than the fit that it stands for.
constexpr Index few_rows = 500, folds_of_few = 10, usual_folds = 4;

Index folds_of(const TrainingPlan& plan) { return plan.n < few_rows ? folds_of_few : usual_folds; }

// What chi squared with k degrees of freedom exceeds once in a thousand times (Wilson and Hilferty).
double unlikely_chi_squared(double k) {
  const double variance = 2 / (9 * k);
  return k * std::pow(1 - variance + 3.09 * std::sqrt(variance), 3);
}

}  // namespace

// Rows are dealt to the folds like cards, one class after the other.
void arrange_folds(const TrainingPlan& plan, std::vector<Index>& order) {
  const auto class_of = [&](Index row) { return plan.targets.y[plan.rows.distinct_of(row)]; };
  std::vector<Index> by_class = order;
  std::stable_sort(by_class.begin(), by_class.end(),
                   [&](Index a, Index b) { return class_of(a) < class_of(b); });
  std::vector<Index> fold_of(order.size());
  for (std::size_t k = 0; k < by_class.size(); ++k)
    fold_of[by_class[k]] = static_cast<Index>(k) % folds_of(plan);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return fold_of[a] < fold_of[b]; });
}

CrossValidation::CrossValidation(GrowingFit& fit, const Stage& first) : fit_(fit), stage_(first) {
  const TrainingPlan& plan = fit.plan();
  const std::vector<Index> counts = plan.class_rows();
  const Index of_others = plan.n - *std::max_element(counts.begin(), counts.end());
  needed_ = !plan.all && first.rows == plan.n && plan.maps.size() * plan.kernels.size() > 1 &&
            of_others >= fewest_of_others;
  stage_.last = true;  // a plateau of two iterations ends other stages, and here nothing would repair that
  stage_.max_iter = most_iterations;
  // A cold start may gain little in its first few iterations. The patience of a last stage would let each candidate run
  // for hundreds of them.
  stage_.patience = patient_passes * work_of_pass(plan.n, first.m, plan.maps[0].features(), functions());
}

// Of n rows that are dealt to the folds, the first ones get the rest.
Index CrossValidation::fold_begin(Index fold) const {
  const Index n = fit_.plan().n, folds = folds_of(fit_.plan());
  return fold * (n / folds) + std::min(fold, n % folds);
}

Side CrossValidation::side() const {
  if (side_ == 0) return fit_.all_rows();
  const Index begin = fold_begin(side_ - 1), end = fold_begin(side_);
  return fit_.without(begin, end - begin, end);
}

const CrossValidation::Trial* CrossValidation::best_trial() const {
  const Trial* best = nullptr;
  for (const Trial& trial : trials_)
    if (!best || trial.bound > best->bound + least_gain) best = &trial;
  return best;
}

// The next candidate of this side; none if all have run.
std::optional<Choice> CrossValidation::next_choice(const Side& side) const {
  const TrainingPlan& plan = fit_.plan();
  const std::size_t maps = plan.maps.size();
  if (trials_.size() < maps) return Choice{trials_.size(), 0};
  const std::size_t best_map = best_trial()->choice.map;
  const std::string plain = (*side.kernels)[0].layout.kernel->name();
  for (std::size_t k = 1; k < side.kernels->size(); ++k) {
    const KernelPlan& each = (*side.kernels)[k];
    const bool first_additive =
        each.family == Family::additive && (*side.kernels)[k - 1].family == Family::plain;
    if (first_additive && each.layout.kernel->name() != plain && trials_.size() == maps)
      return Choice{best_map, k};
  }
  return std::nullopt;
}

// All candidates of a side. False if the fit must stop.
bool CrossValidation::run_side(std::vector<Step>& ladder) {
  const Side now = side();
  stage_.rows = side_ == 0 ? fit_.plan().n : fit_.plan().n - (fold_begin(side_) - fold_begin(side_ - 1));
  while (!fit_.must_leave_time(side_ == 0 ? share_of_choice : share_of_folds) || (side_ == 0 && !best_)) {
    const std::optional<Choice> choice = next_choice(now);
    if (!choice) return true;
    Candidate candidate(fit_, *choice, now);
    Trial trial{*choice};
    const bool succeeded = candidate.run(stage_);
    if (succeeded) {
      ladder.push_back(candidate.step());
      trial.bound = candidate.point().value;
      candidate.forget_rows();
    }
    trials_.push_back(trial);
    if (succeeded && best_trial() == &trials_.back()) best_ = std::move(candidate);
    if (fit_.context.monitor.must_stop()) return false;
    fit_.context.monitor.end_of_stage(fit_.context.keeper);
  }
  return false;
}

void CrossValidation::predict_fold() {
  const Index count = fold_begin(side_) - fold_begin(side_ - 1);
  const Candidate::HeldOut found = best_->predict_next(count);
  const auto append = [](std::vector<double>& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(probability_, found.probability);
  append(label_, found.targets.y);
  append(weight_, found.targets.weight);
  for (Index i = 0; i < count; ++i) {
    if (functions() == 1)
      base_rate_.push_back(found.base_rates[1]);
    else
      append(base_rate_, found.base_rates);
  }
}

void CrossValidation::run(std::vector<Step>& ladder) {
  for (; side_ <= folds_of(fit_.plan()); ++side_) {
    const bool all_ran = run_side(ladder);
    if (side_ == 0) {
      chosen_ = std::move(best_);
      trials_of_all_ = trials_;
    }
    if (fit_.context.monitor.must_stop() || (side_ > 0 && (!all_ran || !best_))) break;
    if (side_ > 0) predict_fold();
    best_.reset();
    trials_.clear();
  }
}

bool CrossValidation::complete() const { return static_cast<Index>(label_.size()) == fit_.plan().n; }

Metrics CrossValidation::metrics(const std::vector<double>& probability, Index first, Index count) const {
  const Targets targets(Eigen::Map<const Vector>(label_.data() + first, count),
                        Eigen::Map<const Vector>(weight_.data() + first, count));
  const auto per_row = static_cast<std::size_t>(functions());
  return metrics_of(
      std::span(probability)
          .subspan(static_cast<std::size_t>(first) * per_row, static_cast<std::size_t>(count) * per_row),
      targets, functions());
}

// Weights count relative to each other: the gain is that of as many rows as they are worth.
bool CrossValidation::features_predict() const {
  if (!complete()) return true;
  const Eigen::Map<const Vector> weight(weight_.data(), static_cast<Index>(weight_.size()));
  const double rows = weight.sum() * weight.sum() / weight.squaredNorm();
  const Index n = fit_.plan().n;
  return rows * (metrics(base_rate_, 0, n).nll - metrics(probability_, 0, n).nll) >= evidence;
}

void CrossValidation::report(Report& report) const {
  const TrainingPlan& plan = fit_.plan();
  if (!chosen_) return;
  const Choice best = chosen_->choice();
  const auto describe = [&](const char* what, const auto& is_rival, const auto& name_of) {
    Chosen chosen{.what = what, .reason = {}, .chosen = {.name = name_of(best)}, .others = {}};
    double second = -INFINITY;
    for (const Trial& trial : trials_of_all_) {
      if (trial.choice == best) chosen.chosen.bound = trial.bound;
      if (!is_rival(trial.choice) || !std::isfinite(trial.bound)) continue;
      chosen.others.push_back({.name = name_of(trial.choice), .bound = trial.bound});
      second = std::max(second, trial.bound);
    }
    if (chosen.others.empty()) return;
    const double ahead = chosen.chosen.bound - second;
    chosen.reason = ahead >= 0 ? "it has the highest bound over all rows, by " + fixed(ahead, 2) + " nats"
                               : "it is the simplest within " + fixed(least_gain, 1) +
                                     " nats of the highest bound over all rows";
    report.choices.push_back(chosen);
  };
  describe(
      "kernel", [&](const Choice& other) { return other.map == best.map && other.kernel != best.kernel; },
      [&](const Choice& of) { return plan.kernels[of.kernel].layout.kernel->name(); });
  describe(
      "warp", [&](const Choice& other) { return other.map != best.map; },
      [&](const Choice& of) { return plan.map_names[of.map]; });
  if (!complete() && std::isfinite(fit_.context.monitor.seconds_left()))
    report.warnings.push_back(
        "the time limit left no time for cross-validation: leave-one-out figures, at parameters fitted to "
        "all rows, are too good");
  if (!complete()) return;

  // Rows of a fold share a model, so their losses are not independent. If the NLLs of folds differ by more than the error of a
  // row explains, chi^2 / (folds - 1) > 1, the error grows by the root of that.
  // Probabilities of different folds have different base rates: the AUC is the mean over folds.
  const std::vector<double>& stated = features_predict() ? probability_ : base_rate_;
  Metrics all = metrics(stated, 0, plan.n);
  double auc = 0, with_auc = 0, chi_squared = 0, lowest = INFINITY, highest = -INFINITY;
  const Index folds = folds_of(plan);
  for (Index fold = 0; fold < folds; ++fold) {
    const Metrics own = metrics(stated, fold_begin(fold), fold_begin(fold + 1) - fold_begin(fold));
    if (!std::isnan(own.auc)) {
      auc += own.auc;
      with_auc += 1;
    }
    chi_squared += std::pow((own.nll - all.nll) / all.nll_error, 2) / static_cast<double>(folds);
    lowest = std::min(lowest, own.nll);
    highest = std::max(highest, own.nll);
  }
  const auto degrees = static_cast<double>(folds - 1);
  all.auc = auc / with_auc;
  all.nll_error *= std::sqrt(std::max(1.0, chi_squared / degrees));
  report.cross_validation = all;
  if (!features_predict())
    report.warnings.push_back(
        "the features do not predict the label: in cross-validation they are no better than the base rate, "
        "and the model is the base rate");
  if (chi_squared > unlikely_chi_squared(degrees))
    report.warnings.push_back("the folds of cross-validation have NLLs from " + fixed(lowest, 4) + " to " +
                              fixed(highest, 4) +
                              ", more different than chance explains: take its figures with caution");
}

void CrossValidation::archive(Archive& a) {
  const TrainingPlan& plan = fit_.plan();
  a("side", side_);
  if (side_ < 0 || side_ > folds_of(plan) + 1) a.reject("side", "is out of range");
  const auto archive_trials = [&](const std::string& name, std::vector<Trial>& trials) {
    std::vector<Index> map, kernel;
    std::vector<double> bound;
    for (const Trial& trial : trials) {
      map.push_back(static_cast<Index>(trial.choice.map));
      kernel.push_back(static_cast<Index>(trial.choice.kernel));
      bound.push_back(trial.bound);
    }
    a(name + ".map", map);
    a(name + ".kernel", kernel);
    a(name + ".bound", bound);
    if (map.size() != kernel.size() || map.size() != bound.size())
      a.reject(name, "has columns of different lengths");
    trials.clear();
    for (std::size_t k = 0; k < map.size(); ++k) {
      if (map[k] < 0 || map[k] >= static_cast<Index>(plan.maps.size()) || kernel[k] < 0 ||
          kernel[k] >= static_cast<Index>(plan.kernels.size()))
        a.reject(name, "does not match the data");
      trials.push_back({{static_cast<std::size_t>(map[k]), static_cast<std::size_t>(kernel[k])}, bound[k]});
    }
  };
  archive_trials("trials", trials_);
  archive_trials("trials_of_all", trials_of_all_);
  std::optional<Side> now;
  const auto archive_candidate = [&](const std::string& name, bool of_all,
                                     std::optional<Candidate>& candidate) {
    bool present = candidate.has_value();
    a(name + ".present", present);
    Choice choice = candidate ? candidate->choice() : Choice{};
    archive_choice(a.inside(name + ".choice"), plan, choice);
    if (a.loading()) {
      candidate.reset();
      if (present && !of_all && !now) now = side();
      if (present) candidate.emplace(fit_, choice, of_all ? fit_.all_rows() : *now);
    }
    if (present) a.part(name, *candidate);
  };
  archive_candidate("best", false, best_);
  archive_candidate("chosen", true, chosen_);
  a("probability", probability_);
  a("base_rate", base_rate_);
  a("label", label_);
  a("weight", weight_);
  const std::size_t numbers = label_.size() * static_cast<std::size_t>(functions());
  if (weight_.size() != label_.size() || probability_.size() != numbers || base_rate_.size() != numbers)
    a.reject("probability", "does not match the data");
  check_labels_of(a, "label", label_, functions());
}

}  // namespace induce::detail
