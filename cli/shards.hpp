// The other processes of a job that help with a fit, if there are any.
#pragma once

#include <string>

namespace induce::detail {
class Carrier;
}  // namespace induce::detail

namespace induce::cli {

struct JobShards {
  detail::Carrier* carrier = nullptr;
  std::string what{};  // "ranks"
};

void use_shards(const JobShards& shards);
const JobShards& job_shards();

}  // namespace induce::cli
