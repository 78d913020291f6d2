// Every kernel and sums of kernels, through the common interface. Oracles: the twin's kernel, one pair at a time,
// and five-point differences of a sum of covariances.
#include <gtest/gtest.h>

#include <cmath>

#include <induce/error.hpp>

#include "kernel/kernel.hpp"
#include "kernel/shape.hpp"
#include "support/bridge.hpp"
#include "support/close.hpp"
#include "support/random_problem.hpp"

namespace induce::testing {
namespace {

Matrix covariance(const PlacedKernel& kernel, const RowMatrix& X, Index m) {
  Matrix K(m, X.rows());
  Vector workspace(kernel.workspace(X.rows()));
  const RowBlock rows = DenseRows(X).block(0, X.rows(), nullptr);
  kernel.load(rows, workspace.data());
  kernel.covariance(rows, workspace.data(), K.data());
  return K;
}

// 1 to 5 features: the sweep over four and its remainder; from 24 on: distances by products.
constexpr Index features[] = {1, 2, 3, 4, 5, 8, 23, 24, 25, 40};

naive::Problem block_problem(const std::string& kernel, Index d) {
  naive::Problem problem = random_problem(static_cast<unsigned>(d), 70, 9, d);
  problem.kernel = kernel;
  problem.lengthscales *= std::sqrt(static_cast<double>(d));
  problem.X.row(3) = problem.Z.row(5);  // a distance of zero
  problem.X.row(4) = problem.Z.row(0).array() + 1e-9;
  return problem;
}

TEST(Kernel, CovarianceAndDiagonalMatchTheTwin) {
  for (const std::string& name : example_shapes()) {
    for (const Index d : features) {
      for (const bool one : {false, true}) {
        naive::Problem problem = block_problem(name, d);
        if (one) problem.lengthscales.conservativeResize(1);
        const auto kernel = kernel_of(problem);
        const auto placed = kernel->place(prior_of(problem).theta.data(), problem.Z);
        const Matrix K = covariance(*placed, problem.X, 9), want = problem.K_nm().transpose();
        const double variance = problem.signal_std * problem.signal_std;
        EXPECT_LE((K - want).cwiseAbs().maxCoeff(), 1e-12 * variance) << name << ", d = " << d;
        EXPECT_NEAR(K(5, 3), variance, 1e-13 * variance) << name << ", d = " << d;
        expect_close(placed->diagonal(), problem.k_diag()[0], 1e-14, "k_ii");
        expect_close(placed->signal_variance(), variance, 1e-14, "variance");
        Matrix K_mm;
        placed->inducing_covariance(K_mm);
        EXPECT_LE((K_mm - problem.K_mm()).cwiseAbs().maxCoeff(), 1e-12 * variance) << name << ", d = " << d;
      }
    }
  }
}

TEST(Kernel, ASumIsTheSumOfItsParts) {
  const naive::Problem problem = block_problem("se", 3);
  const KernelSetting setting{.d = 3, .ard = true, .noise = true};
  const auto sum = make_kernel("se+matern12+matern32", setting);
  ASSERT_EQ(sum->size(), 3 * (1 + 3) + 1);
  EXPECT_EQ(sum->find("signal_std"), 0);
  EXPECT_EQ(sum->find("matern12.lengthscales"), 5);
  EXPECT_EQ(sum->find("noise_std"), 12);
  EXPECT_FALSE(sum->find("matern52.signal_std"));
  const Vector theta = random_matrix(4, sum->size(), 1).array().exp();
  Matrix want = Matrix::Zero(9, 70);
  double variance = 0;
  Index at = 0;
  for (const char* name : {"se", "matern12", "matern32"}) {
    const auto kernel = make_kernel(name, {.d = 3, .ard = true, .noise = false});
    const auto part = kernel->place(theta.data() + at, problem.Z);
    want += covariance(*part, problem.X, 9);
    variance += part->diagonal();
    at += 4;
  }
  const auto placed = sum->place(theta.data(), problem.Z);
  expect_close_matrix(covariance(*placed, problem.X, 9), want, 1e-14, "K");
  expect_close(placed->signal_variance(), variance, 1e-14, "variance");
  expect_close(placed->diagonal(), variance + theta[12] * theta[12], 1e-14, "k_ii");
}

// Columns 1 and 2 are discrete: their covariances are looked up.
TEST(Kernel, TheAdditivePartMatchesTheTwin) {
  for (const std::string shape : {"se", "matern12", "matern32", "matern:1.2"}) {
    for (const Index d : {1, 3, 40}) {
      for (const bool some : {false, true}) {
        naive::Problem problem = block_problem(shape, d);
        for (Index i = 0; i < 70 && d > 2; ++i) {
          problem.X(i, 1) = static_cast<double>(i % 2);
          problem.X(i, 2) = static_cast<double>(i % 7) - 3;
        }
        const std::vector<Index> columns = some && d > 2 ? std::vector<Index>{0, 2} : std::vector<Index>{};
        const std::string name = shape + "+additive" + (columns.empty() ? "" : ":0,2");
        const auto kernel = make_kernel(name, {.d = d});
        EXPECT_EQ(kernel->name(), name);
        const Index of_shape = 1 + d, a = columns.empty() ? d : 2;
        ASSERT_EQ(kernel->size(), of_shape + 1 + a);
        const Vector theta = (0.3 * random_matrix(5, kernel->size(), 1)).array().exp();
        const auto plain = make_kernel(shape, {.d = d});
        Matrix want = covariance(*plain->place(theta.data(), problem.Z), problem.X, 9);
        const double variance = theta[of_shape] * theta[of_shape];
        for (Index k = 0; k < a; ++k) {
          const Index f = columns.empty() ? k : columns[k];
          for (Index i = 0; i < 70; ++i)
            for (Index j = 0; j < 9; ++j) {
              const double r = std::abs(problem.X(i, f) - problem.Z(j, f)) / theta[of_shape + 1 + k];
              want(j, i) += variance / static_cast<double>(a) * naive::correlation(shape, r);
            }
        }
        const auto placed = kernel->place(theta.data(), problem.Z);
        expect_close_matrix(covariance(*placed, problem.X, 9), want, 1e-12, name.c_str());
        expect_close(placed->diagonal(), theta[0] * theta[0] + variance, 1e-14, "k_ii");
      }
    }
  }
}

// Features 0, 1-3 and 4-5 are groups; 1-3 are levels, and the last rows have several numbers in a group.
naive::Problem grouped_problem() {
  naive::Problem problem = block_problem("se", 6);
  for (Index i = 0; i < 60; ++i) {
    problem.X.row(i).segment(1, 5).setZero();
    if (i % 4 < 3) problem.X(i, 1 + i % 4) = 1;
    problem.X(i, 4 + i % 2) = 1;
  }
  return problem;
}

const std::vector<Index> groups_of_six{0, 1, 1, 1, 2, 2};

TEST(Kernel, FeaturesOfAGroupShareALengthscaleAndAFunction) {
  const naive::Problem problem = grouped_problem();
  for (const std::string shape : {"se", "matern12", "matern32", "matern:1.2"}) {
    const auto kernel = make_kernel(shape + "+additive", {.d = 6, .group_of = groups_of_six});
    ASSERT_EQ(kernel->size(), 8);
    const Vector theta = (0.3 * random_matrix(5, 8, 1)).array().exp();
    Matrix want(9, 70);
    for (Index i = 0; i < 70; ++i)
      for (Index j = 0; j < 9; ++j) {
        double all = 0, additive = 0;
        Vector of_group = Vector::Zero(3);
        for (Index f = 0; f < 6; ++f) {
          const Index g = groups_of_six[f];
          const double e = problem.X(i, f) - problem.Z(j, f);
          all += std::pow(e / theta[1 + g], 2);
          of_group[g] += std::pow(e / theta[5 + g], 2);
        }
        for (const double r2 : of_group) additive += naive::correlation(shape, std::sqrt(r2)) / 3;
        want(j, i) =
            theta[0] * theta[0] * naive::correlation(shape, std::sqrt(all)) + theta[4] * theta[4] * additive;
      }
    const auto placed = kernel->place(theta.data(), problem.Z);
    expect_close_matrix(covariance(*placed, problem.X, 9), want, 1e-12, shape.c_str());
    expect_close(placed->diagonal(), theta[0] * theta[0] + theta[4] * theta[4], 1e-14, "k_ii");
  }
}

TEST(Kernel, RejectsInvalidSums) {
  for (const char* name : {"se+additive:", "se+additive:1,1", "se+additive:2,1", "additive:-1", "additive:x",
                           "additive:0,", "se+additive+additive:1", "additive:3", "additives"})
    EXPECT_THROW(make_kernel(name, {.d = 3}), Error) << name;
  EXPECT_THROW(make_kernel("se+", {}), Error);
  EXPECT_THROW(make_kernel("+se", {}), Error);
  EXPECT_THROW(make_kernel("", {}), Error);
  EXPECT_THROW(make_kernel("se+se", {}), Error);
  EXPECT_THROW(make_kernel("se+nonsense", {}), Error);
}

// The gradient of J = sum G o K + g k(x, x) + sum G_mm o (k(Z, Z) + jitter signal_variance I), G_mm symmetric.
TEST(Kernel, NameAndMakeKernelAreInverse) {
  for (const char* name : {"se", "matern32", "matern:1.2", "se+matern12", "matern52+se+matern:0.3",
                           "additive", "matern32+additive", "se+additive:0,1"})
    for (const bool noise : {false, true})
      EXPECT_EQ(make_kernel(name, {.d = 2, .ard = true, .noise = noise})->name(), name);
}

struct Adjoint {
  Matrix G, G_mm;
  double g = 0.7, jitter = 0.3;

