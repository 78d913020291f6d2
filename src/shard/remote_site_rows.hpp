// The rows of a stage in shards. See train/site_rows.hpp for what is asked of them.
#pragma once

#include <memory>
#include <vector>

#include "shard/carrier.hpp"
#include "shard/wire.hpp"
#include "train/row_places.hpp"

namespace induce {

// What a fit over shards has cost.
struct Traffic {
  double sent = 0, received = 0;  // bytes of messages to and from the shards
  double seconds_waiting = 0;     // of the driver, for the slowest shard, beyond the mean of all
  double busiest = 0,
         mean = 0;  // seconds of work of the slowest shard and of a mean one, summed over requests
  double bytes() const { return sent + received; }
  double imbalance() const { return mean > 0 ? busiest / mean : 1; }
};

// Speaks with the shards: numbers sets of rows and looks at errors and times.
class Shards final : public RowPlaces {
 public:
  // A request is a stop point of the driver's workers.
  Shards(Carrier& carrier, Workers& workers) : carrier_(carrier), workers_(workers) {}

  std::unique_ptr<SiteRows> place(const RowMatrix& X, const Targets& targets,
                                  const StageNeeds& needs) override;
  const Traffic& traffic() const { return traffic_; }
  int count() const { return carrier_.count(); }

  Index new_set() { return next_set_++; }

  // Readers of the answers, behind error and time; they are valid until the next request.
  std::vector<MessageReader> ask_all(const std::string& request);
  std::vector<MessageReader> ask(const std::vector<std::string>& requests);
  // The answers themselves.
  std::vector<std::string_view> bytes_of(const std::string& request);

 private:
  std::vector<MessageReader> look_at(std::vector<std::string> answers, double sent);

  Carrier& carrier_;
  Workers& workers_;
  Traffic traffic_;
  std::vector<std::string> answers_;
  Index next_set_ = 0;
};

class RemoteSiteRows final : public SiteRows {
 public:
  // The shards have placed set `number`, of so many rows each, with d features, whose tree has this many leaves.
  RemoteSiteRows(Shards& shards, Index number, std::vector<Index> rows, Index d, Index leaves,
                 const StageNeeds& needs, std::size_t kept_bytes);
  ~RemoteSiteRows() override;

  Index n() const override { return n_; }
  Index d() const override { return d_; }
  Index m() const override { return m_; }
  long passes() const override { return passes_; }
  std::size_t kept_bytes() const override { return kept_bytes_; }

  SiteSet sites_at(const Vector& m, const Vector& S2) override;
  SiteSet sites_at(const Frame& frame, const Posteriors& q) override;
  SiteSet between(const SiteSet& from, const SiteSet& target, double step) override;
  Sums& first_half(const Frame& frame, const SiteSet& sites) override;
  Answer second_half(const Frame& frame, const Posteriors& q, const SiteSet& sites,
                     const Wanted& wanted) override;
  TightTrace tight_trace(const Frame& frame, const Posterior& certain, const SiteSet& sites,
                         bool with_adjoint) override;
  double expected_log(const Frame& frame, const Posteriors& q) override;
  void take_out(const SiteSet& sites, Vector& w, Vector& t) override;
  SiteSet put_in(const Vector& w, const Vector& t, double c) override;

 private:
  MessageWriter begin(Request what);
  std::vector<MessageReader> ask_all(MessageWriter& request);
  SiteSet make_set();
  bool knows(const Frame& frame);  // from now on
  // The totals of a visit in the answers, which have the adjoint or not.
  const double* totals_of(std::vector<MessageReader>& answers);
  const double* totals_of(std::vector<MessageReader>& answers, const Frame& frame, bool moments,
                          RowAdjoint*& adjoint);

  Shards& shards_;
  std::vector<Index> rows_;  // of each shard
  Index number_, n_, d_, m_, functions_;
  std::size_t kept_bytes_;
  SumTree tree_;
  std::shared_ptr<std::vector<Index>> gone_ = std::make_shared<std::vector<Index>>();  // sets to forget
  int next_ = 0;
  long passes_ = 0;
  std::vector<long> known_frames_;
  SubtreeCollector<Sums> sums_;
  SubtreeCollector<RowAdjoint> adjoints_;
  SubtreeCollector<Totals<row_totals>> totals_;
};

}  // namespace induce
