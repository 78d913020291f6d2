// See kmeans.hpp. All the time goes into squared distances of rows to centres. They are summed from
// differences, not from products, as those cancel far from the origin; the centres are stored feature by
// feature in panels, so that the innermost loop runs over neighbouring centres and the compiler makes vector
// instructions of it.
//
// Threads take blocks of rows and write only to their own rows; every sum is made afterwards in the order of
// rows.
#include "train/kmeans.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <induce/error.hpp>

#include "state/random.hpp"
#include "rows/workers.hpp"

namespace induce {
namespace {

constexpr Index block_rows = 512;
constexpr Index panel_width =
    8;  // centres side by side: their sums fit in the registers of any 64-bit machine

template <class Work>
void for_each_block(Index rows, int threads, const Work& work) {
  const Index blocks = (rows + block_rows - 1) / block_rows;
  for_each_part(static_cast<std::size_t>(blocks), threads, [&](std::size_t block) {
    const Index first = static_cast<Index>(block) * block_rows;
    work(first, std::min(rows, first + block_rows));
  });
}

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
// so far. Stops before m when every row coincides with a centre. `exhausted` says whether that is so at the
// end.
RowMatrix plus_plus(const RowMatrix& X, Index m, Random& random, int threads, bool& exhausted) {
  const Index n = X.rows(), d = X.cols();
  std::vector<double> nearest(static_cast<std::size_t>(n), std::numeric_limits<double>::infinity());
  RowMatrix centres(m, d);
  Index chosen = static_cast<Index>(random.below(static_cast<std::uint64_t>(n)));
  for (Index count = 1;; ++count) {
    centres.row(count - 1) = X.row(chosen);
    for_each_block(n, threads, [&](Index first, Index end) {
      for (Index i = first; i < end; ++i)
        nearest[i] = std::min(nearest[i], squared_distance(X.row(i).data(), X.row(chosen).data(), d));
    });
    const double total = std::accumulate(nearest.begin(), nearest.end(), 0.0);
    exhausted = total == 0;
    if (count == m || exhausted) return centres.topRows(count);
    double left = random.uniform() * total;
    for (Index i = 0; i < n; ++i) {
      if (nearest[i] == 0) continue;
      chosen = i;  // the last row with weight, should rounding leave something over
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

// Gives every centre without rows the row that is farthest from its own centre, among those whose centre
// keeps another row. True if there was such a centre.
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

void lloyd(const RowMatrix& X, RowMatrix& centres, const KMeansOptions& options) {
  constexpr double smallest_gain = 1e-4;
  const Index n = X.rows(), m = centres.rows(), d = X.cols();
  std::vector<Nearest> nearest(static_cast<std::size_t>(n), Nearest{-1, 0});
  std::vector<Index> sizes(static_cast<std::size_t>(m));
  std::vector<char> moved(static_cast<std::size_t>(n));
  double last_inertia = std::numeric_limits<double>::infinity();
  for (int round = 0; round < options.max_rounds; ++round) {
    const std::vector<double> panels = panels_of(centres);
    for_each_block(n, options.threads, [&](Index first, Index end) {
      for (Index i = first; i < end; ++i) {
        const Nearest now = nearest_centre(X.row(i).data(), panels, d);
        moved[i] = now.centre != nearest[i].centre;
        nearest[i] = now;
      }
    });
    std::fill(sizes.begin(), sizes.end(), Index{0});
    double inertia = 0;
    for (const Nearest& row : nearest) {
      ++sizes[row.centre];
      inertia += row.distance2;
    }
    const bool refilled = fill_empty(sizes, nearest);
    if (!refilled && std::find(moved.begin(), moved.end(), 1) == moved.end()) return;

    centres.setZero();
    for (Index i = 0; i < n; ++i) centres.row(nearest[i].centre) += X.row(i);
    for (Index j = 0; j < m; ++j) centres.row(j) /= static_cast<double>(sizes[j]);
    if (!refilled && last_inertia - inertia < smallest_gain * last_inertia) return;
    last_inertia = inertia;
  }
}

}  // namespace

Matrix kmeans(const RowMatrix& X, Index m, const KMeansOptions& options) {
  if (m < 1)
    throw usage_error("the number of inducing inputs is " + std::to_string(m) + ", it must be at least 1");
  if (X.rows() < 1 || X.cols() < 1)
    throw data_error("k-means needs a table with at least one row and one feature");
  Random random(options.seed);
  const Index count = options.sample > 0 ? options.sample : std::max<Index>(20000, 50 * m);
  const RowMatrix sample = sample_rows(X, count, random);
  bool exhausted = false;
  RowMatrix centres = plus_plus(sample, m, random, options.threads, exhausted);
  if (!exhausted) lloyd(sample, centres, options);
  // Rows of hardly any weight may be that many deviations of the others away.
  constexpr double farthest_centre = 1e90;
  return centres.cwiseMin(farthest_centre).cwiseMax(-farthest_centre);
}

}  // namespace induce
