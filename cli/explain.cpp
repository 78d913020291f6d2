// `induce explain`: what each feature does, from the model file alone or over the rows of DATA.
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <induce/error.hpp>
#include <induce/explain.hpp>
#include <induce/model.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "data.hpp"
#include "describe/values.hpp"
#include "notice.hpp"
#include "svg/effects.hpp"
#include "read/read.hpp"
#include "output.hpp"
#include "row_writer.hpp"
#include "summary_json.hpp"
#include "text/format.hpp"

namespace induce::cli {
namespace {

struct ExplainArguments {
  std::string model_path;
  DataArguments data;
  std::string output_path, svg_path, json_path;
  int threads = 0;
};

// What the latent function is called; its values are effects.
std::string scale_of(const Model& model) {
  if (model.ordered()) return "log odds of a higher level";
  if (model.classes() > 2) return "latent function of the class minus the average of all";
  return model.likelihood() == "logistic" ? "log odds of " + model.names().classes[1]
                                          : "latent function of " + model.names().classes[1];
}

void write_effects(const Explanation& explanation, const Names& names, const std::string& path,
                   RowWriter::Put put) {
  const bool many = curves_in(explanation.effects[0]) > 1;
  std::vector<std::string> columns{"feature", "value", "effect", "lower", "upper"};
  if (many) columns.insert(columns.begin() + 1, "class");
  const bool pairs = !explanation.pairs.empty();
  if (pairs) columns.insert(columns.end() - 3, {"second_feature", "second_value"});
  RowWriter rows(path, columns, std::move(put));
  const auto add_row = [&](std::vector<std::string> words, std::size_t c, const EffectPoint& point) {
    if (many) words.insert(words.begin() + 1, names.classes[c]);
    for (const std::string& word : words) rows.add_encoded(rows.encoded(word));
    for (const double number : {point.mean, point.lower, point.upper}) rows.add(number);
    rows.end_row();
  };
  const auto add = [&](const Effect& effect, std::size_t c, std::size_t g) {
    std::vector<std::string> words{feature_name(names, effect.feature), point_text(effect, names, g)};
    if (pairs) words.insert(words.end(), 2, "");
    add_row(std::move(words), c, point_of(effect, c, g));
  };
  for (const Effect& effect : explanation.effects) {
    for (std::size_t c = 0; c < curves_in(effect); ++c)
      for (std::size_t g = 0; g < effect.values.size(); ++g) add(effect, c, g);
    if (!effect.missing_mean.empty())
      for (std::size_t c = 0; c < curves_in(effect); ++c) add(effect, c, effect.values.size());
  }
  for (const PairEffect& pair : explanation.pairs) {
    const std::size_t inner = pair.second.points(), all = pair.first.points() * inner;
    for (std::size_t k = 0; k < pair.mean.size(); ++k)
      add_row({feature_name(names, pair.first.feature), point_text(pair.first, names, k % all / inner),
               feature_name(names, pair.second.feature), point_text(pair.second, names, k % inner)},
              k / all, {pair.mean[k], pair.lower[k], pair.upper[k]});
  }
  rows.finish();
}

// "rises from -1.2 to 0.8", or the extremes of a curve that does both, or of levels, which have no order. With many classes,
// of the curve that varies most.
std::string effect_in_words(const Effect& effect, const Names& names) {
  std::size_t most = 0;
  for (std::size_t c = 1; c < curves_in(effect); ++c)
    if (reach_of(curve_of(effect, c)) > reach_of(curve_of(effect, most))) most = c;
  const std::span<const double> y = curve_of(effect, most);
  const std::string whose = curves_in(effect) > 1 ? names.classes[most] + ": " : "";
  const CurveShape shape = shape_of(y);
  const bool ordered = !has_levels(names, effect.feature);
  const auto text = [](double value) { return fixed(value, 2); };
  if (y.size() < 2) return whose + "constant";
  if (text(y[shape.lowest]) == text(y[shape.highest])) return whose + "flat";
  if (ordered && (shape.rises || shape.falls))
    return whose + (shape.rises ? "rises" : "falls") + " from " + text(y.front()) + " to " + text(y.back());
  const auto at = [&](std::size_t g) { return text(y[g]) + " at " + point_text(effect, names, g, 4); };
  return whose + "lowest " + at(shape.lowest) + ", highest " + at(shape.highest);
}

std::string explanation_table(const Explanation& explanation, const Model& model) {
  constexpr std::size_t longest = 40;
  const std::vector<FeatureImportance> sorted = sorted_importance(explanation.importance, model.names());
  std::size_t width = 7;
  for (const FeatureImportance& each : sorted)
    width = std::max(width, std::min(longest, each.feature.size()));
  std::string text = pad_right("feature", width) + pad_left("main", 8) + pad_left("total", 8) +
                     "  effect on the " +
                     (model.classes() > 2 && !model.ordered()
                          ? "class it moves most, its latent function minus the average of all"
                          : scale_of(model)) +
                     "\n";
  for (const FeatureImportance& each : sorted)
    text += pad_right(each.feature, width) + pad_left(fixed(each.main, 3), 8) +
            pad_left(fixed(each.total, 3), 8) + "  " +
            (negligible(each) ? "next to nothing"
                              : effect_in_words(explanation.effects[each.number], model.names())) +
            "\n";
  if (!explanation.terms.empty())
    text += "shares of the variation: " + terms_text(explanation.terms, model.names()) + "\n";
  return text;
}

Explanation explanation_of(const Model& model, const ExplainArguments& arguments) {
  if (model.sparse())
    throw usage_error("'" + arguments.model_path +
                      "' was fitted to a sparse table: it sees a few directions of its rows, not columns, so "
                      "there are no effects or importance of columns");
  if (arguments.data.given.empty()) {
    if (const Explanation* stored = model.explanation()) return *stored;
    throw usage_error(
        "'" + arguments.model_path +
        "' has no explanation of its own (its fit was interrupted, its table is too wide, it "
        "was updated, or an earlier version wrote it): give DATA, for example the training data");
  }
  ReadOptions how = read_options(arguments.data, arguments.threads);
  expect(how, model.names(), model.features());
  how.ignore_weights = false;
  how.labels_required = false;
  how.ignore_labels = true;
  const Dataset data = read_dataset(arguments.data.files(), how);
  show_warnings(data);
  if (data.sparse)
    throw data_error("'" + arguments.data.text() + "' is sparse, but the model was fitted to a dense table");
  return explain(model, data.view(), data.weights, arguments.threads);
}

void run_explain(const CLI::App& parser, const ExplainArguments& arguments) {
  check_all_different(arguments.data.files(), {{"MODEL", arguments.model_path},
                                               {"--output", arguments.output_path},
                                               {"--svg", arguments.svg_path},
                                               {"--json", arguments.json_path}});
  check_output_format(arguments.output_path);
  std::optional<OutputFile> csv, svg, json;
  if (parser.count("--output")) csv.emplace("--output", arguments.output_path);
  if (parser.count("--svg")) svg.emplace("--svg", arguments.svg_path);
  if (parser.count("--json")) json.emplace("--json", arguments.json_path);

  const Model model = Model::load(arguments.model_path);
  const Explanation explanation = explanation_of(model, arguments);
  if (csv)
    write_effects(explanation, model.names(), arguments.output_path,
                  [&](std::string_view text) { csv->write(text); });
  if (svg) svg->write(effects_svg(explanation, model.names(), scale_of(model)));
  if (json)
    json->write(json_text(Explained{explanation, model.names(), arguments.model_path, arguments.data.text()},
                          model.names()));
  for (std::optional<OutputFile>* file : {&csv, &svg, &json})
    if (*file) (*file)->commit();
  say(explanation_table(explanation, model));
}

}  // namespace

Command add_explain(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "explain",
      "Show what each feature does.\n\n"
      "Prints the features by importance. main: share of the latent function's variance due to the feature's "
      "main effect, the average over the other features. total: the share including interactions. The "
      "variance is that over rows whose value of the feature comes from another row, so a share is at most "
      "1. Shares need not add up to 1: an interaction counts for every feature involved. --output and --svg "
      "give the main effect of every feature as a curve with a 95 % band, in the units of the data. With "
      "three or more classes each has a curve: the effect on its latent function minus the average of all. "
      "Pairs of the kernel have surfaces: what two features do together, beyond their curves.\n\n"
      "Below are the shares of the variation over rows that add up to 100 %: of the curve of each feature, "
      "of "
      "each pair, and of all else that the joint term does.");
  auto arguments = std::make_shared<ExplainArguments>();
  add_model(*parser, arguments->model_path);
  add_data(*parser, arguments->data,
           "CSV: the label column to ignore, if any, by name or by index from 0. Default: the label column "
           "of the training data.");
  parser->get_option("DATA")->required(false)->description(
      "Rows to explain: a CSV or LIBSVM file, optionally compressed. Labels are not needed. Default: the "
      "training rows; their explanation is stored in the model.");
  add_drop(*parser, arguments->data);
  add_threads(*parser, arguments->threads);
  add_option(
      *parser, group::output, "-o,--output", "EFFECTS.csv", arguments->output_path,
      "Write the curves to this file: feature, class (of three or more), value, effect, lower, upper; with "
      "pairs in the kernel also second_feature and second_value, for the points of their surfaces. "
      "JSON lines if its name ends in .jsonl, .ndjson or .json, otherwise CSV.");
  add_option(*parser, group::output, "--svg", "FILE", arguments->svg_path,
             "Draw the effects of the 12 most important features, and the pairs of the kernel that matter "
             "most; with "
             "more than five classes, only the curves of the five classes that vary most.");
  add_option(*parser, group::output, "--json", "OUT", arguments->json_path,
             "Also write importance, shares, curves and surfaces to this file, as JSON.");
  parser->footer(R"(Examples:
  induce explain my.model
  induce explain my.model --svg effects.svg -o effects.csv
  induce explain my.model test.csv)");
  return {parser, [parser, arguments] { run_explain(*parser, *arguments); }};
}

}  // namespace induce::cli
