#include "shard/shards.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "shard/remote_site_rows.hpp"
#include "shard/wire_table.hpp"

namespace induce::detail {
namespace {

MessageWriter begin(Request what, Index set = 0) {
  MessageWriter out;
  out.count(static_cast<Index>(what));
  out.count(set);
  return out;
}

}  // namespace

std::vector<MessageReader> Shards::read_answers(const std::function<std::vector<std::string>()>& ask) {
  workers_.stop_point(0);
  const auto began = std::chrono::steady_clock::now();
  answers_ = ask();
  std::vector<MessageReader> readers;
  double busiest = 0, sum = 0;
  for (std::size_t k = 0; k < answers_.size(); ++k) {
    traffic_.received += static_cast<double>(answers_[k].size());
    MessageReader& reader = readers.emplace_back(answers_[k]);
    if (const std::string failure = reader.text(); !failure.empty())
      throw data_error("shard " + std::to_string(k) + ": " + failure);
    const double seconds = reader.number();
    busiest = std::max(busiest, seconds);
    sum += seconds;
  }
  const double mean = answers_.empty() ? 0 : sum / static_cast<double>(answers_.size());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  traffic_.seconds_waiting += std::max(0.0, seconds - mean);
  traffic_.busiest += busiest;
  traffic_.mean += mean;
  return readers;
}

std::vector<MessageReader> Shards::ask_all(const std::string& request) {
  traffic_.sent += static_cast<double>(request.size()) * carrier_.count();
  return read_answers([&] { return carrier_.ask_all(request); });
}

std::vector<MessageReader> Shards::ask(const std::vector<std::string>& requests) {
  for (const std::string& request : requests) traffic_.sent += static_cast<double>(request.size());
  return read_answers([&] { return carrier_.ask(requests); });
}

std::unique_ptr<SiteRows> Shards::site_rows(const RowMatrix& X, const Targets& targets,
                                            const StageNeeds& needs) {
  const Index number = next_set_++, leaves = Leaves::of(X.rows()).total;
  const int shards = carrier_.count();
  std::vector<std::string> requests;
  std::vector<Index> rows;
  for (int shard = 0; shard < shards; ++shard) {
    MessageWriter out = begin(Request::place, number);
    const Index first = share_of(shard, shards, leaves);
    rows.push_back(write_part(out, X, targets, first, share_of(shard + 1, shards, leaves) - first));
    write_needs(out, needs, shards);
    requests.push_back(out.take());
  }
  std::size_t kept = 0;
  for (MessageReader& answer : ask(requests)) kept += static_cast<std::size_t>(answer.count());
  return std::make_unique<RemoteSiteRows>(*this, number, std::move(rows), X.cols(), leaves, needs, kept);
}

void Shards::hand_out(TableView table, std::span<const int> labels, std::span<const double> weights) {
  constexpr std::size_t bytes_on_their_way = std::size_t{64} << 20;
  const std::size_t together = std::max<std::size_t>(static_cast<std::size_t>(count()),
                                                     bytes_on_their_way / (sizeof(double) * (table.d + 2)));
  for (std::size_t first = 0; first < table.n; first += together) {
    const auto rows = static_cast<Index>(std::min(together, table.n - first));
    const auto begin_of = [&](int shard) {
      return first + static_cast<std::size_t>(share_of(shard, count(), rows));
    };
    std::vector<std::string> requests;
    for (int shard = 0; shard < count(); ++shard) {
      MessageWriter out = begin(Request::add_rows);
      write_rows(out, table, labels, weights, begin_of(shard), begin_of(shard + 1) - begin_of(shard));
      requests.push_back(out.take());
    }
    ask(requests);
  }
}

const RowFacts& Shards::count_rows(std::span<const Index> column_order) {
  column_order_.assign(column_order.begin(), column_order.end());
  facts_ = {};
  columns_ = 0;
  MessageWriter out = begin(Request::count_rows);
  out.counts(column_order_);
  for (MessageReader& answer : ask_all(out.take())) {
    const Index columns = answer.count();
    facts_.include(read_facts(answer));
    if (columns == 0) continue;  // it has no rows
    if (columns_ > 0 && columns != columns_)
      throw data_error("a shard has rows of " + std::to_string(columns) + " columns, another of " +
                       std::to_string(columns_));
    columns_ = columns;
  }
  return facts_;
}

OwnedRows Shards::gather() {
  struct Piece {
    Index number, first, rows;
  };
  std::vector<Piece> pieces;
  OwnedRows all;
  for (MessageReader& answer : ask_all(begin(Request::give_rows).take())) {
    Index first = all.n();
    read_rows(answer, all);
    const std::vector<Index> counts = answer.counts();
    for (std::size_t k = 0; k + 1 < counts.size(); first += counts[k + 1], k += 2)
      pieces.push_back({counts[k], first, counts[k + 1]});
    if (first != all.n()) throw data_error("a shard has answered with the wrong number of rows");
  }
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const Piece& a, const Piece& b) { return a.number < b.number; });
  OwnedRows ordered;
  for (const Piece& piece : pieces)
    ordered.add(all.x.data() + piece.first * all.columns, piece.rows, all.columns,
                all.labels.data() + piece.first, all.weights.data() + piece.first);
  return ordered;
}

void Shards::order_rows() {
  leaves_ = leaves_by_hash(facts_.rows, columns_);
  const int shards = count();
  for (int target = 0; target < shards; ++target) {
    const Index first = share_of(target, shards, leaves_), end = share_of(target + 1, shards, leaves_);
    MessageWriter split = begin(Request::split_rows);
    for (const Index value : {leaves_, first, end}) split.count(value);
    split.counts(column_order_);
    MessageWriter moved = begin(Request::take_rows);
    moved.count(shards);
    std::string request = moved.take();
    for (const MessageReader& answer : ask_all(split.take())) request += answer.rest();
    std::vector<std::string> requests(static_cast<std::size_t>(shards), begin(Request::nothing).take());
    requests[static_cast<std::size_t>(target)] = std::move(request);
    ask(requests);
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
  for (MessageReader& answer : ask(requests)) rows_.push_back(answer.count());
}

Index Shards::n() const { return std::accumulate(rows_.begin(), rows_.end(), Index{0}); }

OwnedRows Shards::draw_sample(double share) {
  MessageWriter out = begin(Request::sample);
  out.number(share);
  OwnedRows rows;
  for (MessageReader& answer : ask_all(out.take())) read_rows(answer, rows);
  return rows;
}

std::unique_ptr<SiteRows> Shards::site_rows(const FeatureMap& map, const StageNeeds& needs) {
  const Index number = next_set_++;
  MessageWriter out = begin(Request::place_all, number);
  write_map(out, map);
  write_needs(out, needs, count());
  std::size_t kept = 0;
  for (MessageReader& answer : ask_all(out.take())) kept += static_cast<std::size_t>(answer.count());
  return std::make_unique<RemoteSiteRows>(*this, number, rows_, map.features(), leaves_, needs, kept);
}

}  // namespace induce::detail
