// Which column of a table with a header is the label, if nobody says so: the only one called label, target, class, y or
// outcome. Anything else is an error that lists the columns that could be it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace induce::detail {

struct CsvLayout;

// In any case.
bool is_usual_label_name(std::string_view name);

// The only one of `columns` with a usual name.
std::optional<std::size_t> usual_label(const CsvLayout& layout, const std::vector<std::size_t>& columns);

// `rows`: the beginning of the text after the header; `command`: that of the user, to be completed.
[[noreturn]] void ask_for_label(const CsvLayout& layout, const std::vector<std::size_t>& columns,
                                std::string_view rows, const std::string& command);

}  // namespace induce::detail
