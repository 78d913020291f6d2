// 95 % intervals of measures of quality: how far they may be from those of many more rows of the same kind.
//
// z = 1.96. Accuracy is a share k of n rows (Wilson, 1927): the shares p with |k/n - p| <= z sqrt(p (1 - p)/n),
//   (k + z^2/2)/(n + z^2) +- z/(n + z^2) sqrt(k (n - k)/n + z^2/4).
// The mean of a quantity of the rows: mean +- z s/sqrt(n), s^2 its variance with n - 1.
//
// The area A under the ROC curve (DeLong, DeLong and Clarke-Pearson, 1988). With psi(a, b) = 1, 1/2 or 0 if a is above, equal
// to or below b, each row has the share of the rows of the other class that it is in order with,
//   V_i = (1/n_0) sum_(j: y_j = 0) psi(p_i, p_j)   if y_i = 1,      W_j = (1/n_1) sum_(i: y_i = 1) psi(p_i, p_j)   if y_j = 0,
// A is the mean of either, and Var A = Var V/n_1 + Var W/n_0, each variance with n_c - 1. By ranks all shares take n log n. With
// C classes A is the mean over the classes, each against all others; a row then moves the mean by the sum of what it moves each:
//   A - E A ~ sum_i u_i,   u_i = (1/C) sum_c (V_ic - A_c)/n_c  or  (W_ic - A_c)/(n - n_c),      Var A = sum u_i^2,
// where, as above, a sum of n_c squares gets the factor n_c/(n_c - 1), here taken as n/(n - 1).
#pragma once

#include <cstddef>
#include <span>

namespace induce::detail {

struct Estimate {
  double value = 0, lower = 0, upper = 0;  // NaN: not known
};

Estimate share_of(double count, double n);
Estimate mean_of(std::span<const double> x);  // the bounds need two numbers
// p: of class 1. NaN if a class is absent; no bounds if one has a single row.
Estimate auc_of(std::span<const double> p, std::span<const int> y);
// p: of all classes, row-major. Classes without rows do not count.
Estimate mean_auc_of(std::span<const double> p, std::span<const int> y, std::size_t classes);

}  // namespace induce::detail
