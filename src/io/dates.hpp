// Dates in the forms of ISO 8601 that tables have.
#pragma once

#include <string_view>

namespace induce {

// Parses a whole token such as 2023-01-05, 2023-01-05 10:30, 2023-01-05T10:30:00.5Z or 2023-01-05T10:30+02:00 to days
// since 1970-01-01 00:00 UTC; a time without a zone counts as UTC. False if it is not a date that exists.
bool is_date(std::string_view token, double& days);
bool is_date(std::string_view token);

}  // namespace induce
