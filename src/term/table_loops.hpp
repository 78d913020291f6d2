// The innermost loops over tables of two terms (term_rows.hpp).
#pragma once

#include <cstdint>

#include "linalg/types.hpp"

namespace induce::detail {

// Rows in the order of the entries of p.
struct OrderedRows {
  Index rows;
  const std::int32_t* order;
  const std::int32_t* entry;  // of p; by row
  const double* factor;       // of the entries of p: 4 for each place in the order
  Index row;                  // from the first two entries of p to the last two
  bool pair;
};

// The other term.
struct TableColumns {
  const std::int32_t* entry;  // by row
  const double* share;        // 2 for each row
  Index row, size;
  bool pair;
};

// table(e, f) += factor_e h_f, size_p x size_q, row-major
void add_table(const OrderedRows& p, const TableColumns& q, double* table);
// sum_k += scale factor'table h
void add_quadratic(const OrderedRows& p, const TableColumns& q, double scale, const double* table,
                   double* sum);

}  // namespace induce::detail
