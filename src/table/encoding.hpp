// From the columns of a table (induce/columns.hpp) to the features of a kernel.
//
// A number is one feature, its value. All else becomes features that are 0 or 1:
//   category, boolean    one for each frequent level, one for all others, also those never seen, and, if the column has
//                        gaps, one for a missing value
//   number with gaps     one that is 1 where the number is missing; the value is then the mean
//   number that is one   one for each repeated value: amounts that are mostly 0 often have values that mean something
//   value in most rows   of their own, which no smooth function of the amount can say
// Two different levels are at the squared distance 2, like two typical values of a standardised number. Features of one
// column and kind are a group: they share a length-scale.
//
// Columns are encoded in the order of their names and levels in bytewise order, so the order of columns in a file does
// not matter.
#pragma once

#include <string>
#include <vector>

#include <induce/model.hpp>

#include "linalg/types.hpp"
#include "machine/workers.hpp"

namespace induce::detail {

// What a column becomes.
struct ColumnCode {
  bool is_number = true;
  bool gaps = false;               // a feature says where a value is missing
  Index level_count = 0;           // of a category
  std::vector<Index> levels{};     // those with a feature of their own, increasing
  std::vector<double> repeated{};  // values of a number with a feature of their own, increasing

  bool is_plain() const { return is_number && !gaps && repeated.empty(); }
  bool operator==(const ColumnCode&) const = default;
};

class Encoding {
 public:
  struct Group {
    enum class Part { value, levels, missing };
    Index column;
    Part part;
  };

  Encoding() = default;  // every column is a number without gaps: features are columns
  // One code per column; `order` has every column once.
  Encoding(std::vector<ColumnCode> codes, std::vector<Index> order);
  // Looks at all rows, in any order. Plain if all columns turn out to be. `more_gaps`: columns with missing values in
  // rows that are not in the table; empty: none.
  static Encoding find(TableView table, const Names& names, Workers& workers,
                       const std::vector<char>& more_gaps = {});

  bool is_plain() const { return codes_.empty(); }
  // The rest is for an encoding that is not plain.
  Index columns() const { return static_cast<Index>(codes_.size()); }
  Index features() const { return static_cast<Index>(group_of_.size()); }
  const std::vector<ColumnCode>& codes() const { return codes_; }
  const std::vector<Index>& order() const { return order_; }        // in which columns are encoded
  const std::vector<Index>& group_of() const { return group_of_; }  // of each feature
  const std::vector<Group>& groups() const { return groups_; }
  Index column_of(Index feature) const { return groups_[group_of_[feature]].column; }
  // The features of a column, one after the other: first, count.
  std::pair<Index, Index> features_of(Index column) const {
    return {places_[column].first, places_[column].count};
  }
  Index value_of(Index column) const { return places_[column].value; }      // its feature; -1: not a number
  Index missing_of(Index column) const { return places_[column].missing; }  // -1: none
  Index other_of(Index column) const {
    return places_[column].other;
  }  // of levels without a feature; -1: a number

  // x: rows x columns, out: rows x features, row-major. The value of a missing number is NaN.
  void apply(const double* x, Index rows, double* out) const;

  // "age", "age (missing)", "capital_gain (values)"; columns without a name are numbered from 1.
  std::string name_of_group(Index group, const std::vector<std::string>& names) const;
  // "age", "age (missing)", "workclass=Private", "workclass=(other)", "capital_gain=15024"
  std::vector<std::string> names_of_features(const Names& names) const;

 private:
  // The features of a column. `levels` is the first of code.levels or code.repeated.
  struct Place {
    Index first = 0, count = 0, value = -1, levels = -1, other = -1, missing = -1;
    std::vector<Index> feature_of_level;  // by level; empty for a number
  };
  void encode_column(Index column, double x, double* out) const;

  std::vector<ColumnCode> codes_;
  std::vector<Index> order_;
  std::vector<Place> places_;  // by column
  std::vector<Index> group_of_;
  std::vector<Group> groups_;
};

}  // namespace induce::detail
