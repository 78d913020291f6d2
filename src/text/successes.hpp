// Labels that are not classes but counts of successes, or shares: what is wrong with one.
#pragma once

#include <string>

namespace induce::detail {

// Successes of trials: whole numbers from 0 on, not more than trials. Empty: nothing is wrong.
std::string why_no_successes(double successes, double trials);
// A share is a number of successes of one trial, which need not be whole.
std::string why_no_share(double share);

}  // namespace induce::detail
