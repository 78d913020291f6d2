#include "fit/group_columns.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "linalg/random.hpp"
#include "text/format.hpp"

namespace induce::detail {
namespace {

constexpr std::size_t fewest_values = 50, most_rows_of_each = 50, most_rows_looked_at = 20000;
constexpr double most_share_of_one = 0.1, least_deviations = 5, most_of_neighbours = 0.25;
constexpr int random_orders = 999;

struct LabelledCell {
  double x;
  std::size_t label;
};

// Pairs of rows: all of them, and those with one label.
struct Pairs {
  double all = 0, same = 0;

  // How much more often labels agree than the share p2 of them by chance; 1: always.
  double excess(double p2) const { return all > 0 ? (same / all - p2) / (1 - p2) : 0; }
};

class ValuesOfColumn {
 public:
  // Empty cells do not count. `cells` are in an order that does not depend on that of the table.
  ValuesOfColumn(std::vector<LabelledCell> cells, std::size_t classes) : cells_(std::move(cells)) {
    std::stable_sort(cells_.begin(), cells_.end(),
                     [](const LabelledCell& a, const LabelledCell& b) { return a.x < b.x; });
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (i > 0 && cells_[i].x == cells_[i - 1].x) continue;
      if (i > most_rows_looked_at) {
        cells_.resize(i);
        break;
      }
      begin_.push_back(i);
    }
    begin_.push_back(cells_.size());
    count_.assign(classes, 0);
    for (const LabelledCell& cell : cells_) {
      labels_.push_back(cell.label);
      count_[cell.label] += 1;
    }
    const auto n = static_cast<double>(cells_.size());
    for (const double count : count_) {
      p2_ += count / n * (count - 1) / (n - 1);
      p3_ += std::pow(count / n, 3);
    }
    std::fill(count_.begin(), count_.end(), 0.0);
  }

  std::size_t values() const { return begin_.size() - 1; }

  bool look_like_groups(bool ordered) {
    const std::size_t n = cells_.size();
    if (values() < fewest_values || n < 2 * values() || n > most_rows_of_each * values() || !(p2_ < 1))
      return false;
    double variance = 0;
    for (std::size_t v = 0; v < values(); ++v) {
      const auto k = static_cast<double>(begin_[v + 1] - begin_[v]);
      if (k > most_share_of_one * static_cast<double>(n)) return false;
      variance += k * (k - 1) / 2 * p2_ * (1 - p2_) + k * (k - 1) * (k - 2) * std::max(p3_ - p2_ * p2_, 0.0);
    }
    const Pairs within = pairs_within(labels_);
    if (within.same - within.all * p2_ < least_deviations * std::sqrt(variance)) return false;
    if (ordered && pairs_of_neighbours().excess(p2_) >= most_of_neighbours * within.excess(p2_)) return false;
    Random random(0);
    std::vector<std::size_t> shuffled = labels_;
    for (int order = 0; order < random_orders; ++order) {
      random.shuffle(shuffled);
      if (pairs_within(shuffled).same >= within.same) return false;
    }
    return true;
  }

 private:
  // Counts the labels of a value. Returns the pairs with one label. `forget` ends it.
  double count(const std::vector<std::size_t>& labels, std::size_t value) {
    double same = 0;
    for (std::size_t i = begin_[value]; i < begin_[value + 1]; ++i) same += count_[labels[i]]++;
    return same;
  }
  void forget(const std::vector<std::size_t>& labels, std::size_t value) {
    for (std::size_t i = begin_[value]; i < begin_[value + 1]; ++i) count_[labels[i]] = 0;
  }

  Pairs pairs_within(const std::vector<std::size_t>& labels) {
    Pairs pairs;
    for (std::size_t v = 0; v < values(); ++v) {
      const auto k = static_cast<double>(begin_[v + 1] - begin_[v]);
      pairs.all += k * (k - 1) / 2;
      pairs.same += count(labels, v);
      forget(labels, v);
    }
    return pairs;
  }

  Pairs pairs_of_neighbours() {
    Pairs pairs;
    for (std::size_t v = 0; v + 1 < values(); ++v) {
      count(labels_, v);
      pairs.all += static_cast<double>((begin_[v + 1] - begin_[v]) * (begin_[v + 2] - begin_[v + 1]));
      for (std::size_t i = begin_[v + 1]; i < begin_[v + 2]; ++i) pairs.same += count_[labels_[i]];
      forget(labels_, v);
    }
    return pairs;
  }

  std::vector<LabelledCell> cells_;
  std::vector<std::size_t> labels_;  // of the cells
  std::vector<std::size_t> begin_;   // of the cells of each value, and their number
  std::vector<double> count_;        // of each class
  double p2_ = 0, p3_ = 0;
};

struct FoundGroups {
  std::size_t values = 0, rows = 0;
};

std::optional<FoundGroups> find_groups(const MemoryStore& rows, const Names& names, Index column) {
  const auto at = static_cast<std::size_t>(column);
  const ColumnKind kind = names.columns.empty() ? ColumnKind::number : names.columns[at].kind;
  if (kind != ColumnKind::number && kind != ColumnKind::category) return std::nullopt;
  std::vector<LabelledCell> cells;
  for (Index i = 0; i < rows.n(); ++i) {
    const double x = rows.row(i)[column];
    if (std::isnan(x)) continue;
    if (x != std::floor(x)) return std::nullopt;
    cells.insert(cells.end(), static_cast<std::size_t>(rows.copies(i)),
                 {x, static_cast<std::size_t>(rows.label(i))});
  }
  const std::size_t n = cells.size();
  ValuesOfColumn values(std::move(cells), names.classes.size());
  if (!values.look_like_groups(kind == ColumnKind::number)) return std::nullopt;
  return FoundGroups{values.values(), n};
}

}  // namespace

std::string warning_of_group_columns(const MemoryStore& rows, const Names& names, Workers& workers) {
  const Index columns = static_cast<Index>(rows.table().d);
  std::vector<std::optional<FoundGroups>> found(static_cast<std::size_t>(columns));
  workers.run(columns, [&](Index column, int /*worker*/) {
    found[static_cast<std::size_t>(column)] = find_groups(rows, names, column);
  });
  std::string list;
  for (std::size_t column = 0; column < found.size(); ++column) {
    if (!found[column]) continue;
    list += (list.empty() ? "" : ", ") +
            (names.features.empty() ? std::to_string(column + 1) : names.features[column]) + " (" +
            grouped(found[column]->values) + " values)";
  }
  if (list.empty()) return "";
  return "rows with the same value share the label, and there are many values with few rows each: column " +
         list +
         ". Is it a person or the like, and will new rows have new ones? Then name it as the group of its "
         "rows "
         "(group, in Python groups), or all figures of quality are too good";
}

}  // namespace induce::detail
