// Matrices survive a failed allocation.
//
// resize() of Eigen 3.4 frees the old numbers and keeps the pointer to them. If there is no memory for the new ones, the
// destructor frees the old ones again. Here the matrix is empty in between.
#pragma once

#include <Eigen/Core>

#if !EIGEN_VERSION_AT_LEAST(3, 4, 90)

namespace induce::detail {

template <class Storage>
void renew(Storage& storage, Eigen::Index size, Eigen::Index rows, Eigen::Index columns) {
  {
    Storage old;
    storage.swap(old);
  }
  Storage made(size, rows, columns);
  storage.swap(made);
}

}  // namespace induce::detail

namespace Eigen {

template <>
inline void DenseStorage<double, Dynamic, Dynamic, Dynamic, ColMajor>::resize(Index size, Index rows,
                                                                              Index columns) {
  if (size != m_rows * m_cols) return induce::detail::renew(*this, size, rows, columns);
  m_rows = rows;
  m_cols = columns;
}

template <>
inline void DenseStorage<double, Dynamic, Dynamic, Dynamic, RowMajor>::resize(Index size, Index rows,
                                                                              Index columns) {
  if (size != m_rows * m_cols) return induce::detail::renew(*this, size, rows, columns);
  m_rows = rows;
  m_cols = columns;
}

template <>
inline void DenseStorage<double, Dynamic, Dynamic, 1, ColMajor>::resize(Index size, Index rows,
                                                                        Index columns) {
  if (size != m_rows) induce::detail::renew(*this, size, rows, columns);
}

}  // namespace Eigen

#endif
