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

class StoredNumbers : public RowNumbers {
 public:
  explicit StoredNumbers(const RowStore& store) : RowNumbers(1), store_(store) {}
  void write(Index /*first*/, Index /*rows*/, const double* /*numbers*/) override {}

 protected:
  const RowStore& store_;
};

class StoredWeights final : public StoredNumbers {
 public:
  using StoredNumbers::StoredNumbers;
  const double* read(Index first, Index rows, double* buffer) const override {
    store_.read(first, rows, {.weight = buffer});
    return buffer;
  }
};

class StoredLabels final : public StoredNumbers {
 public:
  StoredLabels(const RowStore& store, bool signs) : StoredNumbers(store), signs_(signs) {}
  const double* read(Index first, Index rows, double* buffer) const override {
    store_.read(first, rows, {.label = buffer});
    for (Index i = 0; signs_ && i < rows; ++i) buffer[i] = buffer[i] == 1 ? 1 : -1;
    return buffer;
  }

 private:
  bool signs_;
};

}  // namespace

StageRows stage_rows(const RowMatrix& X, const Targets& targets) {
  return {.x = std::make_unique<DenseRows>(X),
          .y = std::make_unique<ViewOfNumbers>(targets.y),
          .weight = std::make_unique<ViewOfNumbers>(targets.weight)};
}

StageRows stage_rows(const RowStore& store, const FeatureMap& map, Index functions) {
  return {.x = std::make_unique<MappedRows>(store, map),
          .y = std::make_unique<StoredLabels>(store, functions == 1),
          .weight = std::make_unique<StoredWeights>(store),
          .room = [&store](Index rows, Index width) { return store.room(rows, width); }};
}

}  // namespace induce::detail
