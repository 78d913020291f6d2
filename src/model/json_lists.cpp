#include "model/json_lists.hpp"

#include "model/strict_json.hpp"

namespace induce::detail {
namespace {

class ListsReader : public StrictJson {
 public:
  bool start_object(std::size_t) override {
    if (inside_) refuse("an object");
    return inside_ = true;
  }
  bool key(string_t& name) override {
    const auto [place, fresh] = lists_.try_emplace(name);
    if (!fresh) throw JsonFault{"has a duplicate name"};
    list_ = &place->second;
    return true;
  }
  bool start_array(std::size_t) override {
    if (!list_ || in_list_) refuse("a list");
    return in_list_ = true;
  }
  bool string(string_t& text) override {
    if (!list_) refuse("a string");
    list_->push_back(std::move(text));
    return true;
  }
  bool end_array() override {
    if (list_->empty()) refuse("an empty list");
    in_list_ = false;
    return true;
  }
  bool end_object() override { return true; }

  TextLists take() {
    if (!inside_) throw JsonFault{"is not an object"};
    return std::move(lists_);
  }

 private:
  TextLists lists_;
  std::vector<std::string>* list_ = nullptr;
  bool inside_ = false, in_list_ = false;
};

}  // namespace

TextLists json_lists(std::string_view text) {
  ListsReader reader;
  reader.read(text);
  return reader.take();
}

}  // namespace induce::detail
