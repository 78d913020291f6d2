// See merged_parts.hpp.
#include "read/merged_parts.hpp"

#include <algorithm>

namespace induce {

MergedParts::MergedParts(const ReadPlan& plan, std::span<const ReadPart* const> parts)
    : plan_(plan), parts_(parts), line_before_(parts.size(), 0) {
  for (std::size_t part = 1; part < parts.size(); ++part) {
    const bool same_file = plan.parts[part].front().file == plan.parts[part - 1].back().file;
    if (!same_file || parts[part - 1]->newlines.empty()) continue;
    line_before_[part] =
        parts[part - 1]->newlines.back() + (plan.parts[part - 1].size() == 1 ? line_before_[part - 1] : 0);
  }
}

Place MergedParts::place(std::size_t part, Place at) const {
  if (at.file == plan_.parts[part].front().file) at.line += line_before_[part];
  return at;
}

std::size_t MergedParts::rows() const {
  std::size_t rows = 0;
  for (const ReadPart* part : parts_) rows += part->rows;
  return rows;
}

void MergedParts::merge(MergedTexts& to, const std::vector<const TextCounts*>& from) const {
  if (from.size() == 1) {
    to.texts = &from[0]->texts();
    to.number.emplace_back(from[0]->size());
    for (std::size_t k = 0; k < from[0]->size(); ++k) to.number[0][k] = static_cast<std::uint32_t>(k);
    return;
  }
  for (std::size_t part = 0; part < from.size(); ++part) {
    std::vector<std::uint32_t>& number = to.number.emplace_back();
    for (PlacedTexts::Entry entry : from[part]->entries()) {
      entry.first = place(part, entry.first);
      number.push_back(to.own.add(entry));
    }
  }
  to.texts = &to.own;
}

void MergedParts::merge_features() {
  const std::size_t features = parts_[0]->features.size();
  features_.resize(features);
  for (std::size_t f = 0; f < features; ++f) {
    const auto cells_of = [&](std::size_t part) -> const PartCells& { return parts_[part]->features[f]; };
    std::vector<const TextCounts*> texts;
    CellTotals totals;
    bool many = false;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      totals += cells_of(part).totals;
      texts.push_back(&cells_of(part).texts);
      many = many || cells_of(part).many;
    }
    merge(features_[f], texts);
    cells_.push_back({totals, features_[f].texts, many});
  }
}

void MergedParts::merge_labels() {
  std::vector<const TextCounts*> texts;
  for (const ReadPart* part : parts_) texts.push_back(&part->labels);
  merge(labels_, texts);
}

bool MergedParts::more_labels() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const ReadPart* part) { return part->more_labels; });
}

}  // namespace induce
