// Training tables that do not fit in memory: see read_large_table.
#include "training_data.hpp"

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>

#include <malloc.h>

#include <induce/error.hpp>

#include "data.hpp"
#include "fit/fit_rows.hpp"
#include "read/arrow.hpp"
#include "read/raw_table.hpp"
#include "rows/exact_sum.hpp"
#include "machine/memory.hpp"
#include "shard/shards.hpp"
#include "shards.hpp"
#include "store/sample.hpp"
#include "store/row_order.hpp"

namespace induce::cli {
namespace {

// A table in memory takes about three times the text of its files: raw cells, their final values, and order and sites.
constexpr double memory_of_text = 3, text_of_compressed = 5;
constexpr std::size_t rows_together = 8192;

// Bytes of text; none if a file can be read only once.
std::optional<double> text_bytes(const std::vector<std::string>& files) {
  double bytes = 0;
  for (const std::string& file : files) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::is_regular_file(file, error)
                                    ? std::filesystem::file_size(file, error)
                                    : static_cast<std::uintmax_t>(-1);
    if (error || size == static_cast<std::uintmax_t>(-1)) return std::nullopt;
    const bool packed =
        file.ends_with(".gz") || file.ends_with(".bz2") || file.ends_with(".xz") || is_arrow_file(file);
    bytes += static_cast<double>(size) * (packed ? text_of_compressed : 1);
  }
  return bytes;
}

std::string scratch_folder(const FitArguments& arguments) {
  if (!arguments.scratch.empty()) {
    if (!std::filesystem::is_directory(arguments.scratch))
      throw usage_error("--scratch: '" + arguments.scratch + "' is not a folder");
    return arguments.scratch;
  }
  const std::string beside = std::filesystem::path(arguments.model_path).parent_path().string();
  return beside.empty() ? "." : beside;
}

// Calls use(x, labels, weights) for blocks of rows.
template <class Use>
void for_each_block(RawTable& table, const Use& use) {
  const std::size_t d = table.shape.features;
  std::vector<double> x(rows_together * d), weight(rows_together, 1);
  std::vector<int> y(rows_together);
  table.rewind();
  while (const std::size_t count = table.next(rows_together, x.data(), y.data(), weight.data()))
    use(TableView{x.data(), count, d}, std::span(y).first(count), std::span(weight).first(count));
}

std::vector<double> class_weights_of(RawTable& table) {
  std::vector<ExactSum> sums(table.shape.data.names.classes.size());
  for_each_block(table, [&](TableView, std::span<const int> y, std::span<const double> weight) {
    for (std::size_t i = 0; i < y.size(); ++i) sums[static_cast<std::size_t>(y[i])].add(weight[i]);
  });
  std::vector<double> values;
  for (const ExactSum& sum : sums) values.push_back(sum.value());
  return values;
}

}  // namespace

std::optional<TrainingData> read_large_table(const FitArguments& arguments, const ReadOptions& how,
                                             const Options& options) {
  const std::vector<std::string> files = arguments.data.files();
  const std::optional<double> text = text_bytes(files);
  const double limit = options.memory ? static_cast<double>(options.memory) : available_memory().least() / 2;
  if (!text || memory_of_text * *text < limit) return std::nullopt;
  ReadPlan plan = plan_reading({files.begin(), files.end()}, how);
  if (plan.format == Format::libsvm || !rows_may_be_elsewhere(traits_of(options.method))) return std::nullopt;
  plan.keep_ids = false;
  const std::string folder = scratch_folder(arguments);
  RawTable table(plan, RawRows(folder, static_cast<std::uint64_t>(*text)));
  const TableShape& shape = table.shape;
  const std::size_t d = shape.features;
  if (!is_large(shape.rows, d, options)) return std::nullopt;
  if (const std::string flag = option_in_memory(arguments); !flag.empty())
    throw usage_error(flag + ": the table is too large for memory, and rows in files cannot have them");
  if (arguments.holdout > 0)
    throw usage_error("--holdout: the table is too large for memory; put test rows into a file, --test FILE");
  TrainingData data{.train = {},
                    .rows = shape.rows,
                    .class_rows = shape.class_rows,
                    .class_weights = class_weights_of(table)};
  Workers workers(options.threads);
  std::optional<Shards> shards;
  if (Carrier* carrier = job_shards().carrier)
    shards.emplace(*carrier, workers);
  else
    data.in_files = std::make_unique<FileStore>(
        static_cast<Index>(d), columns_by_name(d, shape.data.names.features), folder, shape.rows);
  data.in_shards = shards.has_value();
  for_each_block(table, [&](TableView x, std::span<const int> y, std::span<const double> weights) {
    if (shards)
      shards->hand_out(x, y, weights);
    else
      data.in_files->add(x.x, static_cast<Index>(x.n), y.data(), weights.data());
  });
  data.train = table.description();
  data.train.X.resize(0, static_cast<Index>(d));
  if (data.in_files) {
    data.in_files->finish(workers);
    OwnedRows drawn = draw_sample(*data.in_files, share_for_metrics(data.rows));
    data.train.X = drawn.matrix();
    data.train.y = std::move(drawn.labels);
    data.train.weights = std::move(drawn.weights);
  }
  ::malloc_trim(0);  // many small buffers are gone, but the allocator keeps their pages
  return data;
}

}  // namespace induce::cli
