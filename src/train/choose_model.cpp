#include "train/choose_model.hpp"

#include <algorithm>
#include <cmath>

#include <induce/metrics.hpp>

namespace induce {
namespace {

constexpr Index folds_of_small_tables = 4;
constexpr Index held_out_per_row = 4;  // held-out rows, relative to the rows of the first look
constexpr Index fewest_of_a_class =
    12;  // rows outside the largest class; with fewer there is nothing to choose by
// Of the first look's tolerance: later stages with more rows repair what it missed.
constexpr double looser = 1.5;
// Standard errors: of an additive part, of a warp, and of what is not worth another look.
constexpr double must_gain = 1, warp_must_gain = 0.5, clearly = 1.5;
// What a rougher kernel may lose: few rows cannot show details that more rows will.
constexpr double rougher_may_lose = 1;
constexpr std::size_t most_in_other_folds = 2;  // candidates
constexpr double smallest_probability = 1e-15;  // as in Metrics
// Choosing may take this fraction of the time left when the fit has a limit.
constexpr double share_of_time = 0.3;

}  // namespace

ModelChoice::ModelChoice(GrowingFit& fit, const Stage& first) : fit_(fit), stage_(first) {
  const TrainingPlan& plan = fit.plan();
  const Index n = plan.targets.n();
  const std::vector<Index> counts = plan.targets.class_counts(functions());
  const Index of_others = n - *std::max_element(counts.begin(), counts.end());
  needed_ = plan.maps.size() * plan.kernels.size() > 1 && of_others >= fewest_of_a_class;
  stage_.last = false;
  stage_.patience =
      0;  // that of a last stage would let the trials of a small table run for hundreds of iterations
  if (stage_.rows == n) {
    folds_ = folds_of_small_tables;
    held_out_ = n / folds_;
    stage_.rows = n - held_out_;
  } else {
    held_out_ = std::min(n - stage_.rows, held_out_per_row * stage_.rows);
    stage_.tolerance *= looser;
  }
}

std::vector<double> ModelChoice::Trial::losses() const {
  std::vector<double> losses;
  const std::size_t rows = label.size(), classes = rows ? probability.size() / rows : 1;
  for (std::size_t i = 0; i < rows; ++i) {
    double p = probability[i];  // of the second of two classes
    if (classes > 1)
      p = probability[i * classes + static_cast<std::size_t>(label[i])];
    else if (label[i] < 0)
      p = 1 - p;
    losses.push_back(-std::log(std::max(p, smallest_probability)));
  }
  return losses;
}

double ModelChoice::Trial::nll() const {
  const std::vector<double> loss = losses();
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < loss.size(); ++i) {
    sum += weight[i] * loss[i];
    total += weight[i];
  }
  return total > 0 ? sum / total : INFINITY;
}

// Whether a predicts better than b by more than `errors` standard errors of the difference.
bool ModelChoice::beats(const Trial& a, const Trial& b, double errors) const {
  const std::vector<double> of_a = a.losses(), of_b = b.losses();
  if (of_a.empty() || of_b.empty()) return !of_a.empty();
  const std::size_t count = std::min(of_a.size(), of_b.size());
  double sum = 0, squares = 0, total = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double weighted = a.weight[i] * (of_b[i] - of_a[i]);
    sum += weighted;
    squares += weighted * weighted;
    total += a.weight[i];
  }
  const double variance = squares - sum * sum / static_cast<double>(count);
  return total > 0 && sum > errors * std::sqrt(std::max(variance, 0.0));
}

const ModelChoice::Trial* ModelChoice::find(const Choice& choice) const {
  for (const Trial& trial : trials_)
    if (trial.choice == choice) return &trial;
  return nullptr;
}

