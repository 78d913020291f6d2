// `induce demo`: made-up data, three of the paper's methods, a table, and a picture of what one of them
// learned. Needs no file and takes a few seconds.
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
constexpr std::array<Method, 3> kMethods{Method::vi_jj, Method::vi_taylor, Method::vi_jj_hybrid};
constexpr Method kPictured = Method::vi_jj_hybrid;

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

SurfacePicture picture_of(const Fit& result, const Dataset& train, const Metrics& test, int threads) {
  SurfacePicture picture;
  picture.title = result.report.method + ": " + fixed(100 * test.accuracy, 1) + " % of " + grouped(test.n) +
                  " new points right";
  picture.subtitle = "Gaussian process classification with " + grouped(result.report.m) +
                     " inducing inputs, fitted to " + grouped(result.report.n) + " points in " +
                     significant(result.report.seconds, 2) + " s";
  picture.classes = result.model.names().classes;
  picture.probability = probability_surface(result.model, threads);
  for (Eigen::Index i = 0; i < train.X.rows(); ++i)
    picture.points[static_cast<std::size_t>(train.y[static_cast<std::size_t>(i)])].push_back(
        {train.X(i, 0), train.X(i, 1)});
  const std::vector<double> inputs = result.model.inducing_inputs();
  for (std::size_t k = 0; k + 1 < inputs.size(); k += 2)
    picture.inducing.push_back({inputs[k], inputs[k + 1]});
  return picture;
}

void run_demo(const DemoArguments& arguments) {
  OutputFile file("--output", arguments.picture_path);
  const Dataset train = spiral_arms(kRows, 2 * arguments.seed);
  const Dataset test = spiral_arms(kRows, 2 * arguments.seed + 1);
  std::cout << "Two spiral arms that overlap: " << grouped(kRows) << " points to learn from, "
            << grouped(kRows) << " to test on.\n\n"
            << pad_right("method", 14) << pad_left("m", 5) << pad_left("seconds", 10)
            << pad_left("accuracy", 11) << pad_left("NLL", 9) << std::endl;
  for (const Method method : kMethods) {
    const std::string name(name_of(method));
    Options options;
    options.method = method;
    options.inducing = kInducing;
    options.seed = arguments.seed;
    options.threads = arguments.threads;
    ProgressLine line(name, false);
    options.on_iteration = [&](const Progress& progress) {
      line.show(progress);
      return true;
    };
    const Fit result = fit(train.view(), train.y, options, train.names);
    line.clear();
    const Metrics metrics = evaluate_on(result.model, test, arguments.threads);
    std::cout << pad_right(name, 14) << pad_left(std::to_string(result.report.m), 5)
              << pad_left(fixed(result.report.seconds, 2), 10) << pad_left(fixed(metrics.accuracy, 4), 11)
              << pad_left(fixed(metrics.nll, 4), 9) << std::endl;
    if (method == kPictured) {
      file.write(to_svg(picture_of(result, train, metrics, arguments.threads)));
      file.commit();
    }
  }
  std::cout << "\nThe picture is " << std::filesystem::absolute(arguments.picture_path).string()
            << "; a web browser shows it.\n";
}

}  // namespace

Command add_demo(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "demo",
      "Made-up data, a fit, a picture; no files needed.\n\n"
      "Fits three methods of the paper to two spiral arms, prints how well they do on new points, and draws "
      "the probability that the last one learned, with the points and the inducing inputs.");
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
  return {parser, [arguments] { run_demo(*arguments); }};
}

}  // namespace induce::cli
