#include "fit/trials.hpp"

#include <induce/error.hpp>

#include "text/successes.hpp"
#include "text/words.hpp"

namespace induce::detail {

SplitRows split_trials(const Trials& trials, std::span<const double> weights, std::span<const int> groups) {
  const std::size_t n = trials.successes.size();
  const auto check_size = [&](std::size_t size, const char* what) {
    if (size != 0 && size != n)
      throw data_error("there are " + std::to_string(n) + " rows but " + std::to_string(size) + " " + what);
  };
  check_size(trials.trials.size(), "trials");
  check_size(weights.size(), "weights");
  check_size(groups.size(), "groups");
  SplitRows split;
  for (std::size_t i = 0; i < n; ++i) {
    const double y = trials.successes[i], of = trials.trials.empty() ? 1 : trials.trials[i];
    const std::string why = trials.trials.empty() ? why_no_share(y) : why_no_successes(y, of);
    if (!why.empty()) throw data_error("row " + std::to_string(i) + ": " + why);
    const double weight = weights.empty() ? 1 : weights[i];
    const auto add = [&](int label, double count) {
      if (count == 0) return;
      split.row.push_back(i);
      split.label.push_back(label);
      split.weight.push_back(weight * count);
      split.group.push_back(groups.empty() ? static_cast<int>(i) : groups[i]);
    };
    add(1, y);
    add(0, of - y);
    split.without_trials += of == 0 ? 1 : 0;
  }
  return split;
}

std::string warning_of_rows_without_trials(std::size_t rows) {
  if (rows == 0) return "";
  return std::to_string(rows) + (rows == 1 ? " row has no trials and is" : " rows have no trials and are") +
         " left out";
}

}  // namespace induce::detail
