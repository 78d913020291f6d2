#include "shards.hpp"

namespace induce::cli {
namespace {

JobShards shards_of_job;

}  // namespace

void use_shards(const JobShards& shards) { shards_of_job = shards; }
const JobShards& job_shards() { return shards_of_job; }

}  // namespace induce::cli
