// Matrix types. Column-major, except for tables of rows.
#pragma once

#include <Eigen/Core>

#include "linalg/storage.hpp"

namespace induce::detail {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;  // n x d tables
using Index = Eigen::Index;

}  // namespace induce::detail
