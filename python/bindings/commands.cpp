// The command line inside the extension, run by `python -m induce`.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include <induce/error.hpp>

#include "parts.hpp"
#include "program.hpp"
#include "read/arrow.hpp"

namespace induce::python {
namespace {

// The stream of what `open_table` returns, which has the Arrow stream interface.
ArrowArrayStream open_stream(const nb::callable& open_table, const std::string& path) {
  const nb::gil_scoped_acquire hold;
  try {
    const nb::object capsule = open_table(path).attr("__arrow_c_stream__")();
    auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
    if (!stream) throw nb::python_error();
    const ArrowArrayStream taken = *stream;
    stream->release = nullptr;
    return taken;
  } catch (const nb::python_error& error) {
    throw data_error(nb::str(error.value()).c_str());
  }
}

int run_command_line(std::vector<std::string> arguments, const nb::callable& open_table) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  open_arrow_files_with([&](const std::string& path) { return open_stream(open_table, path); });
  const int status = cli::run_program(static_cast<int>(arguments.size()), argv.data());
  open_arrow_files_with({});
  return status;
}

}  // namespace

void add_commands(nb::module_& module) {
  module.def("run_command_line", &run_command_line, nb::arg("arguments"), nb::arg("open_table"),
             nb::call_guard<nb::gil_scoped_release>(),
             "Run the program `induce` and return its exit status. Installs signal handlers. open_table: "
             "opens Parquet, "
             "Feather and Arrow files, as something with the Arrow stream interface.");
}

}  // namespace induce::python
