#include "kernel/additive.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernel/stationary.hpp"
#include "linalg/multiversion.hpp"

namespace induce {
namespace {

constexpr Index most_values = 16;  // distinct values in a block for which a column counts as discrete

INDUCE_MULTIVERSION
void add_to(const double* from, Index count, double* to) {
  for (Index k = 0; k < count; ++k) to[k] += from[k];
}

INDUCE_MULTIVERSION
double dot(const double* a, const double* b, Index count) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Index k = 0; k < count; ++k) sum += a[k] * b[k];
  return sum;
}

class PlacedAdditive final : public PlacedKernel {
 public:
  PlacedAdditive(const Shape& shape, const std::vector<Index>& features, double signal_std,
                 const Vector& lengthscales, const Matrix& Z)
      : shape_(shape),
        features_(features),
        variance_(signal_std * signal_std),
        share_(variance_ / static_cast<double>(features.size())),
        shared_lengthscale_(lengthscales.size() == 1),
        inverse_l_(a()),
        Z_s_(Z.rows(), a()) {
    for (Index f = 0; f < a(); ++f) {
      inverse_l_[f] = 1 / lengthscales[shared_lengthscale_ ? 0 : f];
      Z_s_.col(f) = Z.col(features_[f]) * inverse_l_[f];
    }
  }

  double diagonal() const override { return variance_; }
  double signal_variance() const override { return variance_; }
  bool inputs_within_reach() const override {
    return (Z_s_.array() >= -farthest_scaled).all() && (Z_s_.array() <= farthest_scaled).all();
  }

  // Per feature of A: its scaled values; the codes of the rows (indices into the distinct values); the number of
  // distinct values (0: too many) and these values. Then one column per distinct value.
  Index workspace(Index rows) const override {
    return a() * (2 * rows + 1 + most_values) + most_values * m();
  }

  void load(const RowBlock& rows, double* workspace) const override {
    const Loaded at(*this, workspace, rows.rows);
    for (Index f = 0; f < a(); ++f)
      for (Index i = 0; i < rows.rows; ++i)
        at.x(f)[i] =
            std::clamp(rows.x[i * rows.d + features_[f]] * inverse_l_[f], -farthest_scaled, farthest_scaled);
    for (Index f = 0; f < a(); ++f) find_values(at, f);
  }

  void covariance(const RowBlock& rows, double* workspace, double* K) const override {
    covariance_of(Loaded(*this, workspace, rows.rows), K);
  }

  Index pullback_size() const override { return 2 * m() * a() + a() + 1; }
  void pull_back(const RowBlock& rows, double* workspace, const double* K, double* G, double* /*scratch*/,
                 double* sum) const override {
    pull_back_of(Loaded(*this, workspace, rows.rows), K, G, sum);
  }

  void inducing_covariance(Matrix& K) override {
    K_zz_.resize(m(), m());
    Vector workspace(this->workspace(m()));
    covariance_of(loaded_inputs(workspace), K_zz_.data());
    K = K_zz_;
  }

  void gradient(const double* rows, double G_diagonal, const Matrix& G_mm, double jitter, double* d_theta,
                Matrix& d_Z) const override {
    Vector inducing = Vector::Zero(pullback_size()), workspace(this->workspace(m()));
    pull_back_of(loaded_inputs(workspace), K_zz_.data(), G_mm.data(), inducing.data());

    const Sums from_rows(*this, rows), from_inputs(*this, inducing.data());
    const double of_variance = G_diagonal + jitter * G_mm.trace();
    add_log_gradients(2 * (from_rows.GK + from_inputs.GK + variance_ * of_variance),
                      log_lengthscales(from_rows) + log_lengthscales(from_inputs), shared_lengthscale_,
                      d_theta);
    // Z is both arguments of K_mm; G_mm is symmetric, so both contribute equally.
    const Matrix d_inputs = inputs(from_rows) + 2 * inputs(from_inputs);
    for (Index f = 0; f < a(); ++f) d_Z.col(features_[f]) += d_inputs.col(f);
  }

 private:
  Index m() const { return Z_s_.rows(); }
  Index a() const { return static_cast<Index>(features_.size()); }

  // A block in its workspace.
  struct Loaded {
    Loaded(const PlacedAdditive& kernel, double* workspace, Index of_rows)
        : rows(of_rows), a(kernel.a()), m(kernel.m()), at(workspace) {}
    double* x(Index f) const { return at + f * rows; }
    double* codes(Index f) const { return at + (a + f) * rows; }
    double& count(Index f) const { return at[2 * a * rows + f]; }
    double* values(Index f) const { return at + 2 * a * rows + a + f * most_values; }
    double* columns() const { return at + a * (2 * rows + 1 + most_values); }
    Index rows, a, m;
    double* at;
  };

  // The entries of a pullback by name.
  struct Sums {
    Sums(const PlacedAdditive& kernel, const double* at)
        : U(Eigen::Map<const Matrix>(at, kernel.m(), kernel.a())),
          H1(Eigen::Map<const Matrix>(at + U.size(), kernel.m(), kernel.a())),
          squares(Eigen::Map<const Vector>(at + 2 * U.size(), kernel.a())),
          GK(at[kernel.pullback_size() - 1]) {}
    Matrix U, H1;    // m x |A|
    Vector squares;  // |A|: sum_ji x_if^2 H_jif
    double GK;       // sum G o K
  };

