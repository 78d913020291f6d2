#include "kernel/additive.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "kernel/stationary.hpp"
#include "linalg/multiversion.hpp"

namespace induce::detail {
namespace {

constexpr Index most_values = 16;  // distinct values in a block for which a column counts as discrete

INDUCE_MULTIVERSION
void add_to(const double* from, Index count, double* to) {
  for (Index k = 0; k < count; ++k) to[k] += from[k];
}

class PlacedAdditive final : public PlacedKernel {
 public:
  PlacedAdditive(const Shape& shape, const std::vector<std::vector<Index>>& members, double signal_std,
                 const Vector& lengthscales, const Matrix& Z)
      : shape_(shape),
        variance_(signal_std * signal_std),
        share_(variance_ / static_cast<double>(members.size())) {
    for (const std::vector<Index>& features : members) {
      members_.push_back({a(), static_cast<Index>(features.size())});
      features_.insert(features_.end(), features.begin(), features.end());
    }
    inverse_l_.resize(a());
    Z_s_.resize(Z.rows(), a());
    for (std::size_t g = 0; g < members_.size(); ++g)
      for (Index f = members_[g].first; f < members_[g].end(); ++f) {
        inverse_l_[f] = 1 / lengthscales[lengthscales.size() == 1 ? 0 : static_cast<Index>(g)];
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

  // Fits do not have this kernel: check_kernel_name() and start_model() refuse it.
  Index pullback_size() const override { return 1; }  // of rows, for a sum
  void pull_back(const RowBlock& /*rows*/, double* /*workspace*/, const double* /*K*/, double* /*G*/,
                 double* /*scratch*/, double* /*sum*/) const override {
    throw std::logic_error("an additive part has no pullback");
  }
  void gradient(const double* /*rows*/, double /*G_diagonal*/, const Matrix& /*G_mm*/, double /*jitter*/,
                double* /*d_theta*/, Matrix& /*d_Z*/) const override {
    throw std::logic_error("an additive part has no gradient");
  }

  void inducing_covariance(Matrix& K) override {
    K.resize(m(), m());
    Vector workspace(this->workspace(m()));
    const Loaded at(*this, workspace.data(), m());
    for (Index f = 0; f < a(); ++f) {
      std::copy_n(Z_s_.col(f).data(), m(), at.x(f));
      std::fill_n(at.codes(f), m(), several);
      at.count(f) = 0;
    }
    covariance_of(at, K.data());
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

  // One column of covariances for each level in the block, and for each row with several numbers.
  void add_levels(const Loaded& at, const Member& member, double* K) const {
    const double* codes = at.codes(member.first);
    Eigen::Map<Vector> column(at.columns(), m());
    const auto add = [&](Index first, Index end) {  // to rows with the code of the first
      column.setZero();
      for (Index f = member.first; f < member.end(); ++f)
        column.array() += (at.x(f)[first] - Z_s_.col(f).array()).square();
      shape_.covariance(column.data(), m(), share_);
      for (Index i = first; i < end; ++i)
        if (codes[i] == codes[first]) add_to(column.data(), m(), K + i * m());
    };
    for (Index level = -1; level < member.features; ++level) {
      const Index first = std::find(codes, codes + at.rows, static_cast<double>(level)) - codes;
      if (first < at.rows) add(first, at.rows);
    }
    for (Index i = 0; i < at.rows; ++i)
      if (codes[i] == several) add(i, i + 1);
  }

  void covariance_of(const Loaded& at, double* K) const {
    std::fill_n(K, m() * at.rows, 0.0);
    for (const Member& member : members_) {
      const Index f = member.first;
      if (member.features > 1) {
        add_levels(at, member, K);
      } else if (at.count(f) > 0) {
        const auto values = static_cast<Index>(at.count(f));
        std::fill_n(at.columns(), values * m(), 0.0);
        for (Index v = 0; v < values; ++v)
          shape_.add_line(at.values(f)[v], Z_s_.col(f).data(), m(), share_, at.columns() + v * m());
        for (Index i = 0; i < at.rows; ++i)
          add_to(at.columns() + static_cast<Index>(at.codes(f)[i]) * m(), m(), K + i * m());
      } else {
        for (Index i = 0; i < at.rows; ++i)
          shape_.add_line(at.x(f)[i], Z_s_.col(f).data(), m(), share_, K + i * m());
      }
    }
  }

  const Shape& shape_;
  std::vector<Member> members_;
  std::vector<Index> features_;  // of all members, one after the other
  double variance_, share_;
  Vector inverse_l_;  // by feature
  Matrix Z_s_;        // m x features
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
  for (const Index g : groups) members_.push_back(features_of[g]);
  parameters_ = {{.name = "additive.signal_std"},
                 {.name = "additive.lengthscales",
                  .count = setting.ard ? static_cast<Index>(members_.size()) : 1,
                  .per_feature = true,
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
