// The terms of a sum (term/terms.hpp): "mains:0,5" and "pairs:0*5", by columns; "mains" has all that vary. A fit finds others (train/grow_terms.hpp).
//
// They have no covariance between rows and Z. Their values have a prior of their own, which the frame of a fit takes from
// terms() of the placed kernel; here are their names, parameters and priors. The deviation of a term starts at e^-1/2, that
// of a pair at e^-1, and log s ~ N(-1, 1): a term is one of many. Length-scales are shares of the rows: log l ~ N(log .3, 1).
#pragma once

#include "kernel/kernel.hpp"

namespace induce::detail {

class TermsKernel final : public Kernel {
 public:
  // Columns of mains and pairs; their axes are those of the setting. Without columns in the setting only the name is checked.
  TermsKernel(std::string name, const std::vector<Index>& of_mains,
              const std::vector<std::pair<Index, Index>>& of_pairs, const KernelSetting& setting);

  std::string name() const override { return name_; }
  const std::vector<KernelParameter>& parameters() const override { return parameters_; }
  std::unique_ptr<PlacedKernel> place(const double* theta, const Matrix& Z) const override;
  const Terms* terms() const override { return &terms_; }
  std::vector<KernelSummand> summands(const double* /*theta*/, Index /*d*/) const override { return {}; }

 private:
  std::string name_;
  Terms terms_;
  std::vector<KernelParameter> parameters_;
};

}  // namespace induce::detail
