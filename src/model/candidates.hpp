// The best rows of a stream, in memory that does not depend on how many there are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace induce::detail {

struct Candidate {
  std::size_t row = 0;
  double score = 0, cost = 1;  // score: the larger the better
  std::vector<double> x;       // as the model's map takes it: of sparse rows, projected
  std::vector<double> p, mean, variance;
};

inline bool better(const Candidate& a, const Candidate& b) {
  return a.score != b.score ? a.score > b.score : a.row < b.row;
}

// The best so many of all that were added.
class BestCandidates {
 public:
  explicit BestCandidates(std::size_t most) : most_(most) {}

  bool takes(const Candidate& candidate) const { return most_ > 0 && (!full_ || better(candidate, worst_)); }
  void add(Candidate candidate) {
    kept_.push_back(std::move(candidate));
    if (kept_.size() < 2 * most_) return;
    const auto last = kept_.begin() + static_cast<std::ptrdiff_t>(most_ - 1);
    std::nth_element(kept_.begin(), last, kept_.end(), better);
    full_ = true;
    worst_.row = last->row;
    worst_.score = last->score;
    kept_.resize(most_);
  }
  const std::vector<Candidate>& kept() const { return kept_; }
  std::vector<Candidate> sorted() const {
    std::vector<Candidate> all = kept_;
    std::sort(all.begin(), all.end(), better);
    if (all.size() > most_) all.resize(most_);
    return all;
  }

 private:
  std::size_t most_;
  std::vector<Candidate> kept_;  // up to twice as many
  bool full_ = false;            // there were so many; worst_: of those that were best then
  Candidate worst_;
};

}  // namespace induce::detail
