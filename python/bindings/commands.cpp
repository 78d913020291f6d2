// The command line inside the extension, run by `python -m induce`.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include <induce/error.hpp>

#include "arrow.hpp"
#include "parts.hpp"
#include "program.hpp"
#include "row_writer.hpp"

namespace induce::python {
namespace {

// The stream of what `open_table` returns, which has the Arrow stream interface.
ArrowArrayStream open_stream(const nb::callable& open_table, const std::string& path) {
  const nb::gil_scoped_acquire hold;
  try {
    return take_stream(open_table(path));
  } catch (const nb::python_error& error) {
    throw data_error(nb::str(error.value()).c_str());
  }
}

// The bytes of a file that `encode_table` writes; None in place of a table: it only checks that it can.
std::string encoded(const nb::callable& encode_table, const std::string& path, ArrowArrayStream* table) {
  const nb::gil_scoped_acquire hold;
  try {
    if (!table) {
      encode_table(path, nb::none());
      return {};
    }
    const auto bytes = nb::cast<nb::bytes>(encode_table(path, nb::capsule(table, "arrow_array_stream")));
    return {bytes.c_str(), bytes.size()};
  } catch (const nb::python_error& error) {
    throw data_error(nb::str(error.value()).c_str());
  }
}

int run_command_line(std::vector<std::string> arguments, const nb::callable& open_table,
                     const nb::callable& encode_table) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  open_arrow_files_with([&](const std::string& path) { return open_stream(open_table, path); });
  cli::encode_tables_with(
      [&](const std::string& path, ArrowArrayStream* table) { return encoded(encode_table, path, table); });
  const int status = cli::run_program(static_cast<int>(arguments.size()), argv.data());
  open_arrow_files_with({});
  cli::encode_tables_with({});
  return status;
}

}  // namespace

void add_commands(nb::module_& module) {
  module.def(
      "run_command_line", &run_command_line, nb::arg("arguments"), nb::arg("open_table"),
      nb::arg("encode_table"), nb::call_guard<nb::gil_scoped_release>(),
      "Run the program `induce` and return its exit status. Installs signal handlers. open_table: "
      "opens Parquet, "
      "Feather and Arrow files, as something with the Arrow stream interface. encode_table: gives the "
      "bytes of such a file for a path and a capsule of an Arrow stream, or None to check that it can.");
}

}  // namespace induce::python
