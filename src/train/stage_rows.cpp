#include "train/stage_rows.hpp"

namespace induce::detail {
namespace {

class MappedRows final : public RowSource {
 public:
  MappedRows(const RowStore& store, FeatureMap map) : store_(store), map_(std::move(map)) {}
  Index n() const override { return store_.n(); }
  Index d() const override { return map_.features(); }
  Leaves leaves() const override { return store_.leaves(); }
  Index buffer(Index rows) const override { return rows * (store_.columns() + map_.features()); }
  RowBlock block(Index first, Index rows, double* buffer) const override {
    double* features = buffer + rows * store_.columns();
    store_.read(first, rows, {.x = buffer});
    map_.apply(buffer, rows, features);
    return {first, rows, d(), features};
  }

 private:
  const RowStore& store_;
  const FeatureMap map_;
};

// Weights or labels of a store.
class StoredNumbers final : public RowNumbers {
 public:
  // `signs`: labels 1 and 0 become 1 and -1.
  StoredNumbers(const RowStore& store, double* RowStore::Cells::*which, bool signs = false)
      : RowNumbers(1), store_(store), which_(which), signs_(signs) {}
  void write(Index /*first*/, Index /*rows*/, const double* /*numbers*/) override {}
  const double* read(Index first, Index rows, double* buffer) const override {
    RowStore::Cells to;
    to.*which_ = buffer;
    store_.read(first, rows, to);
    for (Index i = 0; signs_ && i < rows; ++i) buffer[i] = buffer[i] == 1 ? 1 : -1;
    return buffer;
  }

 private:
  const RowStore& store_;
  double* RowStore::Cells::*which_;
  bool signs_;
};

}  // namespace

StageRows stage_rows(const RowMatrix& X, const Targets& targets) {
  return {.x = std::make_unique<DenseRows>(X),
          .y = std::make_unique<ViewOfNumbers>(targets.y),
          .weight = std::make_unique<ViewOfNumbers>(targets.weight)};
}

StageRows stage_rows(const RowStore& store, const FeatureMap& map, Index classes) {
  return {.x = std::make_unique<MappedRows>(store, map),
          .y = std::make_unique<StoredNumbers>(store, &RowStore::Cells::label, classes == 2),
          .weight = std::make_unique<StoredNumbers>(store, &RowStore::Cells::weight),
          .room = [&store](Index rows, Index width) { return store.room(rows, width); }};
}

}  // namespace induce::detail
