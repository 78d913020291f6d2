// Shards in this process, each with threads of its own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "machine/workers.hpp"
#include "shard/carrier.hpp"
#include "shard/shard.hpp"

namespace induce::detail {

class NearShards final : public Carrier {
 public:
  explicit NearShards(int count, int threads = 1) {
    for (int k = 0; k < count; ++k) {
      workers_.push_back(std::make_unique<Workers>(threads));
      shards.push_back(std::make_unique<Shard>(*workers_.back()));
    }
  }
  int count() const override { return static_cast<int>(shards.size()); }
  std::vector<std::string> ask(const std::vector<std::string>& requests) override {
    std::vector<std::string> answers;
    for (std::size_t k = 0; k < requests.size(); ++k) answers.push_back(shards[k]->answer(requests[k]));
    return answers;
  }

  std::vector<std::unique_ptr<Shard>> shards;

 private:
  std::vector<std::unique_ptr<Workers>> workers_;
};

}  // namespace induce::detail
