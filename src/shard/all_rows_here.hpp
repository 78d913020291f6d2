// All rows of a large table, or a part of them, in this process: ordered rows (store/ordered_rows.hpp) for a stage.
#pragma once

#include "store/ordered_rows.hpp"
#include "train/local_site_rows.hpp"
#include "train/row_places.hpp"

namespace induce {

// Holds what the rows of the stage refer to; the ordered rows must outlive it.
class OrderedSiteRows final : private OrderedViews, public LocalSiteRows {
 public:
  OrderedSiteRows(const OrderedRows& rows, const FeatureMap& features, const StageNeeds& needs,
                  Workers& workers)
      : OrderedViews(rows, features, needs.likelihood.latent_functions() > 1),
        LocalSiteRows(
            {mapped, labels, weights, [&rows](Index count, Index width) { return rows.room(count, width); }},
            needs.m, needs.likelihood, needs.rule, workers, needs.memory) {}
};

class AllRowsHere final : public AllRows {
 public:
  AllRowsHere(const OrderedRows& rows, Workers& workers) : rows_(rows), workers_(workers) {}
  Index n() const override { return rows_.n(); }
  bool in_memory() const override { return rows_.in_memory(); }
  std::unique_ptr<SiteRows> place(const FeatureMap& map, const StageNeeds& needs) override {
    return std::make_unique<OrderedSiteRows>(rows_, map, needs, workers_);
  }

 private:
  const OrderedRows& rows_;
  Workers& workers_;
};

}  // namespace induce
