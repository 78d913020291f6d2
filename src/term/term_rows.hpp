// Sums over rows of products of the entries of h (terms.hpp), and such products with matrices.
//
// A row has z_p entries of term p: those of a table are gathered and scattered pair by pair of terms, all rows of a block for
// one pair, so that its table stays in the nearest cache.
#pragma once

#include <cstdint>
#include <vector>

#include "rows/row_source.hpp"
#include "term/terms.hpp"

namespace induce::detail {

// The entries of a block of rows.
class TermRows {
 public:
  // Allocates only if there are more rows or terms than before.
  void reserve(const Terms& terms, Index rows);
  void load(const Terms& terms, const RowBlock& rows);

  // b += sum_i t_i h_i
  void add_vector(const double* t, double* b) const;
  // out_i += h_i'beta
  void add_products(const double* beta, double* out) const;
  // A += sum_i w_i v_i h_i'; A is m x values, V m x rows.
  void add_columns(const double* V, Index m, const double* w, double* A) const;
  // out_i = Y h_i; Y is m x values.
  void combine_columns(const double* Y, Index m, double* out) const;
  // tables += sum_i w_i h_i h_i'
  void add_tables(const double* w, double* tables) const;
  // out_i += h_i'S h_i, S in tables.
  void add_quadratic(const double* tables, double* out) const;

 private:
  const std::int32_t* entry(Index p) const { return entry_.data() + p * rows_; }
  const double* share(Index p) const { return share_.data() + 4 * p * rows_; }

  const Terms* terms_ = nullptr;
  Index rows_ = 0;
  std::vector<std::int32_t> entry_;  // terms x rows: the first entry in the term
  std::vector<double> share_;        // terms x rows x 4: of its entries
};

}  // namespace induce::detail
