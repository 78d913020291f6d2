// `induce demo`: made-up data, the default and three of the paper's methods, a table, and a picture of what the
// default and one of them learned. Needs no file and takes a few seconds.
#include <array>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include <induce/fit.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "data.hpp"
#include "demo_data.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "svg.hpp"
#include "text.hpp"

namespace induce::cli {
namespace {

constexpr std::size_t kRows = 1500, kInducing = 30, kGridNodes = 161;
constexpr double kHalfWidth = 3.9;  // of the square that the picture shows

struct Entry {
  Method method;
  std::size_t inducing;  // 0: as many as pay
  const char* remark;
  bool pictured;
};
constexpr std::array<Entry, 4> kEntries{{{Method::automatic, 0, "the default", true},
                                         {Method::vi_jj, kInducing, "of the paper", false},
                                         {Method::vi_taylor, kInducing, "of the paper", false},
                                         {Method::vi_jj_hybrid, kInducing, "of the paper", true}}};

struct DemoArguments {
  std::string picture_path = "induce-demo.svg";
  std::uint64_t seed = 0;
  int threads = 0;
};

Grid probability_surface(const Model& model, int threads) {
  Grid grid;
  grid.columns = grid.rows = kGridNodes;
  grid.x_min = grid.y_min = -kHalfWidth;
  grid.x_max = grid.y_max = kHalfWidth;
  std::vector<double> places;
  for (std::size_t j = 0; j < grid.rows; ++j) {
    for (std::size_t i = 0; i < grid.columns; ++i) {
      const Point at = grid.place(i, j);
      places.insert(places.end(), {at.x, at.y});
    }
  }
  grid.values = model.predict({places.data(), grid.columns * grid.rows, 2}, threads).probability;
  return grid;
}

SurfacePanel panel_of(const Fit& result, const Entry& entry, const Metrics& test, int threads) {
  const Report& report = result.report;
  SurfacePanel panel;
  panel.title = report.method + ", " + entry.remark + ": " + fixed(100 * test.accuracy, 1) + " % of " +
                grouped(test.n) + " new points right";
  panel.subtitle = "NLL " + fixed(test.nll, 4) + ", " + counted(report.m, "inducing input") + ", " +
                   significant(report.seconds, 2) + " s";
  panel.probability = probability_surface(result.model, threads);
  const std::vector<double> inputs = result.model.inducing_inputs();
  for (std::size_t k = 0; k + 1 < inputs.size(); k += 2) panel.inducing.push_back({inputs[k], inputs[k + 1]});
  return panel;
}

SurfacePicture picture_of(const Dataset& train) {
  SurfacePicture picture;
  picture.title = "Gaussian process classification of " + grouped(train.y.size()) + " points";
  picture.classes = train.names.classes;
  for (Eigen::Index i = 0; i < train.X.rows(); ++i)
    picture.points[static_cast<std::size_t>(train.y[static_cast<std::size_t>(i)])].push_back(
        {train.X(i, 0), train.X(i, 1)});
  return picture;
}

Fit fit_entry(const Entry& entry, const Dataset& train, const DemoArguments& arguments) {
  Options options;
  options.method = entry.method;
  options.inducing = entry.inducing;
  options.seed = arguments.seed;
  options.threads = arguments.threads;
  ProgressLine line(std::string(name_of(entry.method)), false);
  options.on_iteration = [&](const Progress& progress) {
    line.show(progress);
    return true;
  };
  return fit(train.view(), train.y, options, train.names);
}

void run_demo(const DemoArguments& arguments) {
  OutputFile file("--output", arguments.picture_path);
  const Dataset train = spiral_arms(kRows, 2 * arguments.seed);
  const Dataset test = spiral_arms(kRows, 2 * arguments.seed + 1);
  std::cout << "Two spiral arms that overlap: " << grouped(kRows) << " points to learn from, "
            << grouped(kRows) << " to test on.\n\n"
            << pad_right("method", 14) << pad_left("m", 5) << pad_left("seconds", 10)
            << pad_left("accuracy", 11) << pad_left("NLL", 9) << std::endl;
  SurfacePicture picture = picture_of(train);
  for (const Entry& entry : kEntries) {
    const Fit result = fit_entry(entry, train, arguments);
    const Metrics metrics = evaluate_on(result.model, test, arguments.threads);
    std::cout << pad_right(result.report.method, 14) << pad_left(std::to_string(result.report.m), 5)
              << pad_left(fixed(result.report.seconds, 2), 10) << pad_left(fixed(metrics.accuracy, 4), 11)
              << pad_left(fixed(metrics.nll, 4), 9) << "   " << entry.remark << std::endl;
    if (entry.pictured) picture.panels.push_back(panel_of(result, entry, metrics, arguments.threads));
  }
  file.write(to_svg(picture));
  file.commit();
  std::cout << "\nThe picture is " << std::filesystem::absolute(arguments.picture_path).string()
            << "; a web browser shows it.\n";
}

}  // namespace

Command add_demo(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "demo",
      "Made-up data, a fit, a picture; no files needed.\n\n"
      "Fits the default and three methods of the paper to two spiral arms, prints how well they do on new "
      "points, and draws the probabilities that the default and the last one learned, with the points and "
      "the "
      "inducing inputs.");
  auto arguments = std::make_shared<DemoArguments>();
  parser->add_option("--seed", arguments->seed, "Another seed, other points. Default: 0.")
      ->option_text("S")
      ->check(whole_number(0))
      ->group(group::data);
  add_threads(*parser, arguments->threads);
  parser
      ->add_option("-o,--output", arguments->picture_path,
                   "Draw here. Default: induce-demo.svg, in this folder.")
      ->option_text("PICTURE.svg")
      ->group(group::output);
  parser->footer("Examples:\n  induce demo --seed 1 -o other.svg");
  return {parser, [arguments] { run_demo(*arguments); }};
}

}  // namespace induce::cli
