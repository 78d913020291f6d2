#include "resume.hpp"

#include <nlohmann/json.hpp>

#include <induce/error.hpp>

#include "internals.hpp"
#include "text/words.hpp"
#include "model/json_lists.hpp"
#include "model/strict_json.hpp"

namespace induce::cli {
namespace {

constexpr const char* not_stored = "--resume";  // each resume names its own file

}  // namespace

std::string note_of_arguments(const CLI::App& parser) {
  nlohmann::json words = nlohmann::json::object();
  for (const CLI::Option* option : parser.get_options())
    if (option->count() > 0 && option->get_name() != not_stored)
      words[option->get_name()] = option->results();
  return words.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void restore_arguments(CLI::App& parser, const std::string& note, const std::string& path) {
  try {
    for (const auto& [name, values] : json_lists(note)) {
      CLI::Option* option = parser.get_option_no_throw(name);
      if (!option || name == not_stored)
        throw data_error(path + ": its command line has an unknown option " + in_quotes(name));
      if (option->count() > 0) continue;
      for (const std::string& value : values) option->add_result(value);
      option->run_callback();
    }
  } catch (const JsonFault& fault) {
    throw data_error(path + ": its command line " + fault.what);
  } catch (const CLI::ParseError& error) {
    throw data_error(path + ": its command line is invalid: " + error.what());
  }
}

}  // namespace induce::cli
