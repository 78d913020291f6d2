// See model_text.hpp.
#include "model/model_text.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <induce/error.hpp>

#include "text/words.hpp"
#include "model/json_lists.hpp"
#include "model/strict_json.hpp"

namespace induce::detail {
namespace {

using Json = nlohmann::json;

std::string as_written(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

constexpr std::size_t most_classes = 1000;

// A name that occurs twice, or null.
const std::string* duplicate(const std::vector<std::string>& names) {
  std::set<std::string_view> seen;
  for (const std::string& name : names)
    if (!seen.insert(name).second) return &name;
  return nullptr;
}

std::vector<Column> columns_of(const std::vector<std::string>& kinds, std::vector<std::string>& levels,
                               const std::vector<std::string>& counts, std::size_t features) {
  if (kinds.empty() && levels.empty() && counts.empty()) return {};
  if (kinds.size() != features || counts.size() != features)
    throw JsonFault{"has kinds of " + std::to_string(kinds.size()) + " columns but the model has " +
                    std::to_string(features)};
  std::vector<Column> columns(features);
  std::size_t next = 0;
  for (std::size_t c = 0; c < features; ++c) {
    const std::optional<ColumnKind> kind = kind_from_name(kinds[c]);
    if (!kind) throw JsonFault{"has the unknown kind of column " + in_quotes(kinds[c])};
    columns[c].kind = *kind;
    const std::optional<std::size_t> count = parsed<std::size_t>(counts[c]);
    if (!count || *count > levels.size() - next) throw JsonFault{"has levels that do not match their number"};
    if (*count > 0 && !columns[c].has_levels()) throw JsonFault{"has levels of a column of numbers"};
    for (std::size_t k = 0; k < *count; ++k) {
      if (!columns[c].levels.empty() && !(columns[c].levels.back() < levels[next]))
        throw JsonFault{"has levels that are not in order, at " + in_quotes(levels[next])};
      columns[c].levels.push_back(std::move(levels[next++]));
    }
  }
  if (next != levels.size()) throw JsonFault{"has levels that do not match their number"};
  return columns;
}

// In valid UTF-8, like the rest of the text. Levels that then are the same or out of order cannot be told apart by a reader.
std::vector<std::string> flat_levels(const std::vector<Column>& columns) {
  std::vector<std::string> levels;
  for (const Column& column : columns) {
    std::string last;
    for (std::size_t k = 0; k < column.levels.size(); ++k) {
      const std::string level = Json::parse(as_written(column.levels[k])).get<std::string>();
      if (k > 0 && !(last < level))
        throw data_error("the model cannot be saved: the level " + in_quotes(level) +
                         " is not valid UTF-8, or there are two of it");
      levels.push_back(last = level);
    }
  }
  return levels;
}

}  // namespace

std::string write_model_text(const ModelText& model) {
  const Names& names = model.names;
  std::vector<std::string> written;
  for (const std::string& name : names.classes) written.push_back(as_written(name));
  if (const std::string* twice = duplicate(written))
    throw data_error("the model cannot be saved: two classes have the same name, " + *twice);
  Json json = {{"kernel", model.kernel},   {"likelihood", model.likelihood}, {"method", model.method},
               {"classes", names.classes}, {"label", names.label},           {"features", names.features}};
  if (!names.weight.empty()) json["weight"] = names.weight;
  if (!names.columns.empty()) {
    // Arrays from the start: null that becomes one with its first entry is broken if there is no memory for it.
    Json kinds = Json::array(), counts = Json::array();
    for (const Column& column : names.columns) {
      kinds.push_back(name_of(column.kind));
      counts.push_back(std::to_string(column.levels.size()));
    }
    json["kinds"] = kinds;
    json["levels_of_column"] = counts;
    json["levels"] = flat_levels(names.columns);
  }
  return as_written(json);
}

ModelText read_model_text(std::string_view text, std::size_t features) {
  constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
  const std::size_t most = std::max(features, most_classes);
  const KnownList known[] = {{"classes", true, true, most},
                             {"features", true, true, most},
                             {"kernel", false, true, 1},
                             {"kinds", true, false, most},
                             {"label", false, true, 1},
                             {"levels", true, false, any},
                             {"levels_of_column", true, false, most},
                             {"likelihood", false, false, 1},
                             {"method", false, true, 1},
                             {"weight", false, false, 1}};
  TextLists lists = json_lists(text, known);
  std::vector<std::string>&classes = lists["classes"], &names = lists["features"];
  if (classes.size() < 2 || classes.size() > most_classes)
    throw JsonFault{"has " + std::to_string(classes.size()) + " classes, not 2 to " +
                    std::to_string(most_classes)};
  if (const std::string* twice = duplicate(classes))
    throw JsonFault{"has two classes with the same name, " + in_quotes(*twice)};
  if (!names.empty() && names.size() != features)
    throw JsonFault{"names " + std::to_string(names.size()) + " features but the model has " +
                    std::to_string(features)};
  const auto one = [&](const char* name, const char* otherwise = "") {
    return lists.contains(name) ? lists[name][0] : otherwise;
  };
  std::vector<Column> columns =
      columns_of(lists["kinds"], lists["levels"], lists["levels_of_column"], features);
  return {.names = {std::move(classes), one("label"), std::move(names), one("weight"), std::move(columns)},
          .kernel = one("kernel"),
          .likelihood = one("likelihood", "logistic"),
          .method = one("method")};
}

}  // namespace induce::detail
