// The state of a fit as a file (layout: safetensors.hpp), and what it is the state of.
//
// The metadata has format ("induce-checkpoint"), format_version, version of the library, the hash of the
// data, "options" and "notes", each a JSON text with an object of strings; every array of the state is a
// tensor. The state means something only to the version that wrote it: another version refuses it.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "state/archive.hpp"

namespace induce {

struct Checkpoint {
  std::string data;                            // hash
  std::map<std::string, std::string> options;  // that the fit's bits depend on
  std::map<std::string, std::string> notes;    // the caller's
  NamedArrays state;
};

// Throws a data Error that says what differs, unless `stored` is of such a fit.
void check_same_fit(const std::string& path, const Checkpoint& stored, const Checkpoint& wanted);

void write_checkpoint(const std::string& path, Checkpoint checkpoint);
Checkpoint read_checkpoint(const std::string& path);
Checkpoint parse_checkpoint(std::string_view bytes, const std::string& origin);

}  // namespace induce
