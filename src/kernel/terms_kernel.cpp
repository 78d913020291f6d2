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

KernelParameter parameter(std::string name, Index count, double start, NormalPrior prior) {
  return {.name = std::move(name),
          .count = count,
          .lower = std::exp(-5.0),
          .upper = std::exp(3.0),
          .start = start,
          .prior = prior};
}

}  // namespace

TermsKernel::TermsKernel(std::string name, std::vector<Index> of_mains,
                         std::vector<std::pair<Index, Index>> of_pairs, const KernelSetting& setting)
    : name_(std::move(name)) {
  std::vector<Term> terms;
  std::vector<Index> lengthscales(2, 0);
  const auto add = [&](Term term) {
    for (std::size_t k = 0; k < term.axes.size(); ++k) {
      if (term.axes[k].size() < 2)
        throw usage_error("kernel '" + name_ + "': column " + std::to_string(term.columns[k]) +
                          " has one value only, so it has no term");
      lengthscales[term.axes.size() - 1] += term.axes[k].has_lengthscale();
    }
    terms.push_back(std::move(term));
  };
  for (const Index column : of_mains) add({{column}, {setting.axes[column]}});
  for (const auto& [one, other] : of_pairs)
    add({{one, other}, {setting.pair_axes[one], setting.pair_axes[other]}});
  terms_ = Terms(std::move(terms));
  const NormalPrior std_prior{-1, 1}, lengthscale_prior{std::log(0.3), 1};
  parameters_ = {
      parameter("mains.signal_std", static_cast<Index>(of_mains.size()), std::exp(-0.5), std_prior),
      parameter("pairs.signal_std", static_cast<Index>(of_pairs.size()), std::exp(-1.0), std_prior),
      parameter("mains.lengthscales", lengthscales[0], 0.3, lengthscale_prior),
      parameter("pairs.lengthscales", lengthscales[1], 0.3, lengthscale_prior)};
  std::erase_if(parameters_, [](const KernelParameter& each) { return each.count == 0; });
}

std::unique_ptr<PlacedKernel> TermsKernel::place(const double* theta, const Matrix& Z) const {
  return std::make_unique<PlacedTermsKernel>(terms_, theta, Z.rows());
}

}  // namespace induce::detail
