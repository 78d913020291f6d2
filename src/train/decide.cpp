#include "train/decide.hpp"

#include <algorithm>
#include <cmath>

#include "text/format.hpp"
#include "train/policy.hpp"

namespace induce::detail {
namespace {

constexpr double shown_bound = 1e-2, shown_loss = 1e-4;  // the last digits that people are shown

// The mean loss of one trial less that of another, over the held-out rows.
struct Difference {
  double mean = 0, error = 0;
};

Difference difference(const Trial& a, const Trial& b) {
  double sum = 0, squares = 0, total = 0;
  for (std::size_t i = 0; i < a.loss.size(); ++i) {
    const double weighted = a.weight[i] * (a.loss[i] - b.loss[i]);
    sum += weighted;
    squares += weighted * weighted;
    total += a.weight[i];
  }
  const double variance = squares - sum * sum / static_cast<double>(a.loss.size());
  return {sum / total, std::sqrt(std::max(variance, 0.0)) / total};
}

// Whether a is better than b by more than `errors` standard errors of the difference.
bool beats(const Trial& a, const Trial& b, double errors) {
  if (a.loss.empty() && b.loss.empty()) return a.bound > b.bound + policy::least_gain;
  if (a.loss.empty() || b.loss.empty()) return !a.loss.empty();
  const Difference gain = difference(b, a);
  return gain.mean > errors * gain.error;
}

// Whether the trial replaces the best one before it.
bool replaces(const Trial& trial, const Trial& best) {
  const bool adds_terms = trial.family == Family::terms && best.family == Family::plain;
  return beats(trial, best,
               adds_terms                                  ? -policy::clear_difference
               : trial.candidate.map != best.candidate.map ? policy::clear_difference
                                                           : 0);
}

// The roughest kernel of the same map and family that is not clearly worse.
const Trial& roughest(std::span<const Trial> trials, const Trial& best) {
  const Trial* found = &best;
  for (const Trial& trial : trials)
    if (std::isfinite(trial.bound) && trial.candidate.map == best.candidate.map &&
        trial.family == best.family && trial.candidate.kernel > found->candidate.kernel &&
        !beats(best, trial, policy::clear_difference))
      found = &trial;
  return *found;
}

// The trial of a map and a family that is taken; null if there is none.
const Trial* best_of(std::span<const Trial> trials, std::size_t map, Family family) {
  const Trial* lowest = nullptr;
  for (const Trial& trial : trials)
    if (trial.candidate.map == map && trial.family == family && std::isfinite(trial.bound) &&
        (!lowest || beats(trial, *lowest, 0)))
      lowest = &trial;
  return lowest ? &roughest(trials, *lowest) : nullptr;
}

const Trial* find(std::span<const Trial> trials, const Candidate& candidate) {
  const auto found = std::find_if(trials.begin(), trials.end(),
                                  [&](const Trial& each) { return each.candidate == candidate; });
  return found == trials.end() ? nullptr : &*found;
}

// Why the chosen one of trials that differ in one thing, in the order in which they were made, was taken.
std::string reason_by_loss(std::span<const Trial* const> trials, const Trial& chosen,
                           const std::string& lowest_name, const Trial& lowest) {
  if (&chosen == &lowest) {
    const bool tie = std::any_of(trials.begin(), trials.end(), [&](const Trial* each) {
      return each != &chosen && each->nll() - chosen.nll() < shown_loss / 2;
    });
    return tie && trials.front() == &chosen
               ? "it is the simplest of those with the lowest NLL of held-out rows of the training table"
               : "it has the lowest NLL of held-out rows of the training table";
  }
  const Difference lost = difference(chosen, lowest);
  const bool same_family = chosen.family == lowest.family && chosen.candidate.map == lowest.candidate.map,
             rougher = same_family && chosen.candidate.kernel > lowest.candidate.kernel,
             richer = chosen.family != Family::plain && lowest.family == Family::plain,
             simpler = std::find(trials.begin(), trials.end(), &chosen) <
                       std::find(trials.begin(), trials.end(), &lowest);
  std::string text = lowest_name + " has the lowest NLL, lower by " + fixed(lost.mean, 4) +
                     " with a standard error of " + fixed(lost.error, 4) + "; ";
  if (!rougher && !richer && !simpler) return text + "that is no clear gain over simpler ones";
  return text + "the " +
         (rougher  ? "rougher"
          : richer ? "richer"
                   : "simpler") +
         " is taken" + (lost.mean <= lost.error ? " within one standard error" : "");
}

std::string reason_by_bound(std::span<const Trial* const> trials, const Trial& chosen,
                            const std::string& rows) {
  double second = -INFINITY;
  for (const Trial* each : trials)
    if (each != &chosen) second = std::max(second, each->bound);
  if (const double ahead = chosen.bound - second; ahead >= shown_bound / 2)
    return "it has the highest bound over " + rows + ", by " + fixed(ahead, 2) + " nats";
  const Trial* simplest = *std::find_if(trials.begin(), trials.end(), [&](const Trial* each) {
    return each->bound + policy::least_gain >= std::max(second, chosen.bound);
  });
  return simplest == &chosen ? "it is the simplest within " + fixed(policy::least_gain, 1) +
                                   " nats of the highest bound over " + rows
                             : "no richer one has a bound over " + rows + " that is higher by more than " +
                                   fixed(policy::least_gain, 1) + " nats";
}

}  // namespace

double Trial::nll() const {
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < loss.size(); ++i) {
    sum += weight[i] * loss[i];
    total += weight[i];
  }
  return total > 0 ? sum / total : INFINITY;
}

