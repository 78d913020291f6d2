// The module `induce._core`: the C++ library as Python sees it. What users call is in python/src/induce.
#include <nanobind/nanobind.h>

#include <induce/error.hpp>

#include "parts.hpp"

namespace nb = nanobind;

NB_MODULE(_core, module) {
  using namespace induce::python;
  module.doc() = "The C++ library of induce.";
  module.attr("version") = INDUCE_VERSION;
  // A ValueError, since that is what scikit-learn's users catch. Its text is the library's own.
  nb::exception<induce::Error> error(module, "Error", PyExc_ValueError);
  error.doc() = "What was wrong with an argument, a table or a file.";
  add_options(module);
  add_model(module);
  add_fit(module);
  add_commands(module);
}
