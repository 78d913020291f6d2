// Table 1 of the paper: which variables a method optimises numerically and which analytically.
#pragma once

#include <array>
#include <string_view>

#include <induce/options.hpp>

namespace induce {

enum Variables : unsigned {
  none = 0,
  theta = 1,     // kernel parameters (and mean and Z, where they are learned)
  mu_Sigma = 2,  // q(u)
  xi = 4,        // one per row
};

enum class Optimizer { lbfgsb, adadelta };

struct MethodRow {
  Method method;
  std::string_view name;
  unsigned numeric;
  unsigned analytic;
  std::string_view rule;  // the site rule; empty where there are no sites
  Optimizer optimizer;
  int max_iter;              // the default limit, far above what a fit needs
  bool tight_trace = false;  // core/tight_trace.hpp
};

inline constexpr std::array<MethodRow, 8> methods{{
    {Method::vi_jj, "vi-jj", theta, mu_Sigma | xi, "jj", Optimizer::lbfgsb, 200},
    {Method::vi_jj_full, "vi-jj-full", theta | xi, mu_Sigma, "jj", Optimizer::lbfgsb, 500},
    {Method::vi_jj_hybrid, "vi-jj-hybrid", theta | xi, mu_Sigma | xi, "jj", Optimizer::lbfgsb, 200},
    {Method::vi_taylor, "vi-taylor", theta, mu_Sigma | xi, "taylor", Optimizer::lbfgsb, 200},
    {Method::svi_adadelta, "svi-adadelta", theta | mu_Sigma, none, "", Optimizer::adadelta, 200},
    {Method::vi_newton, "vi-newton", theta, mu_Sigma | xi, "newton", Optimizer::lbfgsb, 2000},
    {Method::vi_jj_tight, "vi-jj-tight", theta, mu_Sigma | xi, "jj", Optimizer::lbfgsb, 200, true},
    {Method::svi_lbfgs, "svi-lbfgs", theta | mu_Sigma, none, "", Optimizer::lbfgsb, 500},
}};

// The method that `auto` stands for.
inline constexpr Method best_method = Method::vi_newton;

constexpr const MethodRow& row_of(Method method) {
  if (method == Method::automatic) method = best_method;
  for (const auto& row : methods)
    if (row.method == method) return row;
  return methods[0];
}

}  // namespace induce
