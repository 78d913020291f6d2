#include "kernel/sum.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace induce::detail {
namespace {

struct Part {
  std::unique_ptr<PlacedKernel> kernel;
  Index at;             // offset in theta
  bool of_rows = true;  // false: no covariance between rows and Z
};

class PlacedSum final : public PlacedKernel {
 public:
  PlacedSum(std::vector<Part> parts, Index m) : parts_(std::move(parts)), m_(m) {
    for (Part& part : parts_) part.of_rows = part.kernel->pullback_size() > 0;
    of_rows_ = std::count_if(parts_.begin(), parts_.end(), [](const Part& part) { return part.of_rows; });
  }

  double diagonal() const override {
    return total([](const PlacedKernel& part) { return part.diagonal(); });
  }
  double signal_variance() const override {
    return total([](const PlacedKernel& part) { return part.signal_variance(); });
  }
  const PlacedTerms* terms() const override {
    for (const Part& part : parts_)
      if (const PlacedTerms* found = part.kernel->terms()) return found;
    return nullptr;
  }
  void gradient_of_terms(const Vector& a, const Matrix& D, double* d_theta) const override {
    for (const Part& part : parts_) part.kernel->gradient_of_terms(a, D, d_theta + part.at);
  }
  bool inputs_within_reach() const override {
    return std::all_of(parts_.begin(), parts_.end(),
                       [](const Part& part) { return part.kernel->inputs_within_reach(); });
  }

  // The workspaces of the parts, then a covariance, an adjoint and a remainder if several parts need their own.
  Index workspace(Index rows) const override {
    return total([&](const PlacedKernel& part) { return part.workspace(rows); }) +
           (of_rows_ > 1 ? 3 * m_ * rows : 0);
  }
  void load(const RowBlock& rows, double* workspace) const override {
    for (const Part& part : parts_) {
      part.kernel->load(rows, workspace);
      workspace += part.kernel->workspace(rows.rows);
    }
  }
  void covariance(const RowBlock& rows, double* workspace, double* K) const override {
    double* own = shared_workspace(rows, workspace);
    bool first = true;
    for (const Part& part : parts_) {
      if (part.of_rows) {
        part.kernel->covariance(rows, workspace, first ? K : own);
        if (!first)
          for (Index k = 0; k < m_ * rows.rows; ++k) K[k] += own[k];
        first = false;
      }
      workspace += part.kernel->workspace(rows.rows);
    }
  }

  Index pullback_size() const override {
    return total([](const PlacedKernel& part) { return part.pullback_size(); });
  }
  void pull_back(const RowBlock& rows, double* workspace, const double* K, double* G, double* scratch,
                 double* sum) const override {
    const Index entries = m_ * rows.rows;
    double *own = shared_workspace(rows, workspace), *own_G = own + entries, *rest = own_G + entries;
    if (of_rows_ > 1) std::copy_n(K, entries, rest);
    Index left = of_rows_;
    for (const Part& part : parts_) {
      if (part.of_rows && of_rows_ == 1) {
        part.kernel->pull_back(rows, workspace, K, G, scratch, sum);
      } else if (part.of_rows && --left == 0) {
        part.kernel->pull_back(rows, workspace, rest, G, scratch, sum);
      } else if (part.of_rows) {
        part.kernel->covariance(rows, workspace, own);
        for (Index k = 0; k < entries; ++k) rest[k] -= own[k];
        std::copy_n(G, entries, own_G);
        part.kernel->pull_back(rows, workspace, own, own_G, scratch, sum);
      }
      workspace += part.kernel->workspace(rows.rows);
      sum += part.kernel->pullback_size();
    }
  }

  void inducing_covariance(Matrix& K) override {
    Matrix own;
    K.setZero(m_, m_);
    for (const Part& part : parts_) {
      part.kernel->inducing_covariance(own);
      K += own;
    }
  }

  void gradient(const double* rows, double G_diagonal, const Matrix& G_mm, double jitter, double* d_theta,
                Matrix& d_Z) const override {
    for (const Part& part : parts_) {
      part.kernel->gradient(rows, G_diagonal, G_mm, jitter, d_theta + part.at, d_Z);
      rows += part.kernel->pullback_size();
    }
  }

 private:
  template <class Of>
  std::invoke_result_t<Of, const PlacedKernel&> total(const Of& of) const {
    std::invoke_result_t<Of, const PlacedKernel&> sum = 0;
    for (const Part& part : parts_) sum += of(*part.kernel);
    return sum;
  }

  double* shared_workspace(const RowBlock& rows, double* workspace) const {
    return workspace + total([&](const PlacedKernel& part) { return part.workspace(rows.rows); });
  }

  std::vector<Part> parts_;
  Index m_;
  Index of_rows_ = 0;  // parts with covariance between rows and Z
};

}  // namespace

SumKernel::SumKernel(std::vector<std::unique_ptr<const Kernel>> parts) : parts_(std::move(parts)) {
  for (const auto& part : parts_)
    parameters_.insert(parameters_.end(), part->parameters().begin(), part->parameters().end());
}

std::string SumKernel::name() const {
  std::string name;
  for (const auto& part : parts_)
    if (!part->name().empty()) name += (name.empty() ? "" : "+") + part->name();
  return name;
}

std::unique_ptr<PlacedKernel> SumKernel::place(const double* theta, const Matrix& Z) const {
  std::vector<Part> placed;
  Index at = 0;
  for (const auto& part : parts_) {
    placed.push_back({part->place(theta + at, Z), at});
    at += part->size();
  }
  return std::make_unique<PlacedSum>(std::move(placed), Z.rows());
}

const Terms* SumKernel::terms() const {
  for (const auto& part : parts_)
    if (const Terms* found = part->terms()) return found;
  return nullptr;
}

std::vector<KernelSummand> SumKernel::summands(const double* theta, Index d) const {
  std::vector<KernelSummand> all;
  for (const auto& part : parts_) {
    for (KernelSummand& term : part->summands(theta, d)) all.push_back(std::move(term));
    theta += part->size();
  }
  return all;
}

}  // namespace induce::detail
