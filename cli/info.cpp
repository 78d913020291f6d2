// `induce info`: prints the contents of a model file.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <induce/model.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "describe/fields.hpp"
#include "notice.hpp"
#include "output.hpp"
#include "summary_json.hpp"
#include "summary_text.hpp"
#include "text/compose.hpp"
#include "text/format.hpp"

namespace induce::cli {
namespace {

constexpr std::size_t kNameWidth = 18;

void print(const std::string& name, const std::string& text, std::size_t width = kNameWidth) {
  say(pad_right(name, width) + text + "\n");
}

constexpr std::size_t kMostClassesListed = 10;

std::string classes_in_words(const std::vector<std::string>& classes) {
  if (classes.size() == 2) return joined(classes) + " (probabilities refer to the second)";
  const std::size_t shown = std::min(kMostClassesListed, classes.size());
  const std::string first = joined({classes.begin(), classes.begin() + static_cast<std::ptrdiff_t>(shown)});
  const std::string more = shown < classes.size() ? " and " + grouped(classes.size() - shown) + " more" : "";
  return grouped(classes.size()) + ": " + first + more;
}

void print_per_feature(const std::string& label, const Parameter& parameter,
                       const std::vector<std::string>& names, std::size_t width) {
  const std::vector<double>& values = parameter.values;
  const std::vector<std::size_t>& columns = parameter.columns;
  if (values.size() == 1 && columns.size() != 1)
    return print(label, readable(values[0], 6) + ", shared by all features", width);
  for (std::size_t k = 0; k < values.size(); ++k)
    print(k == 0 ? label + "s" : "",
          pad_right(readable(values[k], 6), 12) + names[columns.empty() ? k : columns[k]], width);
}

// One line for each class, or what else values are of, or for the first of many.
void print_per_class(const std::string& label, const std::vector<double>& values,
                     const std::vector<std::string>& names, std::size_t width) {
  const std::size_t shown = std::min(kMostClassesListed, values.size());
  for (std::size_t c = 0; c < shown; ++c)
    print(c == 0 ? label + "s" : "", pad_right(readable(values[c], 6), 12) + names[c], width);
  if (shown == values.size()) return;
  const auto [least, most] =
      std::minmax_element(values.begin() + static_cast<std::ptrdiff_t>(shown), values.end());
  print("",
        grouped(values.size() - shown) + " more from " + readable(*least, 6) + " to " + readable(*most, 6),
        width);
}

// "low | middle", "middle | high"
std::vector<std::string> between(const std::vector<std::string>& classes) {
  std::vector<std::string> out;
  for (std::size_t c = 1; c < classes.size(); ++c) out.push_back(classes[c - 1] + " | " + classes[c]);
  return out;
}

bool is_of_terms(const Parameter& parameter) {
  return parameter.name.starts_with("mains.") || parameter.name.starts_with("pairs.");
}

// "24, from 0.27 to 0.49"; few are listed.
std::string range_of(const std::vector<double>& values) {
  constexpr std::size_t few = 4;
  std::vector<std::string> words;
  for (const double value : values) words.push_back(readable(value, 4));
  if (values.size() <= few) return joined(words);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return grouped(values.size()) + ", from " + readable(*least, 4) + " to " + readable(*most, 4);
}

void print_theta(const Theta& theta, const Model& model) {
  const Names& names = model.names();
  std::size_t width = kNameWidth;  // sums of kernels have longer labels
  for (const Parameter& parameter : theta.parameters)
    width = std::max(width, parameter_label(parameter).size() + 5);
  print("theta", "in model units (standardised features by default)");
  for (const Parameter& parameter : theta.parameters) {
    const bool can_be_absent = !words_of(parameter).absent.empty();
    const std::string label = "  " + parameter_label(parameter);
    if (parameter.per_feature)
      print_per_feature(label, parameter, model.lengthscale_names(), width);
    else if (is_of_terms(parameter))
      print(label + (parameter.values.size() > 1 ? "s" : ""), range_of(parameter.values), width);
    else if (parameter.values.size() > 1)
      print_per_class(label, parameter.values,
                      parameter.name == "thresholds" ? between(names.classes) : names.classes, width);
    else
      for (const double value : parameter.values)
        print(label, value == 0 && can_be_absent ? "none" : readable(value, 6), width);
  }
  print("  jitter", readable(theta.jitter, 6) + " times the signal variance", width);
}

// Prints each field of the model's description.
class InfoPage {
 public:
  explicit InfoPage(const Model& model) : model_(model), names_(model.names()) {}

