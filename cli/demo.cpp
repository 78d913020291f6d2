// `induce demo`: fits the default method and three methods of the paper to synthetic data, prints a table and
// draws two of the fits. Needs no file and takes a few seconds.
#include <array>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <numbers>
#include <string>

#include <CLI/CLI.hpp>

#include <induce/fit.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "data.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "linalg/random.hpp"
#include "svg/surface.hpp"
#include "text/format.hpp"

namespace induce::cli {
namespace {

constexpr std::size_t kRows = 1500, kInducing = 30, kGridNodes = 161;
constexpr double kHalfWidth = 3.9;  // of the square in the picture

struct Entry {
  Method method;
  std::size_t inducing;  // 0: automatic
  const char* remark;
  bool pictured;
};
constexpr std::array<Entry, 4> kEntries{{{Method::automatic, 0, "the default", true},
                                         {Method::vi_jj, kInducing, "from the paper", false},
                                         {Method::vi_taylor, kInducing, "from the paper", false},
                                         {Method::vi_jj_hybrid, kInducing, "from the paper", true}}};

struct DemoArguments {
  std::string picture_path = "induce-demo.svg";
  std::uint64_t seed = 0;
  int threads = 0;
};

// Two spiral arms that overlap.
Dataset spiral_arms(std::size_t rows, std::uint64_t seed) {
  constexpr double kInner = 0.2, kLength = 2.8, kTurn = 2.3, kSpread = 0.37;
  Random random(seed);
  Dataset data;
  data.names.classes = {"blue arm", "orange arm"};
  data.names.features = {"x1", "x2"};
  data.X.resize(static_cast<Eigen::Index>(rows), 2);
  for (std::size_t i = 0; i < rows; ++i) {
    const int arm = static_cast<int>(i % 2);
    const double radius = kInner + kLength * std::sqrt(random.uniform());  // uniform over the disc
    const double angle = kTurn * radius + std::numbers::pi * (arm + 0.25);
    const auto row = static_cast<Eigen::Index>(i);
    data.X(row, 0) = radius * std::cos(angle) + kSpread * random.normal();
    data.X(row, 1) = radius * std::sin(angle) + kSpread * random.normal();
    data.y.push_back(arm);
  }
  return data;
}

svg::Grid probability_surface(const Model& model, int threads) {
  svg::Grid grid;
  grid.columns = grid.rows = kGridNodes;
  grid.x_min = grid.y_min = -kHalfWidth;
  grid.x_max = grid.y_max = kHalfWidth;
  std::vector<double> places;
  for (std::size_t j = 0; j < grid.rows; ++j) {
    for (std::size_t i = 0; i < grid.columns; ++i) {
      const svg::Point at = grid.place(i, j);
      places.insert(places.end(), {at.x, at.y});
    }
  }
  grid.values = model.predict({places.data(), grid.columns * grid.rows, 2}, threads).probabilities_of(1);
  return grid;
}

svg::SurfacePanel panel_of(const Fit& result, const Entry& entry, const Metrics& test, int threads) {
  const Report& report = result.report;
  svg::SurfacePanel panel;
  panel.title = report.method + ", " + entry.remark + ": " + fixed(100 * test.accuracy, 1) + "% of " +
                grouped(test.n) + " test points correct";
  panel.subtitle = "NLL " + fixed(test.nll, 4) + ", " + counted(report.m, "inducing input") + ", " +
                   readable(report.seconds, 2) + " s";
  panel.probability = probability_surface(result.model, threads);
  const std::vector<double> inputs = result.model.inducing_inputs();
  for (std::size_t k = 0; k + 1 < inputs.size(); k += 2) panel.inducing.push_back({inputs[k], inputs[k + 1]});
  return panel;
}

svg::SurfacePicture picture_of(const Dataset& train) {
  svg::SurfacePicture picture;
  picture.title = "Gaussian process classification of " + grouped(train.y.size()) + " points";
  picture.classes = {train.names.classes[0], train.names.classes[1]};
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
  return fit(train.view(), train.y, options, {}, train.names);
}

void run_demo(const DemoArguments& arguments) {
  OutputFile file("--output", arguments.picture_path);
  const Dataset train = spiral_arms(kRows, 2 * arguments.seed);
  const Dataset test = spiral_arms(kRows, 2 * arguments.seed + 1);
  std::cout << "Two overlapping spiral arms: " << grouped(kRows) << " training points, " << grouped(kRows)
            << " test points.\n\n"
            << pad_right("method", 14) << pad_left("m", 5) << pad_left("seconds", 10)
            << pad_left("accuracy", 11) << pad_left("NLL", 9) << std::endl;
  svg::SurfacePicture picture = picture_of(train);
  for (const Entry& entry : kEntries) {
    const Fit result = fit_entry(entry, train, arguments);
    const Metrics metrics = evaluate_on(result.model, test, arguments.threads);
    std::cout << pad_right(result.report.method, 14) << pad_left(std::to_string(result.report.m), 5)
              << pad_left(fixed(result.report.seconds, 2), 10) << pad_left(fixed(metrics.accuracy, 4), 11)
              << pad_left(fixed(metrics.nll, 4), 9) << "   " << entry.remark << std::endl;
    if (entry.pictured) picture.panels.push_back(panel_of(result, entry, metrics, arguments.threads));
  }
  file.write(svg::surface_svg(picture));
  file.commit();
  std::cout << "\nWrote " << std::filesystem::absolute(arguments.picture_path).string()
            << " (open it in a web browser).\n";
}

}  // namespace

Command add_demo(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("demo",
                             "Fit synthetic data and draw a picture; needs no files.\n\n"
                             "Fits the default method and three methods of the paper to two spiral arms, "
                             "prints their accuracy on test points, and draws the probabilities of the first "
                             "and the last one, with the training points and the inducing inputs.");
  auto arguments = std::make_shared<DemoArguments>();
  add_option(*parser, group::data, "--seed", "S", arguments->seed,
             "Random seed for the points and the fits. Default: 0.")
      ->check(whole_number(0));
  add_threads(*parser, arguments->threads);
  add_option(*parser, group::output, "-o,--output", "PICTURE.svg", arguments->picture_path,
             "Write the picture to this file. Default: induce-demo.svg.");
  parser->footer("Examples:\n  induce demo --seed 1 -o other.svg");
  return {parser, [arguments] { run_demo(*arguments); }};
}

}  // namespace induce::cli
