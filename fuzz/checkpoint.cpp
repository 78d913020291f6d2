// Checkpoint files. Any bytes must give an Error, or a state from which a fit resumes and ends in a valid model or an
// Error.
//
// A checkpoint is valid only for the code that wrote it, so valid ones are created when the target starts. The first
// byte of an input selects one of them; the rest are edits of eleven bytes each: the operation, the position (two
// bytes) and eight bytes to write. With any other first byte, the rest is a complete file.
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <induce/error.hpp>
#include <induce/fit.hpp>

#include "fit/checkpoint_file.hpp"
#include "support/require.hpp"
#include "support/valid_hash.hpp"

namespace {

using induce::Method;
using induce::fuzz::require;

constexpr std::array<Method, 5> methods{Method::vi_newton, Method::vi_jj, Method::vi_jj_full,
                                        Method::svi_adadelta, Method::svi_lbfgs};
constexpr std::size_t n = 16, d = 2, edit_size = 11;

class TinyFits {
 public:
  TinyFits() : path_(std::filesystem::temp_directory_path() / ("induce-fuzz-" + std::to_string(::getpid()))) {
    for (std::size_t i = 0; i < n; ++i) {
      const double angle = 2.4 * static_cast<double>(i);
      x_.insert(x_.end(), {std::cos(angle) * std::sqrt(1.0 + static_cast<double>(i)), std::sin(angle)});
      y_.push_back(i % 3 == 0 || i % 5 == 1);
    }
    for (const Method method : methods) {
      induce::Options options = options_of(method);
      options.max_iter -= 2;
      options.checkpoint = path_;
      induce::fit(view(), y_, options);
      std::ifstream in(path_, std::ios::binary);
      checkpoints_.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
  }
  ~TinyFits() { std::filesystem::remove(path_); }
  TinyFits(const TinyFits&) = delete;
  TinyFits& operator=(const TinyFits&) = delete;

  const std::string& checkpoint(std::size_t k) const { return checkpoints_[k]; }

  void resume(const std::string& bytes, Method method) const {
    std::ofstream(path_, std::ios::binary) << bytes;
    induce::Options options = options_of(method);
    options.resume = path_;
    const induce::Prediction at = induce::fit(view(), y_, options).model.predict(view(), 1);
    for (const double p : at.probabilities) require(p >= 0 && p <= 1, "probabilities are in [0, 1]");
    for (const double S2 : at.variance)
      require(S2 >= 0 && std::isfinite(S2), "variances are finite and not negative");
  }

 private:
  static induce::Options options_of(Method method) {
    induce::Options options;
    options.method = method;
    options.inducing = 4;
    options.max_iter = method == Method::vi_newton ? 100 : 4;  // its candidates, each a stage, take about 20
    options.max_time = 5;
    options.threads = 1;
    return options;
  }
  induce::TableView view() const { return {x_.data(), n, d}; }

  std::string path_;
  std::vector<double> x_;
  std::vector<int> y_;
  std::vector<std::string> checkpoints_;
};

std::string edited(std::string bytes, const std::uint8_t* edits, std::size_t size) {
  std::uint64_t header = 0;
  std::memcpy(&header, bytes.data(), sizeof header);
  for (; size >= edit_size; edits += edit_size, size -= edit_size) {
    const std::size_t where = edits[1] + 256U * edits[2];
    const std::size_t numbers = 8 + header + 8 * where;  // offset of an 8-byte tensor entry
    if (edits[0] % 3 == 0 && numbers + 8 <= bytes.size())
      std::memcpy(bytes.data() + numbers, edits + 3, 8);
    else if (edits[0] % 3 == 1 && where < bytes.size())
      bytes[where] = static_cast<char>(edits[3]);
    else if (edits[0] % 3 == 2)
      bytes.resize(std::min(bytes.size(), where));
    if (bytes.size() < 8) return bytes;
  }
  return bytes;
}

void try_checkpoint(const TinyFits& fits, const std::string& bytes, const Method* method) {
  try {
    const induce::Checkpoint parsed = induce::parse_checkpoint(bytes, "input");
    if (method) return fits.resume(bytes, *method);
    for (const Method each : methods)
      if (const auto name = parsed.options.find("method");
          name != parsed.options.end() && name->second == induce::name_of(each))
        fits.resume(bytes, each);
  } catch (const induce::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const TinyFits fits;
  if (size == 0) return 0;
  const bool edits = data[0] < methods.size();
  const std::string bytes = edits ? edited(fits.checkpoint(data[0]), data + 1, size - 1)
                                  : std::string(reinterpret_cast<const char*>(data) + 1, size - 1);
  try_checkpoint(fits, induce::fuzz::with_valid_hash(bytes), edits ? &methods[data[0]] : nullptr);
  return 0;
}
