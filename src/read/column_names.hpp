// Columns of a table as users give them: by name in the header or by 0-based index, negative from the end. A name takes
// precedence over an index.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace induce::detail {

using Fields = std::vector<std::string>;

std::optional<std::size_t> position_of(const Fields& fields, std::string_view name);
bool contains(const Fields& fields, std::string_view name);
std::optional<long> as_integer(std::string_view text);

// 'a', 'b', 'c', at most ten of them.
std::string list_of(const Fields& names);

// The column at an index. Throws a usage ParseFault if there is none. `what`: its use, such as "label".
std::size_t column_at(long index, std::size_t columns, const std::string& what);

// The given columns, ascending. Throws a usage ParseFault if one does not exist; `what` as above.
std::vector<std::size_t> columns_of(const Fields& given, const Fields& header, std::size_t columns,
                                    const std::string& what);

// Throws a ParseFault if two columns have the same name, except those that are `taken` or have none.
void refuse_equal_names(const Fields& header, const std::vector<bool>& taken);

[[noreturn]] void refuse_name(const std::string& name, const Fields& header, const std::string& what = "");

}  // namespace induce::detail
