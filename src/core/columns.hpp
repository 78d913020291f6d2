// Loops over the columns of an m x b block; a column belongs to a row of the data.
#pragma once

#include "linalg/types.hpp"

namespace induce::columns {

// out_i := factor_i V_i
void scale(const double* V, Index m, Index b, const double* factor, double* out);
void scale(const float* V, Index m, Index b, const double* factor, float* out);

// out_i := A_i'B_i, and |A_i|^2, summed in double.
void dots(const double* A, const double* B, Index m, Index b, double* out);
void squared_norms(const double* A, Index m, Index b, double* out);
void squared_norms(const float* A, Index m, Index b, double* out);

// y += V x, summed in double.
void add_times_vector(const float* V, Index m, Index b, const double* x, double* y);

// G_i := g_i alpha - 2 s_i T_i; G and T may be the same.
void adjoint(const double* T, Index m, Index b, const double* alpha, const double* g, const double* s,
             double* G);
void adjoint(const float* T, Index m, Index b, const double* alpha, const double* g, const double* s,
             double* G);

// Rounds to single precision.
void to_single(const double* V, Index count, float* out);
// Q += R in the lower triangle of m x m.
void add_lower(const float* R, Index m, double* Q);

}  // namespace induce::columns
