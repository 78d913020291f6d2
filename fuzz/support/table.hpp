// Properties of the data readers: an Error or a valid table. Used for both formats. The first byte of an input selects
// the read options, so that one corpus covers all of them.
#pragma once

#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <induce/error.hpp>

#include "io/read.hpp"
#include "support/require.hpp"

namespace induce::fuzz {

inline void check(const Dataset& data, const ReadOptions& options) {
  const auto n = static_cast<std::size_t>(data.X.rows()), d = static_cast<std::size_t>(data.X.cols());
  require(n > 0 && d > 0, "the table has rows and features");
  require(data.X.allFinite(), "features are finite");
  require(data.y.size() == n || (data.y.empty() && (!options.labels_required || options.ignore_labels)),
          "every row has a label");
  const std::vector<std::string>& classes = data.names.classes;
  for (const int y : data.y)
    require(y >= 0 && static_cast<std::size_t>(y) < classes.size(), "labels are indices of classes");
  require(classes.size() >= 2, "there are two classes");
  require(std::set<std::string>(classes.begin(), classes.end()).size() == classes.size(),
          "classes have different names");
  require(data.weights.empty() || data.weights.size() == n, "every row has a weight");
  for (const double weight : data.weights)
    require(weight >= 0 && std::isfinite(weight), "weights are finite and not negative");
  require(data.names.features.empty() || data.names.features.size() == d, "every feature has a name");
  require(options.expected_count() == 0 || d == options.expected_count(),
          "the number of features is the expected one");
}

inline void read_table(std::string_view text, ReadOptions options) {
  options.threads = 1;
  try {
    check(parse_dataset(text, "input", options), options);
  } catch (const Error&) {
  }
}

}  // namespace induce::fuzz
