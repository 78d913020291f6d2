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

// h(x) by its definition: the shares of all terms.
std::vector<double> shares_of(const PlainModel& plain, const std::vector<double>& x) {
  std::vector<double> h;
  for (const auto& axes : plain.terms) {
    std::vector<double> all{1};
    for (const PlainModel::Axis& axis : axes) {
      EXPECT_EQ(axis.count, 1U);  // numbers without gaps
      const std::vector<double>& t = axis.knots;
      std::vector<double> next;
      for (const double share : all)
        for (std::size_t k = 0; k < t.size(); ++k) {
          const double u = std::clamp(x[axis.value], t.front(), t.back());
          double own = 0;
          if (k > 0 && u <= t[k]) own = std::max(0.0, (u - t[k - 1]) / (t[k] - t[k - 1]));
          if (k + 1 < t.size() && u >= t[k]) own = std::max(0.0, (t[k + 1] - u) / (t[k + 1] - t[k]));
          next.push_back(share * own);
        }
      all = next;
    }
    h.insert(h.end(), all.begin(), all.end());
  }
  return h;
}

// Mean and variance of latent function c at a row, by the formulas of induce/export.hpp.
std::pair<double, double> marginal(const PlainModel& plain, const double* row, std::size_t c) {
  const PlainModel::Function& q = plain.functions[c];
  const std::size_t m = q.alpha.size();
  std::vector<double> k(m, 0.0), v(m), x(d);
  for (std::size_t f = 0; f < d; ++f) x[f] = (row[f] - plain.shift[f]) / plain.scale[f];
  for (const PlainModel::Summand& summand : plain.summands)
    for (std::size_t j = 0; j < m; ++j) {
      std::size_t at = 0;
      for (const auto& member : summand.members) {
        double r2 = 0;
        for (const std::size_t f : member) {
          const double e = (x[f] - plain.inducing_inputs[j * d + f]) * summand.inverse_l[at++];
          r2 += e * e;
        }
        k[j] += summand.share * rho_of(summand.shape, r2);
      }
    }
  double mean = 0, variance = plain.diagonal;
  for (std::size_t i = 0; i < m; ++i) {
    v[i] = k[i];
    for (std::size_t j = 0; j < i; ++j) v[i] -= plain.whitener[i * m + j] * v[j];
    v[i] /= plain.whitener[i * m + i];
    mean += q.alpha[i] * k[i];
  }
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j) variance -= v[i] * q.D[i * m + j] * v[j];
  const std::vector<double> h = shares_of(plain, x);
  EXPECT_EQ(h.size(), q.beta.size());
  for (std::size_t i = 0; i < h.size(); ++i) {
    mean += q.beta[i] * h[i];
    for (std::size_t j = 0; j < m; ++j) variance += 2 * k[j] * q.Y[i * m + j] * h[i];
    for (std::size_t j = 0; j <= i; ++j)
      variance += (i == j ? 1 : 2) * h[i] * q.S[i * (i + 1) / 2 + j] * h[j];
  }
  EXPECT_LE(variance, plain.largest_variance);
  return {q.mean + q.scale * mean, q.scale * q.scale * variance};
}

TEST(PlainModel, HasAllThatAPredictionNeeds) {
  std::vector<double> rows = random_rows(20, 2);
  for (double& x : rows) x *= 1.5;  // some beyond the knots
  for (const char* kernel :
       {"se", "matern32", "se+linear", "mains", "mains+pairs:0*1", "se+mains:0,2+pairs:1*2"})
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
    const Model model = small_model("se+linear", classes);
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
    const std::string header = c_header(model);
    EXPECT_EQ(header.find('@'), std::string::npos) << entry.path();
    EXPECT_TRUE(header.ends_with("#endif\n")) << entry.path();
  }
}

TEST(CHeader, TooManyNumbersAreRefusedWithWhatToDo) {
  PlainModel plain;
  plain.functions.resize(2);
  for (PlainModel::Function& function : plain.functions) {
    function.beta.resize(2500);
    function.S.resize(2500 * 2501 / 2);
  }
  try {
    c_source::check_size(plain);
    FAIL();
  } catch (const Error& error) {
    const std::string text = error.what();
    for (const char* part : {"6252500 numbers", "2,500 values of terms", "fewer inducing inputs", "ONNX"})
      EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  plain.functions.pop_back();
  EXPECT_NO_THROW(c_source::check_size(plain));
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
