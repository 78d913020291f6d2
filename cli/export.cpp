// `induce export`: a model for programs without this library.
#include <charconv>
#include <iostream>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include <induce/error.hpp>
#include <induce/export.hpp>
#include <induce/model.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "file/regular_file.hpp"
#include "model/safetensors.hpp"
#include "output.hpp"
#include "text/format.hpp"

namespace induce::cli {
namespace {

// The note that `induce fit` and Python leave; 0 if there is none.
std::size_t rows_of_fit(const std::string& path) {
  const std::string bytes = regular_file_bytes(path);
  const CheckedTensors file(bytes, path);
  const auto note = file.metadata().find("rows");
  std::size_t rows = 0;
  if (note != file.metadata().end())
    std::from_chars(note->second.data(), note->second.data() + note->second.size(), rows);
  return rows;
}

struct ExportArguments {
  std::string model_path, c_path, onnx_path;
};

void run_export(const CLI::App& parser, const ExportArguments& arguments) {
  // The Python package's command handles --onnx before it comes here.
  if (parser.count("--onnx"))
    throw usage_error(
        "--onnx: ONNX files are written by the command of the Python package: pip install 'induce[onnx]'");
  if (!parser.count("--c")) throw usage_error("nothing to write: give --c FILE or --onnx FILE");
  check_all_different({}, {{"MODEL", arguments.model_path}, {"--c", arguments.c_path}});
  OutputFile file("--c", arguments.c_path);
  const Model model = Model::load(arguments.model_path);
  const std::string header = c_header(model, rows_of_fit(arguments.model_path));
  file.write(header);
  file.commit();
  std::cout << arguments.c_path << ": C header of " << grouped(header.size()) << " bytes, "
            << counted(model.features(), "feature") << ", " << counted(model.classes(), "class", "classes")
            << "\n";
}

}  // namespace

Command add_export(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "export",
      "Write a model in a form that does not need induce.\n\n"
      "--c writes one C99 header with int induce_predict(const double *features, double *probabilities): no "
      "allocation, no state, nothing but math.h. Its probabilities are those of `induce predict` but for "
      "rounding (1e-10). The comment at the top lists the columns, their levels and the classes in their "
      "order. --onnx writes an ONNX file with the inputs and outputs that skl2onnx gives to a classifier; it "
      "needs the command of the Python package (pip install 'induce[onnx]'). See docs/export.md for servers, "
      "and for what ONNX cannot do.");
  auto arguments = std::make_shared<ExportArguments>();
  add_model(*parser, arguments->model_path);
  add_option(*parser, group::output, "--c", "FILE", arguments->c_path, "Write a C99 header to this file.");
  add_option(*parser, group::output, "--onnx", "FILE", arguments->onnx_path,
             "Write an ONNX file. Python package only.");
  return {parser, [parser, arguments] { run_export(*parser, *arguments); }};
}

}  // namespace induce::cli
