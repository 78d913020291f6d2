// Models as plain numbers and as C source. Oracle: Model::predict. That the source compiles, and predicts the same, is
// tested in python/tests/test_export_c.py.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include <induce/error.hpp>
#include <induce/export.hpp>
#include <induce/fit.hpp>

#include "export/c_source.hpp"
#include "kernel/kernel.hpp"
#include "kernel/shape.hpp"
#include "linalg/random.hpp"

namespace induce::test {
namespace {

constexpr std::size_t d = 3;

std::vector<double> random_rows(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> X(n * d);
  for (double& x : X) x = random.normal();
  return X;
}

Model small_model(const std::string& kernel, int classes) {
  const std::size_t n = 120;
  const std::vector<double> X = random_rows(n, 1);
  std::vector<int> y(n);
  for (std::size_t i = 0; i < n; ++i) y[i] = X[i * d] > 0.3 ? classes - 1 : X[i * d + 1] > 0 ? 1 : 0;
  Options options;
  options.kernel = kernel;
  options.inducing = 8;
  options.max_iter = 4;
  options.noise = true;
  options.warp = Warp::none;
  options.threads = 1;
  Names names;
  names.classes = {"a", "b"};
  if (classes == 3) names.classes.emplace_back("c");
  return fit({X.data(), n, d}, y, options, {}, names).model;
}

double rho_of(const std::string& shape, double r2) {
  make_shape(shape)->covariance(&r2, 1, 1.0);
  return r2;
}

// Mean and variance of latent function c at x, by the formulas of induce/export.hpp.
std::pair<double, double> marginal(const PlainModel& plain, const double* x, std::size_t c) {
  const std::size_t m = plain.functions[c].alpha.size();
  std::vector<double> k(m, 0.0), v(m);
  for (const PlainModel::Term& term : plain.terms)
    for (std::size_t j = 0; j < m; ++j) {
      std::size_t at = 0;
      for (const auto& member : term.members) {
        double r2 = 0;
        for (const std::size_t f : member) {
          const double u = (x[f] - plain.shift[f]) / plain.scale[f];
          const double e = (u - plain.inducing_inputs[j * d + f]) * term.inverse_l[at++];
          r2 += e * e;
        }
        k[j] += term.share * rho_of(term.shape, r2);
      }
    }
  const PlainModel::Function& q = plain.functions[c];
  double mean = 0, square = 0;
  for (std::size_t i = 0; i < m; ++i) {
    v[i] = k[i];
    for (std::size_t j = 0; j < i; ++j) v[i] -= plain.whitener[i * m + j] * v[j];
    v[i] /= plain.whitener[i * m + i];
    mean += q.alpha[i] * k[i];
  }
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j) square += v[i] * q.D[i * m + j] * v[j];
  return {q.mean + q.scale * mean, q.scale * q.scale * (plain.diagonal - square)};
}

TEST(PlainModel, HasAllThatAPredictionNeeds) {
  const std::vector<double> rows = random_rows(20, 2);
  for (const char* kernel :
       {"se", "matern32", "se+additive", "matern52+additive:0,2", "se+linear", "additive"})
    for (const int classes : {2, 3}) {
      const Model model = small_model(kernel, classes);
      const PlainModel plain = plain_model(model);
      ASSERT_EQ(plain.functions.size(), classes == 2 ? 1U : 3U);
      EXPECT_FALSE(plain.encoded);
      const Prediction expected = model.predict({rows.data(), 20, d}, 1);
      for (std::size_t i = 0; i < expected.mean.size(); ++i) {
        const auto [mean, variance] =
            marginal(plain, rows.data() + i / plain.functions.size() * d, i % plain.functions.size());
        EXPECT_NEAR(mean, expected.mean[i], 1e-10) << kernel;
        EXPECT_NEAR(variance, expected.variance[i], 1e-10) << kernel;
      }
    }
}

TEST(CHeader, KnowsEveryShape) {
  for (const std::string& shape : example_shapes())
    EXPECT_NE(c_source::shape_function(shape, "rho").find("double rho(double r2)"), std::string::npos)
        << shape;
  EXPECT_EQ(c_source::shape_function("matern:1.5", "rho"), c_source::shape_function("matern32", "rho"));
  EXPECT_THROW(c_source::shape_function("periodic", "rho"), Error);
}

TEST(CHeader, IsTheSameAfterSavingAndHasNoMarksLeft) {
  for (const int classes : {2, 3}) {
    const Model model = small_model("se+additive", classes);
    const std::string header = c_header(model, 120);
    EXPECT_EQ(header, c_header(Model::from_bytes(model.to_bytes()), 120));
    EXPECT_EQ(header.find('@'), std::string::npos);
    EXPECT_EQ(header.find("inf,"), std::string::npos);
    EXPECT_EQ(header.find("nan"), std::string::npos);
    EXPECT_NE(header.find("fitted by induce " + model.version() + " to 120 different rows"),
              std::string::npos);
    EXPECT_EQ(c_header(model).find("different rows"), std::string::npos);
  }
}

TEST(CHeader, IsWrittenForModelsOfEveryVersion) {
  for (const auto& entry : std::filesystem::directory_iterator(INDUCE_TESTS "/golden")) {
    if (entry.path().extension() != ".model") continue;
    const Model model = Model::load(entry.path().string());
    if (entry.path().stem() == "version9_terms") {
      EXPECT_THROW(c_header(model), Error);  // terms cannot be exported yet
      continue;
    }
    const std::string header = c_header(model);
    EXPECT_EQ(header.find('@'), std::string::npos) << entry.path();
    EXPECT_TRUE(header.ends_with("#endif\n")) << entry.path();
  }
}

class NotASum final : public Kernel {
 public:
  std::string name() const override { return "odd"; }
  const std::vector<KernelParameter>& parameters() const override { return none_; }
  std::unique_ptr<PlacedKernel> place(const double*, const Matrix&) const override { return nullptr; }

 private:
  std::vector<KernelParameter> none_;
};

TEST(PlainModel, AKernelThatIsNoSumOfShapesSaysSo) {
  try {
    NotASum().summands(nullptr, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "kernel 'odd' cannot be exported");
  }
}

}  // namespace
}  // namespace induce::test
