// See safetensors_header.hpp. Parser events drive a small state machine whose states are positions in the
// grammar given there.
#include "model/safetensors_header.hpp"

#include <utility>

#include "text/words.hpp"
#include "model/strict_json.hpp"

namespace induce::detail {
namespace {

class HeaderReader final : public StrictJson {
 public:
  SafetensorsHeader take() { return std::move(header_); }

  bool start_object(std::size_t) override {
    switch (where_) {
      case Where::outside:
        where_ = Where::top;
        return true;
      case Where::top:
        where_ = name_ == "__metadata__" ? Where::metadata : Where::tensor;
        tensor_ = {};
        has_type_ = has_shape_ = has_place_ = false;
        return true;
      default:
        refuse("an object");
    }
  }

  bool key(string_t& text) override {
    if (where_ == Where::top) {
      if (header_.tensors.contains(text) || (text == "__metadata__" && has_metadata_)) twice(text);
      if (text == "__metadata__")
        has_metadata_ = true;
      else if (header_.tensors.size() == max_tensors)
        throw JsonFault{"names more than " + std::to_string(max_tensors) + " tensors"};
      name_ = std::move(text);
    } else if (where_ == Where::metadata) {
      if (header_.metadata.contains(text)) twice(text);
      if (header_.metadata.size() == max_metadata)
        throw JsonFault{"has more than " + std::to_string(max_metadata) + " metadata entries"};
      field_ = std::move(text);
    } else {
      field_ = std::move(text);
    }
    return true;
  }

  bool string(string_t& text) override {
    if (where_ == Where::metadata) {
      header_.metadata[field_] = std::move(text);
    } else if (where_ == Where::tensor && field_ == "dtype") {
      if (has_type_) twice(field_);
      if (text != "F64") throw JsonFault{"gives tensor " + in_quotes(name_) + " a dtype that is not F64"};
      has_type_ = true;
    } else {
      refuse("a string");
    }
    return true;
  }

  bool start_array(std::size_t) override {
    if (where_ == Where::tensor && field_ == "shape" && !has_shape_) {
      where_ = Where::shape;
      has_shape_ = true;
    } else if (where_ == Where::tensor && field_ == "data_offsets" && !has_place_) {
      where_ = Where::place;
      has_place_ = true;
      offsets_ = 0;
    } else {
      refuse("a list");
    }
    return true;
  }

  bool number_unsigned(number_unsigned_t number) override {
    if (where_ == Where::shape && tensor_.shape.size() < max_dimensions)
      tensor_.shape.push_back(number);
    else if (where_ == Where::place && offsets_ < 2)
      (offsets_++ == 0 ? tensor_.begin : tensor_.end) = number;
    else
      refuse("a number");
    return true;
  }

  bool end_array() override {
    if (where_ == Where::place && offsets_ != 2)
      throw JsonFault{"has data_offsets that are not a pair for tensor " + in_quotes(name_)};
    where_ = Where::tensor;
    return true;
  }

  bool end_object() override {
    if (where_ == Where::tensor) {
      if (!has_type_ || !has_shape_ || !has_place_)
        throw JsonFault{"lacks the dtype, shape or data_offsets of tensor " + in_quotes(name_)};
      header_.tensors[name_] = std::move(tensor_);
    }
    where_ = where_ == Where::top ? Where::outside : Where::top;
    return true;
  }

 private:
  enum class Where { outside, top, metadata, tensor, shape, place };

  [[noreturn]] static void twice(const std::string& name) {
    throw JsonFault{"names " + in_quotes(name) + " twice"};
  }

  SafetensorsHeader header_;
  Where where_ = Where::outside;
  std::string name_, field_;  // current keys: top level, nested
  bool has_metadata_ = false;
  TensorEntry tensor_;
  bool has_type_ = false, has_shape_ = false, has_place_ = false;
  int offsets_ = 0;
};

}  // namespace

SafetensorsHeader read_safetensors_header(std::string_view text) {
  if (text.size() > max_header_bytes)
    throw JsonFault{"has " + std::to_string(text.size()) + " bytes, the limit is " +
                    std::to_string(max_header_bytes)};
  HeaderReader reader;
  reader.read(text);
  return reader.take();
}

}  // namespace induce::detail
