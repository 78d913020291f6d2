// Dates as tables have them.
#pragma once

#include <string_view>

namespace induce::detail {

// What comes first in a date that does not begin with its year.
enum class DateOrder { day_first, month_first };

// Parses a whole token to days since 1970-01-01 00:00 UTC; a time without a zone counts as UTC. With the year first, as in
// ISO 8601: 2023-01-05, 2023/1/5, 2023-01-05 10:30, 2023-01-05T10:30:00.5Z, 2023-01-05T10:30+02:00. With the year last: 31.01.2023
// (always day first), 1/31/2023, 31-01-2023 9:30 PM. False if it is not a date that exists.
bool is_date(std::string_view token, DateOrder order, double& days);

// The same for those with the year first.
bool is_date(std::string_view token, double& days);

}  // namespace induce::detail
