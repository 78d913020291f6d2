// The values of an effect as people write them: numbers, dates, or the names of levels.
#pragma once

#include <string>
#include <vector>

#include <induce/explain.hpp>
#include <induce/model.hpp>

namespace induce::cli {

inline constexpr const char* kOtherLevels = "(other)";
inline constexpr const char* kMissingValue = "(missing)";

bool has_levels(const Names& names, std::size_t feature);

// One for each of effect.values; numbers with `digits` significant digits, 0: all of them.
std::vector<std::string> value_texts(const Effect& effect, const Names& names, int digits = 0);

// "2023-01-05" or, with a time of day, "2023-01-05 10:30:00".
std::string date_text(double days);

}  // namespace induce::cli
