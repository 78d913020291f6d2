// The kernel interface: all that the rest of the library knows about a covariance function.
//
// A Kernel is a family k(x, z; theta): it gives the names, initial values, bounds and priors of its parameters.
// A PlacedKernel is one member of the family together with one set of inducing inputs Z:
//   covariance:   K_ji = k(x_i, z_j)                          for a block of rows                 (m x b)
//   pull_back:    from an adjoint G = dF/dK (m x b) to sums over rows, pullback_size() doubles
//   gradient:     from those sums and dF/dK_mm to dF with respect to the transformed parameters and Z.
// Kernels are stationary in the model's units: k(x, x) is one number. A sum of kernels is a kernel (sum.hpp).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linalg/types.hpp"
#include "rows/row_source.hpp"
#include "term/terms.hpp"

namespace induce::detail {

// How a parameter is optimised: as its logarithm (it is then positive), or as it is.
enum class Transform { log, identity };

struct NormalPrior {
  double mean = 0, std = 1;  // of the transformed parameter
};

// `lower`, `upper` and `start` are in natural units.
struct KernelParameter {
  std::string name;
  Index count = 1;           // number of values
  bool per_feature = false;  // one value per group of features, or one shared by all
  double lower = 0, upper = 0, start = 1;
  std::optional<NormalPrior> prior{};  // of the transformed parameter
  Transform transform = Transform::log;
  std::vector<Index> columns{};  // the groups of features that the values belong to, if not all
  std::vector<Index>
      of_terms{};  // numbers of the terms (and axes) that the values belong to, whatever other terms there are
};

// A kernel in plain numbers, for programs that have no Kernel (induce/export.hpp). Every one so far is a sum of summands
//   k(x, z) = share sum_(g in members) rho( sum_(f in g) (x_f inverse_l_f - z_f inverse_l_f)^2 ),
// and a constant on the diagonal. A stationary kernel has one member with all features.
struct KernelSummand {
  std::string shape;  // rho: a name that make_shape() takes
  double share;       // sigma^2 / |members|
  std::vector<std::vector<Index>> members;
  std::vector<double> inverse_l;  // of the features of all members, one after the other
};

class PlacedKernel {
 public:
  virtual ~PlacedKernel() = default;

  virtual double diagonal() const = 0;         // k(x, x), noise included
  virtual double signal_variance() const = 0;  // without noise: the scale of jitter
  // The prior of the terms, which have values of their own instead of a covariance with Z; null: none.
  virtual const PlacedTerms* terms() const { return nullptr; }
  // Adds to d_theta; a and D (core/posterior.hpp) end with those of the values.
  virtual void gradient_of_terms(const Vector& /*a*/, const Matrix& /*D*/, double* /*d_theta*/) const {}
  // False if distances to some inducing input are not finite.
  virtual bool inputs_within_reach() const { return true; }

  // Workspace for a block of this many rows, in doubles; each thread has its own.
  virtual Index workspace(Index rows) const = 0;
  // Must be called before covariance() and pull_back(), with the same workspace.
  virtual void load(const RowBlock& rows, double* workspace) const = 0;
  virtual void covariance(const RowBlock& rows, double* workspace, double* K) const = 0;  // m x b

  virtual Index pullback_size() const = 0;
  // Adds one block to `sum`. K is the output of covariance(); G is overwritten; scratch is m x b.
  virtual void pull_back(const RowBlock& rows, double* workspace, const double* K, double* G, double* scratch,
                         double* sum) const = 0;

  // K := k(Z, Z) with noise on the diagonal, m x m. Must be called before gradient().
  virtual void inducing_covariance(Matrix& K) = 0;
  // Adds to d_theta (for the transformed parameters) and d_Z. `rows`: the sum of pull_back(); G_diagonal = dF/dk(x, x) over
  // all rows; G_mm = dF/dK_mm with K_mm = k(Z, Z) + jitter signal_variance I.
  virtual void gradient(const double* rows, double G_diagonal, const Matrix& G_mm, double jitter,
                        double* d_theta, Matrix& d_Z) const = 0;
};

class Kernel {
 public:
  virtual ~Kernel() = default;

  // The name that make_kernel() takes and model files store; noise is a setting, not part of it.
  virtual std::string name() const = 0;
  virtual const std::vector<KernelParameter>& parameters() const = 0;
  // theta holds the values of all parameters in order, in natural units; Z is m x d.
  virtual std::unique_ptr<PlacedKernel> place(const double* theta, const Matrix& Z) const = 0;
  virtual const Terms* terms() const { return nullptr; }
  // At theta, for rows of d features; without what is only on the diagonal. A kernel that is no such sum cannot be
  // exported: a data Error.
  virtual std::vector<KernelSummand> summands(const double* theta, Index d) const;

  Index size() const;  // number of values in theta
  Vector start() const;
  // The index of a parameter in theta; nullopt if the kernel has no parameter of that name.
  std::optional<Index> find(std::string_view name) const;
};

// Settings that a kernel's name does not fix.
struct KernelSetting {
  Index d = 1;         // features
  bool ard = true;     // one length-scale per group of features
  bool noise = false;  // white noise on the diagonal
  double spread = 1;   // the features' standard deviation in the model's units
  // The group of each feature: numbers from 0 that do not decrease, but a feature may join an earlier group. Empty: each
  // feature is a group. "Features" below and in parameters means groups.
  std::vector<Index> group_of{};
  std::vector<Axis> axes{}, pair_axes{};  // of each column, for terms of one column and of two

  Index groups() const;
};

// Whether a kernel of this name has terms; and whether it has anything else, so that it needs inducing inputs.
bool has_terms(std::string_view name);
bool has_joint_part(std::string_view name);
// Old model files may have one. It predicts and has no gradient: check_kernel_name refuses it.
bool has_additive_part(std::string_view name);
// A part "mains:0,5" or "pairs:0*5@16": its columns, and those that have a number of knots.
struct NamedTerms {
  std::vector<Index> mains;
  std::vector<std::pair<Index, Index>> pairs;
  std::vector<std::pair<Index, Index>> knots;  // column, knots
};
NamedTerms named_terms(std::string_view part, Index columns);
// "age@32" is a column and what follows it; without a number of knots the second is empty.
std::pair<std::string_view, std::string_view> without_knots(std::string_view column);

// "se", "matern32", "matern:1.2", or a sum such as "se+matern12". Throws a usage Error that lists known names.
std::shared_ptr<const Kernel> make_kernel(std::string_view name, const KernelSetting& setting);

}  // namespace induce::detail
