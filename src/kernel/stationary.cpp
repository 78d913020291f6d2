#include "kernel/stationary.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"
#include "linalg/multiversion.hpp"

namespace induce::detail {
namespace {

// From this many features on, r2 = |x|^2 + |z|^2 - 2 x'z by one matrix product is faster than summing
// squared differences. It loses digits to cancellation (absolute error about 1e-16 |x|^2), which is harmless
// for a kernel that is smooth at zero.
constexpr Index many_features = 24;

INDUCE_MULTIVERSION
void sum_squared_differences(const double* x, Index d, const double* Z_s, Index m, double* r2) {
  for (Index j = 0; j < m; ++j) r2[j] = 0;
  Index f = 0;
  for (; f + 4 <= d; f += 4) {  // four features per sweep: a quarter of the loads and stores of r2
    const double x0 = x[f], x1 = x[f + 1], x2 = x[f + 2], x3 = x[f + 3];
    const double *z0 = Z_s + f * m, *z1 = z0 + m, *z2 = z1 + m, *z3 = z2 + m;
    for (Index j = 0; j < m; ++j) {
      const double e0 = x0 - z0[j], e1 = x1 - z1[j], e2 = x2 - z2[j], e3 = x3 - z3[j];
      r2[j] += (e0 * e0 + e1 * e1) + (e2 * e2 + e3 * e3);
    }
  }
  for (; f < d; ++f) {
    const double xf = x[f];
    const double* z = Z_s + f * m;
    for (Index j = 0; j < m; ++j) r2[j] += (xf - z[j]) * (xf - z[j]);
  }
}

INDUCE_MULTIVERSION
void add_norms(const double* zz, double xx, Index m, double* r2) {
  for (Index j = 0; j < m; ++j) {
    const double value = xx + zz[j] - 2 * r2[j];
    r2[j] = value > 0 ? value : 0;
  }
}

void squared_distances(const Shape& shape, const double* X_s, Index b, const Matrix& Z_s, double* R2) {
  const Index m = Z_s.rows(), d = Z_s.cols();
  if (d < many_features || !shape.smooth_at_zero()) {
    for (Index i = 0; i < b; ++i) sum_squared_differences(X_s + i * d, d, Z_s.data(), m, R2 + i * m);
    return;
  }
  blas::multiply(Z_s, X_s, b, R2);  // row-major X_s is X_s' column-major: Z_s X_s'
  thread_local Vector zz;
  zz = Z_s.rowwise().squaredNorm();
  for (Index i = 0; i < b; ++i) {
    const double xx = Eigen::Map<const Vector>(X_s + i * d, d).squaredNorm();
    add_norms(zz.data(), xx, m, R2 + i * m);
  }
}

// H := G o S; returns column sums in h (b), adds row sums to H1, returns sum G o K.
INDUCE_MULTIVERSION
double multiply_and_sum(double* G, const double* S, const double* K, Index m, Index b, double* H1,
                        double* h) {
  double GK = 0;
  for (Index i = 0; i < b; ++i) {
    double *g = G + i * m, column = 0, product = 0;
    const double *s = S + i * m, *k = K + i * m;
#pragma omp simd reduction(+ : product, column)
    for (Index j = 0; j < m; ++j) {
      product += g[j] * k[j];
      const double value = g[j] * s[j];
      column += value;
      H1[j] += value;
      g[j] = value;
    }
    GK += product;
    h[i] = column;
  }
  return GK;
}

// X_s := X diag(inverse_l), clamped to +-farthest_scaled (a NaN stays NaN).
void scale_rows(const double* X, Index b, const Vector& inverse_l, double* X_s) {
  const Index d = inverse_l.size();
  for (Index i = 0; i < b; ++i)
    for (Index f = 0; f < d; ++f)
      X_s[i * d + f] = std::clamp(X[i * d + f] * inverse_l[f], -farthest_scaled, farthest_scaled);
}

class PlacedStationary final : public PlacedKernel {
 public:
  PlacedStationary(const Shape& shape, double signal_std, const Vector& lengthscales,
                   const std::vector<Index>& group_of, const Matrix& Z)
      : shape_(shape),
        variance_(signal_std * signal_std),
        shared_lengthscale_(lengthscales.size() == 1),
        group_of_(group_of),
        inverse_l_(Z.cols()) {
    for (Index f = 0; f < Z.cols(); ++f) inverse_l_[f] = 1 / lengthscales[lengthscale_of(f)];
    Z_s_ = Z * inverse_l_.asDiagonal();
  }

