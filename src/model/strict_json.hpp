// Parses JSON from an untrusted source without building a tree. A reader derives from StrictJson and
// overrides the events that its input may contain. Any other event, such as too deep nesting, aborts parsing,
// so memory use is limited to what the reader keeps.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace induce::detail {

struct JsonFault {
  std::string what;
};

// Bytes. The parser holds a few copies of the current string, so its length must be limited.
inline constexpr std::size_t max_json_string = std::size_t{16} << 20;

class StrictJson : public nlohmann::json_sax<nlohmann::json> {
 public:
  void read(std::string_view text);  // throws a JsonFault

  bool null() override { refuse("a null"); }
  bool boolean(bool) override { refuse("a boolean"); }
  bool number_integer(number_integer_t) override { refuse("a negative number"); }
  bool number_unsigned(number_unsigned_t) override { refuse("a number"); }
  bool number_float(number_float_t, const string_t&) override { refuse("a fraction or a huge number"); }
  bool string(string_t&) override { refuse("a string"); }
  bool binary(binary_t&) override { refuse("binary data"); }
  bool start_object(std::size_t) override { refuse("an object"); }
  bool key(string_t&) override { refuse("a key"); }
  bool end_object() override { refuse("an end of an object"); }
  bool start_array(std::size_t) override { refuse("a list"); }
  bool end_array() override { refuse("an end of a list"); }
  bool parse_error(std::size_t at, const std::string& token,
                   const nlohmann::detail::exception& error) override;

 protected:
  [[noreturn]] static void refuse(const std::string& what) {
    throw JsonFault{"has " + what + " where it is not allowed"};
  }
};

}  // namespace induce::detail
