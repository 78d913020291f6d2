#include "kernel/terms_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <induce/error.hpp>

namespace induce::detail {
namespace {

class PlacedTermsKernel final : public PlacedKernel {
 public:
  PlacedTermsKernel(const Terms& terms, const double* theta, Index m)
      : terms_(terms, theta, theta + terms.count()), m_(m) {}

  double diagonal() const override { return 0; }
  double signal_variance() const override { return 0; }
  const PlacedTerms* terms() const override { return &terms_; }
  void gradient_of_terms(const Vector& a, const Matrix& D, double* d_theta) const override {
    terms_.gradient(a, D, d_theta, d_theta + terms_.terms().count());
  }

  Index workspace(Index /*rows*/) const override { return 0; }
  void load(const RowBlock& /*rows*/, double* /*workspace*/) const override {}
  void covariance(const RowBlock& rows, double* /*workspace*/, double* K) const override {
    std::fill_n(K, m_ * rows.rows, 0.0);
  }
  Index pullback_size() const override { return 0; }
  void pull_back(const RowBlock& /*rows*/, double* /*workspace*/, const double* /*K*/, double* /*G*/,
                 double* /*scratch*/, double* /*sum*/) const override {}
  void inducing_covariance(Matrix& K) override { K.setZero(m_, m_); }
  void gradient(const double* /*rows*/, double /*G_diagonal*/, const Matrix& /*G_mm*/, double /*jitter*/,
                double* /*d_theta*/, Matrix& /*d_Z*/) const override {}

 private:
  PlacedTerms terms_;
  Index m_;
};

KernelParameter parameter(std::string name, double start, NormalPrior prior) {
  return {.name = std::move(name),
          .lower = std::exp(-5.0),
          .upper = std::exp(3.0),
          .start = start,
          .prior = prior};
}

}  // namespace

TermsKernel::TermsKernel(std::string name, const std::vector<Index>& of_mains,
                         const std::vector<std::pair<Index, Index>>& of_pairs, const KernelSetting& setting)
    : name_(std::move(name)) {
  std::vector<Term> terms;
  const NormalPrior std_prior{-1, 1}, lengthscale_prior{std::log(0.3), 1};
  KernelParameter stds[] = {parameter("mains.signal_std", std::exp(-0.5), std_prior),
                            parameter("pairs.signal_std", std::exp(-1.0), std_prior)};
  KernelParameter lengthscales[] = {parameter("mains.lengthscales", 0.3, lengthscale_prior),
                                    parameter("pairs.lengthscales", 0.3, lengthscale_prior)};
  const auto columns = static_cast<Index>(setting.axes.size());
  const auto add = [&](Term term) {
    const std::size_t axes = term.axes.size();
    const Index number = axes == 1 ? term.columns[0] : term.columns[0] * columns + term.columns[1];
    stds[axes - 1].of_terms.push_back(number);
    for (std::size_t k = 0; k < axes; ++k) {
      if (term.axes[k].size() < 2)
        throw usage_error("kernel '" + name_ + "': column " + std::to_string(term.columns[k]) +
                          " has one value only, so it has no term");
      if (term.axes[k].has_lengthscale())
        lengthscales[axes - 1].of_terms.push_back(2 * number + static_cast<Index>(k));
    }
    terms.push_back(std::move(term));
  };
  for (const Index column : of_mains) add({{column}, {setting.axes[column]}});
  for (const auto& [one, other] : of_pairs)
    add({{one, other}, {setting.pair_axes[one], setting.pair_axes[other]}});
  terms_ = Terms(std::move(terms));
  for (KernelParameter* each : {&stds[0], &stds[1], &lengthscales[0], &lengthscales[1]}) {
    each->count = static_cast<Index>(each->of_terms.size());
    if (each->count > 0) parameters_.push_back(std::move(*each));
  }
}

std::unique_ptr<PlacedKernel> TermsKernel::place(const double* theta, const Matrix& Z) const {
  return std::make_unique<PlacedTermsKernel>(terms_, theta, Z.rows());
}

}  // namespace induce::detail
