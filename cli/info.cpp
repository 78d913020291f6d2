// `induce info`: what is inside a model file, in words.
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include <induce/model.hpp>

#include "commands.hpp"
#include "describe/fields.hpp"
#include "fit_summary.hpp"
#include "text.hpp"

namespace induce::cli {
namespace {

constexpr std::size_t kNameWidth = 18;

void say(const std::string& name, const std::string& text) {
  std::cout << pad_right(name, kNameWidth) << text << "\n";
}

std::string list_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

void print_per_feature(const std::string& label, const std::vector<double>& values, const Names& names) {
  if (values.size() == 1) return say(label, significant(values[0], 6) + ", one for all features");
  for (std::size_t k = 0; k < values.size(); ++k)
    say(k == 0 ? label + "s" : "", significant(values[k], 6) + "  " + feature_name(names, k));
}

void print_theta(const Theta& theta, const Names& names) {
  say("theta", "in the units of the model (standardised features, unless switched off)");
  for (const Parameter& parameter : theta.parameters) {
    const ParameterWords words = words_of(parameter);
    const std::string label = "  " + std::string(words.label);
    if (parameter.per_feature)
      print_per_feature(label, parameter.values, names);
    else
      for (const double value : parameter.values)
        say(label, value == 0 && !words.absent.empty() ? "none" : significant(value, 6));
  }
  say("  jitter", significant(theta.jitter, 6) + " of the signal variance");
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

  say("model", path + (error ? "" : " (" + grouped(bytes) + " bytes)"));
  say("method", model.method() + ", by induce " + model.version());
  say("kernel", model.kernel());
  say("likelihood", model.likelihood());
  say("classes", names.classes[0] + ", " + names.classes[1] + " (probabilities are of the second)");
  if (!names.label.empty()) say("label column", names.label);
  if (!names.weight.empty()) say("weight column", names.weight);
  say("features", grouped(model.features()) + (names.features.empty() ? "" : ": " + list_of(names.features)));
  say("inducing inputs", grouped(model.inducing()));
  if (model.warp() == "none") {
    say("warp", "none");
  } else {
    say("warp", model.warp() + ", powers of " + exponents_text(model));
  }
  print_theta(model.theta(), names);
}

}  // namespace

Command add_info(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("info", "What is inside a model file.");
  auto path = std::make_shared<std::string>();
  parser->add_option("MODEL", *path, "A model that `induce fit -o MODEL` wrote.")->required();
  return {parser, [path] { run_info(*path); }};
}

}  // namespace induce::cli
