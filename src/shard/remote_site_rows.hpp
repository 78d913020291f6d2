// The rows of a stage in shards. See train/site_rows.hpp for what is asked of them.
#pragma once

#include <memory>
#include <vector>

#include "shard/shards.hpp"
#include "shard/wire.hpp"

namespace induce::detail {

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

  SiteSet sites_at(const Vector& m, const Vector& S2, const Vector& thresholds) override;
  SiteSet sites_at(const Frame& frame, const Posteriors& q) override;
  SiteSet between(const SiteSet& from, const SiteSet& target, double step) override;
  Sums& first_half(const Frame& frame, const SiteSet& sites) override;
  Answer second_half(const Frame& frame, const Posteriors& q, const SiteSet& sites,
                     const Wanted& wanted) override;
  TightTrace tight_trace(const Frame& frame, const Posterior& certain, const SiteSet& sites,
                         bool with_adjoint) override;
  using SiteRows::expected_log;
  double expected_log(const Frame& frame, const Posteriors& q, Vector& threshold_slopes) override;
  void read_sites(const SiteSet& sites, Vector& w, Vector& t) override;
  SiteSet make_sites(const Vector& w, const Vector& t, double c) override;

 private:
  MessageWriter begin(Request what);
  std::vector<MessageReader> ask_all(MessageWriter& request);
  SiteSet make_set();
  bool knows(const Frame& frame);  // from now on
  // The totals of a visit in the answers, which have the adjoint or not.
  const double* totals_of(std::vector<MessageReader>& answers, const SumTree& tree, Index thresholds);
  const double* totals_of(std::vector<MessageReader>& answers, const Frame& frame, bool moments,
                          RowAdjoint*& adjoint);

  Shards& shards_;
  std::vector<Index> rows_;  // of each shard
  Index number_, n_, d_, m_, functions_;
  std::size_t kept_bytes_;
  SumTree tree_of(const Frame& frame) const;
  Index leaves_;
  std::shared_ptr<std::vector<Index>> gone_ = std::make_shared<std::vector<Index>>();  // sets to forget
  int next_ = 0;
  long passes_ = 0;
  std::vector<long> known_frames_;
  SubtreeCollector<Sums> sums_;
  SubtreeCollector<RowAdjoint> adjoints_;
  SubtreeCollector<Totals<row_totals>> totals_;
};

}  // namespace induce::detail
