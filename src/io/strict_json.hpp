// JSON from a stranger, read without building a tree. A reader of one kind of text derives from StrictJson
// and takes the events that its text can have; any other event, one level of nesting too many first of all,
// ends the reading at once. Memory is then what the reader keeps, whatever the text claims.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace induce {

struct JsonFault {
  std::string what;
};

// The parser holds a few copies of the string at hand, so a string's length must have a limit.
inline constexpr std::size_t longest_json_string = std::size_t{16} << 20;

class StrictJson : public nlohmann::json_sax<nlohmann::json> {
 public:
  void read(std::string_view text);  // throws a JsonFault

  bool null() override { refuse("a null"); }
  bool boolean(bool) override { refuse("a truth value"); }
  bool number_integer(number_integer_t) override { refuse("a negative number"); }
  bool number_unsigned(number_unsigned_t) override { refuse("a number"); }
  bool number_float(number_float_t, const string_t&) override { refuse("a fraction or a huge number"); }
  bool string(string_t&) override { refuse("a text"); }
  bool binary(binary_t&) override { refuse("binary data"); }
  bool start_object(std::size_t) override { refuse("an object"); }
  bool key(string_t&) override { refuse("a key"); }
  bool end_object() override { refuse("an object's end"); }
  bool start_array(std::size_t) override { refuse("a list"); }
  bool end_array() override { refuse("a list's end"); }
  bool parse_error(std::size_t at, const std::string& token,
                   const nlohmann::detail::exception& error) override;

 protected:
  [[noreturn]] static void refuse(const std::string& what) {
    throw JsonFault{"has " + what + " where it must not"};
  }
};

}  // namespace induce
