// Which of the models that were tried is taken, which one is tried next, and what is said about it. Without side effects:
// equal trials give equal answers.
//
// Trials are compared in the order in which they were made, from simple to rich; a later one must beat the best so far:
//   by the losses of held-out rows, if it has predicted some: the mean difference must exceed a standard error for another
//     feature map, none for the rest; terms may be worse by one: they vanish where they are of no use, and more rows will show them
//     more;
//   otherwise by the bound over its rows: by half a nat.
// Then the roughest kernel of the same map and family is taken that is worse by at most one standard error: more rows will show
// details that few do not.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "train/plan.hpp"

namespace induce::detail {

// A candidate that was fitted, and what it is judged by.
struct Trial {
  Candidate candidate{};
  Family family = Family::plain;         // of its kernel
  double bound = -INFINITY;              // over its rows; -infinity: the fit failed
  std::vector<double> loss{}, weight{};  // of the held-out rows, each row of the user on its own

  double nll() const;  // mean loss; infinite without held-out rows
};

// Null if all fits failed.
const Trial* decide(std::span<const Trial> trials);

// The one that `decide` takes, without and with terms: which of them is better may depend on the number of rows. Empty unless
// there are both, in this order.
std::vector<const Trial*> finalists(std::span<const Trial> trials);

// The candidate to try next; none if there is no other. `kernels`: those of the rows that candidates may use.
// By the bound: all maps with the first kernel; with the best map, the first kernel with terms.
std::optional<Candidate> next_by_bound(std::span<const Trial> trials, std::size_t maps,
                                       const std::vector<KernelPlan>& kernels);
// By held-out rows: all maps with the first kernel; with the best map, rougher shapes until one is worse; with the shape taken, terms.
// `rougher_too`: whether these are tried.
std::optional<Candidate> next_by_loss(std::span<const Trial> trials, std::size_t maps,
                                      const std::vector<KernelPlan>& kernels, bool rougher_too = true);

// For the report: the choice of a kernel and of a warp, as far as there were others. Warps are compared with the same kernel.
// `rows`: what bounds are over.
std::vector<Chosen> describe_choices(std::span<const Trial> trials, const std::vector<KernelPlan>& kernels,
                                     const std::vector<std::string>& map_names,
                                     const std::string& rows = "all rows");
// Choices that were made again with more rows.
void replace_choices(std::vector<Chosen>& choices, std::vector<Chosen> later);
// The stages after a choice may drop terms. Says so if the kernel of the model is then that of another candidate.
void note_missing_terms(std::vector<Chosen>& choices, const std::string& kernel);

}  // namespace induce::detail
