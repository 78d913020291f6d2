// The command line inside the extension, run by `python -m induce`.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "parts.hpp"
#include "program.hpp"

namespace induce::python {
namespace {

int run_command_line(std::vector<std::string> arguments) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  return cli::run_program(static_cast<int>(arguments.size()), argv.data());
}

}  // namespace

void add_commands(nb::module_& module) {
  module.def("run_command_line", &run_command_line, nb::arg("arguments"),
             nb::call_guard<nb::gil_scoped_release>(),
             "Run the program `induce` and return its exit status. Installs signal handlers.");
}

}  // namespace induce::python
