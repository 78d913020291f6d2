// The safetensors layout: eight bytes of header length (little-endian), a JSON header that names each
// tensor's type, shape and place, then the raw little-endian numbers, row after row. Data only: nothing in
// such a file runs.
//
// A reader trusts nothing. Lengths are compared with the file's size before anything is allocated, tensors
// must fill the data part without gap or overlap, and every number must be finite.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace induce {

struct Tensor {
  std::vector<std::size_t> shape;
  std::vector<double> values;  // row after row
};

struct TensorFile {
  std::map<std::string, Tensor> tensors;
  std::map<std::string, std::string> metadata;
};

// The file as bytes, and back. `origin` is what an Error calls it.
std::string safetensors_bytes(const TensorFile& file);
TensorFile parse_safetensors(const std::string& bytes, const std::string& origin);

// Writes to a temporary name beside `path`, then renames: the old file stays whole until the new one is.
void write_safetensors(const std::string& path, const TensorFile& file);
// Throws a data Error that names the file and what is wrong with it.
TensorFile read_safetensors(const std::string& path);

}  // namespace induce
