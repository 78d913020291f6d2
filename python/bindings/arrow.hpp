// Tables of Python as Arrow streams (read/arrow.hpp).
#pragma once

#include <nanobind/nanobind.h>

#include "read/arrow.hpp"

namespace induce::python {

namespace nb = nanobind;

// What a capsule of Arrow's interface points to. Throws a python_error.
template <class Struct>
Struct& in_capsule(const nb::handle& capsule, const char* name) {
  auto* found = static_cast<Struct*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (!found) throw nb::python_error();
  return *found;
}

// Takes the stream of an object that has the Arrow stream interface.
inline ArrowArrayStream take_stream(const nb::handle& table) {
  const nb::object capsule = table.attr("__arrow_c_stream__")();
  auto& stream = in_capsule<ArrowArrayStream>(capsule, "arrow_array_stream");
  const ArrowArrayStream taken = stream;
  stream.release = nullptr;
  return taken;
}

}  // namespace induce::python
