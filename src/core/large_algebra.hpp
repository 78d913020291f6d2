// Factor and inverse of a matrix of thousands of rows, on several threads.
//
// The matrix is cut into square tiles, and each step has tasks that write different tiles, by products of single-threaded
// BLAS. Tiles and the order of products depend on the size alone: the result has the same bits on any number of threads.
//   B = L L':      L_kk by LAPACK, L_ik = B_ik L_kk^-T, B_ij -= L_ik L_jk'                        for k = 1, 2, ...
//   W = L^-1:      W_jj = L_jj^-1, W_ij = -(sum_{j<k<=i} W_ik L_kj) W_jj                          for j = last, ..., 1
//   B^-1 = W'W:    (B^-1)_ij = sum_{k>=i} W_ki'W_kj
#pragma once

#include <utility>

#include "linalg/types.hpp"
#include "machine/workers.hpp"

namespace induce::detail {

// Where tasks run: on workers, or one after the other.
class Tasks {
 public:
  explicit Tasks(Workers* workers = nullptr) : workers_(workers) {}

  template <class Task>
  void run(Index count, const Task& task) const {
    if (workers_)
      workers_->run(count, [&](Index number, int /*worker*/) { task(number); });
    else
      for (Index number = 0; number < count; ++number) task(number);
  }

 private:
  Workers* workers_;
};

// L := the Cholesky factor of the matrix in its lower triangle; the strict upper triangle is not touched. False if there is
// none.
bool factor_by_tiles(Matrix& L, const Tasks& tasks);
// L := L^-1 in the lower triangle; out := I - (L L')^-1, both triangles.
void complement_of_inverse_by_tiles(Matrix& L, Matrix& out, const Tasks& tasks);

}  // namespace induce::detail
