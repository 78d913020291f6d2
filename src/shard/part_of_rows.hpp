// Consecutive leaves of the rows of a stage, as they are sent to a shard.
#pragma once

#include "rows/row_source.hpp"
#include "shard/message.hpp"
#include "site/targets.hpp"

namespace induce {

class PartOfRows : public RowSource {
 public:
  explicit PartOfRows(MessageReader& in) {
    const Index all = in.count(), first = in.count(), count = in.count();
    leaves_ = Leaves::part(all, first, count);
    const Index rows = in.count(), d = in.count();
    X_.resize(rows, d);
    in.numbers({X_.data(), static_cast<std::size_t>(X_.size())});
    targets = Targets{in.vector(), in.vector()};  // in this order
    if (rows != leaves_.rows() || targets.n() != rows || targets.weight.size() != rows)
      throw data_error("a message has the wrong number of rows");
  }
  // Of the rows of a table, those of `count` leaves from the first one on. Returns how many they are.
  static Index write(MessageWriter& out, const RowMatrix& X, const Targets& targets, Index first,
                     Index count) {
    const Index size = Leaves::size(X.rows()), begin = std::min(X.rows(), first * size),
                rows = std::min(X.rows(), (first + count) * size) - begin;
    for (const Index value : {X.rows(), first, count, rows, X.cols()}) out.count(value);
    out.numbers(X.data() + begin * X.cols(), rows * X.cols());
    out.numbers(targets.y.data() + begin, rows);
    out.numbers(targets.weight.data() + begin, rows);
    return rows;
  }

  Index n() const override { return X_.rows(); }
  Index d() const override { return X_.cols(); }
  Leaves leaves() const override { return leaves_; }
  Index buffer(Index /*rows*/) const override { return 0; }
  RowBlock block(Index first, Index rows, double* /*buffer*/) const override {
    return {first, rows, d(), X_.row(first).data()};
  }

  Targets targets;

 private:
  Leaves leaves_;
  RowMatrix X_;
};

}  // namespace induce
