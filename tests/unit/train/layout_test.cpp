// Packing and unpacking theta, mean and Z. Oracles: round trips, sizes counted by hand, and the same
// coordinates written independently (support/bridge.hpp).
#include <gtest/gtest.h>

#include "support/bridge.hpp"
#include "support/close.hpp"
#include "support/engine.hpp"
#include "support/random_problem.hpp"
#include "train/parameters.hpp"

namespace induce::testing {
namespace {

constexpr Index m = 4, d = 3;

struct LayoutCase {
  Layout layout;
  naive::Problem problem;
  Prior prior;
  Index size;  // by hand
};

std::vector<LayoutCase> all_cases() {
  std::vector<LayoutCase> cases;
  for (int flags = 0; flags < 16; ++flags) {
    const bool noise = flags & 1, mean = flags & 2, inputs = flags & 4, ard = flags & 8;
    naive::Problem problem = random_problem(static_cast<unsigned>(flags), 10, m, d);
    if (!ard) problem.lengthscales.conservativeResize(1);
    if (!noise) problem.noise_std = 0;
    cases.push_back({{.kernel = kernel_of(problem), .mean = mean, .inputs = inputs},
                     problem,
                     prior_of(problem),
                     1 + (ard ? d : 1) + (noise ? 1 : 0) + (mean ? 1 : 0) + (inputs ? m * d : 0)});
  }
  return cases;
}

TEST(Layout, RoundTripAndSizesForAllFlags) {
  for (const auto& [layout, problem, prior, size] : all_cases()) {
    EXPECT_EQ(layout.size(prior), size);
    const Vector x = layout.pack(prior);
    ASSERT_EQ(x.size(), size);
    EXPECT_EQ(layout.lower(prior).size(), size);
    EXPECT_EQ(layout.upper(prior).size(), size);
    const Prior back = layout.unpack(prior, x);
    expect_close(back.theta, prior.theta, 1e-14, "theta");
    expect_close(back.mean, prior.mean, 1e-14, "mean");
    expect_close_matrix(back.Z, prior.Z, 0, "Z");
    expect_close(layout.pack(layout.unpack(prior, x.array() + 0.3)), x.array() + 0.3, 1e-14, "moved");
  }
}

// Members that are not packed keep their values exactly.
TEST(Layout, UnpackKeepsTheOtherMembers) {
  for (const auto& [layout, problem, prior, size] : all_cases()) {
    const Prior moved = layout.unpack(prior, layout.pack(prior).array() + 0.5);
    EXPECT_FALSE(moved.theta == prior.theta);
    EXPECT_EQ(moved.mean == prior.mean, !layout.mean);
    EXPECT_EQ(moved.Z == prior.Z, !layout.inputs);
  }
}

// pack_gradient must put each derivative where pack puts the variable. Oracle: differences of the engine's bound.
TEST(Layout, GradientMatchesTheVariables) {
  for (const auto& [layout, problem, prior, size] : all_cases()) {
    Engine engine(problem);
    engine.stage_one("jj", 2);
    Vector got(size);
    layout.pack_gradient(engine.fixed_site_gradient(), got);
    const auto bound = [&, &like = prior, &order = layout](const Vector& x) {
      engine.frame = make_frame(order.kernel, order.unpack(like, x), 0);
      return engine.bound();
    };
    expect_close(got, naive::central_difference(bound, layout.pack(prior)), 1e-6, "gradient");
  }
}

TEST(Layout, BoundsAreAsDocumentedAndScaleWithTheFeatures) {
  for (const auto& [layout, problem, prior, size] : all_cases()) {
    const Index l = problem.lengthscales.size(), noise = problem.noise_std > 0;
    const Vector x = layout.pack(prior), lower = layout.lower(prior), upper = layout.upper(prior);
    EXPECT_TRUE((lower.array() < upper.array()).all());
    EXPECT_TRUE((lower.array() <= x.array()).all() && (x.array() <= upper.array()).all());
    if (noise) {
      EXPECT_TRUE(std::isfinite(lower[1 + l]) && std::isfinite(upper[1 + l])) << "a noise floor";
    }
    for (Index i = 1 + l + noise; i < size; ++i) {
      EXPECT_EQ(lower[i], -std::numeric_limits<double>::infinity());
      EXPECT_EQ(upper[i], std::numeric_limits<double>::infinity());
    }
    Layout wide = layout;
    wide.kernel = make_kernel("se", {.d = d, .ard = l == d, .noise = noise > 0, .spread = 100});
    const double shift = std::log(100.0);
    expect_close((wide.lower(prior) - lower).segment(1, l), Vector::Constant(l, shift), 1e-12, "lower");
    expect_close((wide.upper(prior) - upper).segment(1, l), Vector::Constant(l, shift), 1e-12, "upper");
    EXPECT_EQ(wide.lower(prior)[0], lower[0]);
  }
}

// A kernel with one parameter that is optimised as it is.
class Offset final : public Kernel {
 public:
  std::string name() const override { return "offset"; }
  const std::vector<KernelParameter>& parameters() const override { return parameters_; }
  std::unique_ptr<PlacedKernel> place(const double*, const Matrix&) const override { return nullptr; }

 private:
  std::vector<KernelParameter> parameters_{{.name = "offset",
                                            .lower = -2,
                                            .upper = 3,
                                            .start = -0.5,
                                            .prior = NormalPrior{1, 2},
                                            .transform = Transform::identity}};
};

TEST(Layout, IdentityTransformLeavesTheParameterAsItIs) {
  const Layout layout{.kernel = std::make_shared<Offset>()};
  const Prior prior{.theta = layout.kernel->start(), .mean = 0, .Z = {}};
  EXPECT_EQ(layout.pack(prior)[0], -0.5);
  EXPECT_EQ(layout.lower(prior)[0], -2);
  EXPECT_EQ(layout.upper(prior)[0], 3);
  EXPECT_EQ(layout.unpack(prior, Vector::Constant(1, -1.25)).theta[0], -1.25);
  Vector gradient = Vector::Zero(1);
  EXPECT_DOUBLE_EQ(log_prior(layout, prior, gradient), -0.75 * 0.75 / 2);
  EXPECT_DOUBLE_EQ(gradient[0], 0.75 / 2);
}

}  // namespace
}  // namespace induce::testing
