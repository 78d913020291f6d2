// See safetensors.hpp.
#include "model/safetensors.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include <induce/error.hpp>

#include "file/atomic_file.hpp"
#include "file/content_hash.hpp"
#include "text/words.hpp"
#include "file/regular_file.hpp"
#include "model/strict_json.hpp"

namespace induce::detail {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are written in native byte order");

using Json = nlohmann::json;
constexpr std::size_t length_bytes = 8, alignment = 8;
const std::string hash_key = "content_hash";

// Position of the hash digits in a header. Quotes inside strings are escaped, so only a key can match. Two
// matches are ambiguous.
std::optional<std::size_t> place_of_digits(std::string_view header) {
  const std::string opening = "\"" + hash_key + "\":\"";
  const std::size_t found = header.find(opening);
  if (found == std::string_view::npos || header.find(opening, found + 1) != std::string_view::npos)
    return std::nullopt;
  const std::size_t digits = found + opening.size(), closing = digits + hash_digits;
  if (closing >= header.size() || header[closing] != '"') return std::nullopt;
  return digits;
}

// Hashes the file with the hash digits, which start at byte `digits`, replaced by zeros.
std::string hash_of_file(std::string_view bytes, std::size_t digits) {
  std::uint64_t hash = content_hash(bytes.substr(0, digits));
  hash = content_hash(std::string(hash_digits, '0'), hash);
  return hex_of_hash(content_hash(bytes.substr(digits + hash_digits), hash));
}

std::string header_of(const TensorFile& file) {
  Json header = Json::object();
  header["__metadata__"] = file.metadata;
  header["__metadata__"][hash_key] = std::string(hash_digits, '0');
  std::size_t offset = 0;
  for (const auto& [name, tensor] : file.tensors) {
    const std::size_t end = offset + tensor.values.size() * sizeof(double);
    header[name] = {{"dtype", "F64"}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  try {
    std::string text = header.dump();
    text.append((alignment - text.size() % alignment) % alignment, ' ');
    read_safetensors_header(text);  // check that the header can be read back
    if (!place_of_digits(text)) throw JsonFault{"has a key that looks like content_hash"};
    return text;
  } catch (const JsonFault& fault) {
    throw data_error("the file cannot be written: its header " + fault.what);
  } catch (const Json::type_error&) {
    throw data_error("the file cannot be written: its metadata is not UTF-8");
  }
}

}  // namespace

std::string safetensors_bytes(const TensorFile& file) {
  const std::string header = header_of(file);
  const std::uint64_t length = header.size();
  std::size_t count = 0;
  for (const auto& [name, tensor] : file.tensors) count += tensor.values.size();
  std::string bytes;
  bytes.reserve(sizeof length + header.size() + count * sizeof(double));
  const auto append = [&](const void* from, std::size_t size) {
    bytes.append(static_cast<const char*>(from), size);
  };
  append(&length, sizeof length);
  append(header.data(), header.size());
  for (const auto& [name, tensor] : file.tensors)
    append(tensor.values.data(), tensor.values.size() * sizeof(double));
  const std::size_t digits = length_bytes + *place_of_digits(header);
  return bytes.replace(digits, hash_digits, hash_of_file(bytes, digits));
}

CheckedTensors::CheckedTensors(std::string_view bytes, std::string origin, const ReadAs& as)
    : origin_(std::move(origin)), as_(as) {
  if (bytes.size() < length_bytes) reject("only " + std::to_string(bytes.size()) + " bytes");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > bytes.size() - length_bytes)
    reject("its header does not fit: truncated, or another kind of file");
  const std::string_view text = bytes.substr(length_bytes, length);
  data_ = bytes.substr(length_bytes + length);

  try {
    header_ = read_safetensors_header(text);
  } catch (const JsonFault& fault) {
    reject("its header " + fault.what);
  }
  for (const auto& [name, tensor] : header_.tensors) check_tensor(name, tensor);
  check_coverage();
  check_hash(bytes, text);
}

void CheckedTensors::reject(const std::string& why) const {
  throw data_error(origin_ + ": not a " + as_.what + ": " + why);
}

void CheckedTensors::check_tensor(const std::string& name, const TensorEntry& tensor) const {
  if (tensor.begin > tensor.end || tensor.end > data_.size())
    reject("tensor " + in_quotes(name) + " lies outside the file: truncated?");
  std::size_t count = 1;
  for (const std::size_t size : tensor.shape) {
    if (size != 0 && count > std::numeric_limits<std::size_t>::max() / sizeof(double) / size)
      reject("tensor " + in_quotes(name) + " has an impossible shape");
    count *= size;
  }
  if (count * sizeof(double) != tensor.end - tensor.begin)
    reject("tensor " + in_quotes(name) + " has a shape that does not match its data_offsets");
}

void CheckedTensors::check_coverage() const {
  std::vector<std::pair<std::size_t, std::size_t>> filled;  // begin, end
  for (const auto& [name, tensor] : header_.tensors)
    if (tensor.begin < tensor.end) filled.emplace_back(tensor.begin, tensor.end);
  std::sort(filled.begin(), filled.end());
  std::size_t at = 0;
  for (const auto& [begin, end] : filled) {
    if (begin != at) reject("its tensors leave a gap or overlap");
    at = end;
  }
  if (at != data_.size()) reject("it has missing bytes, or bytes that belong to no tensor");
}

void CheckedTensors::check_hash(std::string_view bytes, std::string_view header) {
  const auto stored = header_.metadata.extract(hash_key);
  hashed_ = !stored.empty();
  if (!hashed_) return;
  const auto digits = place_of_digits(header);
  if (!digits || hash_of_file(bytes, length_bytes + *digits) != stored.mapped())
    reject("it is damaged: its bytes do not match its content_hash");
}

void CheckedTensors::copy(const std::string& name, double* out) const {
  const std::size_t count = this->count(name);
  if (count == 0) return;
  std::memcpy(out, data_.data() + header_.tensors.at(name).begin, count * sizeof(double));
  if (as_.finite && !std::all_of(out, out + count, [](double value) { return std::isfinite(value); }))
    reject("tensor " + in_quotes(name) + " holds a number that is not finite");
}

TensorFile parse_safetensors(std::string_view bytes, const std::string& origin, const ReadAs& as) {
  const CheckedTensors checked(bytes, origin, as);
  TensorFile file{{}, checked.metadata(), checked.hashed()};
  for (const auto& [name, entry] : checked.tensors()) {
    Tensor& tensor = file.tensors[name];
    tensor = {entry.shape, std::vector<double>(checked.count(name))};
    checked.copy(name, tensor.values.data());
  }
  return file;
}

void write_safetensors(const std::string& path, const TensorFile& file) {
  AtomicFile out(path);
  out.write(safetensors_bytes(file));
  out.commit();
}

TensorFile read_safetensors(const std::string& path, const ReadAs& as) {
  return parse_safetensors(regular_file_bytes(path), path, as);
}

}  // namespace induce::detail
