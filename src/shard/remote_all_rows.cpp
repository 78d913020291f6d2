#include "shard/remote_all_rows.hpp"

#include <algorithm>
#include <numeric>

namespace induce {
namespace {

MessageWriter begin(Request what) {
  MessageWriter out;
  out.count(static_cast<Index>(what));
  out.count(0);  // no set of rows
  return out;
}

}  // namespace

void hand_out(Shards& shards, TableView table, std::span<const int> labels, std::span<const double> weights) {
  constexpr std::size_t bytes_on_their_way = std::size_t{64} << 20;
  const std::size_t together = std::max<std::size_t>(static_cast<std::size_t>(shards.count()),
                                                     bytes_on_their_way / (sizeof(double) * (table.d + 2)));
  for (std::size_t first = 0; first < table.n; first += together) {
    const auto rows = static_cast<Index>(std::min(together, table.n - first));
    const auto begin_of = [&](int shard) {
      return first + static_cast<std::size_t>(share_of(shard, shards.count(), rows));
    };
    std::vector<std::string> requests;
    for (int shard = 0; shard < shards.count(); ++shard) {
      MessageWriter out = begin(Request::add_rows);
      write_rows(out, table, labels, weights, begin_of(shard), begin_of(shard + 1) - begin_of(shard));
      requests.push_back(out.take());
    }
    shards.ask(requests);
  }
}

RemoteAllRows::RemoteAllRows(Shards& shards, std::span<const Index> column_order)
    : shards_(shards), column_order_(column_order.begin(), column_order.end()) {
  MessageWriter out = begin(Request::count_rows);
  out.counts(column_order_);
  for (MessageReader& answer : shards_.ask_all(out.take())) {
    columns_ = std::max(columns_, answer.count());
    FactsOfRows own = read_facts(answer);
    facts_.include(own);
  }
}

OwnedRows RemoteAllRows::gather() {
  struct Piece {
    Index number, first, rows;
  };
  std::vector<Piece> pieces;
  GrowingRows all;
  for (MessageReader& answer : shards_.ask_all(begin(Request::give_rows).take())) {
    Index first = all.rows();
    all.add(answer);
    const std::vector<Index> of_shard = answer.counts();
    for (std::size_t k = 0; k + 1 < of_shard.size(); first += of_shard[k + 1], k += 2)
      pieces.push_back({of_shard[k], first, of_shard[k + 1]});
    if (first != all.rows()) throw data_error("a shard has answered with the wrong number of rows");
  }
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const Piece& a, const Piece& b) { return a.number < b.number; });
  const OwnedRows from = all.take();
  for (const Piece& piece : pieces)
    all.add(from.X.data() + piece.first * from.X.cols(), piece.rows, from.X.cols(),
            from.labels.data() + piece.first, from.weights.data() + piece.first);
  return all.take();
}

void RemoteAllRows::order() {
  leaves_ = leaves_by_hash(facts_.rows, columns_);
  const int shards = shards_.count();
  for (int target = 0; target < shards; ++target) {
    const Index first = share_of(target, shards, leaves_), end = share_of(target + 1, shards, leaves_);
    MessageWriter split = begin(Request::split_rows);
    for (const Index value : {leaves_, first, end}) split.count(value);
    split.counts(column_order_);
    MessageWriter moved = begin(Request::take_rows);
    moved.count(shards);
    std::string request = moved.take();
    for (const std::string_view rows : shards_.bytes_of(split.take())) request += rows;
    std::vector<std::string> requests(static_cast<std::size_t>(shards), begin(Request::nothing).take());
    requests[static_cast<std::size_t>(target)] = std::move(request);
    shards_.ask(requests);
  }
  std::vector<std::string> requests;
  for (int shard = 0; shard < shards; ++shard) {
    const Index first = share_of(shard, shards, leaves_);
    MessageWriter out = begin(Request::order_rows);
    for (const Index value : {leaves_, first, share_of(shard + 1, shards, leaves_) - first}) out.count(value);
    out.counts(column_order_);
    requests.push_back(out.take());
  }
  rows_.clear();
  for (MessageReader& answer : shards_.ask(requests)) rows_.push_back(answer.count());
  n_ = std::accumulate(rows_.begin(), rows_.end(), Index{0});
}

OwnedRows draw_sample(Shards& shards, double share) {
  MessageWriter out = begin(Request::sample);
  out.number(share);
  GrowingRows rows;
  for (MessageReader& answer : shards.ask_all(out.take())) rows.add(answer);
  return rows.take();
}

std::unique_ptr<SiteRows> RemoteAllRows::place(const FeatureMap& map, const StageNeeds& needs) {
  const Index number = shards_.new_set();
  MessageWriter out;
  out.count(static_cast<Index>(Request::place_all));
  out.count(number);
  write_map(out, map);
  write_needs(out, needs, shards_.count());
  std::size_t kept = 0;
  for (MessageReader& answer : shards_.ask_all(out.take())) kept += static_cast<std::size_t>(answer.count());
  return std::make_unique<RemoteSiteRows>(shards_, number, rows_, map.features(), leaves_, needs, kept);
}

}  // namespace induce
