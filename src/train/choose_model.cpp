#include "train/choose_model.hpp"

#include <algorithm>
#include <cmath>

#include "text/format.hpp"

namespace induce::detail {
namespace {

constexpr Index held_out_per_row = 4;  // held-out rows, relative to the rows of the first look
constexpr Index fewest_of_a_class =
    12;  // rows outside the largest class; with fewer there is nothing to choose by
// Of the first look's tolerance: later stages with more rows repair what it missed.
constexpr double looser = 1.5;
// Standard errors: of an additive part, and of a warp.
constexpr double must_gain = 1, warp_must_gain = 0.5;
// What a rougher kernel may lose: few rows cannot show details that more rows will.
constexpr double rougher_may_lose = 1;
constexpr double smallest_probability = 1e-15;  // as in Metrics
constexpr double share_of_time = 0.3;           // of a fit that has a limit

}  // namespace

ModelChoice::ModelChoice(GrowingFit& fit, const Stage& first) : fit_(fit), stage_(first) {
  const TrainingPlan& plan = fit.plan();
  const Index n = plan.rows.user_rows();
  const std::vector<Index> counts = plan.class_rows();
  const Index of_others = n - *std::max_element(counts.begin(), counts.end());
  needed_ = stage_.rows < n && plan.maps.size() * plan.kernels.size() > 1 && of_others >= fewest_of_a_class;
  held_out_ = std::min(n - stage_.rows, held_out_per_row * stage_.rows);
  stage_.tolerance *= looser;
}

const Side& ModelChoice::side() {
  if (!side_) side_ = fit_.without(stage_.rows, held_out_, 0);
  return *side_;
}

std::string ModelChoice::kernel_name(const Choice& choice) const {
  return (*side_->kernels)[choice.kernel].layout.kernel->name();
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

ModelChoice::Difference ModelChoice::difference(const Trial& a, const Trial& b) const {
  const std::vector<double> of_a = a.losses(), of_b = b.losses();
  double sum = 0, squares = 0, total = 0;
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    const double weighted = a.weight[i] * (of_a[i] - of_b[i]);
    sum += weighted;
    squares += weighted * weighted;
    total += a.weight[i];
  }
  const double variance = squares - sum * sum / static_cast<double>(of_a.size());
  return {sum / total, std::sqrt(std::max(variance, 0.0)) / total};
}

// Whether a predicts better than b by more than `errors` standard errors of the difference.
bool ModelChoice::beats(const Trial& a, const Trial& b, double errors) const {
  if (a.label.empty() || b.label.empty()) return !a.label.empty();
  const Difference gain = difference(b, a);
  return gain.mean > errors * gain.error;
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
  std::size_t shapes = 0, with_short_start = 0;
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    if (family_of({map, k}) == Family::plain) ++shapes;
    if (k > 0 && family_of({map, k}) == family_of({map, k - 1})) continue;
    if (k > 0 && kernel_name({map, k}) == kernel_name({map, 0})) continue;  // no column for an additive part
    families.push_back(k);
    if (family_of({map, k}) == Family::additive) with_short_start = k;
  }
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
    if (!trial.candidate) continue;
    if (!best || beats(trial, *best, margin_over(*best, trial))) best = &trial;
  }
  if (!best) return {};
  const Trial* roughest = best;
  for (const Trial& trial : trials_) {
    const bool alike = trial.candidate && trial.choice.map == best->choice.map &&
                       family_of(trial.choice) == family_of(best->choice) &&
                       family_of(trial.choice) != Family::linear;  // the linear part matters, not the other
    if (alike && trial.choice.kernel > roughest->choice.kernel && !beats(*best, trial, rougher_may_lose))
      roughest = &trial;
  }
  return roughest->choice;
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

void ModelChoice::run(std::vector<Step>& ladder) {
  side();
  while (!fit_.must_leave_time(share_of_time)) {
    const std::optional<Choice> choice = next_choice();
    if (!choice) break;
    Candidate candidate(fit_, *choice, side());
    const Trial* best = find(best_choice());
    if (best && best->candidate && best->choice.map == choice->map && starts_from_best(*choice))
      candidate.start_from(*best->candidate);
    Trial trial{.choice = *choice};
    if (run_one(trial, candidate, ladder)) trial.candidate = std::move(candidate);
    trials_.push_back(std::move(trial));
    fit_.context.monitor.end_of_stage(fit_.context.keeper);
  }
}

