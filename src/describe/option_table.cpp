// See option_table.hpp. The help page, Python's docstring and docs/reference.md share the texts, so these refer
// to other options by their common names.
#include "describe/option_table.hpp"

#include <array>
#include <stdexcept>
#include <utility>

#include "describe/option_access.hpp"

namespace induce::detail {
namespace {

using access::by_name;
using access::or_unset;
using access::plain;

constexpr Unset by_method{"null", "None", "default"};
constexpr Unset no_file{"null", "None"};
constexpr std::string_view method_default = "set by the method.";
constexpr std::uint64_t largest_int = std::numeric_limits<int>::max();

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> methods_in_words{{
    {"auto", "the best method in the library, vi-newton"},
    {"vi-jj", "the paper's Algorithm 1 with the Jaakkola-Jordan bound"},
    {"vi-jj-full", "the same bound, all parameters optimised jointly by L-BFGS-B from the start"},
    {"vi-jj-hybrid", "stage 1 of vi-jj, then kernel and bound parameters jointly"},
    {"vi-taylor",
     "Algorithm 1 with a second-order Taylor expansion instead of the bound, for any likelihood but softmax"},
    {"svi-adadelta", "the stochastic baseline: minibatches and AdaDelta, tuned by step and batch"},
    {"svi-lbfgs", "the objective of svi-adadelta with all rows and L-BFGS-B"},
    {"vi-newton",
     "beyond the paper: the true bound, with learned per-feature length-scales, mean and inducing inputs"},
    {"vi-jj-tight", "vi-jj with a tighter bound: the sparsity penalty is never larger and usually smaller"},
}};

std::string_view about_method(std::string_view name) {
  for (const auto& [known, about] : methods_in_words)
    if (known == name) return about;
  return "";
}

std::vector<OptionEntry> method_options() {
  return {
      {.name = "method",
       .flag = "--method",
       .metavar = "NAME",
       .kind = OptionKind::choice,
       .member = by_name<&Options::method, method_from_name>,
       .choices = {.names = method_names, .about = about_method},
       .help = "Training method. The paper's methods default to the paper's setting: one length-scale, a "
               "noise term, fixed inducing inputs.",
       .default_text = "auto, the best method in the library, vi-newton."},
      {.name = "inducing",
       .flag = "--inducing",
       .metavar = "M",
       .kind = OptionKind::whole,
       .member = or_unset<&Options::inducing>,
       .unset = {"auto", "auto", "auto"},
       .limits = {.least = 1, .rows = true},
       .help = "Number of inducing inputs, at most the number of training rows. More inputs are more "
               "accurate; time grows with their square.",
       .default_text = "auto; doubled for as long as the expected gain is worth the time. The paper's "
                       "methods derive it from the number of rows."},
      {.name = "step",
       .flag = "--step",
       .metavar = "RATE",
       .kind = OptionKind::number,
       .member = plain<&Options::step>,
       .limits = {.positive = true},
       .needs = {"method", "svi-adadelta"},
       .help = "svi-adadelta: step rate.",
       .default_text = "1, the paper's choice on most data sets."},
      {.name = "batch",
       .flag = "--batch",
       .metavar = "ROWS",
       .kind = OptionKind::whole,
       .member = or_unset<&Options::batch>,
       .unset = {"auto", "None", "0"},
       .limits = {.least = 1, .rows = true},
       .needs = {"method", "svi-adadelta"},
       .help = "svi-adadelta: rows per step.",
       .default_text = "as in the paper, 50 below 5,000 rows, else n/100."},
      {.name = "start_from",
       .flag = "--start-from",
       .metavar = "MODEL",
       .kind = OptionKind::path,
       .member = or_unset<&Options::start_from>,
       .unset = {"null", "None", "none"},
       .help =
           "Start from the kernel, parameters, inducing inputs and feature map of this model, which are then "
           "not chosen: fewer passes for the next fit of a table like the last one. Columns, their kinds and "
           "the classes must be the same.",
       .default_text = "none; everything is chosen anew."},
      {.name = "start",
       .flag = "--start",
       .metavar = "S,L,N",
       .kind = OptionKind::numbers,
       .member = plain<&Options::start>,
       .unset = by_method,
       .parts = {"signal_std", "lengthscale", "noise_std"},
       .help = "Initial kernel parameters: signal standard deviation, length-scale, noise standard "
               "deviation, such as 1,0.5,0.1. The last one is unused without a noise term.",
       .default_text = "chosen by the library; needs no tuning."},
  };
}

std::vector<OptionEntry> model_options() {
  return {
      {.name = "kernel",
       .flag = "--kernel",
       .metavar = "NAME",
       .kind = OptionKind::choice,
       .member = plain<&Options::kernel>,
       .choices = {.check = check_kernel_name},
       .help =
           "auto, se, matern12, matern32, matern52 or matern:NU with NU from 0.1 to 30, or a sum such as "
           "se+matern12. Terms have inducing values of their own, at the levels and at knots of columns: "
           "se+mains (functions of one column), se+mains+pairs (and of two, those that matter), mains+pairs "
           "(terms only), mains:age,income+pairs:age*hours; mains:age@32 has at most 32 knots, where "
           "otherwise "
           "the data decides. A linear part, as in se+linear, has nearly linear "
           "functions, as in logistic regression.",
       .default_text =
           "auto: for small tables se, alone or with mains and pairs, whichever has the higher bound; for "
           "others also matern52 and matern32, whichever predicts best those rows of the training table that "
           "are held out. The paper's methods use se."},
      {.name = "likelihood",
       .flag = "--likelihood",
       .metavar = "NAME",
       .kind = OptionKind::choice,
       .member = plain<&Options::likelihood>,
       .choices = {.names = likelihood_names},
       .help =
           "Function that maps latent functions to probabilities. For two classes: logistic, or probit, "
           "the normal distribution function, which has lighter tails; vi-jj and its variants support only "
           "logistic. For three or more: softmax, or ordinal if they are ordered, such as low, middle and "
           "high: "
           "one latent function and learned thresholds, for vi-newton and vi-taylor. Ordered are numbers, "
           "and "
           "texts with an order: --order on the command line, order or an ordered pandas categorical in "
           "Python. Two "
           "classes "
           "with ordinal are logistic.",
       .default_text = "auto, which is logistic or softmax."},
      {.name = "ard",
       .flag = "--ard",
       .off = "--no-ard",
       .kind = OptionKind::flag,
       .member = plain<&Options::ard>,
       .unset = by_method,
       .help = "One length-scale per feature, or one for all.",
       .default_text = method_default},
      {.name = "learn_inputs",
       .flag = "--learn-inputs",
       .off = "--fixed-inputs",
       .kind = OptionKind::flag,
       .member = plain<&Options::learn_inputs>,
       .unset = by_method,
       .help = "Optimise the inducing inputs, or keep them where k-means placed them.",
       .default_text = method_default},
      {.name = "noise",
       .flag = "--noise",
       .off = "--no-noise",
       .kind = OptionKind::flag,
       .member = plain<&Options::noise>,
       .unset = by_method,
       .help = "A noise term in the kernel, or none.",
       .default_text = method_default},
      {.name = "mean",
       .flag = "--mean",
       .off = "--no-mean",
       .kind = OptionKind::flag,
       .member = plain<&Options::mean>,
       .unset = by_method,
       .help = "A learned constant mean, or zero. Ordered classes have thresholds in its place.",
       .default_text = method_default},
      {.name = "warp",
       .flag = "--warp",
       .metavar = "W",
       .kind = OptionKind::choice,
       .member = by_name<&Options::warp, warp_from_name>,
       .choices = {.names = warp_names},
       .help = "Transform of the features before standardisation: none, yeo-johnson (a power transform of "
               "each towards normality, for heavy tails), or auto, which chooses like kernel=auto.",
       .default_text = "auto; for the paper's methods, auto means none."},
      {.name = "standardize",
       .off = "--no-standardize",
       .kind = OptionKind::flag,
       .member = plain<&Options::standardize>,
       .help = "Whether features are scaled to mean 0 and variance 1, or used as they are.",
       .default_text = "scaled, as in the paper: one length-scale cannot suit both metres and millimetres."},
  };
}

std::vector<OptionEntry> budget_options() {
  return {
      {.name = "max_iter",
       .flag = "--max-iter",
       .metavar = "N",
       .kind = OptionKind::whole,
       .member = or_unset<&Options::max_iter>,
       .unset = {"null", "None"},
       .limits = {.least = 1, .most = largest_int},
       .effect = OptionEffect::length,
       .help = "Maximum number of outer iterations.",
       .default_text = "set by the method; most fits converge earlier."},
      {.name = "max_time",
       .flag = "--max-time",
       .metavar = "SECONDS",
       .kind = OptionKind::number,
       .member = or_unset<&Options::max_time>,
       .unset = {"null", "None"},
       .limits = {.positive = true, .infinite = true},
       .effect = OptionEffect::length,
       .help = "Maximum training time in seconds; the best model so far is kept.",
       .default_text = "no limit."},
      {.name = "effort",
       .flag = "--effort",
       .metavar = "E",
       .kind = OptionKind::number,
       .member = plain<&Options::effort>,
       .limits = {.positive = true},
       .help = "How much work a gain is worth to the default method: a stage ends, inducing inputs stop "
               "growing and "
               "kernels are no longer tried when the expected gain is too small for its work. .3 is a quick "
               "look, 3 a careful fit.",
       .default_text = "1."},
      {.name = "seed",
       .flag = "--seed",
       .metavar = "S",
       .kind = OptionKind::whole,
       .member = plain<&Options::seed>,
       .help = "Seed for k-means, minibatches and the training rows that are held out. The same seed gives "
               "bitwise identical results.",
       .default_text = "0."},
      {.name = "threads",
       .flag = "--threads",
       .metavar = "T",
       .kind = OptionKind::whole,
       .member = or_unset<&Options::threads>,
       .unset = {"0", "None"},
       .limits = {.most = 4096},
       .effect = OptionEffect::none,
       .help = "Number of threads; 0: all cores available to this process.",
       .default_text = "all cores."},
      {.name = "sample_rows",
       .flag = "--sample-rows",
       .metavar = "N",
       .kind = OptionKind::whole,
       .member = plain<&Options::sample_rows>,
       .limits = {.least = 1000},
       .help = "A table with more rows, or more than 2^23 cells, is large: columns are described, the kernel "
               "is chosen and the first stages run with this many of its rows. The last stages use all rows.",
       .default_text = "262144."},
      {.name = "memory",
       .flag = "--memory",
       .metavar = "SIZE",
       .kind = OptionKind::size,
       .member = or_unset<&Options::memory>,
       .unset = {"auto", "None"},
       .effect = OptionEffect::none,
       .help = "Memory that the fit may use. A table that needs more is kept in scratch files and read in "
               "blocks; what is left is for caching arrays of rows by inducing inputs, which saves work. "
               "Results do not depend on it.",
       .default_text =
           "no limit except the machine's. Tables that need more than half of the free memory are kept in "
           "files. The cache takes up to a quarter of it if all rows fit, otherwise at most 512 MB."},
  };
}

std::vector<OptionEntry> output_options() {
  return {
      {.name = "checkpoint",
       .flag = "--checkpoint",
       .metavar = "FILE",
       .kind = OptionKind::path,
       .member = or_unset<&Options::checkpoint>,
       .unset = no_file,
       .effect = OptionEffect::none,
       .help = "Write the state of the fit to this file at the end of each stage, so that resume can "
               "continue it: it repeats the stage that was stopped. The file is complete at all times, even "
               "if the program is killed.",
       .default_text = "none."},
      {.name = "checkpoint_every",
       .flag = "--every",
       .metavar = "SECONDS",
       .kind = OptionKind::number,
       .member = plain<&Options::checkpoint_every>,
       .limits = {.infinite = true},
       .needs = {"checkpoint"},
       .effect = OptionEffect::none,
       .help = "Seconds between two checkpoints of methods with one stage, after their iterations; 0: after "
               "each. The default method has stages, whose ends are always written; vi-jj-full and svi-lbfgs "
               "have no such iterations, and a resumed fit starts again.",
       .default_text = "60; a crash loses little, and the cost is negligible."},
      {.name = "resume",
       .flag = "--resume",
       .metavar = "FILE",
       .kind = OptionKind::path,
       .member = or_unset<&Options::resume>,
       .unset = no_file,
       .effect = OptionEffect::none,
       .help = "Resume the fit from this checkpoint. Data and options must match the fit that wrote it (the "
               "command line takes them from the checkpoint); files, limits, threads and memory may change. "
               "The model is bitwise identical to that of a fit that was never stopped.",
       .default_text = "a new fit."},
      {.name = "trace_elbo",
       .kind = OptionKind::flag,
       .member = plain<&Options::trace_elbo>,
       .effect = OptionEffect::none,
       .help = "Compute the true bound after each iteration, not counted in the time. The command line does "
               "so with --trace.",
       .default_text = "off, because it costs a pass over the rows."},
  };
}

}  // namespace

const std::vector<OptionEntry>& option_table() {
  static const std::vector<OptionEntry> table = [] {
    std::vector<OptionEntry> all;
    const auto add = [&](OptionGroup group, std::vector<OptionEntry> entries) {
      for (OptionEntry& entry : entries) {
        entry.group = group;
        all.push_back(std::move(entry));
      }
    };
    add(OptionGroup::method, method_options());
    add(OptionGroup::model, model_options());
    add(OptionGroup::budget, budget_options());
    add(OptionGroup::output, output_options());
    return all;
  }();
  return table;
}

const OptionEntry& option_entry(std::string_view name) {
  for (const OptionEntry& entry : option_table())
    if (entry.name == name) return entry;
  throw std::out_of_range("no option '" + std::string(name) + "'");
}

std::string_view name_of(OptionKind kind) {
  static constexpr std::string_view names[] = {"choice", "flag",    "whole", "size",
                                               "number", "numbers", "path"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view name_of(OptionGroup group) {
  static constexpr std::string_view names[] = {"Method", "Model", "Budget", "Output"};
  return names[static_cast<std::size_t>(group)];
}

}  // namespace induce::detail
