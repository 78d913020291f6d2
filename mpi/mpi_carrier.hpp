// Messages of a fit between the ranks of an MPI job. Rank 0 is the driver and the first shard.
//
// A rank that waits sleeps between looks, so that more ranks than cores do not slow each other down.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "shard/carrier.hpp"

namespace induce::detail {

using Answerer = std::function<std::string(std::string_view request)>;

class MpiCarrier final : public Carrier {
 public:
  // `own`: answers for rank 0.
  explicit MpiCarrier(Answerer own);
  // Ends serve() of the other ranks; or the job, if an exception (such as one of memory) has come between a request and its
  // answers, because the others may then wait for ever.
  ~MpiCarrier() override;

  int count() const override { return ranks_; }
  std::vector<std::string> ask(const std::vector<std::string>& requests) override;
  std::vector<std::string> ask_all(const std::string& request) override;

 private:
  std::vector<std::string> collect(std::string_view own_request);

  Answerer own_;
  int ranks_ = 1;
  bool waiting_ = false;  // for answers
};

// What the other ranks do: answer until the driver has gone.
void serve(const Answerer& answer);

// How many ranks are on this machine.
int ranks_here();

}  // namespace induce::detail