  double diagonal() const override { return variance_; }
  double signal_variance() const override { return variance_; }
  bool inputs_within_reach() const override {
    return (Z_s_.array() >= -farthest_scaled).all() && (Z_s_.array() <= farthest_scaled).all();
  }

  // The workspace holds X_s.
  Index workspace(Index rows) const override { return rows * d(); }
  void load(const RowBlock& rows, double* X_s) const override {
    scale_rows(rows.x, rows.rows, inverse_l_, X_s);
  }
  void covariance(const RowBlock& rows, double* X_s, double* K) const override {
    covariance_of_scaled(X_s, rows.rows, K);
  }

  Index pullback_size() const override { return m() * d() + m() + d() + 1; }
  void pull_back(const RowBlock& rows, double* X_s, const double* K, double* G, double* scratch,
                 double* sum) const override {
    pull_back_scaled(X_s, rows.rows, K, G, scratch, sum);
  }

  void inducing_covariance(Matrix& K) override {
    K_zz_.resize(m(), m());
    const RowMatrix rows = Z_s_;
    covariance_of_scaled(rows.data(), m(), K_zz_.data());
    K = K_zz_;
  }

  void gradient(const double* rows, double G_diagonal, const Matrix& G_mm, double jitter, double* d_theta,
                Matrix& d_Z) const override {
    Vector inducing = Vector::Zero(pullback_size());
    const RowMatrix Z_rows = Z_s_;
    Matrix G = G_mm, scratch(m(), m());
    pull_back_scaled(Z_rows.data(), m(), K_zz_.data(), G.data(), scratch.data(), inducing.data());

    const Sums from_rows(*this, rows), from_inputs(*this, inducing.data());
    const double of_variance = G_diagonal + jitter * G_mm.trace();
    d_theta[0] += 2 * (from_rows.GK + from_inputs.GK + variance_ * of_variance);
    const Vector d_log_l = log_lengthscales(from_rows) + log_lengthscales(from_inputs);
    if (shared_lengthscale_)
      d_theta[1] += d_log_l.sum();
    else
      for (Index f = 0; f < d(); ++f) d_theta[1 + lengthscale_of(f)] += d_log_l[f];
    // Z is both arguments of K_mm; G_mm is symmetric, so both contribute equally.
    d_Z += inputs(from_rows) + 2 * inputs(from_inputs);
  }

 private:
  Index m() const { return Z_s_.rows(); }
  Index d() const { return Z_s_.cols(); }
  Index lengthscale_of(Index f) const {
    return shared_lengthscale_ ? 0 : group_of_.empty() ? f : group_of_[f];
  }

  // The entries of a pullback by name.
  struct Sums {
    Sums(const PlacedStationary& kernel, const double* at)
        : U(Eigen::Map<const Matrix>(at, kernel.m(), kernel.d())),
          H1(Eigen::Map<const Vector>(at + U.size(), kernel.m())),
          squares(Eigen::Map<const Vector>(at + U.size() + H1.size(), kernel.d())),
          GK(at[kernel.pullback_size() - 1]) {}
    Matrix U;        // m x d
    Vector H1;       // m
    Vector squares;  // d: sum_i x_if^2 (1'H)_i
    double GK;       // sum G o K
  };

  void covariance_of_scaled(const double* X_s, Index b, double* K) const {
    squared_distances(shape_, X_s, b, Z_s_, K);
    shape_.covariance(K, m() * b, variance_);
  }

