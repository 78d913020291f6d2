// The rows of a stage and their sites, wherever they are: in this process, in a file, or in other processes.
//
// A bound does not see rows. It asks for sums over them, and has the sites changed: this is all that it asks. With
//   s_i(f) = c_i + sum_c (t_ic f_c - w_ic f_c^2 / 2),
// w and t stay with the rows, and of the constants only their sum is needed. Sets of sites are immutable: a request
// reads some and makes a new one.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/pass.hpp"
#include "linalg/types.hpp"

namespace induce::detail {

// A set of sites of all rows, or of other numbers of theirs. Copies refer to the same set; it is gone with the last of them.
struct SiteSet {
  std::shared_ptr<const int> number{};  // among those of the rows
  double c = 0;                         // the sum of the constants
};

// E = sum_i E s_i(f_i) under the marginals that a request is about.
struct ExpectedSites {
  double old = 0;   // of the sites that were given
  double next = 0;  // of those that the rule makes there
};

// m and S2 of every row.
struct Marginals {
  Vector m, S2;
};

// Positions in the totals of a visit of rows: expectations without the constants, and the constants of the new sites.
struct RowTotal {
  static constexpr int old = 0, next = 1, constants = 2;
};

class SiteRows {
 public:
  virtual ~SiteRows() = default;

  virtual Index n() const = 0;  // of all rows
  virtual Index d() const = 0;
  virtual Index m() const = 0;
  virtual long passes() const = 0;  // first halves so far
  virtual std::size_t kept_bytes() const = 0;

  // Sites for the marginals N(m_c, S2_c) of every row, and for those of q. The frame may have any number of inducing
  // inputs.
  virtual SiteSet sites_at(const Vector& m, const Vector& S2, const Vector& thresholds) = 0;
  virtual SiteSet sites_at(const Frame& frame, const Posteriors& q) = 0;

  // from + step (target - from)
  virtual SiteSet between(const SiteSet& from, const SiteSet& target, double step) = 0;

  // The sums of posterior.hpp.
  virtual Sums& first_half(const Frame& frame, const SiteSet& sites) = 0;

  // What a second half is asked for besides the new sites.
  struct Wanted {
    bool adjoint = false;
    // Makes the new sites those of the tight bound (core/tight_trace.hpp).
    const SiteSet* residual = nullptr;
    // Receives those of all rows, which must be in this process.
    Marginals* marginals = nullptr;
  };

  // At the marginals of q: expectations, the sites there and, with an adjoint, that of the sum of E s_i(f_i) at fixed sites.
  // The adjoint has the derivatives of sum_i E log p(y_i | f_i) with respect to the thresholds.
  // With several functions the new sites are those of the means without their common part (local_site_rows.cpp).
  struct Answer {
    ExpectedSites expected;
    SiteSet next;
    RowAdjoint* adjoint = nullptr;  // valid until the next request

    void take_totals(const SiteSet& sites, const double* totals) {
      next.c = totals[RowTotal::constants];
      expected = {sites.c + totals[RowTotal::old], next.c + totals[RowTotal::next]};
    }
  };
  virtual Answer second_half(const Frame& frame, const Posteriors& q, const SiteSet& sites,
                             const Wanted& wanted) = 0;

  // The gain of the tight trace over the loose one, for one latent function.
  struct TightTrace {
    double gain = 0;
    SiteSet residual;  // k~_ii of all rows
    RowAdjoint* adjoint =
        nullptr;  // of minus the gain, for tight_gain_gradient(); valid until the next request
  };
  // `certain`: certain_posterior(frame).
  virtual TightTrace tight_trace(const Frame& frame, const Posterior& certain, const SiteSet& sites,
                                 bool with_adjoint) = 0;

  // sum_i E log p(y_i | f_i), and its derivatives with respect to the thresholds of the frame.
  virtual double expected_log(const Frame& frame, const Posteriors& q, Vector& threshold_slopes) = 0;
  double expected_log(const Frame& frame, const Posteriors& q) {
    Vector unused;
    return expected_log(frame, q, unused);
  }

  // For checkpoints: w and t of all rows, n x C each.
  virtual void read_sites(const SiteSet& sites, Vector& w, Vector& t) = 0;
  virtual SiteSet make_sites(const Vector& w, const Vector& t, double c) = 0;
};

}  // namespace induce::detail
