// Carries messages between the driver of a fit and its shards.
#pragma once

#include <string>
#include <vector>

namespace induce::detail {

class Carrier {
 public:
  virtual ~Carrier() = default;
  virtual int count() const = 0;  // of the shards
  // One request for each shard; their answers, in the same order. Throws if a shard is gone.
  virtual std::vector<std::string> ask(const std::vector<std::string>& requests) = 0;
  // The same request for all.
  virtual std::vector<std::string> ask_all(const std::string& request) {
    return ask(std::vector<std::string>(static_cast<std::size_t>(count()), request));
  }
};

}  // namespace induce::detail
