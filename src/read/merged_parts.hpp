// What was seen in the parts of a table, merged in their order: lines count from the beginning of a file, and texts have one
// number in all parts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "read/read_part.hpp"

namespace induce {

// A dictionary of all parts, and the number in it of each text of a part.
struct MergedTexts {
  PlacedTexts own;  // unused if there is only one part
  const PlacedTexts* texts = nullptr;
  std::vector<std::vector<std::uint32_t>> number;
};

class MergedParts {
 public:
  // The parts must outlive it.
  MergedParts(const ReadPlan& plan, std::span<const ReadPart* const> parts);

  // Where a place that a part has found is in its file.
  Place place(std::size_t part, Place at) const;
  std::size_t rows() const;

  // Of CSV.
  void merge_features();
  const std::vector<ColumnCells>& cells() const { return cells_; }
  const MergedTexts& feature(std::size_t f) const { return features_[f]; }

  void merge_labels();
  const MergedTexts& labels() const { return labels_; }
  bool more_labels() const;

 private:
  void merge(MergedTexts& to, const std::vector<const TextCounts*>& from) const;

  const ReadPlan& plan_;
  std::span<const ReadPart* const> parts_;
  std::vector<std::uint64_t> line_before_;  // newlines of the first file of a part that are in earlier parts
  std::vector<ColumnCells> cells_;
  std::vector<MergedTexts> features_;
  MergedTexts labels_;
};

}  // namespace induce
