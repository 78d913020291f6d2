// See kmeans.hpp. Nearly all time is spent on squared distances between rows and centres. They are summed from
// differences, because products cancel far from the origin. The centres are stored feature by feature in panels,
// so that the innermost loop runs over adjacent centres and vectorises.
//
// Threads take blocks of rows; rows/reducer.hpp adds up over rows.
#include "train/kmeans.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <induce/error.hpp>

#include "linalg/random.hpp"
#include "rows/reducer.hpp"

namespace induce::detail {
namespace {

constexpr Index panel_width = 8;  // centres per panel: their sums fit in the registers of any 64-bit machine

double squared_distance(const double* a, const double* b, Index d) {
  double sum = 0;
  for (Index f = 0; f < d; ++f) sum += (a[f] - b[f]) * (a[f] - b[f]);
  return sum;
}

RowMatrix sample_rows(const RowMatrix& X, Index count, Random& random) {
  if (count >= X.rows()) return X;
  std::vector<Index> order(static_cast<std::size_t>(X.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  RowMatrix sample(count, X.cols());
  for (Index i = 0; i < count; ++i) {  // the first steps of a shuffle
    const auto left = static_cast<std::uint64_t>(X.rows() - i);
    std::swap(order[i], order[i + static_cast<Index>(random.below(left))]);
    sample.row(i) = X.row(order[i]);
  }
  return sample;
}

// Each next centre is a row drawn with probability proportional to its squared distance to the nearest centre
// so far. Stops before m if every row coincides with a centre, and then sets `exhausted`.
RowMatrix plus_plus(const RowMatrix& X, Index m, Random& random, Workers& workers, bool& exhausted) {
  const Index n = X.rows(), d = X.cols();
  std::vector<double> nearest(static_cast<std::size_t>(n), std::numeric_limits<double>::infinity());
  RowMatrix centres(m, d);
  Index chosen = static_cast<Index>(random.below(static_cast<std::uint64_t>(n)));
  for (Index count = 1;; ++count) {
    centres.row(count - 1) = X.row(chosen);
    const double total = sum_over_rows(n, workers, [&](Index first, Index rows) {
      double sum = 0;
      for (Index i = first; i < first + rows; ++i) {
        nearest[i] = std::min(nearest[i], squared_distance(X.row(i).data(), X.row(chosen).data(), d));
        sum += nearest[i];
      }
      return sum;
    });
    exhausted = total == 0;
    if (count == m || exhausted) return centres.topRows(count);
    double left = random.uniform() * total;
    for (Index i = 0; i < n; ++i) {
      if (nearest[i] == 0) continue;
      chosen = i;  // the last row with mass, in case of rounding
      left -= nearest[i];
      if (left < 0) break;
    }
  }
}

// The centres in panels of panel_width: within a panel feature after feature, padded with infinity.
std::vector<double> panels_of(const RowMatrix& centres) {
  const Index m = centres.rows(), d = centres.cols();
  const Index panels = (m + panel_width - 1) / panel_width;
  std::vector<double> packed(static_cast<std::size_t>(panels * panel_width * d),
                             std::numeric_limits<double>::infinity());
  for (Index j = 0; j < m; ++j)
    for (Index f = 0; f < d; ++f)
      packed[((j / panel_width) * d + f) * panel_width + j % panel_width] = centres(j, f);
  return packed;
}

struct Nearest {
  Index centre;
  double distance2;
};

Nearest nearest_centre(const double* x, const std::vector<double>& panels, Index d) {
  Nearest best{0, std::numeric_limits<double>::infinity()};
  const double* c = panels.data();
  const Index count = static_cast<Index>(panels.size()) / (panel_width * d);
  for (Index panel = 0; panel < count; ++panel) {
    double sum[panel_width] = {};
    for (Index f = 0; f < d; ++f, c += panel_width)
      for (Index j = 0; j < panel_width; ++j) sum[j] += (x[f] - c[j]) * (x[f] - c[j]);
    for (Index j = 0; j < panel_width; ++j)
      if (sum[j] < best.distance2) best = {panel * panel_width + j, sum[j]};
  }
  return best;
}

// Gives every empty centre the row that is farthest from its own centre, among those whose centre keeps another
// row. True if there was an empty centre.
bool fill_empty(std::vector<Index>& sizes, std::vector<Nearest>& nearest) {
  bool any = false;
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    if (sizes[j] > 0) continue;
    Nearest* farthest = nullptr;
    for (Nearest& row : nearest)
      if (sizes[row.centre] > 1 && (!farthest || row.distance2 > farthest->distance2)) farthest = &row;
    --sizes[farthest->centre];
    ++sizes[j];
    *farthest = {static_cast<Index>(j), 0};
    any = true;
  }
  return any;
}

// Sums over rows in one round of Lloyd's algorithm: squared distances, rows that moved, rows of each centre.
class Assignment : public RowSum {
 public:
  void clear(Index m) { numbers_.setZero(2 + m); }
  double& inertia() { return numbers_[0]; }
  double& moved() { return numbers_[1]; }
  double& size(Index centre) { return numbers_[2 + centre]; }
};

// The sum of the rows of each centre.
class Clusters : public RowSum {
 public:
  void clear(Index m, Index d) {
    d_ = d;
    numbers_.setZero(m * d);
  }
  double* centre(Index j) { return numbers_.data() + j * d_; }

 private:
  Index d_ = 0;
};

void lloyd(const RowMatrix& X, RowMatrix& centres, int max_rounds, Workers& workers) {
  constexpr double smallest_gain = 1e-4;
  const Index n = X.rows(), m = centres.rows(), d = X.cols();
  std::vector<Nearest> nearest(static_cast<std::size_t>(n), Nearest{-1, 0});
  std::vector<Index> sizes(static_cast<std::size_t>(m));
  Reducer<Assignment> assign(Blocks::light(n), workers);
  Reducer<Clusters> cluster(Blocks::light(n), workers);
  double last_inertia = std::numeric_limits<double>::infinity();
  for (int round = 0; round < max_rounds; ++round) {
    const std::vector<double> panels = panels_of(centres);
    Assignment& assigned = assign.add_up([&](Assignment& sum) { sum.clear(m); },
                                         [&](Index first, Index rows, int /*worker*/, Assignment& sum) {
                                           for (Index i = first; i < first + rows; ++i) {
                                             const Nearest now = nearest_centre(X.row(i).data(), panels, d);
                                             sum.moved() += now.centre != nearest[i].centre;
                                             sum.inertia() += now.distance2;
                                             ++sum.size(now.centre);
                                             nearest[i] = now;
                                           }
                                         });
    for (Index j = 0; j < m; ++j) sizes[j] = static_cast<Index>(assigned.size(j));
    const double inertia = assigned.inertia();
    const bool refilled = fill_empty(sizes, nearest);
    if (!refilled && assigned.moved() == 0) return;

    Clusters& sums = cluster.add_up([&](Clusters& sum) { sum.clear(m, d); },
                                    [&](Index first, Index rows, int /*worker*/, Clusters& sum) {
                                      for (Index i = first; i < first + rows; ++i) {
                                        double* centre = sum.centre(nearest[i].centre);
                                        for (Index f = 0; f < d; ++f) centre[f] += X(i, f);
                                      }
                                    });
    for (Index j = 0; j < m; ++j)
      for (Index f = 0; f < d; ++f) centres(j, f) = sums.centre(j)[f] / static_cast<double>(sizes[j]);
    if (!refilled && last_inertia - inertia < smallest_gain * last_inertia) return;
    last_inertia = inertia;
  }
}

}  // namespace

Matrix kmeans(const RowMatrix& X, Index m, Workers& workers, const KMeansOptions& options) {
  if (m < 1)
    throw usage_error("the number of inducing inputs is " + std::to_string(m) + "; it must be at least 1");
  if (X.rows() < 1 || X.cols() < 1) throw data_error("k-means needs at least one row and one feature");
  Random random(options.seed);
  const Index count = options.sample > 0 ? options.sample : std::max<Index>(20000, 50 * m);
  const RowMatrix sample = sample_rows(X, count, random);
  bool exhausted = false;
  RowMatrix centres = plus_plus(sample, m, random, workers, exhausted);
  if (!exhausted) lloyd(sample, centres, options.max_rounds, workers);
  // Rows with tiny weights may be this many standard deviations away from the others.
  constexpr double farthest_centre = 1e90;
  return centres.cwiseMin(farthest_centre).cwiseMax(-farthest_centre);
}

}  // namespace induce::detail