  double value(const Kernel& kernel, const RowMatrix& X, const Vector& theta, const Matrix& Z) const {
    const auto placed = kernel.place(theta.data(), Z);
    Matrix K_mm;
    placed->inducing_covariance(K_mm);
    K_mm.diagonal().array() += jitter * placed->signal_variance();
    return G.cwiseProduct(covariance(*placed, X, Z.rows())).sum() + g * placed->diagonal() +
           G_mm.cwiseProduct(K_mm).sum();
  }

  // Rows in two blocks; the first has more than one strip of columns.
  Vector gradient(const Kernel& kernel, const RowMatrix& X, const Vector& theta, const Matrix& Z) const {
    const auto placed = kernel.place(theta.data(), Z);
    Matrix K_mm, dZ = Matrix::Zero(Z.rows(), Z.cols()), scratch(G.rows(), G.cols()), spoiled = G;
    placed->inducing_covariance(K_mm);
    const Matrix K = covariance(*placed, X, Z.rows());
    Vector sum = Vector::Zero(placed->pullback_size()), d_theta = Vector::Zero(theta.size());
    const DenseRows rows(X);
    const Index m = Z.rows(), cut = 66;
    for (const auto& [first, count] : {std::pair<Index, Index>{0, cut}, {cut, X.rows() - cut}}) {
      const RowBlock block = rows.block(first, count, nullptr);
      Vector workspace(placed->workspace(count));
      placed->load(block, workspace.data());
      placed->pull_back(block, workspace.data(), K.data() + first * m, spoiled.data() + first * m,
                        scratch.data(), sum.data());
    }
    placed->gradient(sum.data(), g, G_mm, jitter, d_theta.data(), dZ);
    Vector all(theta.size() + Z.size());
    all << d_theta, dZ.reshaped();
    return all;
  }
};

class EveryKernel : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryKernel, GradientMatchesCentralDifferences) {
  for (const Index d : {1, 3, 5, 26}) {
    for (const int flags : {0, 1, 2, 3}) {
      const KernelSetting setting{.d = d, .ard = (flags & 1) != 0, .noise = (flags & 2) != 0};
      SCOPED_TRACE("d = " + std::to_string(d) + ", flags " + std::to_string(flags));
      naive::Problem problem = block_problem("se", d);
      for (Index j = 0; j < 9; ++j) problem.Z(j, 0) = static_cast<double>(2 * j);
      for (Index i = 0; i < 70; ++i) {  // never near a Z: differences need a smooth kernel
        const auto step = static_cast<double>(i);
        problem.X(i, 0) = 2 * std::fmod(step, 9) + 1 + 0.4 * std::sin(step);
      }
      const auto kernel = make_kernel(GetParam(), setting);
      const Index p = kernel->size();
      const Vector theta = kernel->start().array() * (0.2 * random_matrix(8, p, 1)).array().exp() * 2;
      Adjoint adjoint{.G = random_matrix(1, 9, 70), .G_mm = random_matrix(2, 9, 9)};
      adjoint.G_mm = (adjoint.G_mm + adjoint.G_mm.transpose()).eval();
      Vector x(p + problem.Z.size());
      x << Vector(theta.array().log()), problem.Z.reshaped();
      const auto value = [&](const Vector& at) {
        const Vector moved = at.head(p).array().exp();
        return adjoint.value(*kernel, problem.X, moved, at.tail(problem.Z.size()).reshaped(9, d));
      };
      expect_close(adjoint.gradient(*kernel, problem.X, theta, problem.Z),
                   naive::central_difference(value, x, 3e-4), 2e-6, "gradient");
    }
  }
}

TEST_P(EveryKernel, GradientInGroupsMatchesCentralDifferences) {
  const naive::Problem problem = grouped_problem();
  for (const bool ard : {true, false}) {
    const auto kernel = make_kernel(GetParam(), {.d = 6, .ard = ard, .group_of = groups_of_six});
    const Index p = kernel->size();
    const Vector theta = kernel->start().array() * (0.2 * random_matrix(8, p, 1)).array().exp() * 2;
    Adjoint adjoint{.G = random_matrix(1, 9, 70), .G_mm = random_matrix(2, 9, 9)};
    adjoint.G_mm = (adjoint.G_mm + adjoint.G_mm.transpose()).eval();
    Vector x(p + problem.Z.size());
    x << Vector(theta.array().log()), problem.Z.reshaped();
    const auto value = [&](const Vector& at) {
      const Vector moved = at.head(p).array().exp();
      return adjoint.value(*kernel, problem.X, moved, at.tail(problem.Z.size()).reshaped(9, 6));
    };
    expect_close(adjoint.gradient(*kernel, problem.X, theta, problem.Z),
                 naive::central_difference(value, x, 1e-4), 2e-6, "gradient");
  }
}

class EveryKernelOfAFile : public EveryKernel {};

// Oracle: the covariances of the placed kernel.
TEST_P(EveryKernelOfAFile, IsTheSumOfItsTerms) {
  const naive::Problem problem = grouped_problem();
  const auto kernel = make_kernel(GetParam(), {.d = 6, .noise = true, .group_of = groups_of_six});
  const Vector theta = kernel->start().array() * (0.2 * random_matrix(8, kernel->size(), 1)).array().exp();
  const auto placed = kernel->place(theta.data(), problem.Z);
  const Matrix K = covariance(*placed, problem.X, 9);
  double signal = 0;
  Matrix sum = Matrix::Zero(K.rows(), K.cols());
  for (const KernelSummand& term : kernel->summands(theta.data(), 6)) {
    std::size_t at = 0;
    for (const std::vector<Index>& member : term.members) {
      signal += term.share;
      for (Index i = 0; i < K.cols(); ++i)
        for (Index j = 0; j < K.rows(); ++j) {
          double r2 = 0;
          for (std::size_t k = 0; k < member.size(); ++k) {
            const double e = (problem.X(i, member[k]) - problem.Z(j, member[k])) * term.inverse_l[at + k];
            r2 += e * e;
          }
          make_shape(term.shape)->covariance(&r2, 1, term.share);
          sum(j, i) += r2;
        }
      at += member.size();
    }
  }
  EXPECT_NEAR(signal, placed->signal_variance(), 1e-12 * signal);
  expect_close(Vector(sum.reshaped()), Vector(K.reshaped()), 1e-12, "covariance");
}

std::vector<std::string> kernels() {
  std::vector<std::string> names = example_shapes();
  names.insert(names.end(), {"se+matern32", "matern12+se+matern52", "linear", "matern32+linear"});
  return names;
}

std::vector<std::string> kernels_of_files() {
  std::vector<std::string> names = kernels();
  names.insert(names.end(), {"additive", "matern52+additive", "matern32+additive:0", "se+linear+additive"});
  return names;
}

std::string name_of_test(const ::testing::TestParamInfo<std::string>& each) {
  std::string name = each.param;
  for (char& letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Table, EveryKernel, ::testing::ValuesIn(kernels()), name_of_test);
INSTANTIATE_TEST_SUITE_P(Table, EveryKernelOfAFile, ::testing::ValuesIn(kernels_of_files()), name_of_test);

}  // namespace
}  // namespace induce::testing
