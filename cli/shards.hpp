// The other processes of a job that help with a fit, if there are any.
#pragma once

#include <string>

namespace induce {
class Carrier;
}  // namespace induce

namespace induce::cli {

struct JobShards {
  Carrier* carrier = nullptr;
  std::string what{};  // "ranks"
};

void use_shards(const JobShards& shards);
const JobShards& job_shards();

}  // namespace induce::cli
