#include "model/json_lists.hpp"

#include "model/strict_json.hpp"
#include "text/words.hpp"

namespace induce::detail {
namespace {

class ListsReader final : public StrictJson {
 public:
  explicit ListsReader(std::span<const KnownList> known) : known_(known) {}

  bool start_object(std::size_t) override {
    if (inside_) refuse("an object");
    return inside_ = true;
  }
  bool key(string_t& name) override {
    const auto [place, fresh] = lists_.try_emplace(name);
    if (!fresh) throw JsonFault{"names " + in_quotes(name) + " twice"};
    list_ = &place->second;
    own_ = nullptr;
    for (const KnownList& each : known_)
      if (each.name == name) own_ = &each;
    if (!own_ && !known_.empty()) throw JsonFault{"has the unknown key " + in_quotes(name)};
    return true;
  }
  bool start_array(std::size_t) override {
    if (!list_ || in_list_ || (own_ && !own_->is_list)) refuse("a list");
    return in_list_ = true;
  }
  bool string(string_t& text) override {
    if (!list_ || (own_ && own_->is_list != in_list_)) refuse("a string");
    if (own_ && list_->size() == own_->most) throw JsonFault{"has too many " + std::string(own_->name)};
    text.shrink_to_fit();
    list_->push_back(std::move(text));
    return true;
  }
  bool end_array() override {
    if (!own_ && list_->empty()) refuse("an empty list");
    in_list_ = false;
    return true;
  }
  bool end_object() override { return true; }

  TextLists take() {
    if (!inside_) throw JsonFault{"is not an object"};
    for (const KnownList& each : known_)
      if (each.required && !lists_.contains(std::string(each.name)))
        throw JsonFault{"lacks " + std::string(each.name)};
    return std::move(lists_);
  }

 private:
  std::span<const KnownList> known_;
  TextLists lists_;
  std::vector<std::string>* list_ = nullptr;
  const KnownList* own_ = nullptr;  // what is known about the list
  bool inside_ = false, in_list_ = false;
};

}  // namespace

TextLists json_lists(std::string_view text, std::span<const KnownList> known) {
  ListsReader reader(known);
  reader.read(text);
  return reader.take();
}

}  // namespace induce::detail
