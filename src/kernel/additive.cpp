#include "kernel/additive.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernel/stationary.hpp"
#include "linalg/multiversion.hpp"

namespace induce::detail {
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
  PlacedAdditive(const Shape& shape, const std::vector<std::vector<Index>>& members, double signal_std,
                 const Vector& lengthscales, const Matrix& Z)
      : shape_(shape),
        variance_(signal_std * signal_std),
        share_(variance_ / static_cast<double>(members.size())),
        shared_lengthscale_(lengthscales.size() == 1) {
    for (const std::vector<Index>& features : members) {
      members_.push_back({a(), static_cast<Index>(features.size())});
      features_.insert(features_.end(), features.begin(), features.end());
    }
    inverse_l_.resize(a());
    Z_s_.resize(Z.rows(), a());
    for (Index g = 0; g < count(); ++g)
      for (Index f = members_[g].first; f < members_[g].end(); ++f) {
        inverse_l_[f] = 1 / lengthscales[shared_lengthscale_ ? 0 : g];
        Z_s_.col(f) = Z.col(features_[f]) * inverse_l_[f];
      }
  }

  double diagonal() const override { return variance_; }
  double signal_variance() const override { return variance_; }
  bool inputs_within_reach() const override {
    return (Z_s_.array() >= -farthest_scaled).all() && (Z_s_.array() <= farthest_scaled).all();
  }

  // Per feature of A: its scaled values; the codes of the rows (indices into the distinct values); the number of
  // distinct values (0: too many) and these values. Then one column per distinct value. The codes of the first feature of a
  // group with several are the levels of the rows.
  Index workspace(Index rows) const override {
    return a() * (2 * rows + 1 + most_values) + most_values * m();
  }

  void load(const RowBlock& rows, double* workspace) const override {
    const Loaded at(*this, workspace, rows.rows);
    for (Index f = 0; f < a(); ++f)
      for (Index i = 0; i < rows.rows; ++i)
        at.x(f)[i] =
            std::clamp(rows.x[i * rows.d + features_[f]] * inverse_l_[f], -farthest_scaled, farthest_scaled);
    for (const Member& member : members_)
      if (member.features == 1)
        find_values(at, member.first);
      else
        find_levels(at, member);
  }

  void covariance(const RowBlock& rows, double* workspace, double* K) const override {
    covariance_of(Loaded(*this, workspace, rows.rows), K);
  }

