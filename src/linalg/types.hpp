// The matrix types of the whole library. Column-major throughout, except tables of rows.
#pragma once

#include <Eigen/Core>

namespace induce {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;  // n x d tables
using Index = Eigen::Index;

}  // namespace induce
