#include "table/typical_values.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/random.hpp"

namespace induce::detail {
namespace {

constexpr Index draws_of_each = 32;
constexpr std::uint64_t shuffle_seed = 7;  // any fixed number

struct Weighted {
  double x, weight;
};

// Systematic sampling: R positions at equal distances along the cumulated weights of the sorted values.
Vector quantiles(std::vector<Weighted> values) {
  std::sort(values.begin(), values.end(), [](const Weighted& a, const Weighted& b) {
    return a.x != b.x ? a.x < b.x : a.weight < b.weight;  // sums do not depend on the order of the rows
  });
  double total = 0, passed = 0;
  for (const Weighted& value : values) total += value.weight;
  Vector out = Vector::Zero(draws_of_each);
  if (!(total > 0)) return out;
  std::size_t at = 0;
  for (Index k = 0; k < draws_of_each; ++k) {
    const double position = (static_cast<double>(k) + 0.5) / static_cast<double>(draws_of_each) * total;
    while (at + 1 < values.size() && passed + values[at].weight < position) passed += values[at++].weight;
    out[k] = values[at].x;
  }
  return out;
}

}  // namespace

TypicalValues TypicalValues::find(const MemoryStore& rows, const RowFacts& facts,
                                  std::span<const Index> column_order, Workers& workers) {
  const TableView table = rows.table();
  const std::span<const double> weights = rows.weights();
  std::vector<std::uint64_t> rank(table.d);
  for (std::size_t k = 0; k < table.d; ++k) rank[static_cast<std::size_t>(column_order[k])] = k;
  TypicalValues typical{Matrix(draws_of_each, static_cast<Index>(table.d)),
                        {facts.has_gaps.begin(), facts.has_gaps.end()},
                        static_cast<std::size_t>(facts.most_gaps)};
  workers.run(static_cast<Index>(table.d), [&](Index column, int /*worker*/) {
    std::vector<Weighted> known;
    for (std::size_t i = 0; i < table.n; ++i) {
      const double x = table.row(i)[column] + 0.0;  // -0 is 0
      if (!std::isnan(x)) known.push_back({x, weights.empty() ? 1 : weights[i]});
    }
    std::vector<Index> order(draws_of_each);
    std::iota(order.begin(), order.end(), Index{0});
    Random(shuffle_seed + rank[static_cast<std::size_t>(column)]).shuffle(order);
    const Vector sorted = quantiles(std::move(known));
    for (Index k = 0; k < draws_of_each; ++k) typical.values(k, column) = sorted[order[k]];
  });
  return typical;
}

bool TypicalValues::has_new_gaps(const double* row) const {
  std::size_t missing = 0;
  for (std::size_t column = 0; column < gaps.size(); ++column) {
    if (!std::isnan(row[column])) continue;
    if (!gaps[column] || ++missing > most_gaps) return true;
  }
  return false;
}

void TypicalValues::complete(const double* row, double* out) const {
  const Index columns = values.cols();
  for (Index k = 0; k < draws(); ++k, out += columns)
    for (Index column = 0; column < columns; ++column)
      out[column] = std::isnan(row[column]) ? values(k, column) : row[column];
}

}  // namespace induce::detail
