#include "job_checkpoint.hpp"

#include <cstdio>
#include <filesystem>

#include "notice.hpp"
#include "shard/carrier.hpp"
#include "shards.hpp"

namespace induce::cli {
namespace {

constexpr double seconds_between = 0.5;  // of iterations; the ends of stages are always written

bool is_file_or_nothing(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

}  // namespace

JobCheckpoint::JobCheckpoint(const FitArguments& arguments, Options& options) {
  if (!options.checkpoint.empty() || arguments.model_path.empty() ||
      !is_file_or_nothing(arguments.model_path))
    return;
  const std::string beside = arguments.model_path + ".checkpoint";
  const Carrier* carrier = job_shards().carrier;
  if ((carrier && carrier->count() > 1) || options.resume == beside) options.checkpoint = path_ = beside;
}

void JobCheckpoint::announce(Options& options, bool quiet) const {
  if (path_.empty()) return;
  options.checkpoint_every = seconds_between;
  if (quiet) return;
  std::error_code error;
  if (options.resume != path_ && std::filesystem::exists(path_, error))
    warn("'" + path_ +
         "' belongs to a fit that did not finish; it will be replaced. To continue that fit: --resume " +
         path_);
  const Carrier* carrier = job_shards().carrier;
  notice("induce: if one of the " + std::to_string(carrier ? carrier->count() : 1) + " " +
         (carrier ? job_shards().what : "process") + " dies, continue with: induce fit --resume " + path_ +
         "\n");
}

void JobCheckpoint::remove() const {
  if (!path_.empty()) std::remove(path_.c_str());
}

}  // namespace induce::cli
