// Pieces of a symmetric positive definite matrix, for algebra on several threads (core/large_algebra.hpp). A tile is a block
// of a column-major matrix whose columns are `stride` apart. As in blas.hpp, calls are to be single-threaded.
#pragma once

#include "linalg/types.hpp"

namespace induce::detail::tiles {

// A := its Cholesky factor, in the lower triangle. False if there is none.
bool cholesky(double* A, Index size, Index stride);
// A := A L^-T, A rows x size
void solve_right(const double* L, Index size, double* A, Index rows, Index stride);
// C := C - A B', A rows x depth, B columns x depth
void subtract_product(const double* A, const double* B, Index rows, Index columns, Index depth, double* C,
                      Index stride);
// L := L^-1, lower triangles
void invert_lower(double* L, Index size, Index stride);
// C := -A B, A rows x depth, B depth x columns
void minus_product(const double* A, const double* B, Index rows, Index columns, Index depth, Index stride,
                   double* C);
// A := A L, A rows x size
void multiply_right(const double* L, Index size, double* A, Index rows, Index stride);
// C := -A'B, A depth x rows, B depth x columns
void minus_inner_product(const double* A, const double* B, Index rows, Index columns, Index depth,
                         Index stride, double* C);

}  // namespace induce::detail::tiles
