// The terms of a kernel (term/terms.hpp) as effects of columns and of pairs, over R rows.
//
// Let a and b be columns, h_a(x) the shares of row x in the entries of an axis of a, and
//   pi_a = (1/R) sum_i h_a(x_i),          d_a(x) = h_a(x) - pi_a.
// A main effect is h_a'u = d_a'u + pi_a'u: a function whose mean over the rows is 0, and a constant. A pair is
//   h_a (x) h_b  =  d_a (x) d_b  +  d_a (x) pi_b  +  pi_a (x) d_b  +  pi_a (x) pi_b,
// of which the first is the effect of the pair: it is 0 if either column is averaged over its values in the rows, whatever the other one is.
// The next two are functions of one column and belong to its effect, and the last one is a constant. So the effect of a column is the average
// of all terms over rows that have its value, as for any kernel (effects.hpp), but without a loop over rows; and
//   sum of all terms  =  sum over columns  +  sum over pairs  +  a constant            at every x.
// This is the functional ANOVA under the product of the columns' distributions: a pair is not charged for the correlation of its columns.
//
// Everything is omega'u, for a vector omega over all values. Its posterior is
//   E omega'u = omega'beta,     Var omega'u = omega'S omega = e'e - e'D e,  e = C'omega       (S = C (I - D) C').
#pragma once

#include <vector>

#include "core/fitted.hpp"
#include "explain/curve.hpp"

namespace induce::detail {

class TermEffects {
 public:
  // A kernel without terms has no effects here. `rows`: in the model's units. `fitted` must outlive this.
  TermEffects(const Fitted& fitted, const RowMatrix& rows);

  // omega of a column's effect at these rows, of which only its own features count: a block for each of its terms.
  struct Block {
    Index term;
    Matrix omega;  // values of the term x points
  };
  std::vector<Block> column(Index column, const RowMatrix& at) const;
  // Its mean: points x functions.
  Matrix mean(const std::vector<Block>& effect, Index points) const;

  std::vector<Index> pairs() const;  // the terms that are
  // The effect of a pair at all points of its first column, with all of its second: the second one changes first.
  Curve pair(Index term, const RowMatrix& first, const RowMatrix& second) const;
  // Its mean at rows: rows x functions.
  Matrix pair_mean(Index term, const RowMatrix& at) const;

 private:
  const Terms& terms() const { return fitted_.frame.terms()->terms(); }
  // d of an axis: entries x points.
  Matrix centred(Index term, std::size_t axis, const RowMatrix& at) const;
  // beta of a pair, as a matrix over both axes, times the scale of the function.
  Matrix grid(Index term, Index function) const;

  const Fitted& fitted_;
  std::vector<std::vector<Vector>> average_;  // pi, by term and axis
};

}  // namespace induce::detail
