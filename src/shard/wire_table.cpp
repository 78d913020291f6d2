#include "shard/wire_table.hpp"

#include <algorithm>
#include <utility>

namespace induce {

void GrowingRows::add(const double* x, Index rows, Index columns, const int* labels, const double* weights) {
  if (rows == 0) return;
  if (labels_.empty()) columns_ = columns;
  if (columns != columns_)
    throw data_error("rows of " + std::to_string(columns) + " columns follow rows of " +
                     std::to_string(columns_));
  x_.insert(x_.end(), x, x + rows * columns);
  labels_.insert(labels_.end(), labels, labels + rows);
  if (weights)
    weights_.insert(weights_.end(), weights, weights + rows);
  else
    weights_.insert(weights_.end(), static_cast<std::size_t>(rows), 1.0);
}

void GrowingRows::add(MessageReader& in) {
  const Index columns = in.count();
  const Vector x = in.vector(), classes = in.vector(), weights = in.vector();
  if (columns < 0 || x.size() != columns * classes.size() || weights.size() != classes.size())
    throw data_error("a message has the wrong number of rows");
  const std::vector<int> labels(classes.begin(), classes.end());
  add(x.data(), classes.size(), columns, labels.data(), weights.data());
}

OwnedRows GrowingRows::take() {
  OwnedRows rows;
  rows.X = Eigen::Map<const RowMatrix>(x_.data(), this->rows(), columns_);
  std::vector<double>().swap(x_);
  rows.labels = std::exchange(labels_, {});
  rows.weights = std::exchange(weights_, {});
  return rows;
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
  const Index count = static_cast<Index>(rows.size()), columns = from.X.cols();
  RowMatrix X(count, columns);
  Vector classes(count), weights(count);
  for (Index k = 0; k < count; ++k) {
    const auto row = static_cast<std::size_t>(rows[static_cast<std::size_t>(k)]);
    X.row(k) = from.X.row(static_cast<Index>(row));
    classes[k] = from.labels[row];
    weights[k] = from.weights[row];
  }
  out.count(columns);
  out.numbers(X.data(), X.size());
  out.vector(classes);
  out.vector(weights);
}

void write_facts(MessageWriter& out, const FactsOfRows& facts) {
  out.count(facts.rows);
  out.count(static_cast<Index>(facts.identity));
  out.count(facts.most_gaps);
  out.text({facts.has_gaps.data(), facts.has_gaps.size()});
  out.counts(facts.of_class);
  for (const std::vector<double>* ends : {&facts.ranges.lowest, &facts.ranges.highest})
    out.numbers(ends->data(), static_cast<Index>(ends->size()));
}

FactsOfRows read_facts(MessageReader& in) {
  FactsOfRows facts;
  facts.rows = in.count();
  facts.identity = static_cast<std::uint64_t>(in.count());
  facts.most_gaps = in.count();
  const std::string gaps = in.text();
  facts.has_gaps.assign(gaps.begin(), gaps.end());
  facts.of_class = in.counts();
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

}  // namespace induce
