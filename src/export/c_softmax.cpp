// Many classes: likelihood/softmax.cpp in C, for one row at a time, with the same nodes and the same table, because the table's own
// error (up to 1e-9) would otherwise show as a difference. The table is cut to what the model can need: the deviations of
// its latent functions are at most those of the prior, s_c <= scale_c sqrt(k(x, x)).
#include "export/c_source.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "export/c_text.hpp"
#include "text/compose.hpp"
#include "likelihood/softmax_interpolation.hpp"
#include "likelihood/softmax_table.hpp"

namespace induce::detail::c_source {
namespace {

constexpr std::string_view types = R"(
/* p_c = E softmax_c(f) for independent f_c ~ N(m_c, s_c^2), as the integral over u of
   exp(-sum_k H(u + m_k, s_k)) dH/du(u + m_c, s_c), where H(a, s) = -log E exp(-exp(a + s eps)), eps ~ N(0, 1).
   log H is interpolated in a table: rows are s, columns a. Nodes come in chunks of 16, from right to left. */
typedef struct {
  int first_row, first_column, columns, finest, eta, ends;
  double delta, rows_per_t, scale;
} induce_softmax_level;

typedef struct {
  double m, s, row, left, scale, H, lambda, q, p;
  int level, first_row, column, start;
  double row_weights[6], weights[14], slopes[14], eta[32], rate[16];
} induce_softmax_class;

#define INDUCE_NEVER 2000000000
)";

constexpr std::string_view interpolation = R"(
static inline double induce_row_of(const induce_softmax_level *level, double s) {
  const double t = level->finest ? s / sqrt(1.0 + 0.1 * s * s) : s * level->scale;
  return t * level->rows_per_t - level->first_row;
}

static inline double induce_between(const double *edges, double row) {
  const double below = floor(row);
  const int i = (int)below;
  return edges[i] + (row - below) * (edges[i + 1] - edges[i]);
}

static inline double induce_left_edge(const induce_softmax_level *level) {
  return (level->first_column + 14) * level->delta;
}

/* Weights of n points in Lagrange's formula, f after the point n/2 - 1, and their slopes times `scale`. */
static inline void induce_weights(const double *coefficients, int n, double f, double scale, double *value,
                                  double *slope) {
  int i, k;
  for (i = 0; i < n; ++i) {
    double v = coefficients[(n - 1) * n + i], d = 0.0;
    for (k = n - 2; k >= 0; --k) {
      d = d * f + v;
      v = v * f + coefficients[k * n + i];
    }
    value[i] = v;
    if (slope) slope[i] = d * scale;
  }
}

static inline void induce_combine_rows(const induce_softmax_level *level, const induce_softmax_class *k, int column, int count,
                                       double *out) {
  const double *in = induce_eta + level->eta + k->first_row * level->columns + (column - level->first_column);
  int i, r;
  for (i = 0; i < count; ++i) {
    out[i] = 0.0;
    for (r = 0; r < 6; ++r) out[i] += k->row_weights[r] * in[i + r * level->columns];
  }
}

static inline int induce_half(int x) { return x >= 0 ? x / 2 : -((1 - x) / 2); }

/* Where the grid of steps 2^i h must begin, and its size, for 32 columns of steps h. */
static inline int induce_first(int column, int i) {
  for (; i > 0; --i) column = induce_half(column) - 6;
  return column;
}
static inline int induce_size(int i) {
  int n = 32;
  for (; i > 0; --i) n = n / 2 + 14;
  return n;
}

/* 32 columns in steps of h from a level whose steps are 2^halvings h, by interpolation halfway between columns. */
static inline void induce_refine(const induce_softmax_level *level, const induce_softmax_class *k, int halvings, int column,
                                 double *out) {
  double coarse[46], fine[46], w[14];
  int i, j;
  induce_weights(induce_lagrange14, 14, 0.5, 0.0, w, 0);
  induce_combine_rows(level, k, induce_first(column, halvings), induce_size(halvings), fine);
  for (; halvings > 0; --halvings) {
    const int first = induce_first(column, halvings - 1), odd = first - 2 * induce_half(first);
    const int n = induce_size(halvings - 1);
    for (i = 0; i < induce_size(halvings); ++i) coarse[i] = fine[i];
    for (i = odd; 2 * i - odd < n; ++i) fine[2 * i - odd] = coarse[i + 6];
    for (i = 0; 2 * i + 1 - odd < n; ++i) {
      double sum = 0.0;
      for (j = 0; j < 14; ++j) sum += w[j] * coarse[i + j];
      fine[2 * i + 1 - odd] = sum;
    }
  }
  for (i = 0; i < 32; ++i) out[i] = fine[i];
}
)";

