// Owns the rows of a fit by way of its shards (shard.hpp): numbers sets of rows, and looks at errors and times.
//
// Each shard has read some rows of a table. Unless the table is small, rows then move to the shard that has their leaf
// (store/row_store.hpp), where they are ordered and merged. Rows move through the driver, the share of one shard at a time: no
// carrier needs connections between shards.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shard/carrier.hpp"
#include "shard/message.hpp"
#include "store/sample.hpp"
#include "train/row_owner.hpp"

namespace induce::detail {

// What a fit over shards has cost.
struct Traffic {
  double sent = 0, received = 0;  // bytes of messages to and from the shards
  double seconds_waiting = 0;     // of the driver, for the slowest shard, beyond the mean of all
  double busiest = 0,
         mean = 0;  // seconds of work of the slowest shard and of a mean one, summed over requests
  double bytes() const { return sent + received; }
  double imbalance() const { return mean > 0 ? busiest / mean : 1; }
};

class Shards final : public RowOwner {
 public:
  // A request is a stop point of the driver's workers.
  Shards(Carrier& carrier, Workers& workers) : carrier_(carrier), workers_(workers) {}

  // Gives every shard a share of these rows, as if it had read them. May be called for one block of a table after the other.
  void hand_out(TableView table, std::span<const int> labels, std::span<const double> weights);
  // Looks at all rows that the shards have read. `column_order`: in which columns are hashed; empty: as they are.
  const RowFacts& count_rows(std::span<const Index> column_order);
  const RowFacts& facts() const { return facts_; }
  Index columns() const { return columns_; }
  // All rows, in the order of their pieces. The shards are then empty.
  OwnedRows gather();
  // Moves and orders the rows that were counted. Before the functions below.
  void order_rows();
  Index n() const;
  // See store/sample.hpp. Also after a fit.
  OwnedRows draw_sample(double share);
  std::unique_ptr<SiteRows> site_rows(const FeatureMap& map, const StageNeeds& needs) override;

  std::unique_ptr<SiteRows> site_rows(const RowMatrix& X, const Targets& targets,
                                      const StageNeeds& needs) override;

  const Traffic& traffic() const { return traffic_; }
  int count() const { return carrier_.count(); }

  // Readers of the answers, behind error and time; they are valid until the next request.
  std::vector<MessageReader> ask_all(const std::string& request);
  std::vector<MessageReader> ask(const std::vector<std::string>& requests);

 private:
  std::vector<MessageReader> read_answers(const std::function<std::vector<std::string>()>& ask);

  Carrier& carrier_;
  Workers& workers_;
  Traffic traffic_;
  std::vector<std::string> answers_;
  Index next_set_ = 0;

  std::vector<Index> column_order_;
  RowFacts facts_;
  Index columns_ = 0, leaves_ = 0;
  std::vector<Index> rows_;  // of each shard, ordered
};

}  // namespace induce::detail
