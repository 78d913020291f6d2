// The tensors of a model file (model_format.hpp): those of a table's columns, of a projection and of an explanation are written and
// read here, each next to its counterpart.
//
// Columns. Lists of different lengths are stored one after the other, with their lengths in another tensor.
//   typical_values (R, p)     most_gaps (1)     column_gaps (p)      what missing values may be (table/typical_values.hpp)
//   column_ranges (p, 2)      the smallest and largest value; 0 and 0 in a column without values
// and, unless features are columns (table/encoding.hpp),
//   column_order (p)          level_counts (p), level_features: levels with a feature     repeated_counts (p), repeated_values
// The projection of a model of sparse rows (table/projection.hpp).
//   projection_width (1)      columns of a table
//   projection_columns (u)    those in use, increasing         projection (u, q)     W
// An explanation: the curves of all features one after the other, all but their values class after class.
//   effect_points (p)         points of each curve             effect_values, effect_mean, effect_lower, effect_upper
//   importance (p, 2)         main, total                      effect_missing (p, 3, functions)   mean, lower, upper; 0 in a column
//                                                              without gaps; absent if none has gaps
//   term_shares               of columns, pairs in the kernel's order, and the joint term unless m = 0; may be absent
// and with it, for each pair of the kernel, with the points of both columns (a missing value is the last one)
//   pair_effect.A*B (3, functions, points of A, points of B)      mean, lower, upper
//   pair_values.A*B           of A, then of B, without missing values
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <induce/columns.hpp>
#include <induce/explain.hpp>

#include "kernel/kernel.hpp"
#include "linalg/types.hpp"
#include "model/learned.hpp"
#include "model/safetensors.hpp"
#include "store/column_ranges.hpp"
#include "table/encoding.hpp"
#include "table/projection.hpp"
#include "table/typical_values.hpp"

namespace induce::detail {

using Sizes = std::vector<std::size_t>;  // the shape of a tensor
using Tensors = std::map<std::string, Tensor>;

bool is_index(double x, std::size_t below);  // a whole number
// to += from[first], ...
void append(std::vector<double>& to, const std::vector<double>& from, std::size_t first, std::size_t count);

Tensor list_of(std::vector<double> values);
Tensor tensor_of(const Vector& v);
Tensor tensor_of(const Matrix& A);

// A model file whose tensors are asked for by name and shape. What it lacks, and what is left over, is a data Error
// that names the origin.
class TensorReader {
 public:
  TensorReader(std::string_view bytes, const std::string& origin) : file_(bytes, origin), origin_(origin) {}

  [[noreturn]] void reject(const std::string& why) const;
  const std::string& metadata(const std::string& key) const;
  bool hashed() const { return file_.hashed(); }

  bool has(const std::string& name) const { return file_.tensors().contains(name); }
  const Sizes& shape(const std::string& name) const;
  std::vector<double> numbers(const std::string& name, const Sizes& expected);
  std::vector<double> list(const std::string& name);  // of any length
  double number(const std::string& name) { return numbers(name, {1})[0]; }
  Vector vector(const std::string& name, std::size_t size);
  RowMatrix matrix(const std::string& name, std::size_t rows, std::size_t columns);
  void check_all_read() const;

 private:
  void expect(const std::string& name, const Sizes& expected);

  CheckedTensors file_;
  const std::string& origin_;
  std::set<std::string> read_;
};

void add_columns(const Encoding& encoding, const TypicalValues& typical, const ColumnRanges& ranges,
                 Tensors& out);
TypicalValues read_typical_values(TensorReader& file, std::size_t columns);
ColumnRanges read_ranges(TensorReader& file, std::size_t columns);
// `columns`: their kinds, or empty.
Encoding read_encoding(TensorReader& file, const TypicalValues& typical, const std::vector<Column>& columns);

void add_projection(const Projection& projection, Tensors& out);
std::shared_ptr<const Projection> read_projection(TensorReader& file, std::size_t features);

void add_explanation(const Explanation& explanation, Tensors& out);
// `gaps`: by column; used if there are effects of missing values.
Explanation read_explanation(TensorReader& file, std::size_t columns, std::size_t functions,
                             const std::vector<bool>& gaps);
// Shares and pairs, if the file has them. `joint`: there is a joint term.
void read_terms(TensorReader& file, const Kernel& kernel, bool joint, std::size_t functions,
                const std::vector<bool>& gaps, Explanation& out);

// What a model remembers of what it learned; nothing of a file before version 10.
void add_learned(const Learned& learned, Tensors& out);
Learned read_learned(TensorReader& file, const Names& names, std::size_t columns);

// The knots of terms, by column; and back. `encoding`: of the columns, `columns` of them.
void add_knots(const Terms& terms, Tensors& tensors);
void read_knots(TensorReader& file, const Encoding& encoding, Index columns, KernelSetting& setting);

}  // namespace induce::detail