  static void find_values(const Loaded& at, Index f) {
    const double* x = at.x(f);
    double *codes = at.codes(f), *values = at.values(f);
    Index count = 0;
    at.count(f) = 0;
    for (Index i = 0; i < at.rows; ++i) {
      Index code = 0;
      while (code < count && values[code] != x[i]) ++code;
      if (code == count) {
        if (count == most_values || 4 * count > at.rows) return;
        values[count++] = x[i];
      }
      codes[i] = static_cast<double>(code);
    }
    at.count(f) = static_cast<double>(count);
  }

  Loaded loaded_inputs(Vector& workspace) const {
    const Loaded at(*this, workspace.data(), m());
    for (Index f = 0; f < a(); ++f) {
      std::copy_n(Z_s_.col(f).data(), m(), at.x(f));
      at.count(f) = 0;
    }
    return at;
  }

  // One column of covariances per distinct value.
  void value_columns(const Loaded& at, Index f) const {
    const auto count = static_cast<Index>(at.count(f));
    std::fill_n(at.columns(), count * m(), 0.0);
    for (Index v = 0; v < count; ++v)
      shape_.add_line(at.values(f)[v], Z_s_.col(f).data(), m(), share_, at.columns() + v * m());
  }

  void covariance_of(const Loaded& at, double* K) const {
    std::fill_n(K, m() * at.rows, 0.0);
    for (Index f = 0; f < a(); ++f) {
      if (at.count(f) > 0) {
        value_columns(at, f);
        for (Index i = 0; i < at.rows; ++i)
          add_to(at.columns() + static_cast<Index>(at.codes(f)[i]) * m(), m(), K + i * m());
      } else {
        for (Index i = 0; i < at.rows; ++i)
          shape_.add_line(at.x(f)[i], Z_s_.col(f).data(), m(), share_, K + i * m());
      }
    }
  }

  void pull_back_of(const Loaded& at, const double* K, const double* G, double* sum) const {
    double *U = sum, *H1 = U + m() * a(), *squares = H1 + m() * a(), *GK = squares + a();
    *GK += dot(G, K, m() * at.rows);
    for (Index f = 0; f < a(); ++f, U += m(), H1 += m()) {
      const auto add = [&](double x, const double* G_x) {
        squares[f] += x * x * shape_.pull_back_line(x, Z_s_.col(f).data(), G_x, m(), share_, H1, U);
      };
      if (at.count(f) > 0) {
        double* G_v = at.columns();
        for (Index v = 0; v < static_cast<Index>(at.count(f)); ++v) {
          std::fill_n(G_v, m(), 0.0);
          for (Index i = 0; i < at.rows; ++i)
            if (static_cast<Index>(at.codes(f)[i]) == v) add_to(G + i * m(), m(), G_v);
          add(at.values(f)[v], G_v);
        }
      } else {
        for (Index i = 0; i < at.rows; ++i) add(at.x(f)[i], G + i * m());
      }
    }
  }

  Vector log_lengthscales(const Sums& sums) const {
    return sums.squares +
           (Z_s_.cwiseProduct(Z_s_.cwiseProduct(sums.H1) - 2 * sums.U)).colwise().sum().transpose();
  }

  Matrix inputs(const Sums& sums) const {
    return (sums.U - Z_s_.cwiseProduct(sums.H1)) * inverse_l_.asDiagonal();
  }

  const Shape& shape_;
  const std::vector<Index>& features_;
  double variance_, share_;
  bool shared_lengthscale_;
  Vector inverse_l_;  // |A|
  Matrix Z_s_;        // m x |A|
  Matrix K_zz_;       // m x m, without jitter
};

}  // namespace

AdditiveKernel::AdditiveKernel(const std::string& shape, std::vector<Index> features,
                               const KernelSetting& setting)
    : name_("additive"), shape_(make_shape(shape)), features_(std::move(features)) {
  char separator = ':';
  for (const Index f : features_) {
    name_ += separator + std::to_string(f);
    separator = ',';
  }
  const std::vector<Index> given = features_;
  if (features_.empty()) {
    features_.resize(setting.d);
    std::iota(features_.begin(), features_.end(), Index{0});
  }
  parameters_ = {{.name = "additive.signal_std",
                  .count = 1,
                  .lower = 1e-3,
                  .upper = 1e3,
                  .start = 1,
                  .prior = NormalPrior{-1, 1}},
                 {.name = "additive.lengthscales",
                  .count = setting.ard ? static_cast<Index>(features_.size()) : 1,
                  .per_feature = true,
                  .lower = 1e-2 * setting.spread,
                  .upper = 1e4 * setting.spread,
                  .start = 0.5 * setting.spread,
                  .prior = NormalPrior{std::log(3 * setting.spread), 1},
                  .columns = given}};
}

std::unique_ptr<PlacedKernel> AdditiveKernel::place(const double* theta, const Matrix& Z) const {
  const Vector lengthscales = Eigen::Map<const Vector>(theta + 1, parameters_[1].count);
  return std::make_unique<PlacedAdditive>(*shape_, features_, theta[0], lengthscales, Z);
}

}  // namespace induce
