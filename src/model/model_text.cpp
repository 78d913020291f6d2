// See model_text.hpp.
#include "model/model_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <induce/error.hpp>

#include "text/words.hpp"
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

class ModelTextReader final : public StrictJson {
 public:
  explicit ModelTextReader(std::size_t features) : features_(features) {}

  bool start_object(std::size_t) override {
    if (inside_) refuse("an object");
    return inside_ = true;
  }

  bool key(string_t& name) override {
    field_ = 0;
    while (field_ < fields.size() && name != fields[field_].name) ++field_;
    if (field_ == fields.size()) throw JsonFault{"has the unknown key " + in_quotes(name)};
    if (seen_[field_]) throw JsonFault{"names " + in_quotes(name) + " twice"};
    return seen_[field_] = true;
  }

  bool start_array(std::size_t) override {
    if (!inside_ || in_list_ || !fields[field_].is_list) refuse("a list");
    return in_list_ = true;
  }

  bool string(string_t& text) override {
    if (!inside_ || in_list_ != fields[field_].is_list) refuse("a string");
    std::vector<std::string>& values = values_[field_];
    if (values.size() == std::max(features_, most_classes) && fields[field_].name != "levels")
      throw JsonFault{"has too many " + std::string(fields[field_].name)};
    text.shrink_to_fit();
    values.push_back(std::move(text));
    return true;
  }

  bool end_array() override {
    in_list_ = false;
    return true;
  }

  bool end_object() override { return true; }

  ModelText take() {
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (fields[i].required && !seen_[i]) throw JsonFault{"lacks " + std::string(fields[i].name)};
    auto& [classes, features, kernel, kinds, label, levels, levels_of_column, likelihood, method, weight] =
        values_;
    if (classes.size() < 2 || classes.size() > most_classes)
      throw JsonFault{"has " + std::to_string(classes.size()) + " classes, not 2 to " +
                      std::to_string(most_classes)};
    if (const std::string* twice = duplicate(classes))
      throw JsonFault{"has two classes with the same name, " + in_quotes(*twice)};
    if (!features.empty() && features.size() != features_)
      throw JsonFault{"names " + std::to_string(features.size()) + " features but the model has " +
                      std::to_string(features_)};
    ModelText model;
    model.kernel = kernel[0];
    model.likelihood = likelihood.empty() ? "logistic" : likelihood[0];
    model.method = method[0];
    model.names = {std::move(classes), label[0], std::move(features), weight.empty() ? "" : weight[0], {}};
    model.names.columns = columns_of(kinds, levels, levels_of_column);
    return model;
  }

 private:
  struct Field {
    std::string_view name;
    bool is_list, required;
  };
  static constexpr std::array<Field, 10> fields{{{"classes", true, true},
                                                 {"features", true, true},
                                                 {"kernel", false, true},
                                                 {"kinds", true, false},
                                                 {"label", false, true},
                                                 {"levels", true, false},
                                                 {"levels_of_column", true, false},
                                                 {"likelihood", false, false},
                                                 {"method", false, true},
                                                 {"weight", false, false}}};

  std::vector<Column> columns_of(const std::vector<std::string>& kinds, std::vector<std::string>& levels,
                                 const std::vector<std::string>& counts) const {
    if (kinds.empty() && levels.empty() && counts.empty()) return {};
    if (kinds.size() != features_ || counts.size() != features_)
      throw JsonFault{"has kinds of " + std::to_string(kinds.size()) + " columns but the model has " +
                      std::to_string(features_)};
    std::vector<Column> columns(features_);
    std::size_t next = 0;
    for (std::size_t c = 0; c < features_; ++c) {
      const std::optional<ColumnKind> kind = kind_from_name(kinds[c]);
      if (!kind) throw JsonFault{"has the unknown kind of column " + in_quotes(kinds[c])};
      columns[c].kind = *kind;
      std::size_t count = 0;
      const auto [end, error] = std::from_chars(counts[c].data(), counts[c].data() + counts[c].size(), count);
      if (error != std::errc() || end != counts[c].data() + counts[c].size() || count > levels.size() - next)
        throw JsonFault{"has levels that do not match their number"};
      if (count > 0 && !columns[c].has_levels()) throw JsonFault{"has levels of a column of numbers"};
      for (; count > 0; --count) {
        if (!columns[c].levels.empty() && !(columns[c].levels.back() < levels[next]))
          throw JsonFault{"has levels that are not in order, at " + in_quotes(levels[next])};
        columns[c].levels.push_back(std::move(levels[next++]));
      }
    }
    if (next != levels.size()) throw JsonFault{"has levels that do not match their number"};
    return columns;
  }

  std::size_t features_, field_ = 0;
  bool inside_ = false, in_list_ = false;
  std::array<bool, fields.size()> seen_{};
  std::array<std::vector<std::string>, fields.size()> values_;
};

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
  for (const Column& column : names.columns) {
    json["kinds"].push_back(name_of(column.kind));
    json["levels_of_column"].push_back(std::to_string(column.levels.size()));
  }
  if (!names.columns.empty()) json["levels"] = flat_levels(names.columns);
  return as_written(json);
}

ModelText read_model_text(std::string_view text, std::size_t features) {
  ModelTextReader reader(features);
  reader.read(text);
  return reader.take();
}

}  // namespace induce::detail
