// Sums over rows of products of the entries of h (terms.hpp), and such products with matrices.
//
// Most of the work are the tables: z_p z_q products for each row and pair of terms, at places that rows choose. All tables
// together are larger than any cache, so a row must not visit them one after the other. A chunk of rows is loaded, and
// ordered by entry for each term p. In this order rows need the same few lines of the table of p and q, which stay in the
// nearest cache, and a chunk passes over a table once. The order of the sums depends on the chunk alone.
#pragma once

#include <cstdint>
#include <vector>

#include "rows/row_source.hpp"
#include "term/terms.hpp"

namespace induce::detail {

// The entries of a chunk of rows.
class TermRows {
 public:
  // Rows of a chunk, at most: more rows share the way over a table, and fewer are closer to the second cache.
  static constexpr Index most_rows = 16384;

  // Allocates only if there are more rows or terms than before.
  void reserve(const Terms& terms, Index rows);
  // From row `at` of the chunk on; the chunk ends there.
  void load(const Terms& terms, const RowBlock& rows, Index at = 0);
  Index rows() const { return rows_; }

  // For `rows` rows of the chunk from `first` on, whose numbers begin with the arguments.
  // b += sum_i t_i h_i
  void add_vector(Index first, Index rows, const double* t, double* b) const;
  // out_i += h_i'beta
  void add_products(Index first, Index rows, const double* beta, double* out) const;
  // A += sum_i w_i v_i h_i'; A is m x values, V m x rows.
  void add_columns(Index first, Index rows, const double* V, Index m, const double* w, double* A) const;
  // out_i = Y h_i; Y is m x values.
  void combine_columns(Index first, Index rows, const double* Y, Index m, double* out) const;

  // For all rows of the chunk.
  void order();  // before the others
  // tables += sum_i w_i h_i h_i'
  void add_tables(const double* w, double* tables);
  // out_i = h_i'S h_i, S in tables.
  void set_quadratic(const double* tables, double* out);

 private:
  const std::int32_t* entry(Index p) const { return entry_.data() + p * capacity_; }
  const double* share(Index p) const { return share_.data() + 2 * p * capacity_; }
  const std::int32_t* ordered(Index p) const { return order_.data() + p * capacity_; }

  const Terms* terms_ = nullptr;
  Index rows_ = 0, capacity_ = 0;
  std::vector<std::int32_t> entry_;   // terms x rows: the first entry in the term
  std::vector<double> share_;         // terms x rows x 2: of the second entry of each axis
  std::vector<std::int32_t> order_;   // terms x rows: by entry
  std::vector<std::int32_t> count_;   // of the rows of an entry
  std::vector<double> factor_, sum_;  // of rows in an order: rows x 4, rows
};

}  // namespace induce::detail
