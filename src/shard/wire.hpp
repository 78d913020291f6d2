// What the messages of a fit consist of.
#pragma once

#include <algorithm>
#include <map>
#include <memory>

#include "core/frame.hpp"
#include "core/posterior.hpp"
#include "rows/reducer.hpp"
#include "shard/message.hpp"
#include "train/row_owner.hpp"

namespace induce::detail {

enum class Request : Index {
  place,
  remove,
  sites_of_prior,
  sites_of_q,
  between,
  first_half,
  second_half,
  tight_trace,
  expected_log,
  read_sites,
  make_sites,
  // About all rows of a table:
  nothing,
  add_rows,
  count_rows,
  give_rows,
  split_rows,
  take_rows,
  order_rows,
  sample,
  place_all
};

// The first of the leaves of a shard. Shares of many leaves begin with the first leaf of a large subtree, since every
// subtree that a share has is a sum to send: a share has 16 such pieces or more, so shares are even up to a sixteenth.
// Groups of leaves stay together.
inline Index share_of(int shard, int shards, Index leaves) {
  constexpr Index pieces = 16;
  Index piece = Leaves::group(leaves);
  while (2 * piece * pieces * shards <= leaves) piece *= 2;
  return std::min(leaves, (leaves + piece - 1) / piece * shard / shards * piece);
}

void write_needs(MessageWriter& out, const StageNeeds& needs, int shards);
StageNeeds read_needs(MessageReader& in);

// A frame without what only the driver needs: the shard places the kernel and takes the solver as it is, so that the
// driver alone decides about jitter. A frame that the shard has is sent as its number.
void write_frame(MessageWriter& out, const Frame& frame, bool known);
// Reads frames and keeps the last few.
class FrameReader {
 public:
  explicit FrameReader(KernelSetting setting) : setting_(std::move(setting)) {}
  const Frame& read(MessageReader& in);

 private:
  KernelSetting setting_;  // without axes
  std::map<long, Frame> known_;
};
constexpr std::size_t kept_frames = 2;

void write_posteriors(MessageWriter& out, const Posteriors& q, Index functions);  // what marginals need
std::vector<Posterior> read_posteriors(MessageReader& in);

template <class Sum>
void write_subtrees(MessageWriter& out, const Reducer<Sum>& reducer) {
  Index count = 0;
  reducer.for_each_subtree([&](Subtree, const Sum&) { ++count; });
  out.count(count);
  reducer.for_each_subtree([&](Subtree at, Sum& sum) {
    out.count(at.level);
    out.count(at.node);
    out.runs(sum.numbers().data(), static_cast<Index>(sum.numbers().size()));
  });
}

// Finishes the tree from the subtrees of all shards.
template <class Sum>
class SubtreeCollector {
 public:
  // `clear` gives a sum its size.
  template <class Clear>
  Sum& finish(SumTree tree, std::vector<MessageReader>& answers, const Clear& clear) {
    sums_.clear();
    WaitingSums<Sum> waiting(tree);
    for (MessageReader& answer : answers) {
      const Index count = answer.count();
      for (Index k = 0; k < count; ++k) {
        const Index level = answer.count(), node = answer.count();
        if (level < 0 || level > tree.levels() || node < 0 || node >= tree.nodes(level))
          throw data_error("a shard has answered with a sum of rows that do not exist");
        Sum& sum = *sums_.emplace_back(std::make_unique<Sum>());
        clear(sum);
        answer.runs(sum.numbers());
        add_subtree(waiting, {level, node}, sum);
      }
    }
    if (tree.leaves == 0) clear(*sums_.emplace_back(std::make_unique<Sum>()));
    Sum* root = tree.leaves == 0 ? sums_.back().get() : waiting.root();
    if (!root) throw data_error("the shards have answered with fewer rows than there are");
    return *root;
  }

 private:
  std::vector<std::unique_ptr<Sum>> sums_;
};

}  // namespace induce::detail
