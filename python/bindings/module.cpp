// The module `induce._core`: bindings of the C++ library. The public Python API is in python/src/induce.
#include <nanobind/nanobind.h>

#include <induce/error.hpp>
#include <induce/version.hpp>

#include "parts.hpp"

namespace nb = nanobind;

NB_MODULE(_core, module) {
  using namespace induce::python;
  module.doc() = "The C++ library of induce.";
  module.attr("version") = INDUCE_VERSION;
  // A ValueError, as is usual in scikit-learn.
  nb::exception<induce::Error> error(module, "Error", PyExc_ValueError);
  error.doc() = "An invalid argument, table or file.";
  add_options(module);
  add_model(module);
  add_fit(module);
  add_update(module);
  add_shards(module);
  add_arrow(module);
  add_table(module);
  add_export(module);
  add_commands(module);
}
