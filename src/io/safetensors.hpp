// The safetensors layout: eight bytes of header length (little-endian), a JSON header that names each
// tensor's type, shape and place, then the raw little-endian numbers, row after row. Data only: nothing in
// such a file runs, and no name in it is ever opened. docs/format.md has the limits.
//
// A writer puts a hash of the whole file (its own digits as zeros) into the metadata, as "content_hash".
//
// A reader trusts nothing. The structure is checked as a whole before anything is allocated for a tensor:
// lengths against the file's size, places without gap or overlap, then the hash, if there is one. So memory
// stays within a small multiple of the file's size.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace induce {

struct Tensor {
  std::vector<std::size_t> shape;
  std::vector<double> values;  // row after row
};

struct TensorFile {
  std::map<std::string, Tensor> tensors;
  std::map<std::string, std::string> metadata;  // without the hash
  bool hashed = false;                          // read from a file that had one
};

struct ReadAs {
  const char* what = "model file";  // "x: not a model file: ..."
  bool finite = true;               // refuse NaN and infinities
};

// The file as bytes, and back. `origin` is what an Error calls it.
std::string safetensors_bytes(const TensorFile& file);
TensorFile parse_safetensors(std::string_view bytes, const std::string& origin, const ReadAs& as = {});

// Writes to a temporary name beside `path`, then renames: the old file stays whole until the new one is.
void write_safetensors(const std::string& path, const TensorFile& file);
// Throws a data Error that names the file and what is wrong with it.
TensorFile read_safetensors(const std::string& path, const ReadAs& as = {});

// A file in memory, its structure checked and no number copied yet, for readers with demands of their own on
// names and shapes.
class CheckedTensors {
 public:
  // The bytes must outlive it.
  CheckedTensors(std::string_view bytes, std::string origin, const ReadAs& as = {});

  const std::map<std::string, std::string>& metadata() const { return metadata_; }  // without the hash
  bool hashed() const { return hashed_; }
  const std::map<std::string, std::vector<std::size_t>>& shapes() const { return shapes_; }
  // The product of a shape's sizes.
  std::size_t count(const std::string& name) const { return places_.at(name).count; }
  // All numbers of one tensor, row after row.
  void copy(const std::string& name, double* out) const;

  [[noreturn]] void reject(const std::string& why) const;

 private:
  struct Place {
    std::size_t begin, count;  // byte of data_, numbers
  };
  void place_tensor(const std::string& name, const std::vector<std::size_t>& shape, std::size_t begin,
                    std::size_t end);
  void check_that_all_is_filled() const;
  void check_hash(std::string_view bytes, std::string_view header);

  std::string_view data_;  // behind the header
  std::string origin_;
  ReadAs as_;
  std::map<std::string, std::vector<std::size_t>> shapes_;
  std::map<std::string, Place> places_;
  std::map<std::string, std::string> metadata_;
  bool hashed_ = false;
};

}  // namespace induce
