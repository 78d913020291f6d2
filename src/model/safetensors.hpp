// The safetensors format: the header length (8 bytes, little-endian), a JSON header with the type, shape and
// offsets of each tensor, then the raw little-endian values, row-major. Data only: reading a file never
// executes code or opens other files. docs/format.md lists the limits.
//
// The writer stores a hash of the whole file, with the hash digits set to zero, as "content_hash" in the
// metadata.
//
// The reader validates all input. It checks the whole structure before allocating any tensor: lengths against
// the file size, offsets without gaps or overlap, then the hash, if present. Memory use is therefore bounded
// by a small multiple of the file size.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/safetensors_header.hpp"

namespace induce::detail {

struct Tensor {
  std::vector<std::size_t> shape;
  std::vector<double> values;  // row-major
};

struct TensorFile {
  std::map<std::string, Tensor> tensors;
  std::map<std::string, std::string> metadata;  // without the hash
  bool hashed = false;                          // true if read from a file with a hash
};

struct ReadAs {
  const char* what = "model file";  // "x: not a model file: ..."
  bool finite = true;               // reject NaN and infinities
};

// Converts to bytes and back. `origin` names the file in error messages.
std::string safetensors_bytes(const TensorFile& file);
TensorFile parse_safetensors(std::string_view bytes, const std::string& origin, const ReadAs& as = {});

// Writes atomically: see AtomicFile.
void write_safetensors(const std::string& path, const TensorFile& file);
// Throws a data Error that names the file and the fault.
TensorFile read_safetensors(const std::string& path, const ReadAs& as = {});

// A file in memory with validated structure and no values copied yet, for readers that check names and shapes
// themselves.
class CheckedTensors {
 public:
  // The bytes must outlive this object.
  CheckedTensors(std::string_view bytes, std::string origin, const ReadAs& as = {});

  const std::map<std::string, std::string>& metadata() const { return header_.metadata; }  // without the hash
  const std::map<std::string, TensorEntry>& tensors() const { return header_.tensors; }
  bool hashed() const { return hashed_; }
  // The product of a shape's sizes.
  std::size_t count(const std::string& name) const {
    const TensorEntry& tensor = header_.tensors.at(name);
    return (tensor.end - tensor.begin) / sizeof(double);
  }
  // Copies all values of one tensor, row-major.
  void copy(const std::string& name, double* out) const;

  [[noreturn]] void reject(const std::string& why) const;

 private:
  void check_tensor(const std::string& name, const TensorEntry& tensor) const;
  void check_coverage() const;
  void check_hash(std::string_view bytes, std::string_view header);

  std::string_view data_;  // after the header
  std::string origin_;
  ReadAs as_;
  SafetensorsHeader header_;
  bool hashed_ = false;
};

}  // namespace induce::detail