// The next candidate of the first look; none if it is complete.
std::optional<Choice> ModelChoice::next_choice() const {
  const TrainingPlan& plan = fit_.plan();
  const Trial* best = nullptr;
  for (std::size_t map = 0; map < plan.maps.size(); ++map) {
    const Trial* trial = find({map, 0});
    if (!trial) return Choice{map, 0};
    if (!best || beats(*trial, *best, warp_must_gain)) best = trial;
  }
  const std::size_t map = best->choice.map;
  std::vector<std::size_t> families;  // the first kernel of each
  for (std::size_t k = 0; k < plan.kernels.size(); ++k)
    if (k == 0 || plan.kernels[k].family != plan.kernels[k - 1].family) families.push_back(k);
  const std::size_t shapes = plan.kernels.size() / families.size();
  const bool has_additive = families.size() > 1 && plan.kernels[families[1]].family == Family::additive;
  const std::size_t with_short_start = has_additive ? families[1] : 0;
  std::size_t smoothest = 0;
  for (const std::size_t first : families) {
    for (const bool short_start : {false, true})
      if ((!short_start || first == with_short_start) && !find({map, first, short_start}))
        return Choice{map, first, short_start};
    const Trial& own = better_start(map, first);
    if (first == 0) best = &own;
    if (beats(own, *best, margin_over(*best, own))) {
      best = &own;
      smoothest = first;
    }
  }
  for (std::size_t k = smoothest + 1; k < smoothest + shapes; ++k) {
    if (!find({map, k})) return Choice{map, k};
    if (beats(better_start(map, smoothest), *find({map, k}), must_gain)) break;
  }
  return std::nullopt;
}

// Of two trials that differ in their start only.
const ModelChoice::Trial& ModelChoice::better_start(std::size_t map, std::size_t kernel) const {
  const Trial *usual = find({map, kernel}), *other = find({map, kernel, true});
  return !usual || (other && beats(*other, *usual, 0)) ? *other : *usual;
}

// Standard errors by which the trial must be better than the best so far.
double ModelChoice::margin_over(const Trial& best, const Trial& trial) const {
  const bool was_linear = family_of(best.choice) == Family::linear,
             is_linear = family_of(trial.choice) == Family::linear;
  if (folds_ > 1 && was_linear != is_linear) return is_linear ? -must_gain : must_gain;
  if (family_of(trial.choice) == Family::additive && family_of(best.choice) == Family::plain)
    return must_gain;
  return trial.choice.map != best.choice.map ? warp_must_gain : 0;
}

bool ModelChoice::starts_from_best(const Choice& choice) const {
  return !choice.short_start && family_of(choice) != Family::linear;
}

// The best candidate. Simpler ones come first, and a later one must be better by its margin. Of this kind of kernel, the
// roughest that is about as good.
Choice ModelChoice::best_choice() const {
  const Trial* best = nullptr;
  for (const Trial& trial : trials_) {
    if (!trial.alive || !trial.candidate) continue;
    if (!best || beats(trial, *best, margin_over(*best, trial))) best = &trial;
  }
  if (!best) return {};
  const Trial* roughest = best;
  for (const Trial& trial : trials_) {
    const bool alike = trial.alive && trial.candidate && trial.choice.map == best->choice.map &&
                       family_of(trial.choice) == family_of(best->choice) &&
                       family_of(trial.choice) != Family::linear;  // the linear part matters, not the other
    if (alike && trial.choice.kernel > roughest->choice.kernel && !beats(*best, trial, rougher_may_lose))
      roughest = &trial;
  }
  return roughest->choice;
}

bool ModelChoice::out_of_time() const {
  const Monitor& monitor = fit_.context.monitor;
  return monitor.must_stop() ||
         monitor.seconds() > share_of_time * (monitor.seconds() + monitor.seconds_left());
}

// Runs the candidate on its rows and adds its predictions to the trial.
bool ModelChoice::run_one(Trial& trial, Candidate& candidate, std::vector<Step>& ladder) {
  if (!candidate.run(stage_)) return false;
  ladder.push_back(candidate.step());
  if (fit_.context.monitor.interrupted()) return true;
  const Candidate::HeldOut found = candidate.predict_next(held_out_);
  candidate.forget_rows();
  const auto append = [](std::vector<double>& to, const Vector& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(trial.probability, found.probability);
  append(trial.label, found.targets.y);
  append(trial.weight, found.targets.weight);
  return true;
}

// The mean loss of a minus that of b, over the rows that both predicted.
double ModelChoice::excess(const Trial& a, const Trial& b) const {
  const std::vector<double> of_a = a.losses(), of_b = b.losses();
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < std::min(of_a.size(), of_b.size()); ++i) {
    sum += a.weight[i] * (of_a[i] - of_b[i]);
    total += a.weight[i];
  }
  return sum / total;
}

