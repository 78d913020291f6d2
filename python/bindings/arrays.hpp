// Conversion between numpy and C++ without copies: views of C-contiguous float64 arrays as input, arrays that own a
// std::vector as output.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <induce/explain.hpp>
#include <induce/table.hpp>

namespace induce::python {

namespace nb = nanobind;

using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Labels = nb::ndarray<const int, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
using Rows = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

inline TableView view(const Table& X) { return {X.data(), X.shape(0), X.shape(1)}; }

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

// One row per feature: main, total.
inline Rows importance_rows(const std::vector<Importance>& importance) {
  std::vector<double> rows;
  for (const auto& [main, total] : importance) rows.insert(rows.end(), {main, total});
  return to_numpy(std::move(rows), importance.size(), 2);
}

}  // namespace induce::python