  Index pullback_size() const override { return m() * a() + m() * count() + count() + 1; }
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
    d_theta[0] += 2 * (from_rows.GK + from_inputs.GK + variance_ * of_variance);
    const Vector d_log_l = log_lengthscales(from_rows) + log_lengthscales(from_inputs);
    if (shared_lengthscale_)
      d_theta[1] += d_log_l.sum();
    else
      Eigen::Map<Vector>(d_theta + 1, count()) += d_log_l;
    // Z is both arguments of K_mm; G_mm is symmetric, so both contribute equally.
    const Matrix d_inputs = inputs(from_rows) + 2 * inputs(from_inputs);
    for (Index f = 0; f < a(); ++f) d_Z.col(features_[f]) += d_inputs.col(f);
  }

 private:
  static constexpr double no_level = -1,
                          several = -2;  // codes of rows without a level, or with more than one number

  // A member of A: its features in features_, one after the other.
  struct Member {
    Index first, features;
    Index end() const { return first + features; }
  };

  Index m() const { return Z_s_.rows(); }
  Index a() const { return static_cast<Index>(features_.size()); }
  Index count() const { return static_cast<Index>(members_.size()); }

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
          H1(Eigen::Map<const Matrix>(at + U.size(), kernel.m(), kernel.count())),
          squares(Eigen::Map<const Vector>(at + U.size() + H1.size(), kernel.count())),
          GK(at[kernel.pullback_size() - 1]) {}
    Matrix U;        // m x features
    Matrix H1;       // m x |A|
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

  // The level of each row: the feature of the group that is 1, counted from its first one.
  void find_levels(const Loaded& at, const Member& member) const {
    double* codes = at.codes(member.first);
    std::fill_n(codes, at.rows, no_level);
    for (Index f = member.first; f < member.end(); ++f)
      for (Index i = 0; i < at.rows; ++i)
        if (at.x(f)[i] != 0)
          codes[i] = codes[i] == no_level && at.x(f)[i] == inverse_l_[f]
                         ? static_cast<double>(f - member.first)
                         : several;
  }

  Loaded loaded_inputs(Vector& workspace) const {
    const Loaded at(*this, workspace.data(), m());
    for (Index f = 0; f < a(); ++f) {
      std::copy_n(Z_s_.col(f).data(), m(), at.x(f));
      at.count(f) = 0;
    }
    for (const Member& member : members_)
      if (member.features > 1) std::fill_n(at.codes(member.first), m(), several);
    return at;
  }

  // One column of covariances per distinct value.
  void value_columns(const Loaded& at, Index f) const {
    const auto count = static_cast<Index>(at.count(f));
    std::fill_n(at.columns(), count * m(), 0.0);
    for (Index v = 0; v < count; ++v)
      shape_.add_line(at.values(f)[v], Z_s_.col(f).data(), m(), share_, at.columns() + v * m());
  }

  // Calls visit(x, code, first, end) with the features x of a group for each level in the block, which the rows from first
  // to end with that code have, and for each row with several numbers.
  template <class Visit>
  void for_each_level(const Loaded& at, const Member& member, const Visit& visit) const {
    const double* codes = at.codes(member.first);
    thread_local Vector x;
    for (Index level = -1; level < member.features; ++level) {
      const double code = static_cast<double>(level);
      const Index first = std::find(codes, codes + at.rows, code) - codes;
      if (first == at.rows) continue;
      x.setZero(member.features);
      if (level >= 0) x[level] = inverse_l_[member.first + level];
      visit(x, code, first, at.rows);
    }
    for (Index i = 0; i < at.rows; ++i) {
      if (codes[i] != several) continue;
      x.resize(member.features);
      for (Index k = 0; k < member.features; ++k) x[k] = at.x(member.first + k)[i];
      visit(x, several, i, i + 1);
    }
  }

  // r2[j] = |x - z_j|^2 over the features of a group.
  void squared_distances(const Vector& x, const Member& member, double* r2) const {
    Eigen::Map<Vector> sum(r2, m());
    sum.setZero();
    for (Index k = 0; k < member.features; ++k)
      sum.array() += (x[k] - Z_s_.col(member.first + k).array()).square();
  }

  void add_levels(const Loaded& at, const Member& member, double* K) const {
    const double* codes = at.codes(member.first);
    double* column = at.columns();
    for_each_level(at, member, [&](const Vector& x, double code, Index first, Index end) {
      squared_distances(x, member, column);
      shape_.covariance(column, m(), share_);
      for (Index i = first; i < end; ++i)
        if (codes[i] == code) add_to(column, m(), K + i * m());
    });
  }

  // U: of the group's features; H1 and squares: of the group.
  void pull_back_levels(const Loaded& at, const Member& member, const double* G, double* U, double* H1,
                        double* squares) const {
    const double* codes = at.codes(member.first);
    Eigen::Map<Vector> h(at.columns(), m()), G_x(at.columns() + m(), m());
    for_each_level(at, member, [&](const Vector& x, double code, Index first, Index end) {
      G_x.setZero();
      for (Index i = first; i < end; ++i)
        if (codes[i] == code) add_to(G + i * m(), m(), G_x.data());
      squared_distances(x, member, h.data());
      shape_.slope(h.data(), m(), share_);
      h.array() *= G_x.array();
      Eigen::Map<Vector>(H1, m()) += h;
      *squares += x.squaredNorm() * h.sum();
      for (Index k = 0; k < member.features; ++k)
        if (x[k] != 0) Eigen::Map<Vector>(U + k * m(), m()) += x[k] * h;
    });
  }

  void covariance_of(const Loaded& at, double* K) const {
    std::fill_n(K, m() * at.rows, 0.0);
    for (const Member& member : members_) {
      const Index f = member.first;
      if (member.features > 1) {
        add_levels(at, member, K);
      } else if (at.count(f) > 0) {
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
    double *H1 = sum + m() * a(), *squares = H1 + m() * count(), *GK = squares + count();
    *GK += dot(G, K, m() * at.rows);
    for (Index g = 0; g < count(); ++g, H1 += m(), ++squares) {
      const Member& member = members_[g];
      const Index f = member.first;
      double* U = sum + f * m();
      const auto add = [&](double x, const double* G_x) {
        *squares += x * x * shape_.pull_back_line(x, Z_s_.col(f).data(), G_x, m(), share_, H1, U);
      };
      if (member.features > 1) {
        pull_back_levels(at, member, G, U, H1, squares);
      } else if (at.count(f) > 0) {
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
    Vector out = sums.squares;
    for (Index g = 0; g < count(); ++g)
      for (Index f = members_[g].first; f < members_[g].end(); ++f)
        out[g] +=
            Z_s_.col(f).cwiseProduct(Z_s_.col(f).cwiseProduct(sums.H1.col(g)) - 2 * sums.U.col(f)).sum();
    return out;
  }

  Matrix inputs(const Sums& sums) const {
    Matrix out(m(), a());
    for (Index g = 0; g < count(); ++g)
      for (Index f = members_[g].first; f < members_[g].end(); ++f)
        out.col(f) = (sums.U.col(f) - Z_s_.col(f).cwiseProduct(sums.H1.col(g))) * inverse_l_[f];
    return out;
  }

  const Shape& shape_;
  std::vector<Member> members_;
  std::vector<Index> features_;  // of all members, one after the other
  double variance_, share_;
  bool shared_lengthscale_;
  Vector inverse_l_;  // by feature
  Matrix Z_s_;        // m x features
  Matrix K_zz_;       // m x m, without jitter
};

}  // namespace

AdditiveKernel::AdditiveKernel(const std::string& shape, std::vector<Index> groups,
                               const KernelSetting& setting)
    : name_("additive"), shape_name_(shape), shape_(make_shape(shape)) {
  char separator = ':';
  for (const Index g : groups) {
    name_ += separator + std::to_string(g);
    separator = ',';
  }
  const std::vector<Index> given = groups;
  if (groups.empty()) {
    groups.resize(setting.groups());
    std::iota(groups.begin(), groups.end(), Index{0});
  }
  std::vector<std::vector<Index>> features_of(setting.groups());
  for (Index f = 0; f < setting.d; ++f)
    features_of[setting.group_of.empty() ? f : setting.group_of[f]].push_back(f);
  if (setting.d > 0)  // 0: only the name is checked
    for (const Index g : groups) members_.push_back(features_of[g]);
  parameters_ = {{.name = "additive.signal_std",
                  .count = 1,
                  .lower = 1e-3,
                  .upper = 1e3,
                  .start = 1,
                  .prior = NormalPrior{-1, 1}},
                 {.name = "additive.lengthscales",
                  .count = setting.ard ? static_cast<Index>(members_.size()) : 1,
                  .per_feature = true,
                  .lower = 1e-2 * setting.spread,
                  .upper = 1e4 * setting.spread,
                  .start = 0.5 * setting.spread,
                  .prior = NormalPrior{std::log(3 * setting.spread), 1},
                  .columns = given}};
}

std::unique_ptr<PlacedKernel> AdditiveKernel::place(const double* theta, const Matrix& Z) const {
  const Vector lengthscales = Eigen::Map<const Vector>(theta + 1, parameters_[1].count);
  return std::make_unique<PlacedAdditive>(*shape_, members_, theta[0], lengthscales, Z);
}

std::vector<KernelSummand> AdditiveKernel::summands(const double* theta, Index /*d*/) const {
  KernelSummand term{shape_name_, theta[0] * theta[0] / static_cast<double>(members_.size()), members_, {}};
  const bool shared = parameters_[1].count == 1;
  for (std::size_t g = 0; g < members_.size(); ++g)
    term.inverse_l.insert(term.inverse_l.end(), members_[g].size(), 1 / theta[shared ? 1 : 1 + g]);
  return {term};
}

}  // namespace induce::detail
