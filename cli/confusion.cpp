#include "confusion.hpp"

#include <algorithm>
#include <numeric>

#include <induce/metrics.hpp>

#include "internals.hpp"
#include "text/format.hpp"

namespace induce::cli {
namespace {

constexpr std::size_t kMostClasses = 30;  // of a matrix
constexpr std::size_t kMostPairs = 20, kWidestMatrix = 120, kLongestClass = 24;

using Lines = std::vector<std::vector<std::string>>;

// The first cell of each line to the left, all others to the right.
std::string aligned(const Lines& lines, std::size_t left_columns = 1) {
  std::vector<std::size_t> width(lines.front().size(), 0);
  for (const auto& line : lines)
    for (std::size_t k = 0; k < line.size(); ++k) width[k] = std::max(width[k], letters_in(line[k]));
  std::string text;
  for (const auto& line : lines) {
    std::string row;
    for (std::size_t k = 0; k < line.size(); ++k) {
      const std::string space(width[k] - letters_in(line[k]), ' ');
      row += (k ? "  " : "") + (k < left_columns ? line[k] + space : space + line[k]);
    }
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

// Counts below these column heads, beside these names of rows.
std::string matrix(const std::vector<std::vector<std::size_t>>& counts, const std::vector<std::string>& rows,
                   const std::vector<std::string>& columns) {
  std::size_t digits = 1;  // no column is narrower than another's counts
  for (const auto& row : counts)
    for (const std::size_t count : row) digits = std::max(digits, std::to_string(count).size());
  Lines lines{{"true \\ predicted"}};
  for (const std::string& column : columns) lines[0].push_back(pad_left(column, digits));
  for (std::size_t c = 0; c < rows.size(); ++c) {
    lines.push_back({rows[c]});
    for (const std::size_t count : counts[c])
      lines.back().push_back(count == 0 ? "." : std::to_string(count));
  }
  return aligned(lines);
}

std::size_t width_of(const std::string& text) { return letters_in(text.substr(0, text.find('\n'))); }

std::string most_confused(const Confusion& confusion) {
  struct Pair {
    std::size_t truth, predicted, count;
  };
  const std::size_t classes = confusion.classes.size();
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < classes; ++a)
    for (std::size_t b = 0; b < classes; ++b)
      if (a != b && confusion.counts[a][b] > 0) pairs.push_back({a, b, confusion.counts[a][b]});
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.count > b.count; });
  const std::size_t shown = std::min(kMostPairs, pairs.size());
  if (shown == 0) return "No rows are confused.\n";
  Lines lines{{"true", "predicted", "rows", "of"}};
  for (std::size_t k = 0; k < shown; ++k) {
    const auto& [truth, predicted, count] = pairs[k];
    const std::vector<std::size_t>& row = confusion.counts[truth];
    lines.push_back({shortened(confusion.classes[truth], kLongestClass),
                     shortened(confusion.classes[predicted], kLongestClass), std::to_string(count),
                     std::to_string(std::accumulate(row.begin(), row.end(), std::size_t{0}))});
  }
  return (shown < pairs.size() ? "The " + std::to_string(shown) + " of " + grouped(pairs.size()) +
                                     " pairs of classes that are confused most"
                               : "The pairs of classes that are confused") +
         "; --json has the matrix.\n" + aligned(lines, 2);
}

}  // namespace

Confusion confusion_of(const Model& model, std::span<const int> predicted, std::span<const int> y,
                       std::span<const double> weights) {
  const std::size_t classes = model.classes();
  const std::vector<double> sums = confusion(predicted, y, classes, weights);
  Confusion result{model.names().classes, {}};
  for (std::size_t c = 0; c < classes; ++c) {
    const auto row = sums.begin() + static_cast<std::ptrdiff_t>(c * classes);
    result.counts.emplace_back(row, row + static_cast<std::ptrdiff_t>(classes));
  }
  return result;
}

std::string confusion_text(const Confusion& confusion) {
  const std::size_t classes = confusion.classes.size();
  if (classes > kMostClasses) return most_confused(confusion);
  std::vector<std::string> names, numbers, numbered;
  for (std::size_t c = 0; c < classes; ++c) {
    names.push_back(shortened(confusion.classes[c], kLongestClass));
    numbers.push_back("(" + std::to_string(c + 1) + ")");
    numbered.push_back(numbers[c] + " " + names[c]);
  }
  const std::string with_names = matrix(confusion.counts, names, names);
  return width_of(with_names) <= kWidestMatrix ? with_names : matrix(confusion.counts, numbered, numbers);
}

}  // namespace induce::cli