  void operator()(const Field& field, const std::string& text) const { print(label_of(field), text); }
  void operator()(const Field& field, const std::optional<std::string>& text) const {
    if (text) print(label_of(field), *text);
  }
  void operator()(const Field& field, std::size_t count) const { print(label_of(field), grouped(count)); }
  void operator()(const Field& field, const std::vector<std::string>& words) const {
    if (field.name == "classes")
      print(label_of(field), classes_in_words(words));
    else if (!words.empty())
      print(label_of(field), joined(words));
  }
  void operator()(const Field& field, const std::optional<std::vector<double>>& exponents) const {
    if (!exponents) return;
    const std::vector<double>& values = *exponents;
    std::vector<std::string> bent;
    for (std::size_t f = 0; f < values.size(); ++f)
      if (values[f] != 1) bent.push_back(feature_name(names_, f) + " " + readable(values[f], 3));
    if (!bent.empty()) print(label_of(field), joined(bent));
  }
  void operator()(const Field& field, double number) const { print(label_of(field), readable(number, 9)); }
  void operator()(const Field& field, const std::vector<PastUpdate>& updates) const {
    if (updates.empty()) return;
    double rows = 0;
    for (const PastUpdate& each : updates) rows += each.rows;
    print(label_of(field), grouped(updates.size()) + " with " + readable(rows, 9) + " rows");
    constexpr std::size_t shown = 5;  // the last ones
    for (std::size_t k = updates.size() - std::min(shown, updates.size()); k < updates.size(); ++k) {
      const PastUpdate& each = updates[k];
      print("  " + std::to_string(k + 1),
            readable(each.rows, 9) + " rows, nll " + fixed(each.nll, 4) + ", expected " +
                fixed(each.expected_nll, 4) + ", z = " + fixed(each.z, 1) +
                (each.kept < 1 ? ", kept " + readable(each.kept, 3) : "") +
                (each.inputs_added > 0 ? ", " + readable(each.inputs_added, 9) + " inputs added" : ""));
    }
  }
  void operator()(const Field&, const Theta& theta) const { print_theta(theta, model_); }
  void operator()(const Field& field, const PerTerm& terms) const {
    if (!terms.values.empty()) print(label_of(field), terms_text(terms.values, names_));
  }

 private:
  static std::string label_of(const Field& field) {
    std::string label(field.name);
    std::replace(label.begin(), label.end(), '_', ' ');
    return label;
  }

  const Model& model_;
  const Names& names_;
};

void run_info(const std::string& path, const std::string& json_path) {
  std::optional<OutputFile> json_file;
  if (!json_path.empty()) json_file.emplace("--json", json_path);
  const Model model = Model::load(path);
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  if (json_file) {
    json_file->write(json_text(model, model.names()));
    json_file->commit();
  }
  print("model", path + (error ? "" : " (" + grouped(bytes) + " bytes)"));
  describe(model, InfoPage(model));
}

}  // namespace

Command add_info(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("info", "Show the contents of a model file.");
  auto path = std::make_shared<std::string>(), json = std::make_shared<std::string>();
  add_model(*parser, *path);
  add_option(*parser, group::output, "--json", "OUT", *json, "Also write the contents as JSON to this file.");
  return {parser, [path, json] { run_info(*path, *json); }};
}

}  // namespace induce::cli
