// Streams of tables: those of objects with the Arrow interface, and columns of NumPy arrays in Arrow's layout.
#include "arrow.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <induce/error.hpp>

#include "parts.hpp"
#include "read/arrow_columns.hpp"

namespace induce::python {
namespace {

using Buffer = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Arrays that a column points to, whoever releases it in whatever thread.
std::shared_ptr<const void> owner_of(std::vector<Buffer> buffers) {
  return std::shared_ptr<const void>(new std::vector<Buffer>(std::move(buffers)), [](const void* held) {
    const nb::gil_scoped_acquire hold;
    delete static_cast<const std::vector<Buffer>*>(held);
  });
}

// (format, rows, buffers, levels or None), or an array of a library that has the Arrow interface.
std::unique_ptr<ArrowCells> cells_of(const nb::handle& column) {
  if (!nb::isinstance<nb::tuple>(column)) {
    const auto pair = nb::cast<nb::tuple>(column.attr("__arrow_c_array__")());
    return std::make_unique<ArrowCells>(in_capsule<ArrowSchema>(pair[0], "arrow_schema"),
                                        in_capsule<ArrowArray>(pair[1], "arrow_array"));
  }
  std::vector<Buffer> held;
  std::vector<const void*> buffers;
  for (const nb::handle buffer : column[2]) {
    if (buffer.is_none()) {
      buffers.push_back(nullptr);
      continue;
    }
    held.push_back(nb::cast<Buffer>(buffer));
    buffers.push_back(held.back().data());
  }
  const nb::object levels = column[3];
  return std::make_unique<ArrowCells>(nb::cast<std::string>(column[0]), nb::cast<std::size_t>(column[1]),
                                      std::move(buffers), owner_of(std::move(held)),
                                      levels.is_none() ? nullptr : cells_of(levels));
}

std::shared_ptr<ArrowStream> stream_of_object(const nb::object& table) {
  return std::make_shared<ArrowStream>(take_stream(table), "");
}

std::shared_ptr<ArrowStream> stream_of_cells(std::vector<std::string> names, const nb::list& columns) {
  std::vector<std::unique_ptr<ArrowCells>> cells;
  for (const nb::handle column : columns) cells.push_back(cells_of(column));
  std::int64_t rows = cells.empty() ? 0 : cells[0]->array.length;
  for (std::size_t k = 0; k < cells.size(); ++k)
    if (cells[k]->array.length != rows)
      throw data_error("column '" + names[k] + "' has " + std::to_string(cells[k]->array.length) +
                       " rows: the first has " + std::to_string(rows));
  return std::make_shared<ArrowStream>(
      stream_of_columns(std::move(names), std::move(cells), static_cast<std::size_t>(rows)), "");
}

}  // namespace

void add_arrow(nb::module_& module) {
  nb::class_<ArrowStream>(module, "ArrowStream", "The rows of a table, which can be read once.")
      .def_prop_ro("names", &ArrowStream::names);
  module.def("stream_of", &stream_of_object, nb::arg("table"),
             nb::sig("def stream_of(table: typing.Any) -> ArrowStream"),
             "Of an object with the Arrow stream interface.");
  module.def("stream_of_cells", &stream_of_cells, nb::arg("names"), nb::arg("columns"),
             nb::sig("def stream_of_cells(names: list[str], columns: list[typing.Any]) -> ArrowStream"),
             "Of columns in Arrow's layout: (format, rows, buffers, levels or None), or arrays that have the "
             "Arrow interface.");
}

}  // namespace induce::python
