// See fit_arguments.hpp. Texts say the default and its reason.
#include "fit_arguments.hpp"

#include <array>
#include <string_view>
#include <utility>

#include <induce/error.hpp>

#include "text.hpp"

namespace induce::cli {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kAboutMethods{{
    {"auto", "the best the library has"},
    {"vi-jj", "the paper's Algorithm 1 with the Jaakkola-Jordan bound"},
    {"vi-jj-full", "the same bound, all parameters together by L-BFGS-B from the start"},
    {"vi-jj-hybrid", "stage 1 of vi-jj, then kernel and bound parameters together"},
    {"vi-taylor", "Algorithm 1 with a second-order expansion in place of the bound"},
    {"svi-adadelta", "minibatches and AdaDelta, the stochastic baseline; --step and --batch tune it"},
    {"svi-lbfgs", "the same objective with all rows and L-BFGS-B"},
    {"vi-newton",
     "beyond the paper: the true bound, length-scales per feature, mean and inducing inputs learned"},
    {"vi-jj-tight",
     "vi-jj with a tighter bound: the price of few inducing inputs is never more, mostly less"},
}};

std::string footer() {
  std::string text = "Methods:\n";
  for (const std::string& name : method_names()) {
    text += "  " + pad_right(name, 15);
    for (const auto& [known, about] : kAboutMethods)
      if (known == name) text += about;
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text + R"(
Examples:
  induce fit train.csv --label outcome --holdout 0.2 -o my.model
  induce fit train.svm.xz --test test.svm.xz --method vi-jj-hybrid --inducing 100 --json summary.json
  induce fit train.csv --max-time 60 --trace trace.jsonl -o my.model
  induce fit train.csv -o my.model --checkpoint fit.state     and after a crash: induce fit --resume fit.state

Of an option that is given twice the last one counts.
Ctrl-C (or SIGTERM) stops the fit; the best model so far is written at once and then tested as usual, with
status "interrupted" and exit status 0. A second Ctrl-C quits at once.)";
}

void add_data_options(CLI::App& parser, FitArguments& arguments) {
  add_data(
      parser, arguments.data,
      "CSV: the label column, by name or by index from 0 (negative: from the end). Default: the column named "
      "label, target, class or y, else the last one but --weight. Any two labels do, words too.");
  parser
      .add_option(
          "--weight", arguments.weight,
          "CSV: the column of the rows' weights, named like --label; it is no feature. A weight is a "
          "number from 0 up; a row of weight 2 counts as two. In other data the column may be there or "
          "not: tests are unweighted. Default: each row counts once.")
      ->option_text("COLUMN")
      ->group(group::data);
  parser
      .add_flag("--balanced", arguments.balanced,
                "Weigh the rows, on top of --weight, so that both classes count alike: by n / (2 rows of the "
                "class). Probabilities are then as if both were equally frequent. Default: off.")
      ->group(group::data);
  auto* test =
      parser.add_option("--test", arguments.test_path,
                        "A second file to test the model on, read with the classes and columns of the "
                        "first. It has no influence on the fit.");
  test->option_text("FILE")->group(group::data);
  parser
      .add_option("--holdout", arguments.holdout,
                  "Instead of --test: keep this fraction of the rows of each class out of the fit, drawn by "
                  "--seed, and test on them.")
      ->option_text("FRACTION")
      ->check(open_fraction())
      ->group(group::data);
  parser
      .add_option("--features", arguments.features,
                  "The number of features. LIBSVM files name only what is not zero, so a train file may show "
                  "fewer columns than its test file. Default: what the train file shows.")
      ->option_text("D")
      ->check(whole_number(1))
      ->group(group::data);
}

void add_method_options(CLI::App& parser, FitArguments& arguments) {
  parser
      .add_option(
          "--method", arguments.method,
          "How to train; the list is below. Default: auto. The paper's methods default to the paper's "
          "setting: one length-scale, a noise term, fixed inducing inputs.")
      ->option_text("NAME")
      ->group(group::method);
  parser
      .add_option(
          "--inducing", arguments.inducing,
          "Number of inducing inputs, at most the number of training rows. More is more exact; time grows "
          "with the square. Default: auto; it grows until doubling it would gain less than 0.004 nats a row, "
          "and with the paper's methods is chosen from the number of rows.")
      ->option_text("M")
      ->check(whole_number_or_auto(1))
      ->group(group::method);
  parser
      .add_option("--step", arguments.step,
                  "svi-adadelta: step rate. Default: 1, the paper's choice on most data sets.")
      ->option_text("RATE")
      ->check(positive_number())
      ->group(group::method);
  parser
      .add_option("--batch", arguments.batch,
                  "svi-adadelta: rows per step. Default, as in the paper: 50 under 5,000 rows, else n/100.")
      ->option_text("ROWS")
      ->check(whole_number(1))
      ->group(group::method);
  parser
      .add_option(
          "--start", arguments.start,
          "Where the kernel's parameters start: signal standard deviation, length-scale, noise standard "
          "deviation, such as 1,0.5,0.1. Default: the library's choice, which needs no tuning.")
      ->option_text("S,L,N")
      ->group(group::method);
}

void add_model_options(CLI::App& parser, FitArguments& arguments) {
  parser
      .add_option(
          "--kernel", arguments.kernel,
          "se, matern12, matern32, matern52 or matern:NU. Default: se, the squared exponential, which "
          "had the best bound on most tables.")
      ->option_text("NAME")
      ->group(group::model);
  parser
      .add_flag("--ard,!--no-ard", arguments.ard,
                "A length-scale for each feature, or one for all. Default: the method's own setting.")
      ->group(group::model);
  parser
      .add_flag(
          "--learn-inputs,!--fixed-inputs", arguments.learn_inputs,
          "Move the inducing inputs too, or leave them where k-means put them. Default: the method's own "
          "setting.")
      ->group(group::model);
  parser
      .add_flag("--noise,!--no-noise", arguments.noise,
                "A noise term in the kernel, or none. Default: the method's own setting.")
      ->group(group::model);
  parser
      .add_flag("--mean,!--no-mean", arguments.mean,
                "A learned constant mean, or zero. Default: the method's own setting.")
      ->group(group::model);
  parser
      .add_option(
          "--warp", arguments.warp,
          "Shape of the features before they are standardised: none, yeo-johnson (a power of each that "
          "makes it look most normal, for heavy tails), or auto, the one with the better bound. Default: "
          "auto; with the paper's methods auto is none.")
      ->option_text("W")
      ->check(one_of({"auto", "none", "yeo-johnson"}))
      ->group(group::model);
  parser
      .add_flag("--no-standardize", arguments.no_standardize,
                "Take features as they are. By default each is brought to mean 0 and variance 1, as in the "
                "paper, since one length-scale cannot serve metres and millimetres.")
      ->group(group::model);
}

void add_budget_options(CLI::App& parser, FitArguments& arguments) {
  parser
      .add_option(
          "--max-iter", arguments.max_iter,
          "At most this many outer iterations. Default: the method's own limit; most fits converge before.")
      ->option_text("N")
      ->check(whole_number(1, 1000000000))
      ->group(group::budget);
  parser
      .add_option("--max-time", arguments.max_time,
                  "At most this many seconds of training; the best model so far is kept. Default: no limit.")
      ->option_text("SECONDS")
      ->check(positive_number())
      ->group(group::budget);
  parser
      .add_option("--seed", arguments.seed,
                  "For k-means, minibatches and --holdout. The same seed gives the same bits. Default: 0.")
      ->option_text("S")
      ->check(whole_number(0))
      ->group(group::budget);
  add_threads(parser, arguments.threads);
  parser
      .add_option(
          "--memory", arguments.memory,
          "Memory for arrays of rows by inducing inputs, such as 512MB or 2GB; they save work where they fit "
          "and change no result. Default: 512 MB, or a quarter of the machine's if that is less.")
      ->option_text("SIZE")
      ->transform(CLI::AsSizeValue(false))
      ->group(group::budget);
}

void add_output_options(CLI::App& parser, FitArguments& arguments) {
  parser
      .add_option("-o,--output", arguments.model_path,
                  "Write the model here, in safetensors layout. It appears only when it is whole.")
      ->option_text("MODEL")
      ->group(group::output);
  parser.add_option("--json", arguments.json_path, "Write a summary of the fit here, as JSON.")
      ->option_text("SUMMARY")
      ->group(group::output);
  parser
      .add_option("--trace", arguments.trace_path,
                  "Write a line of JSON per iteration here while the fit runs: seconds (without the time of "
                  "testing), passes, bound, elbo, test accuracy and nll.")
      ->option_text("FILE")
      ->group(group::output);
  parser
      .add_option(
          "--checkpoint", arguments.checkpoint_path,
          "Write the state of the fit here from time to time, and when it is stopped, so that --resume can "
          "go on with it. At every moment it is a whole state, whatever ends the program.")
      ->option_text("FILE")
      ->group(group::output);
  parser
      .add_option("--every", arguments.checkpoint_every,
                  "Seconds between two checkpoints; 0: after each iteration. Default: 60.")
      ->option_text("SECONDS")
      ->check(not_negative())
      ->group(group::output);
  parser
      .add_option(
          "--resume", arguments.resume_path,
          "Go on with the fit of this checkpoint. DATA and all options are those of the fit that wrote it; "
          "files, limits and threads may be given anew. It ends with the same model, to the bit, as a fit "
          "that was never stopped. Data that have changed are refused.")
      ->option_text("FILE")
      ->group(group::output);
  parser.add_flag("--quiet", arguments.quiet, "No progress, no warnings, no summary.")->group(group::output);
}

}  // namespace

