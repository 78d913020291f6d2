// Thresholds as an optimizer sees them: x = (b_1, log(b_2 - b_1), log(b_3 - b_2), ...), so that they increase whatever x is.
#pragma once

#include "linalg/types.hpp"

namespace induce::detail {

inline constexpr double smallest_gap = 1e-6, largest_gap = 1e4;  // between two thresholds

Vector pack_thresholds(const Vector& b);
Vector unpack_thresholds(const Vector& x);
// Derivatives with respect to x, from those with respect to b: b_k moves with b_1 and with all gaps before it.
Vector packed_slopes(const Vector& b, const Vector& slopes);

// The log density of the gaps' prior, up to a constant; adds its derivatives with respect to x. C even classes have gaps of 4/C in the
// middle, where the density of the logistic is 1/4: log gap ~ N(log(4/C), 2^2), wide enough for all but classes with very few rows.
double log_prior_of_gaps(const Vector& b, Eigen::Ref<Vector> gradient);

// Whether they are finite, with gaps of at least smallest_gap.
bool are_thresholds(const Vector& b);

}  // namespace induce::detail
