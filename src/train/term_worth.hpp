// What terms must gain for the work of their values: the exchange rate of policy.hpp. The work of a pass grows with the entries
// of a row and the cube of all values, so the more a fit has, the dearer is the next.
#pragma once

#include "train/stages.hpp"

namespace induce::detail {

struct TermWorth {
  Index rows = 0, m = 0, d = 0, functions = 1;  // of a pass
  double doubling = 0;                          // nats that twice the work must gain

  // The nats that `more` must gain over what there is.
  double price(const TermSize& now, const TermSize& more) const;
};

}  // namespace induce::detail