void add_fit_arguments(CLI::App& parser, FitArguments& arguments) {
  add_data_options(parser, arguments);
  add_method_options(parser, arguments);
  add_model_options(parser, arguments);
  add_budget_options(parser, arguments);
  add_output_options(parser, arguments);
  parser.get_option("DATA")->required(false);  // --resume knows it
  parser.footer(footer());
}

Options fit_options(const CLI::App& parser, const FitArguments& arguments) {
  const auto given = [&](const char* name) { return parser.count(name) > 0; };
  if (given("--test") && given("--holdout"))
    throw usage_error("--test and --holdout exclude each other: test on a file or on held-out rows");
  if (given("--weight") && arguments.weight.empty()) throw usage_error("--weight: '' is not a column");

  Options options;
  options.method = method_from_name(arguments.method);
  check_kernel_name(arguments.kernel);
  options.kernel = arguments.kernel;
  if (arguments.inducing != "auto") options.inducing = std::stoull(arguments.inducing);
  if (given("--ard")) options.ard = arguments.ard;
  if (given("--learn-inputs")) options.learn_inputs = arguments.learn_inputs;
  if (given("--noise")) options.noise = arguments.noise;
  if (given("--mean")) options.mean = arguments.mean;
  options.warp = warp_from_name(arguments.warp);
  options.standardize = !arguments.no_standardize;
  options.max_iter = arguments.max_iter;
  if (given("--max-time")) options.max_time = arguments.max_time;
  options.seed = arguments.seed;
  options.threads = arguments.threads;
  options.memory = arguments.memory;
  for (const char* name : {"--checkpoint", "--resume"})
    if (given(name) && parser.get_option(name)->as<std::string>().empty())
      throw usage_error(std::string(name) + ": the file name is empty");
  if (given("--every") && !given("--checkpoint"))
    throw usage_error("--every means nothing without --checkpoint");
  options.checkpoint = arguments.checkpoint_path;
  options.checkpoint_every = arguments.checkpoint_every;
  options.resume = arguments.resume_path;
  for (const char* name : {"--step", "--batch"}) {
    if (given(name) && options.method != Method::svi_adadelta)
      throw usage_error(std::string(name) + " means nothing to the method '" + arguments.method +
                        "', only to svi-adadelta");
  }
  options.step = arguments.step;
  options.batch = arguments.batch;
  if (given("--start")) {
    const std::vector<double> start = positive_list("--start", arguments.start, 3);
    options.start = {start[0], start[1], start[2]};
  }
  return options;
}

}  // namespace induce::cli
