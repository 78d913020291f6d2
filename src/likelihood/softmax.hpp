// The softmax likelihood p(y = c | f) = e^f_c / sum_k e^f_k and its expectations under independent
// f_c ~ N(m[c], S2[c]), c = 0 .. C-1, C >= 1, S2 >= 0. See softmax.cpp.
//
// The errors are below 1e-9 (of log_sum relative to max(1, |log_sum|)). An argument that is not finite gives NaN.
// All functions may be called from several threads, each with its own workspace; none allocates memory,
// but the first call builds a table.
#pragma once

#include "linalg/types.hpp"

namespace induce::detail {

// The size of a workspace, in doubles.
Index softmax_workspace(Index C);

// log_sum = E log sum_c e^f_c and its derivatives p[c] = E softmax_c(f) = d log_sum / dm_c, which add up to 1, and
// w[c] = E softmax_c (1 - softmax_c) = d p_c / dm_c = 2 d log_sum / dS2_c >= 0.
void softmax_expectations(const double* m, const double* S2, Index C, double* workspace, double& log_sum,
                          double* p, double* w);

// The same log_sum, and the same p, alone.
double expected_log_sum_exp(const double* m, const double* S2, Index C, double* workspace);
void softmax_probabilities(const double* m, const double* S2, Index C, double* workspace, double* p);

}  // namespace induce::detail