  void pull_back_scaled(const double* X_s, Index b, const double* K, double* G, double* scratch,
                        double* sum) const {
    double *U = sum, *H1 = U + m() * d(), *squares = H1 + m(), *GK = squares + d();
    const double* S = K;
    if (!shape_.slope_is_covariance()) {
      squared_distances(shape_, X_s, b, Z_s_, scratch);
      shape_.slope(scratch, m() * b, variance_);
      S = scratch;
    }
    constexpr Index strip = 64;  // column sums of H for a few rows at a time, on the stack
    double h[strip];
    for (Index first = 0; first < b; first += strip) {
      const Index rows = std::min(strip, b - first);
      *GK += multiply_and_sum(G + first * m(), S + first * m(), K + first * m(), m(), rows, H1, h);
      for (Index i = 0; i < rows; ++i) {
        const double* x = X_s + (first + i) * d();
        for (Index f = 0; f < d(); ++f) squares[f] += h[i] * x[f] * x[f];
      }
    }
    blas::add_times_rows(G, m(), b, X_s, d(), U);
  }

  Vector log_lengthscales(const Sums& sums) const {
    return sums.squares + (Z_s_.cwiseProduct(Z_s_)).transpose() * sums.H1 -
           2 * Z_s_.cwiseProduct(sums.U).colwise().sum().transpose();
  }

  Matrix inputs(const Sums& sums) const {
    return (sums.U - sums.H1.asDiagonal() * Z_s_) * inverse_l_.asDiagonal();
  }

  const Shape& shape_;
  double variance_;
  bool shared_lengthscale_;
  const std::vector<Index>& group_of_;
  Vector inverse_l_;  // d
  Matrix Z_s_;        // m x d
  Matrix K_zz_;       // m x m, without noise and jitter
};

}  // namespace

StationaryKernel::StationaryKernel(const std::string& shape, const KernelSetting& setting,
                                   const std::string& prefix)
    : name_(shape), shape_name_(shape), shape_(make_shape(shape)), group_of_(setting.group_of) {
  const double typical = setting.spread * std::sqrt(static_cast<double>(setting.groups()));
  parameters_ = {{.name = prefix + "signal_std",
                  .count = 1,
                  .lower = 1e-3,
                  .upper = 1e3,
                  .start = 1,
                  .prior = NormalPrior{0, 2}},  // wide: without noise, sigma_f is large
                 {.name = prefix + "lengthscales",
                  .count = setting.ard ? setting.groups() : 1,
                  .per_feature = true,
                  .lower = 1e-2 * setting.spread,
                  .upper = 1e4 * setting.spread,
                  .start = typical,
                  .prior = NormalPrior{std::log(typical), 1}}};
}

std::unique_ptr<const StationaryKernel> StationaryKernel::nearly_linear(const KernelSetting& setting) {
  std::unique_ptr<StationaryKernel> kernel(new StationaryKernel);
  const double L = 10 * setting.spread * std::sqrt(static_cast<double>(setting.groups())),
               start = std::exp(-1);
  kernel->name_ = "linear";
  kernel->shape_name_ = "se";
  kernel->shape_ = make_shape(kernel->shape_name_);
  kernel->parameters_ = {
      {.name = "linear.signal_std",
       .count = 1,
       .lower = 1e-4 * L,
       .upper = 1e2 * L,
       .start = start * L,
       .prior = NormalPrior{std::log(start * L), 1}},
      {.name = "linear.lengthscales", .count = 1, .per_feature = true, .lower = L, .upper = L, .start = L}};
  return kernel;
}

std::unique_ptr<PlacedKernel> StationaryKernel::place(const double* theta, const Matrix& Z) const {
  const Vector lengthscales = Eigen::Map<const Vector>(theta + 1, parameters_[1].count);
  return std::make_unique<PlacedStationary>(*shape_, theta[0], lengthscales, group_of_, Z);
}

std::vector<KernelSummand> StationaryKernel::summands(const double* theta, Index d) const {
  KernelSummand term{shape_name_, theta[0] * theta[0], {{}}, {}};
  const bool shared = parameters_[1].count == 1;
  for (Index f = 0; f < d; ++f) {
    term.members[0].push_back(f);
    term.inverse_l.push_back(1 / theta[1 + (shared ? 0 : group_of_.empty() ? f : group_of_[f])]);
  }
  return {term};
}

}  // namespace induce::detail
