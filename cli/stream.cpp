// Model::predict takes windows of 65,536 rows apart, and in each blocks of rows; rows with new gaps do not count, because it
// predicts them apart. A batch is a window, or whole blocks of it if the table is wide, so that the bits of a prediction are
// those of the whole table at once. (Those of rows with new gaps may differ in the last digits: they go in groups of their own.)
#include "stream.hpp"

#include <algorithm>
#include <string_view>

#include <induce/doubt.hpp>
#include <induce/error.hpp>

#include "data.hpp"
#include "read/read.hpp"
#include "notice.hpp"
#include "rows/blocks.hpp"

namespace induce::cli {
namespace {

constexpr std::size_t window = std::size_t{1} << 16;

// Whole blocks of up to 32 MB.
std::size_t rows_together(const Model& model) {
  const auto block = static_cast<std::size_t>(Blocks::rows_in_cache(static_cast<Index>(model.inducing())));
  const std::size_t fitting = (std::size_t{1} << 22) / std::max<std::size_t>(1, model.features());
  return fitting >= window ? window : std::max(block, fitting / block * block);
}

class Batches {
 public:
  Batches(const Model& model, const std::function<void(const RowBatch&)>& use)
      : model_(model), use_(use), together_(rows_together(model)), far_outside_(model.features()) {}

  void add(const Dataset& block) {
    id_name_ = block.id_name;
    if (block.sparse) {
      const SparseView view = block.sparse->view();
      return pass_on({{}, &view, block.y, block.weights, block.ids, block.id_name});
    }
    const auto d = static_cast<std::size_t>(block.X.cols());
    for (std::size_t i = 0; i < static_cast<std::size_t>(block.X.rows()); ++i) {
      const double* row = block.X.data() + i * d;
      X_.insert(X_.end(), row, row + d);
      if (!block.y.empty()) y_.push_back(block.y[i]);
      if (!block.weights.empty()) weight_.push_back(block.weights[i]);
      if (!block.ids.empty()) ids_.push_back(block.ids[i]);
      ++rows_;
      if (model_.rows_with_new_gaps({row, 1, d}) > 0) ++gaps_;
      const std::size_t usual = rows_ - gaps_;
      if (usual == together_ || in_window_ + usual == window || rows_ == 2 * together_) finish();
    }
  }

  void finish() {
    if (rows_ == 0) return;
    const TableView view{X_.data(), rows_, X_.size() / rows_};
    add_rows_outside(far_outside_, model_.rows_far_outside(view));
    pass_on({view, nullptr, y_, weight_, ids_, id_name_});
    in_window_ = (in_window_ + rows_ - gaps_) % window;
    before_ += rows_;
    with_new_gaps_ += gaps_;
    rows_ = gaps_ = 0;
    X_.clear();
    y_.clear();
    weight_.clear();
    ids_.clear();
  }

  std::size_t with_new_gaps() const { return with_new_gaps_; }
  const std::vector<RowsOutside>& far_outside() const { return far_outside_; }

 private:
  void pass_on(const RowBatch& batch) const {
    constexpr std::string_view row = "row ";
    try {
      use_(batch);
    } catch (const Error& error) {
      const std::string what = error.what();
      const std::size_t end = what.find_first_not_of("0123456789", row.size());
      if (before_ == 0 || !what.starts_with(row) || end == row.size() || end == std::string::npos) throw;
      const std::size_t number = before_ + std::stoul(what.substr(row.size(), end - row.size()));
      throw Error(error.fault(), std::string(row) + std::to_string(number) + what.substr(end));
    }
  }

  const Model& model_;
  const std::function<void(const RowBatch&)>& use_;
  std::size_t together_;             // rows of a batch
  std::vector<double> X_;            // of the batch
  std::size_t rows_ = 0, gaps_ = 0;  // in it, and those of them with new gaps
  std::size_t in_window_ = 0;        // rows without new gaps in batches before, of the same window
  std::vector<int> y_;
  std::vector<double> weight_;
  std::vector<std::string> ids_;
  std::string id_name_;
  std::size_t before_ = 0, with_new_gaps_ = 0;
  std::vector<RowsOutside> far_outside_;  // by column
};

}  // namespace

void read_in_batches(const Model& model, const std::vector<std::string>& files, const ReadOptions& how,
                     const std::function<void(const RowBatch&)>& use) {
  Batches batches(model, use);
  const StreamedTable table = stream_rows(files, how, [&](const Dataset& block) {
    block.successes.empty() ? batches.add(block) : batches.add(with_classes(block));
  });
  batches.finish();
  for (const std::string& warning : table.warnings) warn(warning);
  warn_of_new_gaps(batches.with_new_gaps());
  warn_of_far_values(model, batches.far_outside());
}

void predict_in_batches(const Model& model, const std::vector<std::string>& files, const ReadOptions& how,
                        int threads, const std::function<void(const PredictedBatch&)>& use,
                        bool with_novelty) {
  const auto predict = [&](const RowBatch& batch, const auto& X) {
    const Prediction prediction = model.predict(X, threads);
    const std::vector<double> new_to_it = with_novelty ? novelty(model, X, threads) : std::vector<double>();
    use({prediction, batch.y, batch.ids, batch.id_name, batch.weight, new_to_it});
  };
  read_in_batches(model, files, how, [&](const RowBatch& batch) {
    batch.sparse ? predict(batch, *batch.sparse) : predict(batch, batch.X);
  });
}

}  // namespace induce::cli
