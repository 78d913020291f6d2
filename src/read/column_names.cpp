// See column_names.hpp.
#include "read/column_names.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "read/lines.hpp"

namespace induce::detail {

std::optional<std::size_t> position_of(const Fields& fields, std::string_view name) {
  const auto found = std::find(fields.begin(), fields.end(), name);
  if (found == fields.end()) return std::nullopt;
  return static_cast<std::size_t>(found - fields.begin());
}

bool contains(const Fields& fields, std::string_view name) { return position_of(fields, name).has_value(); }

std::optional<long> as_integer(std::string_view text) {
  long value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string list_of(const Fields& names) {
  constexpr std::size_t shown = 10;
  std::string list;
  for (std::size_t i = 0; i < std::min(shown, names.size()); ++i)
    list += (i ? ", " : "") + in_quotes(names[i]);
  if (names.size() > shown) list += ", ... (" + std::to_string(names.size()) + " in total)";
  return list;
}

std::size_t column_at(long index, std::size_t columns, const std::string& what) {
  const long count = static_cast<long>(columns);
  if (index < -count || index >= count)
    throw ParseFault{nullptr,
                     "the " + what + " column " + std::to_string(index) + " does not exist: the table has " +
                         std::to_string(columns) + " columns, so the index must be from " +
                         std::to_string(-count) + " to " + std::to_string(count - 1),
                     Fault::usage};
  return static_cast<std::size_t>(index < 0 ? index + count : index);
}

void refuse_equal_names(const Fields& header, const std::vector<bool>& taken) {
  std::unordered_set<std::string_view> names;
  for (std::size_t column = 0; column < header.size(); ++column)
    if (!header[column].empty() && !taken[column] && !names.insert(header[column]).second)
      throw ParseFault{nullptr,
                       "two columns are called " + in_quotes(header[column]) + "; names must differ"};
}

void refuse_name(const std::string& name, const Fields& header, const std::string& what) {
  throw ParseFault{nullptr,
                   (what.empty() ? "" : what + ": ") + "there is no column named " + in_quotes(name) +
                       (header.empty() ? ": the file has no header" : "; the columns are " + list_of(header)),
                   Fault::usage};
}

std::vector<std::size_t> columns_of(const Fields& given, const Fields& header, std::size_t columns,
                                    const std::string& what) {
  std::vector<std::size_t> found;
  for (const std::string& name : given) {
    if (const auto column = position_of(header, name)) {
      found.push_back(*column);
    } else if (const auto index = as_integer(name)) {
      found.push_back(column_at(*index, columns, what));
    } else {
      refuse_name(name, header, what);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace induce::detail
