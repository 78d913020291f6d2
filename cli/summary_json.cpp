// Keys and their order follow from the field descriptions.
#include "summary_json.hpp"

#include <nlohmann/json.hpp>

#include "describe/option_table.hpp"

namespace induce::cli {
namespace {

using Json = nlohmann::ordered_json;

// Types that describe() supports become objects, other types values.
class JsonObject {
 public:
  explicit JsonObject(const Names& names) : names_(names) {}

  template <class Value>
  void operator()(const Field& field, const Value& value) {
    object_[std::string(field.name)] = to_json(value);
  }
  void operator()(const Field& field, const Bytes& bytes) {
    object_[std::string(field.name) + "_mb"] = static_cast<double>(bytes.count) / (1 << 20);
  }
  void operator()(const Field&, const History&) {}  // written by --trace

  Json take() { return std::move(object_); }

 private:
  template <class Value>
  Json to_json(const Value& value) const {
    if constexpr (requires(JsonObject & visitor) { describe(value, visitor); }) {
      JsonObject object(names_);
      describe(value, object);
      return object.take();
    } else {
      return Json(value);
    }
  }
  template <class Value>
  Json to_json(const std::vector<Value>& values) const {
    Json array = Json::array();
    for (const Value& value : values) array.push_back(to_json(value));
    return array;
  }
  template <class Value>
  Json to_json(const std::optional<Value>& value) const {
    return value ? to_json(*value) : Json(nullptr);
  }
  Json to_json(Status status) const { return name_of(status); }
  Json to_json(const PerFeature& relevance) const {
    return to_json(sorted_relevance(relevance.values, names_));
  }
  Json to_json(const PerFeatureImportance& importance) const {
    return to_json(sorted_importance(importance.values, names_));
  }
  Json to_json(const PerTerm& terms) const { return to_json(sorted_terms(terms.values, names_)); }
  Json to_json(const Surfaces& surfaces) const {
    Json array = Json::array();
    const std::size_t each = surfaces.rows * surfaces.columns;
    for (auto at = surfaces.numbers.begin(); at != surfaces.numbers.end();
         at += static_cast<std::ptrdiff_t>(each)) {
      const std::vector<double> own(at, at + static_cast<std::ptrdiff_t>(each));
      array.push_back(to_json(Curves{own, surfaces.columns}));
    }
    return surfaces.numbers.size() == each ? array[0] : array;
  }
  Json to_json(const Curves& curves) const {
    if (curves.numbers.size() == curves.points) return to_json(curves.numbers);
    Json array = Json::array();
    for (auto at = curves.numbers.begin(); at != curves.numbers.end();
         at += static_cast<std::ptrdiff_t>(curves.points))
      array.push_back(std::vector<double>(at, at + static_cast<std::ptrdiff_t>(curves.points)));
    return array;
  }
  Json to_json(const SummaryOptions& given) const;

  const Names& names_;
  Json object_ = Json::object();
};

Json unset_in_json(const Unset& unset) {
  if (unset.json == "null") return nullptr;
  if (unset.json == "0") return 0;
  return std::string(unset.json);
}

// An object from the start: null that becomes one with its first entry is broken if there is no memory for it.
Json option_in_json(const OptionEntry& entry, const Options& options) {
  const OptionValue value = entry.get(options);
  if (std::holds_alternative<std::monostate>(value)) return unset_in_json(entry.unset);
  if (const auto* parts = std::get_if<std::vector<std::optional<double>>>(&value)) {
    Json object = Json::object();
    for (std::size_t k = 0; k < parts->size(); ++k)
      object[std::string(entry.parts[k])] = (*parts)[k] ? Json(*(*parts)[k]) : unset_in_json(entry.unset);
    return object;
  }
  return std::visit(
      [](const auto& held) -> Json {
        if constexpr (requires { Json(held); }) return Json(held);
        return nullptr;
      },
      value);
}

Json JsonObject::to_json(const SummaryOptions& given) const {
  Json object = Json::object();
  for (const OptionEntry& entry : option_table())
    if (entry.in_summary()) object[std::string(entry.name)] = option_in_json(entry, given.options);
  object["weight"] = to_json(unless_empty(given.arguments.weight));
  object["trials"] = to_json(unless_empty(given.arguments.data.trials));
  object["shares"] = given.arguments.data.shares;
  object["group"] = to_json(unless_empty(given.arguments.group));
  object["time"] = to_json(unless_empty(given.arguments.time));
  object["balanced"] = given.arguments.balanced;
  return object;
}

// Class and file names need not be valid UTF-8; JSON must be.
std::string dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

template <class Record>
std::string json_text(const Record& record, const Names& names) {
  JsonObject object(names);
  describe(record, object);
  return dump(object.take(), 2) + "\n";
}
template std::string json_text(const FitSummary&, const Names&);
template std::string json_text(const Evaluation&, const Names&);
template std::string json_text(const Explained&, const Names&);
template std::string json_text(const UpdateSummary&, const Names&);
template std::string json_text(const Model&, const Names&);

std::string trace_line(const TraceLine& line) {
  const Names none;
  JsonObject object(none);
  describe(line, object);
  return dump(object.take(), -1);
}

std::string options_note(const Options& options) {
  Json object = Json::object();
  for (const OptionEntry& entry : option_table())
    if (entry.effect == OptionEffect::result && entry.get(options) != entry.get(Options()))
      object[std::string(entry.name)] = option_in_json(entry, options);
  return dump(object, -1);
}

}  // namespace induce::cli
