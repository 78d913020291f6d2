// Columns of a table as users give them: by name in the header or by 0-based index, negative from the end. A name takes
// precedence over an index.
//
// The label, if nobody names it, is the only column called label, target, class, y or outcome, in any case. Anything else is
// an error that lists the columns that could be it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace induce::detail {

struct CsvLayout;

using Fields = std::vector<std::string>;

std::optional<std::size_t> position_of(const Fields& fields, std::string_view name);
std::optional<long> as_integer(std::string_view text);

// 'a', 'b', 'c', at most ten of them.
std::string list_of(const Fields& names);

// The column at an index. Throws a usage ParseFault if there is none. `what`: its use, such as "label".
std::size_t column_at(long index, std::size_t columns, const std::string& what);

// The given columns, ascending. Throws a usage ParseFault if one does not exist; `what` as above. Without knowing whether
// there is a header (nullptr), only columns that are given by index.
std::vector<std::size_t> columns_of(const Fields& given, const Fields* header, std::size_t columns,
                                    const std::string& what);

// Throws a ParseFault if two columns have the same name, except those that are `taken` or have none.
void refuse_equal_names(const Fields& header, const std::vector<bool>& taken);

[[noreturn]] void refuse_name(const std::string& name, const Fields& header, const std::string& what = "");

bool is_usual_label_name(std::string_view name);

// The only one of `columns` with a usual name.
std::optional<std::size_t> usual_label(const Fields& header, const std::vector<std::size_t>& columns);

// `rows`: the beginning of the text after the header; `command`: that of the user, to be completed.
[[noreturn]] void ask_for_label(const CsvLayout& layout, const std::vector<std::size_t>& columns,
                                std::string_view rows, const std::string& command);

}  // namespace induce::detail