void ModelChoice::run(std::vector<Step>& ladder) {
  if (done_) return;
  if (fold_ == 0) first_look(ladder);
  if (folds_ > 1 && !out_of_time()) other_folds(ladder);
  done_ = true;
}

void ModelChoice::first_look(std::vector<Step>& ladder) {
  while (current_ || !out_of_time()) {
    if (!current_) {
      const std::optional<Choice> choice = next_choice();
      if (!choice) return;
      current_.emplace(fit_, *choice);
      const Trial* best = find(best_choice());
      if (best && best->candidate && best->choice.map == choice->map && starts_from_best(*choice))
        current_->start_from(*best->candidate);
    }
    Trial trial;
    trial.choice = current_->choice();
    if (run_one(trial, *current_, ladder)) trial.candidate = std::move(current_);
    current_.reset();
    trials_.push_back(std::move(trial));
    if (fit_.context.monitor.must_stop()) return;
  }
}

void ModelChoice::other_folds(std::vector<Step>& ladder) {
  for (; fold_ < folds_; ++fold_, in_fold_ = 0) {
    if (fold_ == 0) continue;
    if (!current_ && in_fold_ == 0) {
      anchor_.reset();
      const Trial& best = *find(best_choice());
      std::vector<const Trial*> closest;
      for (Trial& trial : trials_) {
        trial.alive = trial.alive && trial.candidate && !beats(best, trial, clearly);
        if (trial.alive && !(trial.choice == best.choice)) closest.push_back(&trial);
      }
      std::sort(closest.begin(), closest.end(),
                [](const Trial* a, const Trial* b) { return a->nll() < b->nll(); });
      for (Trial& trial : trials_) {
        const auto at = std::find(closest.begin(), closest.end(), &trial) - closest.begin();
        trial.alive =
            trial.choice == best.choice || (trial.alive && at + 1 < static_cast<Index>(most_in_other_folds));
      }
    }
    for (; in_fold_ < trials_.size(); ++in_fold_) {
      Trial& trial = trials_[in_fold_];
      if (!trial.alive) continue;
      if (!current_) {
        if (out_of_time()) return;
        current_.emplace(fit_, trial.choice, fold_ * held_out_);
        if (anchor_ && anchor_->choice().map == trial.choice.map && starts_from_best(trial.choice))
          current_->start_from(*anchor_);
      }
      trial.alive = run_one(trial, *current_, ladder);
      if (trial.alive && !anchor_) anchor_ = std::move(current_);
      current_.reset();
      if (fit_.context.monitor.must_stop()) return;
    }
  }
  anchor_.reset();
}

Candidate* ModelChoice::best() {
  const Choice choice = best_choice();
  for (Trial& trial : trials_)
    if (trial.choice == choice && trial.candidate) return &*trial.candidate;
  return nullptr;
}

