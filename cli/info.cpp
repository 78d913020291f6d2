// `induce info`: prints the contents of a model file.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include <induce/model.hpp>

#include "commands.hpp"
#include "describe/fields.hpp"
#include "fit_summary.hpp"
#include "report_text.hpp"
#include "text.hpp"

namespace induce::cli {
namespace {

constexpr std::size_t kNameWidth = 18;

void print(const std::string& name, const std::string& text, std::size_t width = kNameWidth) {
  std::cout << pad_right(name, width) << text << "\n";
}

std::string list_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

void print_per_feature(const std::string& label, const std::vector<double>& values, const Names& names,
                       std::size_t width) {
  if (values.size() == 1) return print(label, significant(values[0], 6) + ", shared by all features", width);
  for (std::size_t k = 0; k < values.size(); ++k)
    print(k == 0 ? label + "s" : "", pad_right(significant(values[k], 6), 12) + feature_name(names, k),
          width);
}

void print_theta(const Theta& theta, const Names& names) {
  std::size_t width = kNameWidth;  // sums of kernels have longer labels
  for (const Parameter& parameter : theta.parameters)
    width = std::max(width, parameter_label(parameter).size() + 5);
  print("theta", "in model units (standardised features by default)");
  for (const Parameter& parameter : theta.parameters) {
    const bool can_be_absent = !words_of(parameter).absent.empty();
    const std::string label = "  " + parameter_label(parameter);
    if (parameter.per_feature)
      print_per_feature(label, parameter.values, names, width);
    else
      for (const double value : parameter.values)
        print(label, value == 0 && can_be_absent ? "none" : significant(value, 6), width);
  }
  print("  jitter", significant(theta.jitter, 6) + " times the signal variance", width);
}

std::string exponents_text(const Model& model) {
  std::string text;
  const std::vector<double> exponents = model.warp_exponents();
  for (std::size_t f = 0; f < exponents.size(); ++f)
    text += (f ? ", " : "") + feature_name(model.names(), f) + " " + significant(exponents[f], 3);
  return text;
}

void run_info(const std::string& path) {
  const Model model = Model::load(path);
  const Names& names = model.names();
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);

  print("model", path + (error ? "" : " (" + grouped(bytes) + " bytes)"));
  print("method", model.method() + ", fitted with induce " + model.version());
  print("kernel", model.kernel());
  print("likelihood", model.likelihood());
  print("classes", names.classes[0] + ", " + names.classes[1] + " (probabilities refer to the second)");
  if (!names.label.empty()) print("label column", names.label);
  if (!names.weight.empty()) print("weight column", names.weight);
  print("features",
        grouped(model.features()) + (names.features.empty() ? "" : ": " + list_of(names.features)));
  print("inducing inputs", grouped(model.inducing()));
  if (model.warp() == "none") {
    print("warp", "none");
  } else {
    print("warp", model.warp() + ", exponents: " + exponents_text(model));
  }
  print_theta(model.theta(), names);
}

}  // namespace

Command add_info(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("info", "Show the contents of a model file.");
  auto path = std::make_shared<std::string>();
  parser->add_option("MODEL", *path, "A model file written by `induce fit -o MODEL`.")->required();
  return {parser, [path] { run_info(*path); }};
}

}  // namespace induce::cli