constexpr std::string_view places = R"(
static inline int induce_whole_chunks(int count) { return (count + 15) / 16 * 16; }

/* The table's rows and columns for a class, and where it starts. */
static inline void induce_place(int grid_level, double h, int end, induce_softmax_class *k) {
  const induce_softmax_level *level;
  double row, x, column;
  int i;
  if (k->level == 1 && grid_level == 0) {
    k->level = 0;
    k->row = induce_row_of(&induce_levels[0], k->s);
  }
  level = &induce_levels[k->level];
  row = floor(k->row);
  induce_weights(induce_lagrange6, 6, k->row - row, 0.0, k->row_weights, 0);
  k->first_row = (int)row - 2;
  if (k->start != INDUCE_NEVER) {
    int beyond;
    k->start = end - induce_whole_chunks(end - (int)ceil((k->left - k->m) * (1.0 / h)));
    beyond = (int)ceil((induce_left_edge(level) - k->m) * (1.0 / h)) - k->start;
    k->start += induce_whole_chunks(beyond > 0 ? beyond : 0);
  }
  if (k->start >= end) { /* only a geometric series: a line through two columns */
    const double lowest = level->first_column;
    double eta[2], slope;
    column = floor(k->left / level->delta);
    if (column < lowest) column = lowest;
    induce_combine_rows(level, k, (int)column, 2, eta);
    if (level->finest) {
      eta[0] = log(eta[0]) + 0.5 * column * level->delta;
      eta[1] = log(eta[1]) + 0.5 * (column + 1.0) * level->delta;
    }
    slope = (eta[1] - eta[0]) / level->delta;
    k->H = exp(eta[0] + slope * (end * h + k->m - column * level->delta));
    k->lambda = slope * k->H;
    k->q = exp(-slope * h);
    return;
  }
  x = k->m * (1.0 / h);
  column = floor(x);
  induce_weights(induce_lagrange14, 14, x - column, 1.0 / h, k->weights, k->slopes);
  k->column = (int)column - 6;
  if (grid_level == 0) {
    for (i = 0; i < 14; ++i) k->slopes[i] += 0.5 * k->weights[i];
    k->scale = exp(0.5 * (k->level > 0 ? k->m - k->column * h : k->m + end * h));
  }
}

/* Adds H and dH/du of a class at the nodes first .. first + 15. */
static inline void induce_add_class(int grid_level, double h, int end, int first, induce_softmax_class *k, double *S) {
  const induce_softmax_level *level = &induce_levels[k->level];
  int i, j;
  if (first >= k->start) {
    double H[16];
    if (k->level != grid_level) {
      induce_refine(level, k, k->level - grid_level, first + k->column, k->eta);
      if (grid_level == 0)
        for (i = 0; i < 32; ++i) k->eta[i] = exp(k->eta[i] - 0.5 * h * i);
    } else {
      if (first + 16 < end)
        for (i = 0; i < 16; ++i) k->eta[i + 16] = k->eta[i];
      induce_combine_rows(level, k, first + k->column, first + 16 < end ? 16 : 32, k->eta);
      k->scale *= 0.049787068367863944; /* exp(-3): half of 16 steps of .375; unused at other levels */
    }
    for (j = 0; j < 16; ++j) {
      double value = 0.0, slope = 0.0;
      for (i = 0; i < 14; ++i) {
        value += k->weights[i] * k->eta[j + i];
        slope += k->slopes[i] * k->eta[j + i];
      }
      if (grid_level == 0) {
        const double growth = k->scale * induce_growth[j];
        H[j] = growth * value;
        k->rate[j] = growth * slope;
      } else {
        H[j] = exp(value);
        k->rate[j] = H[j] * slope;
      }
      S[j] += H[j];
    }
    k->H = H[0];
    k->q = H[0] / H[1];
    k->lambda = k->rate[0];
    return;
  }
  if (first + 16 == k->start || first + 16 == end) {
    k->eta[15] = k->q;
    for (i = 14; i >= 0; --i) k->eta[i] = k->eta[i + 1] * k->q;
  }
  for (j = 0; j < 16; ++j) {
    S[j] += k->H * k->eta[j];
    k->rate[j] = k->lambda * k->eta[j];
  }
  k->H *= k->eta[0];
  k->lambda = k->rate[0];
}
)";

