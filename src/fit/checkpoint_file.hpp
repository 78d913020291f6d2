// The state of a fit as a safetensors file (see safetensors.hpp).
//
// The metadata holds "format" ("induce-checkpoint"), "format_version", "version" (of the library), "data" (a
// hash), and "options" and "notes" (each a JSON object of strings). Every array of the state is a tensor.
// Only the library version that wrote a checkpoint can read it.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "state/archive.hpp"

namespace induce::detail {

struct Checkpoint {
  std::string data;                            // hash
  std::map<std::string, std::string> options;  // all that affect the result
  std::map<std::string, std::string> notes;    // the caller's
  NamedArrays state;
};

// Throws a data Error that names the difference if the two belong to different fits.
void check_same_fit(const std::string& path, const Checkpoint& stored, const Checkpoint& wanted);

void write_checkpoint(const std::string& path, Checkpoint checkpoint);
Checkpoint read_checkpoint(const std::string& path);
Checkpoint parse_checkpoint(std::string_view bytes, const std::string& origin);

}  // namespace induce::detail
