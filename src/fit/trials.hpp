// Labels that are counts of successes, or shares.
//
// y successes of n trials at x have the log-likelihood y log p(1 | f) + (n - y) log p(0 | f), up to a constant. That is the
// one of two rows at x: of class 1 with weight y, and of class 0 with weight n - y. A share s is s successes of one
// trial. So each row becomes these two, or one if the other has no weight, or none if it has no trials, and whatever knows
// weights knows counts. The weight of a row multiplies both. The two are one row of the user: they are in one group, and no
// fold, held-out choice or leave-one-out figure has them on different sides.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <induce/table.hpp>

namespace induce::detail {

struct SplitRows {
  std::vector<std::size_t> row{};  // of the user's table, for each of these
  std::vector<int> label{};
  std::vector<double> weight{};
  std::vector<int> group{};
  std::size_t without_trials = 0;  // rows that are left out
};

// Throws an Error that names the row. Empty weights and groups: all 1, and each row on its own.
SplitRows split_trials(const Trials& trials, std::span<const double> weights = {},
                       std::span<const int> groups = {});

// Empty if no rows were left out.
std::string warning_of_rows_without_trials(std::size_t rows);

}  // namespace induce::detail