constexpr std::string_view sums = R"(
static inline double induce_geometric(double q) { return q / (1.0 - q); }

static inline void induce_probabilities(const double *mean, const double *variance, double *p) {
  induce_softmax_class classes[INDUCE_CLASSES];
  const double unit = 0.375 * 4096.0;
  double top = mean[0], reference, right_end = 1e300, left_end = 1e300, four[4] = {1e300, 1e300, 1e300, 1e300};
  double equal = 0.0, lower, h, S[16], Pi[16], q, sum = 0.0;
  int level = @LAST_LEVEL@, c, i, j, first, last, end;
  for (c = 1; c < INDUCE_CLASSES; ++c)
    if (mean[c] > top) top = mean[c];
  reference = fabs(top) < 1e12 ? unit * floor(top / unit + 0.5) : top;
  for (c = 0; c < INDUCE_CLASSES; ++c) {
    induce_softmax_class *k = &classes[c];
    const induce_softmax_level *of;
    double other;
    k->m = induce_clamp(mean[c] - reference, 1e9);
    k->s = sqrt(variance[c]);
    if (k->s > @LARGEST_S@) k->s = @LARGEST_S@;
    k->level = 0;
    while (k->level < 12 && k->s >= 2.5 * (double)(1 << k->level)) ++k->level;
    of = &induce_levels[k->level];
    k->row = induce_row_of(of, k->s);
    k->p = 0.0;
    k->left = induce_between(induce_left + of->ends, k->row);
    if (k->left - k->m < left_end) left_end = k->left - k->m;
    other = induce_between(induce_right + of->ends, k->row) - k->m;
    if (other < right_end) right_end = other;
    other = induce_between(induce_right_of_four + of->ends, k->row) - k->m;
    for (i = 0; i < 4; ++i) /* sorted */
      if (other < four[i]) {
        const double larger = four[i];
        four[i] = other;
        other = larger;
      }
  }
  if (four[3] < right_end) right_end = four[3];

  for (c = 0; c < INDUCE_CLASSES; ++c) equal += exp(left_end - (classes[c].left - classes[c].m));
  lower = 0.75 * log(equal);
  for (c = 0; c < INDUCE_CLASSES; ++c) {
    induce_softmax_class *k = &classes[c];
    k->left -= lower;
    k->start = right_end + k->m < induce_left_edge(&induce_levels[k->level]) ? INDUCE_NEVER : 0;
    if (k->start == 0 && k->level < level) level = k->level;
  }
  if (level > 0) { /* the largest with h^2 sum 1/s^2 <= .64 */
    double precision = 0.0;
    int most;
    for (c = 0; c < INDUCE_CLASSES; ++c)
      if (classes[c].start == 0) precision += 1.0 / (classes[c].s * classes[c].s);
    most = (int)floor(log(0.8 / sqrt(precision) / 0.375) / 0.69314718055994531);
    if (most < level) level = most > 0 ? most : 0;
  }
  h = 0.375 * (double)(1 << level);
  end = (int)ceil(right_end / h) + 1;
  last = (int)floor((left_end - lower) / h);
  last = end - induce_whole_chunks(end - last);
  for (c = 0; c < INDUCE_CLASSES; ++c) induce_place(level, h, end, &classes[c]);

  first = end;
  do {
    first -= 16;
    for (j = 0; j < 16; ++j) S[j] = 0.0;
    for (c = 0; c < INDUCE_CLASSES; ++c) induce_add_class(level, h, end, first, &classes[c], S);
    for (j = 0; j < 16; ++j) Pi[j] = exp(-S[j]);
    for (c = 0; c < INDUCE_CLASSES; ++c)
      for (j = 0; j < 16; ++j) classes[c].p += Pi[j] * classes[c].rate[j];
  } while (first > last);

  q = S[0] / S[1]; /* the nodes on the left: geometric series */
  for (c = 0; c < INDUCE_CLASSES; ++c) {
    const induce_softmax_class *k = &classes[c];
    p[c] = k->p + k->lambda * (induce_geometric(k->q) - S[0] * induce_geometric(k->q * q));
    sum += p[c];
  }
  for (c = 0; c < INDUCE_CLASSES; ++c) p[c] *= 1.0 / sum;
}
)";

