// The table of options: one entry for each member of Options that a user can set. The command line, the checks
// in fit(), "options" in the JSON summary, Python's parameters, the identity of a checkpoint and
// docs/reference.md are derived from it, so a new option takes a member of Options and an entry here.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <induce/options.hpp>

namespace induce::detail {

// The value of an option. std::monostate: unset, the library chooses.
using OptionValue = std::variant<std::monostate, bool, std::uint64_t, double, std::string,
                                 std::vector<std::optional<double>>>;

enum class OptionKind {
  choice,  // a name
  flag,    // on or off
  whole,   // a whole number
  size,    // a number of bytes; the command line takes 512MB
  number,
  numbers,  // one for each of `parts`, greater than 0
  path,     // of a file
};
std::string_view name_of(OptionKind kind);  // "choice", "flag", ...

// The groups under which the help page and the reference list options.
enum class OptionGroup { method, model, budget, output };
std::string_view name_of(OptionGroup group);  // "Method", "Model", ...

// Options that the model depends on must be the same when a fit is resumed.
enum class OptionEffect {
  result,  // the bits of the model depend on it
  length,  // affects only where the fit ends: may change when it is resumed
  none,    // does not affect the model
};

// How "the library chooses" is written. Empty: the option must have a value.
struct Unset {
  std::string_view json{};        // "auto", "null" or "0"
  std::string_view python{};      // "auto" or "None"
  std::string_view checkpoint{};  // used if the effect is `result`
  bool possible() const { return !json.empty(); }
};

// The names that a choice accepts.
struct Choices {
  const std::vector<std::string>& (*names)() = nullptr;
  void (*check)(std::string_view name) = nullptr;              // instead of `names` if the set is open-ended
  std::string_view (*about)(std::string_view name) = nullptr;  // optional one-line description of a name
};

struct Limits {
  std::uint64_t least = 0, most = std::numeric_limits<std::uint64_t>::max();  // of whole numbers
  bool rows = false;                                                          // at most the number of rows
  bool positive = false;  // numbers: greater than 0 instead of at least 0
  bool infinite = false;  // numbers: infinity is allowed, though not as text
};

// The option that the entry's own requires. An empty value: any value.
struct Needs {
  std::string_view option{}, value{};
};

// The member of Options that an entry stands for.
struct OptionMember {
  OptionValue (*get)(const Options& options);
  void (*set)(Options& options, const OptionValue& value);  // value of the right type, within the limits
};

struct OptionEntry {
  std::string_view name;       // in C++, Python and JSON
  std::string_view flag{};     // "--ard"; empty: not on the command line, or only its opposite
  std::string_view off{};      // "--no-ard", of a flag
  std::string_view metavar{};  // name of the value on the help page
  OptionKind kind;
  OptionMember member;
  Unset unset{};
  Choices choices{};
  Limits limits{};
  std::vector<std::string_view> parts{};  // of `numbers`
  Needs needs{};
  OptionEffect effect = OptionEffect::result;
  std::string_view help;          // in complete sentences
  std::string_view default_text;  // the default and its reason, after "Default: "
  OptionGroup group{};            // that of its list in option_table.cpp

  OptionValue get(const Options& options) const { return member.get(options); }
  void set(Options& options, const OptionValue& value) const { member.set(options, value); }
  bool on_command_line() const { return !flag.empty() || !off.empty(); }
  std::string_view first_flag() const { return flag.empty() ? off : flag; }
  // Files and tracing are not settings of the fit: the summary has them elsewhere.
  bool in_summary() const { return group != OptionGroup::output; }
};

const std::vector<OptionEntry>& option_table();
const OptionEntry& option_entry(std::string_view name);  // throws std::out_of_range for an unknown name

}  // namespace induce::detail
