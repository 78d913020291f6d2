#include "shard/wire_table.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace induce::detail {

namespace {

// Consecutive leaves of the rows of a stage.
class PartOfStage final : public RowSource {
 public:
  PartOfStage(Leaves leaves, RowMatrix X) : leaves_(std::move(leaves)), X_(std::move(X)) {}
  Index n() const override { return X_.rows(); }
  Index d() const override { return X_.cols(); }
  Leaves leaves() const override { return leaves_; }
  Index buffer(Index /*rows*/) const override { return 0; }
  RowBlock block(Index first, Index rows, double* /*buffer*/) const override {
    return {first, rows, d(), X_.row(first).data()};
  }

 private:
  Leaves leaves_;
  RowMatrix X_;
};

}  // namespace

Index write_part(MessageWriter& out, const RowMatrix& X, const Targets& targets, Index first, Index count) {
  const Index size = Leaves::size(X.rows()), begin = std::min(X.rows(), first * size),
              rows = std::min(X.rows(), (first + count) * size) - begin;
  for (const Index value : {X.rows(), first, count, rows, X.cols()}) out.count(value);
  out.numbers(X.data() + begin * X.cols(), rows * X.cols());
  out.numbers(targets.y.data() + begin, rows);
  out.numbers(targets.weight.data() + begin, rows);
  return rows;
}

StageRows read_part(MessageReader& in) {
  const Index all = in.count(), first = in.count(), count = in.count();
  const Leaves leaves = Leaves::part(all, first, count);
  const Index rows = in.count(), d = in.count();
  RowMatrix X(rows, d);
  in.numbers({X.data(), static_cast<std::size_t>(X.size())});
  Vector y = in.vector(), weight = in.vector();
  if (rows != leaves.rows() || y.size() != rows || weight.size() != rows)
    throw data_error("a message has the wrong number of rows");
  return {.x = std::make_unique<PartOfStage>(leaves, std::move(X)),
          .y = std::make_unique<NumbersInMemory>(std::move(y)),
          .weight = std::make_unique<NumbersInMemory>(std::move(weight))};
}

void read_rows(MessageReader& in, OwnedRows& to) {
  const Index columns = in.count();
  const Vector x = in.vector(), classes = in.vector(), weights = in.vector();
  const Index rows = classes.size();
  if (columns < 0 || weights.size() != rows ||
      (rows == 0 ? x.size() != 0 : x.size() % rows != 0 || x.size() / rows != columns))
    throw data_error("a message has the wrong number of rows");
  if (!(classes.array().abs() <= std::numeric_limits<int>::max()).all())
    throw data_error("a message has a label that is not a class");
  const std::vector<int> labels(classes.begin(), classes.end());
  to.add(x.data(), classes.size(), columns, labels.data(), weights.data());
}

void write_rows(MessageWriter& out, TableView table, std::span<const int> labels,
                std::span<const double> weights, std::size_t first, std::size_t count) {
  const Index rows = static_cast<Index>(count), columns = static_cast<Index>(table.d);
  Vector classes(rows), own_weights = Vector::Ones(rows);
  std::copy_n(labels.begin() + static_cast<Index>(first), rows, classes.begin());
  if (!weights.empty()) std::copy_n(weights.begin() + static_cast<Index>(first), rows, own_weights.begin());
  out.count(columns);
  out.numbers(table.x + first * table.d, rows * columns);
  out.vector(classes);
  out.vector(own_weights);
}

void write_rows(MessageWriter& out, const OwnedRows& from, const std::vector<Index>& rows) {
  const Index count = static_cast<Index>(rows.size()), columns = from.columns;
  RowMatrix X(count, columns);
  Vector classes(count), weights(count);
  for (Index k = 0; k < count; ++k) {
    const auto row = static_cast<std::size_t>(rows[static_cast<std::size_t>(k)]);
    std::copy_n(from.view().row(row), columns, X.row(k).data());
    classes[k] = from.labels[row];
    weights[k] = from.weights[row];
  }
  out.count(columns);
  out.numbers(X.data(), X.size());
  out.vector(classes);
  out.vector(weights);
}

void write_facts(MessageWriter& out, const RowFacts& facts) {
  out.count(facts.rows);
  out.count(static_cast<Index>(facts.identity));
  out.count(facts.most_gaps);
  out.text({facts.has_gaps.data(), facts.has_gaps.size()});
  out.counts(facts.class_rows);
  for (const std::vector<double>* ends : {&facts.ranges.lowest, &facts.ranges.highest})
    out.numbers(ends->data(), static_cast<Index>(ends->size()));
}

RowFacts read_facts(MessageReader& in) {
  RowFacts facts;
  facts.rows = in.count();
  facts.identity = static_cast<std::uint64_t>(in.count());
  facts.most_gaps = in.count();
  const std::string gaps = in.text();
  facts.has_gaps.assign(gaps.begin(), gaps.end());
  facts.class_rows = in.counts();
  for (std::vector<double>* ends : {&facts.ranges.lowest, &facts.ranges.highest}) {
    const Vector numbers = in.vector();
    ends->assign(numbers.begin(), numbers.end());
  }
  return facts;
}

void write_map(MessageWriter& out, const FeatureMap& map) {
  for (const Vector* numbers :
       {&map.origin, &map.unit, &map.exponent, &map.standardizer.shift, &map.standardizer.scale})
    out.vector(*numbers);
  out.counts(map.standardizer.constant);
  out.count(map.encoding.is_plain() ? 0 : map.encoding.columns());
  if (map.encoding.is_plain()) return;
  for (const ColumnCode& code : map.encoding.codes()) {
    out.count(code.is_number ? 1 : 0);
    out.count(code.gaps ? 1 : 0);
    out.count(code.level_count);
    out.counts(code.levels);
    out.numbers(code.repeated.data(), static_cast<Index>(code.repeated.size()));
  }
  out.counts(map.encoding.order());
}

FeatureMap read_map(MessageReader& in) {
  FeatureMap map;
  for (Vector* numbers :
       {&map.origin, &map.unit, &map.exponent, &map.standardizer.shift, &map.standardizer.scale})
    *numbers = in.vector();
  map.standardizer.constant = in.counts();
  const Index columns = in.count();
  std::vector<ColumnCode> codes;
  for (Index column = 0; column < columns; ++column) {
    ColumnCode& code = codes.emplace_back();
    code.is_number = in.count() != 0;
    code.gaps = in.count() != 0;
    code.level_count = in.count();
    code.levels = in.counts();
    const Vector repeated = in.vector();
    code.repeated.assign(repeated.begin(), repeated.end());
  }
  if (columns == 0) return map;
  const std::vector<Index> order = in.counts();
  map.encoding = Encoding(std::move(codes), order);
  return map;
}

}  // namespace induce::detail