double largest_deviation(const PlainModel& model) {
  double scale = 0;
  for (const PlainModel::Function& function : model.functions) scale = std::max(scale, function.scale);
  // Rounding may put a variance above the prior's.
  return std::min(scale * std::sqrt(model.largest_variance) * (1 + 1e-9), softmax::largest_s * (1 - 1e-9));
}

// Rows of a level that are read for s up to `largest`.
Index rows_needed(const softmax::Level& level, double largest) {
  const Index rows = static_cast<Index>(level.right.size());
  return std::min(rows, static_cast<Index>(std::floor(level.row_of(largest))) + softmax::row_points / 2 + 1);
}

template <std::size_t n>
std::string lagrange_array(const std::string& name) {
  std::vector<double> coefficients;
  for (const auto& row : softmax::lagrange<n>)
    coefficients.insert(coefficients.end(), row.begin(), row.end());
  return array(name, coefficients, "");
}

// The growth of e^(a/2) from the first node of a chunk.
std::vector<double> growth_in_chunk() {
  std::vector<double> growth;
  for (Index j = 0; j < softmax::chunk; ++j)
    growth.push_back(std::exp(0.5 * softmax::node_step * static_cast<double>(j)));
  return growth;
}

std::string table_of(double largest) {
  std::vector<double> eta, right, four, left;
  std::string levels;
  const Index last = softmax::level_of(largest);
  for (Index l = 0; l <= last; ++l) {
    const softmax::Level& level = softmax::table().level[static_cast<std::size_t>(l)];
    const Index rows = rows_needed(level, largest);
    levels += (l > 0 ? ",\n  " : "\n  ") + std::string("{") + std::to_string(level.first_row) + ", " +
              std::to_string(level.first_column) + ", " + std::to_string(level.columns) + ", " +
              (level.finest ? "1" : "0") + ", " + std::to_string(eta.size()) + ", " +
              std::to_string(left.size()) + ", " + number(level.delta) + ", " + number(level.rows_per_t) +
              ", " + number(level.scale) + "}";
    // Far left, where nothing is read, H is 0 and C has no word for its logarithm.
    for (Index i = 0; i < rows * level.columns; ++i)
      eta.push_back(std::max(level.eta[static_cast<std::size_t>(i)], -1e6));
    right.insert(right.end(), level.right.begin(), level.right.begin() + rows);
    four.insert(four.end(), level.right_of_four.begin(), level.right_of_four.begin() + rows);
    left.insert(left.end(), level.left.begin(), level.left.begin() + rows);
  }
  return "static const induce_softmax_level induce_levels[" + std::to_string(last + 1) + "] = {" + levels +
         "};\n" + array("induce_right", right, "") + array("induce_right_of_four", four, "") +
         array("induce_left", left, "") + array("induce_growth", growth_in_chunk(), "") +
         lagrange_array<softmax::row_points>("induce_lagrange6") +
         lagrange_array<softmax::column_points>("induce_lagrange14") + array("induce_eta", eta, "");
}

}  // namespace

std::string softmax_probabilities(const PlainModel& model) {
  const double largest = largest_deviation(model);
  std::string text(types);
  text += table_of(largest);
  text += interpolation;
  text += places;
  text += filled(
      sums, {{"LAST_LEVEL", std::to_string(softmax::level_of(largest))}, {"LARGEST_S", number(largest)}});
  return text;
}

}  // namespace induce::detail::c_source
