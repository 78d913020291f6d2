// Conversion between numpy and C++ without copies: views of C-contiguous float64 arrays as input, arrays that own a
// std::vector as output.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <induce/error.hpp>
#include <induce/explain.hpp>
#include <induce/table.hpp>

#include "linalg/types.hpp"
#include "parts.hpp"

namespace induce::python {

namespace nb = nanobind;

using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Labels = nb::ndarray<const int, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
using Rows = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

inline TableView view(const Table& X) { return {X.data(), X.shape(0), X.shape(1)}; }

// A scipy CSR matrix as its arrays: row starts, columns, values, and the number of columns. Not copied.
using Starts = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Places = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

struct SparseArrays {
  Starts starts;
  Places columns;
  Numbers values;
  std::size_t width = 0;

  SparseArrays(Starts from_starts, Places from_columns, Numbers from_values, std::size_t from_width)
      : starts(std::move(from_starts)),
        columns(std::move(from_columns)),
        values(std::move(from_values)),
        width(from_width) {
    const std::size_t entries = columns.shape(0);
    if (starts.shape(0) < 1 || values.shape(0) != entries || starts.data()[0] != 0 ||
        static_cast<std::size_t>(starts.data()[starts.shape(0) - 1]) != entries)
      throw Error(Fault::data, "the arrays of the sparse table do not match");
  }
  std::size_t rows() const { return starts.shape(0) - 1; }
};

inline SparseView view(const SparseArrays& X) {
  return {X.rows(), X.width, X.starts.data(), X.columns.data(), X.values.data()};
}
inline std::size_t rows_of(const Table& X) { return X.shape(0); }
inline std::size_t rows_of(const SparseArrays& X) { return X.rows(); }

template <class Array>
auto span_of(const Array& array) {
  return std::span(array.data(), array.shape(0));
}

// Moves the vector to the heap; the returned capsule owns it.
inline nb::capsule keep(std::vector<double>*& values, std::vector<double>&& from) {
  values = new std::vector<double>(std::move(from));
  return nb::capsule(values, [](void* held) noexcept { delete static_cast<std::vector<double>*>(held); });
}

inline Vector to_numpy(std::vector<double> from) {
  std::vector<double>* values = nullptr;
  const nb::capsule owner = keep(values, std::move(from));
  return Vector(values->data(), {values->size()}, owner);
}

inline Rows to_numpy(std::vector<double> from, std::size_t rows, std::size_t columns) {
  std::vector<double>* values = nullptr;
  const nb::capsule owner = keep(values, std::move(from));
  return Rows(values->data(), {rows, columns}, owner);
}

inline Rows to_numpy(std::unique_ptr<RowMatrix> from) {
  RowMatrix* rows = from.release();
  const nb::capsule owner(rows, [](void* held) noexcept { delete static_cast<RowMatrix*>(held); });
  return Rows(rows->data(), {static_cast<std::size_t>(rows->rows()), static_cast<std::size_t>(rows->cols())},
              owner);
}

// One row per feature: main, total.
inline Rows importance_rows(const std::vector<Importance>& importance) {
  std::vector<double> rows;
  for (const auto& [main, total] : importance) rows.insert(rows.end(), {main, total});
  return to_numpy(std::move(rows), importance.size(), 2);
}

}  // namespace induce::python
