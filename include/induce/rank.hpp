// Which rows of a pool to label next: those whose labels tell a model most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <induce/api.hpp>
#include <induce/model.hpp>

namespace induce {

struct RankOptions {
  std::size_t rows = 50;      // to choose, at most 5,000; rows times latent functions at most 20,000
  double random_share = 0.1;  // of them, drawn from the whole pool whatever they gain
  std::uint64_t seed = 0;     // of this draw, and of that of the rows that stand for the pool
  int threads = 0;            // 0: all cores; the result is the same for any number
};

struct RankedRow {
  std::size_t row = 0;  // of the pool, from 0
  // Expected of its label, beyond the labels of the random rows and of the rows before it: how much it lowers the negative
  // log-likelihood of a row of the pool, and how much it tells about the row's own latent functions, both in nats.
  double gain = 0, information = 0;
  double novelty = 0;  // induce/doubt.hpp
  bool random = false;
  std::vector<double> probabilities;  // of each class
};

// Reads a pool in parts, in memory that does not depend on the number of its rows.
class INDUCE_API PoolRanking {
 public:
  // Keeps a reference to the model. Throws an Error if an option is out of range.
  explicit PoolRanking(const Model& model, const RankOptions& options = {});
  ~PoolRanking();
  PoolRanking(const PoolRanking&) = delete;
  PoolRanking& operator=(const PoolRanking&) = delete;

  // Takes the next rows. `costs`: of labelling each, greater than 0; empty: all 1. With costs, rows are chosen by gain per cost.
  void add(TableView X, std::span<const double> costs = {});
  void add(SparseView X, std::span<const double> costs = {});
  // The numbers of the rows that may still be chosen, increasing.
  std::vector<std::size_t> candidates() const;
  // The rows to label, the first ones first; all rows of a smaller pool.
  std::vector<RankedRow> choose() const;

 private:
  struct Pool;
  std::unique_ptr<Pool> pool_;
};

INDUCE_API std::vector<RankedRow> rank_rows(const Model& model, TableView X, const RankOptions& options = {},
                                            std::span<const double> costs = {});
INDUCE_API std::vector<RankedRow> rank_rows(const Model& model, SparseView X, const RankOptions& options = {},
                                            std::span<const double> costs = {});

}  // namespace induce