const Trial* decide(std::span<const Trial> trials) {
  const Trial* best = nullptr;
  for (const Trial& trial : trials)
    if (std::isfinite(trial.bound) && (!best || replaces(trial, *best))) best = &trial;
  return best ? &roughest(trials, *best) : nullptr;
}

std::vector<const Trial*> finalists(std::span<const Trial> trials) {
  const Trial* best = decide(trials);
  std::vector<const Trial*> found;
  for (const Family family : {Family::plain, Family::terms})
    if (const Trial* own = best ? best_of(trials, best->candidate.map, family) : nullptr)
      found.push_back(own);
  if (found.size() < 2) found.clear();
  return found;
}

std::optional<Candidate> next_by_bound(std::span<const Trial> trials, std::size_t maps,
                                       const std::vector<KernelPlan>& kernels) {
  if (trials.size() < maps) return Candidate{trials.size(), 0};
  const auto terms = std::find_if(kernels.begin() + 1, kernels.end(),
                                  [](const KernelPlan& each) { return each.family == Family::terms; });
  if (trials.size() > maps || terms == kernels.end()) return std::nullopt;
  const Trial* best = decide(trials);
  return Candidate{best ? best->candidate.map : 0, static_cast<std::size_t>(terms - kernels.begin())};
}

std::optional<Candidate> next_by_loss(std::span<const Trial> trials, std::size_t maps,
                                      const std::vector<KernelPlan>& kernels, bool rougher_too) {
  const Trial* best = nullptr;
  for (std::size_t map = 0; map < maps; ++map) {
    const Trial* trial = find(trials, {map, 0});
    if (!trial) return Candidate{map, 0};
    if (!best || replaces(*trial, *best)) best = trial;
  }
  const std::size_t map = best->candidate.map;
  std::size_t shapes = 0;
  while (shapes < kernels.size() && kernels[shapes].family == Family::plain) ++shapes;
  for (std::size_t k = 1; rougher_too && k < shapes; ++k) {
    const Trial* rougher = find(trials, {map, k});
    if (!rougher) return Candidate{map, k};
    if (beats(*best, *rougher, policy::clear_difference)) break;
  }
  const Trial* plain = best_of(trials, map, Family::plain);  // none if the kernel is given and has terms
  const std::size_t with_terms = plain ? shapes + plain->candidate.kernel : kernels.size();
  if (with_terms < kernels.size() && !find(trials, {map, with_terms})) return Candidate{map, with_terms};
  return std::nullopt;
}

std::vector<Chosen> describe_choices(std::span<const Trial> trials, const std::vector<KernelPlan>& kernels,
                                     const std::vector<std::string>& map_names, const std::string& rows) {
  const Trial* best = decide(trials);
  std::vector<Chosen> choices;
  if (!best) return choices;
  // `chosen` and its rivals differ in one thing only.
  const auto describe = [&](const char* what, const Trial& chosen, const auto& is_rival, const auto& name_of,
                            const std::string& both) {
    const bool by_loss = !chosen.loss.empty();
    const auto judged = [&](const Trial& trial) -> Chosen::Candidate {
      const std::string name = name_of(trial.candidate);
      if (!by_loss) return {.name = name, .bound = trial.bound};
      return {.name = name, .nll = trial.nll(), .nll_error = difference(trial, chosen).error};
    };
    Chosen choice{
        .what = what, .reason = {}, .chosen = judged(chosen), .others = {}, .held_out = chosen.loss.size()};
    std::vector<const Trial*> compared;
    const Trial* lowest = &chosen;
    for (const Trial& trial : trials) {
      if (&trial == &chosen) compared.push_back(&trial);
      if (!std::isfinite(trial.bound) || (by_loss && trial.loss.empty()) || !is_rival(trial.candidate))
        continue;
      compared.push_back(&trial);
      choice.others.push_back(judged(trial));
      if (by_loss && trial.nll() < lowest->nll()) lowest = &trial;
    }
    if (choice.others.empty()) return;
    choice.reason = (by_loss ? reason_by_loss(compared, chosen, name_of(lowest->candidate), *lowest)
                             : reason_by_bound(compared, chosen, rows)) +
                    both;
    choices.push_back(std::move(choice));
  };
  const Candidate& own = best->candidate;
  describe(
      "kernel", *best,
      [&](const Candidate& other) { return other.map == own.map && other.kernel != own.kernel; },
      [&](const Candidate& of) { return kernels[of.kernel].name; }, "");
  // Maps are tried with the first kernel, so they are compared with it.
  const Trial* same = find(trials, {own.map, 0});
  if (!same || !std::isfinite(same->bound) || same->loss.empty() != best->loss.empty()) return choices;
  describe(
      "warp", *same, [&](const Candidate& other) { return other.map != own.map && other.kernel == 0; },
      [&](const Candidate& of) { return map_names[of.map]; },
      own.kernel == 0 ? "" : " (each with " + kernels[0].name + ")");
  return choices;
}

void replace_choices(std::vector<Chosen>& choices, std::vector<Chosen> later) {
  for (Chosen& last : later) {
    const auto first = std::find_if(choices.begin(), choices.end(),
                                    [&](const Chosen& each) { return each.what == last.what; });
    if (first != choices.end()) *first = std::move(last);
  }
}

void note_missing_terms(std::vector<Chosen>& choices, const std::string& kernel) {
  for (Chosen& choice : choices)
    if (choice.what == "kernel" && std::any_of(choice.others.begin(), choice.others.end(),
                                               [&](const auto& other) { return other.name == kernel; }))
      choice.reason += "; no term gained enough to be kept";
}

}  // namespace induce::detail
