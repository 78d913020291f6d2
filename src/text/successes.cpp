#include "text/successes.hpp"

#include <cmath>

#include "text/words.hpp"

namespace induce::detail {
namespace {

bool is_count(double value) { return value >= 0 && std::isfinite(value) && value == std::floor(value); }

}  // namespace

std::string why_no_successes(double successes, double trials) {
  if (!is_count(trials)) return "trials of " + shortest(trials) + ": must be a whole number of at least 0";
  if (is_count(successes) && successes <= trials) return "";
  return shortest(successes) + " successes of " + shortest(trials) +
         " trials: must be a whole number from 0 to " + shortest(trials);
}

std::string why_no_share(double share) {
  return share >= 0 && share <= 1 ? "" : "a share of " + shortest(share) + ": must be from 0 to 1";
}

}  // namespace induce::detail