Candidate* ModelChoice::best() {
  const Choice choice = best_choice();
  for (Trial& trial : trials_)
    if (trial.choice == choice && trial.candidate) return &*trial.candidate;
  return nullptr;
}

// Why the chosen one was taken, given the one with the lowest NLL and its name.
std::string ModelChoice::reason(const Trial& chosen, const Trial& lowest, const std::string& name) const {
  if (&chosen == &lowest) return "it has the lowest NLL of held-out rows of the training table";
  const Difference lost = difference(chosen, lowest);
  const bool rougher = family_of(chosen.choice) == family_of(lowest.choice) &&
                       chosen.choice.kernel > lowest.choice.kernel && chosen.choice.map == lowest.choice.map;
  return name + " has the lowest NLL, lower by " + fixed(lost.mean, 4) + " with a standard error of " +
         fixed(lost.error, 4) + "; the " + (rougher ? "rougher" : "simpler") + " is taken" +
         (lost.mean <= lost.error ? " within one standard error" : "");
}

void ModelChoice::report(Report& report) const {
  const TrainingPlan& plan = fit_.plan();
  const Trial* best = side_ ? find(best_choice()) : nullptr;
  if (!best || best->probability.empty()) return;
  const auto describe = [&](const char* what, const auto& is_rival, const auto& name_of) {
    Chosen chosen{.what = what,
                  .reason = {},
                  .chosen = {.name = name_of(best->choice), .nll = best->nll(), .nll_error = 0},
                  .others = {},
                  .held_out = best->label.size()};
    const Trial* lowest = best;
    for (const Trial& trial : trials_) {
      if (trial.choice == best->choice || !is_rival(trial.choice) || trial.probability.empty()) continue;
      chosen.others.push_back(
          {.name = name_of(trial.choice), .nll = trial.nll(), .nll_error = difference(trial, *best).error});
      if (trial.nll() < lowest->nll()) lowest = &trial;
    }
    if (chosen.others.empty()) return;
    chosen.reason = reason(*best, *lowest, name_of(lowest->choice));
    report.choices.push_back(chosen);
  };
  describe(
      "kernel",
      [&](const Choice& other) {
        return other.map == best->choice.map && other.kernel != best->choice.kernel &&
               &better_start(other.map, other.kernel) == find(other);
      },
      [&](const Choice& of) { return kernel_name(of); });
  describe(
      "warp",
      [&](const Choice& other) {
        return other.map != best->choice.map && &better_start(other.map, other.kernel) == find(other);
      },
      [&](const Choice& of) { return plan.map_names[of.map]; });
}

void ModelChoice::archive(Archive& a) {
  const TrainingPlan& plan = fit_.plan();
  std::size_t count = trials_.size();
  a("trials", count);
  if (count > plan.maps.size() + plan.kernels.size() + 2) a.reject("trials", "has too many entries");
  if (a.loading()) trials_.assign(count, Trial{});
  for (std::size_t k = 0; k < count; ++k) {
    Trial& trial = trials_[k];
    const std::string name = "trial" + std::to_string(k);
    archive_choice(a.inside(name + ".choice"), plan, trial.choice);
    a(name + ".probability", trial.probability);
    a(name + ".label", trial.label);
    a(name + ".weight", trial.weight);
    if (trial.weight.size() != trial.label.size() ||
        trial.probability.size() != trial.label.size() * static_cast<std::size_t>(functions()))
      a.reject(name, "does not match the data");
    check_labels_of(a, name, trial.label, functions());
    bool succeeded = trial.candidate.has_value();
    a(name + ".succeeded", succeeded);
    if (a.loading() && succeeded) trial.candidate.emplace(fit_, trial.choice, side());
    if (succeeded) a.part(name + ".candidate", *trial.candidate);
  }
}

}  // namespace induce::detail
