// The program `induce-bench`: measures how close the library comes to the peak rate of the hardware.
#include <iostream>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "measure.hpp"
#include "output.hpp"
#include "peak_memory.hpp"
#include "program.hpp"
#include "machine/workers.hpp"
#include "text/format.hpp"
#include "vector_kernels.hpp"

namespace induce::bench {
namespace {

using namespace cli;
using Json = nlohmann::ordered_json;

struct BenchArguments {
  BenchSize size;
  std::string json_path, data_path;
};

Json sizes(const BenchSize& size) {
  return {{"rows", size.rows},
          {"inducing", size.inducing},
          {"features", size.features},
          {"threads", size.threads > 0 ? size.threads : available_cores()},
          {"repeats", size.repeats}};
}

double n_m2(const BenchSize& size) {
  return static_cast<double>(size.rows) * static_cast<double>(size.inducing) *
         static_cast<double>(size.inducing);
}

Json bench_pass(const BenchArguments& arguments) {
  const PassTimes times = measure_pass(arguments.size);
  const double work = n_m2(arguments.size), rate = 2 * work / times.gemm;
  Json out = sizes(arguments.size);
  out["seconds"] = times.pass;
  out["processor_seconds"] = times.processor;
  out["gflops"] = 5e-9 * work / times.pass;
  out["stage1_seconds"] = times.stage1;
  out["stage1_in_passes"] = times.stage1 / times.pass;
  out["kept_mb"] = static_cast<double>(times.kept) / (1 << 20);
  if (arguments.size.only_pass) return out;
  out["blas_seconds"] = times.blas;
  out["dgemm_gflops"] = 1e-9 * rate;
  out["ratio_to_blas"] = times.pass / times.blas;
  out["fraction_of_peak"] = 5 * work / rate / times.pass;
  return out;
}

Json bench_classes(const BenchArguments& arguments) {
  const ClassTimes times = measure_classes(arguments.size);
  const double classes = static_cast<double>(arguments.size.classes);
  Json out = sizes(arguments.size);
  out["classes"] = arguments.size.classes;
  out["two_classes_seconds"] = times.two;
  out["seconds"] = times.many;
  out["ratio"] = times.many / times.two;
  out["ratio_per_class"] = times.many / times.two / classes;
  out["expectations_seconds"] = times.expectations;
  out["expectations_share"] = times.expectations / times.many;
  return out;
}

Json bench_shards(const BenchArguments& arguments) {
  const ShardCosts costs = measure_shards(arguments.size);
  Json out = sizes(arguments.size);
  out["shards"] = arguments.size.shards;
  out["one_process_seconds"] = costs.one_process;
  out["shards_seconds"] = costs.shards;
  out["sent_mb"] = 1e-6 * costs.sent;
  out["received_mb"] = 1e-6 * costs.received;
  out["leaves"] = costs.leaves;
  out["levels"] = costs.levels;
  out["most_sums_of_a_shard"] = costs.most_sums;
  return out;
}

Json bench_predict(const BenchArguments& arguments) {
  const PredictTimes times = measure_predict(arguments.size);
  const double work = n_m2(arguments.size), rate = 2 * work / times.gemm;
  Json out = sizes(arguments.size);
  out["seconds"] = times.all;
  out["rows_per_second"] = static_cast<double>(arguments.size.rows) / times.all;
  out["gflops"] = 3e-9 * work / times.all;  // one solve and one product
  out["dgemm_gflops"] = 1e-9 * rate;
  out["fraction_of_peak"] = 3 * work / rate / times.all;
  out["one_row_microseconds"] = 1e6 * times.one;
  return out;
}

Json bench_kmeans(const BenchArguments& arguments) {
  Json out = sizes(arguments.size);
  const double seconds = measure_kmeans(arguments.size), pass = measure_pass(arguments.size).pass;
  out["seconds"] = seconds;
  out["pass_seconds"] = pass;
  out["in_passes"] = seconds / pass;
  return out;
}

Json bench_fit(const BenchArguments& arguments) {
  const FitTimes times = measure_fit(arguments.size);
  Json out = sizes(arguments.size);
  out["seconds"] = times.seconds;
  out["passes"] = times.passes;
  out["kept_mb"] = times.kept_bytes / (1 << 20);
  out["data_mb"] = times.data_bytes / (1 << 20);
  out["over_data_mb"] = peak_rss_mb() - times.data_bytes / (1 << 20);
  return out;
}

Json bench_read(const BenchArguments& arguments) {
  const ReadTimes times = measure_read(arguments.data_path, arguments.size.threads, arguments.size.repeats);
  const int threads = arguments.size.threads > 0 ? arguments.size.threads : available_cores();
  const double rate = 1e-6 * times.unpacked_bytes / times.seconds;
  return {{"rows", times.rows},
          {"features", times.features},
          {"threads", threads},
          {"seconds", times.seconds},
          {"mb", 1e-6 * times.unpacked_bytes},
          {"mb_per_second", rate},
          {"mb_per_second_per_thread", rate / threads},
          {"chunked_seconds", times.chunked},
          {"chunked_mb_per_second", 1e-6 * times.unpacked_bytes / times.chunked}};
}

void add_size(CLI::App& parser, BenchSize& size) {
  parser.add_option("--rows", size.rows, "Number of rows of synthetic data. Default: 100000.")
      ->group(group::data)
      ->check(whole_number(10))
      ->option_text("N");
  parser.add_option("--inducing", size.inducing, "Number of inducing inputs. Default: 200.")
      ->group(group::data)
      ->check(whole_number(1))
      ->option_text("M");
  parser.add_option("--features", size.features, "Number of features. Default: 10.")
      ->group(group::data)
      ->check(whole_number(1))
      ->option_text("D");
}

// Adds one benchmark: its parser and its measuring function.
void add_kind(CLI::App& program, std::vector<Command>& kinds, const std::string& name,
              const std::string& help, Json (*measure)(const BenchArguments&)) {
  CLI::App* parser = program.add_subcommand(name, help);
  auto arguments = std::make_shared<BenchArguments>();
  if (name == "read")
    parser->add_option(
        "FILE", arguments->data_path,
        "A CSV or LIBSVM file, optionally compressed. Default: a made-up table of 40 MB with texts, "
        "dates and gaps, in memory.");
  else
    add_size(*parser, arguments->size);
  if (name == "classes")
    parser->add_option("--classes", arguments->size.classes, "Number of classes. Default: 10.")
        ->group(group::data)
        ->check(whole_number(3, 1000))
        ->option_text("C");
  if (name == "shards")
    parser->add_option("--shards", arguments->size.shards, "Number of shards. Default: 64.")
        ->group(group::data)
        ->check(whole_number(1, 4096))
        ->option_text("K");
  if (name == "pass") {
    parser
        ->add_option("--knots", arguments->size.knots,
                     "Knots of the main effect of each feature. Default: 0, no terms.")
        ->group(group::data)
        ->option_text("K");
    parser
        ->add_option("--pairs", arguments->size.pairs,
                     "Pairs of features with a term, on 16 x 16 knots. Default: 0.")
        ->group(group::data)
        ->option_text("P");
    parser
        ->add_flag("--only-pass", arguments->size.only_pass,
                   "Skip the comparison with BLAS, which needs much memory for large sizes.")
        ->group(group::data);
  }
  add_threads(*parser, arguments->size.threads);
  parser->add_option("--repeats", arguments->size.repeats, "Number of runs; the fastest counts. Default: 5.")
      ->group(group::budget)
      ->check(whole_number(1, 1000))
      ->option_text("R");
  parser->add_option("--json", arguments->json_path, "Also write the results to this file, as JSON.")
      ->group(group::output)
      ->option_text("OUT");
  kinds.push_back(
      {parser, [parser, arguments, measure] {
         std::optional<OutputFile> file;
         if (parser->count("--json")) file.emplace("--json", arguments->json_path);
         Json out = measure(*arguments);
         out["peak_rss_mb"] = peak_rss_mb();
         for (const auto& [key, value] : out.items())
           std::cout << "  " << pad_right(key, 26)
                     << (value.is_number_float() ? readable(value.get<double>(), 4) : value.dump()) << "\n";
         if (!file) return;
         file->write(out.dump(2) + "\n");
         file->commit();
       }});
}

std::vector<Command> add_kinds(CLI::App& program) {
  add_head(
      program, "induce-bench",
      "Measure the speed of the library on this machine.\n\n"
      "ratio_to_blas compares the time of a training pass with the four BLAS calls that it cannot avoid, on "
      "whole arrays and with all threads. fraction_of_peak compares the flop rate with that of one large "
      "matrix product.");
  std::vector<Command> kinds;
  add_kind(program, kinds, "pass", "One training pass over the rows.", bench_pass);
  add_kind(program, kinds, "classes", "A round of sites with many classes, relative to two.", bench_classes);
  add_kind(program, kinds, "shards",
           "A pass over rows in shards, all in this process: the bytes that a cluster would send.",
           bench_shards);
  add_kind(program, kinds, "predict", "Prediction of many rows and of a single row.", bench_predict);
  add_kind(program, kinds, "kmeans", "Placement of the inducing inputs by k-means.", bench_kmeans);
  add_kind(program, kinds, "fit", "Time and memory of one iteration of a fit.", bench_fit);
  add_kind(program, kinds, "read",
           "Speed of reading a file, into memory and in chunks through a scratch file.", bench_read);
  program.footer(R"(Examples:
  induce-bench pass --rows 100000 --inducing 400 --features 20
  induce-bench read train.csv.gz --threads 1

For the options of a benchmark: induce-bench pass --help)");
  return kinds;
}

}  // namespace
}  // namespace induce::bench

int main(int argc, char** argv) {
  induce::cli::use_vector_kernels(argv);
  return induce::cli::run_program(argc, argv, induce::bench::add_kinds);
}
