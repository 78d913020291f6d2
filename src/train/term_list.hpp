// The terms of a kernel by their columns, with the knots of each: what grows from stage to stage (grow_terms.hpp).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel/kernel.hpp"
#include "state/archive.hpp"
#include "table/feature_map.hpp"

namespace induce::detail {

struct TermList {
  TermList() = default;
  // As the name of a kernel asks for it: "mains" and "pairs" without a list are found during the fit.
  TermList(std::string_view kernel, Index columns);

  std::string joint;  // the rest of the kernel's name
  bool find_mains = false, find_pairs = false;
  std::vector<Index> mains;                          // increasing
  std::vector<std::pair<Index, Index>> pairs;        // increasing
  std::vector<Index> knots, pair_knots;              // of each column, at most; 0: no term has it, or not yet
  std::vector<Index> named_knots, named_pair_knots;  // those that the name fixes; 0: they grow

  bool empty() const { return mains.empty() && pairs.empty(); }
  bool has_main(Index column) const;
  bool has_pair(Index first, Index second) const;
  bool in_pair(Index column) const;
  // Whether terms of so many columns are found, not named.
  bool was_found(const std::vector<Index>& columns) const {
    return columns.size() == 1 ? find_mains : find_pairs;
  }
  void erase(const std::vector<Index>& columns);  // the term of these
  std::string name() const;                       // of the kernel with these terms
  // Those whose columns vary in the rows that the axes were made of.
  TermList varied(const KernelSetting& setting) const;
  void archive(Archive& a);

 private:
  void take(NamedTerms named);
};

// The axis of a column, from rows in the units of the map; 0 knots: without any.
Axis make_axis(const FeatureMap& map, Index column, const RowMatrix& X, const Vector& weight, Index knots);
// Those of all columns for this list.
void place_axes(const TermList& list, const FeatureMap& map, const RowMatrix& X, const Vector& weight,
                KernelSetting& setting);
// For checkpoints, of the columns in the list.
void archive_axes(Archive a, const TermList& list, const FeatureMap& map, KernelSetting& setting);

// The parameters that two kernels share. Those of a term are shared if both have a term of the same columns.
void carry_over(const Kernel& from, const Vector& theta, const Kernel& to, Vector& theta_to);

}  // namespace induce::detail
