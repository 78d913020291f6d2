// The table of methods: Table 1 of the paper (which variables a method optimises numerically and which
// analytically), the setting each method starts from, and its trainer.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <induce/options.hpp>

namespace induce::detail {

struct FitContext;
struct Outcome;

enum class Variables : unsigned {
  none = 0,
  theta = 1,     // kernel parameters (and mean and Z, where they are learned)
  mu_Sigma = 2,  // q(u)
  xi = 4,        // one per row
};
constexpr Variables operator|(Variables a, Variables b) {
  return static_cast<Variables>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool operator&(Variables a, Variables b) {  // any in common?
  return (static_cast<unsigned>(a) & static_cast<unsigned>(b)) != 0;
}

enum class Optimizer { lbfgsb, adadelta };

// What a method does for options that are unset.
struct MethodDefaults {
  bool ard, noise, mean, learn_inputs;
  bool merge_rows;                            // equal rows become one with a weight
  bool choose_model;                          // warp and kernel, during the fit
  std::size_t (*inducing)(std::size_t rows);  // upper limit
};

std::size_t inducing_of_paper(std::size_t rows);
std::size_t inducing_of_growth(std::size_t rows);

// One length-scale, a noise term, inducing inputs fixed by k-means.
inline constexpr MethodDefaults paper_setting{.ard = false,
                                              .noise = true,
                                              .mean = false,
                                              .learn_inputs = false,
                                              .merge_rows = false,
                                              .choose_model = false,
                                              .inducing = inducing_of_paper};
inline constexpr MethodDefaults best_setting{.ard = true,
                                             .noise = false,
                                             .mean = true,
                                             .learn_inputs = true,
                                             .merge_rows = true,
                                             .choose_model = true,
                                             .inducing = inducing_of_growth};

// Alg. 1 of the paper and its variants: every method with a closed form of q (vi.cpp).
Outcome train_vi(const FitContext& context);
// mu and Sigma as variables of the true bound (svi.cpp).
Outcome train_svi(const FitContext& context);
// The profiled true bound, with growing rows and inducing inputs (newton.cpp).
Outcome train_newton(const FitContext& context);

struct MethodTraits {
  Method method;
  std::string_view name;
  Variables numeric;
  Variables analytic;
  std::string_view rule;  // the site rule; empty if there are no sites
  Optimizer optimizer;
  int max_iter;  // the default limit, far above what a fit needs
  const MethodDefaults& defaults;
  Outcome (*train)(const FitContext& context);
  bool tight_trace = false;  // core/tight_trace.hpp
};

inline constexpr std::array<MethodTraits, 8> methods = [] {
  using enum Variables;
  return std::array<MethodTraits, 8>{{
      {Method::vi_jj, "vi-jj", theta, mu_Sigma | xi, "jj", Optimizer::lbfgsb, 200, paper_setting, train_vi},
      {Method::vi_jj_full, "vi-jj-full", theta | xi, mu_Sigma, "jj", Optimizer::lbfgsb, 500, paper_setting,
       train_vi},
      {Method::vi_jj_hybrid, "vi-jj-hybrid", theta | xi, mu_Sigma | xi, "jj", Optimizer::lbfgsb, 200,
       paper_setting, train_vi},
      {Method::vi_taylor, "vi-taylor", theta, mu_Sigma | xi, "taylor", Optimizer::lbfgsb, 200, paper_setting,
       train_vi},
      {Method::svi_adadelta, "svi-adadelta", theta | mu_Sigma, none, "", Optimizer::adadelta, 200,
       paper_setting, train_svi},
      {Method::vi_newton, "vi-newton", theta, mu_Sigma | xi, "newton", Optimizer::lbfgsb, 20000, best_setting,
       train_newton},
      {Method::vi_jj_tight, "vi-jj-tight", theta, mu_Sigma | xi, "jj", Optimizer::lbfgsb, 200, paper_setting,
       train_vi, true},
      {Method::svi_lbfgs, "svi-lbfgs", theta | mu_Sigma, none, "", Optimizer::lbfgsb, 500, paper_setting,
       train_svi},
  }};
}();

// May its rows be in files and in other processes? With xi a variable, the optimizer has a number per row; methods without
// sites do not ask for sums.
constexpr bool rows_may_be_elsewhere(const MethodTraits& row) {
  return !row.rule.empty() && !(row.numeric & Variables::xi);
}

// The method that `auto` stands for.
inline constexpr Method best_method = Method::vi_newton;

constexpr const MethodTraits& traits_of(Method method) {
  if (method == Method::automatic) method = best_method;
  for (const auto& row : methods)
    if (row.method == method) return row;
  return methods[0];
}

}  // namespace induce::detail
