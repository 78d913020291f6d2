#include "model/safetensors.hpp"

#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>

#include <nlohmann/json.hpp>

#include <induce/error.hpp>

#include "data/atomic_file.hpp"

namespace induce {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are written as they lie in memory");

using Json = nlohmann::json;
constexpr std::size_t length_bytes = 8, alignment = 8;

[[noreturn]] void reject(const std::string& path, const std::string& why) {
  throw data_error(path + ": not a model file: " + why);
}

std::string read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw data_error(path + ": cannot be read: " + std::strerror(errno));
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  if (in.bad()) throw data_error(path + ": cannot be read: " + std::strerror(errno));
  return bytes;
}

struct Place {
  std::size_t begin, end;
};

Tensor read_tensor(const std::string& path, const std::string& name, const Json& entry, const char* data,
                   std::size_t data_size, Place& place) {
  if (!entry.is_object() || entry.value("dtype", Json()) != "F64")
    reject(path, "tensor '" + name + "' is not F64");
  const Json &shape = entry.value("shape", Json()), &offsets = entry.value("data_offsets", Json());
  if (!shape.is_array() || !offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned() ||
      !offsets[1].is_number_unsigned())
    reject(path, "tensor '" + name + "' has no shape or place");
  place = {offsets[0].get<std::size_t>(), offsets[1].get<std::size_t>()};
  if (place.begin > place.end || place.end > data_size)
    reject(path, "tensor '" + name + "' lies outside the file: truncated?");
  const std::size_t count = (place.end - place.begin) / sizeof(double);
  Tensor tensor;
  std::size_t product = 1;
  for (const Json& size : shape) {
    if (!size.is_number_unsigned()) reject(path, "tensor '" + name + "' has a bad shape");
    const auto n = size.get<std::size_t>();
    if (n != 0 && product > std::numeric_limits<std::size_t>::max() / n)
      reject(path, "tensor '" + name + "' has an impossible shape");
    product *= n;
    tensor.shape.push_back(n);
  }
  if (product != count || place.end - place.begin != count * sizeof(double))
    reject(path, "tensor '" + name + "' does not fill its place");
  tensor.values.resize(count);
  if (count > 0) std::memcpy(tensor.values.data(), data + place.begin, count * sizeof(double));
  for (const double value : tensor.values)
    if (!std::isfinite(value)) reject(path, "tensor '" + name + "' holds a number that is not finite");
  return tensor;
}

}  // namespace

std::string safetensors_bytes(const TensorFile& file) {
  Json header = Json::object();
  header["__metadata__"] = file.metadata;
  std::size_t offset = 0;
  for (const auto& [name, tensor] : file.tensors) {
    const std::size_t end = offset + tensor.values.size() * sizeof(double);
    header[name] = {{"dtype", "F64"}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.append((alignment - text.size() % alignment) % alignment, ' ');

  const std::uint64_t length = text.size();
  std::string bytes;
  bytes.reserve(sizeof length + text.size() + offset);
  const auto append = [&](const void* from, std::size_t count) {
    bytes.append(static_cast<const char*>(from), count);
  };
  append(&length, sizeof length);
  append(text.data(), text.size());
  for (const auto& [name, tensor] : file.tensors)
    append(tensor.values.data(), tensor.values.size() * sizeof(double));
  return bytes;
}

TensorFile parse_safetensors(const std::string& bytes, const std::string& path) {
  if (bytes.size() < length_bytes) reject(path, "only " + std::to_string(bytes.size()) + " bytes");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > bytes.size() - length_bytes)
    reject(path, "its header does not fit: truncated, or another kind of file");
  const char* text = bytes.data() + length_bytes;
  const Json header = Json::parse(text, text + length, nullptr, false);
  if (!header.is_object()) reject(path, "its header is not JSON");

  TensorFile file;
  const char* data = text + length;
  const std::size_t data_size = bytes.size() - length_bytes - length;
  std::map<std::size_t, std::size_t> places;  // begin -> end
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") {
      if (!entry.is_object()) reject(path, "its metadata is not an object");
      for (const auto& [key, value] : entry.items()) {
        if (!value.is_string()) reject(path, "metadata '" + key + "' is not a string");
        file.metadata[key] = value.get<std::string>();
      }
      continue;
    }
    Place place{};
    file.tensors[name] = read_tensor(path, name, entry, data, data_size, place);
    if (place.begin != place.end && !places.emplace(place.begin, place.end).second)
      reject(path, "two tensors share one place");
  }
  std::size_t filled = 0;
  for (const auto& [begin, end] : places) {
    if (begin != filled) reject(path, "its tensors leave a gap or overlap");
    filled = end;
  }
  if (filled != data_size) reject(path, "it has bytes that belong to no tensor, or some are missing");
  return file;
}

void write_safetensors(const std::string& path, const TensorFile& file) {
  AtomicFile out(path);
  out.write(safetensors_bytes(file));
  out.commit();
}

TensorFile read_safetensors(const std::string& path) { return parse_safetensors(read_whole(path), path); }

}  // namespace induce