void ModelChoice::report(Report& report) const {
  const TrainingPlan& plan = fit_.plan();
  const Trial* best = find(best_choice());
  if (!best || best->probability.empty()) return;
  const auto describe = [&](const char* what, const auto& is_rival, const auto& name_of) {
    Chosen chosen{.what = what,
                  .chosen = {name_of(best->choice), best->nll()},
                  .others = {},
                  .held_out = best->label.size()};
    for (const Trial& trial : trials_)
      if (!(trial.choice == best->choice) && is_rival(trial.choice) && !trial.probability.empty())
        chosen.others.push_back({name_of(trial.choice), best->nll() + excess(trial, *best)});
    if (!chosen.others.empty()) report.choices.push_back(chosen);
  };
  describe(
      "kernel",
      [&](const Choice& other) {
        return other.map == best->choice.map && other.kernel != best->choice.kernel &&
               &better_start(other.map, other.kernel) == find(other);
      },
      [&](const Choice& of) { return plan.kernels[of.kernel].layout.kernel->name(); });
  describe(
      "warp",
      [&](const Choice& other) {
        return other.map != best->choice.map && &better_start(other.map, other.kernel) == find(other);
      },
      [&](const Choice& of) { return plan.map_names[of.map]; });

  const Index rows = static_cast<Index>(best->label.size());
  if (folds_ == 1 || rows < held_out_ * folds_) return;
  const auto metrics_of_rows = [&](Index first, Index count) {
    const Targets targets(Eigen::Map<const Vector>(best->label.data() + first, count),
                          Eigen::Map<const Vector>(best->weight.data() + first, count));
    const std::size_t per_row = static_cast<std::size_t>(functions());
    return metrics_of(
        std::span(best->probability)
            .subspan(static_cast<std::size_t>(first) * per_row, static_cast<std::size_t>(count) * per_row),
        targets, functions());
  };
  Metrics metrics = metrics_of_rows(0, rows);
  // Probabilities of different folds have different base rates: the AUC is the mean over folds.
  double auc = 0;
  for (Index first = 0; first < rows; first += held_out_) auc += metrics_of_rows(first, held_out_).auc;
  metrics.auc = auc / static_cast<double>(folds_);
  report.cross_validation = metrics;
}

void ModelChoice::archive(Archive& a) {
  const TrainingPlan& plan = fit_.plan();
  const auto archive_candidate = [&](const std::string& name, std::optional<Candidate>& candidate) {
    bool present = candidate.has_value();
    a(name + ".present", present);
    std::vector<Index> made;
    if (candidate)
      made = {static_cast<Index>(candidate->choice().map), static_cast<Index>(candidate->choice().kernel),
              candidate->first_row(), candidate->choice().short_start ? 1 : 0};
    a(name + ".made", made);
    if (a.loading()) {
      candidate.reset();
      if (!present) return;
      if (made.size() != 4 || made[0] < 0 || made[0] >= static_cast<Index>(plan.maps.size()) || made[1] < 0 ||
          made[1] >= static_cast<Index>(plan.kernels.size()) || made[2] < 0 || made[2] >= plan.targets.n())
        a.reject(name, "does not match the data");
      candidate.emplace(
          fit_, Choice{static_cast<std::size_t>(made[0]), static_cast<std::size_t>(made[1]), made[3] != 0},
          made[2]);
    }
    if (present) a.part(name, *candidate);
  };
  std::size_t count = trials_.size();
  a("trials", count);
  if (count > plan.maps.size() + plan.kernels.size() + 2) a.reject("trials", "has too many entries");
  if (a.loading()) trials_.assign(count, Trial{});
  for (std::size_t k = 0; k < count; ++k) {
    Trial& trial = trials_[k];
    const std::string name = "trial" + std::to_string(k);
    a(name + ".map", trial.choice.map);
    a(name + ".kernel", trial.choice.kernel);
    a(name + ".short_start", trial.choice.short_start);
    a(name + ".probability", trial.probability);
    a(name + ".label", trial.label);
    a(name + ".weight", trial.weight);
    a(name + ".alive", trial.alive);
    if (trial.choice.map >= plan.maps.size() || trial.choice.kernel >= plan.kernels.size() ||
        trial.weight.size() != trial.label.size() ||
        trial.probability.size() != trial.label.size() * static_cast<std::size_t>(functions()))
      a.reject(name, "does not match the data");
    const bool known = std::all_of(trial.label.begin(), trial.label.end(), [&](double label) {
      return functions() == 1
                 ? std::abs(label) == 1
                 : label >= 0 && label < static_cast<double>(functions()) && label == std::floor(label);
    });
    if (!known) a.reject(name, "has a label that is not a class");
    archive_candidate(name + ".candidate", trial.candidate);
  }
  archive_candidate("current", current_);
  archive_candidate("anchor", anchor_);
  a("fold", fold_);
  a("in_fold", in_fold_);
  a("done", done_);
  if (fold_ < 0 || fold_ > folds_ || in_fold_ > count) a.reject("fold", "is out of range");
}

}  // namespace induce
