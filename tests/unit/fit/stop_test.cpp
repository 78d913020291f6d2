// Fits over shards that are stopped at any request. Oracle: a fit that has called on_iteration has a model, and returns it.
#include <gtest/gtest.h>

#include <induce/fit.hpp>

#include <cmath>
#include <random>

#include "fit/fit_shards.hpp"
#include "shard/near_shards.hpp"

namespace induce::testing {
namespace {

// Says from its k-th request on that it was stopped while it waited, as after Ctrl-C in Dask; or only counts.
class StoppedCarrier final : public Carrier {
 public:
  int count() const override { return near_.count(); }
  std::vector<std::string> ask(const std::vector<std::string>& requests) override {
    if (++asked >= throws_from) throw Stopped();
    return near_.ask(requests);
  }
  int asked = 0, throws_from = 1 << 30;

 private:
  NearShards near_{2};
};

struct SmallTable {
  SmallTable() {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    for (int i = 0; i < 40; ++i) {
      x.push_back(normal(random));
      x.push_back(normal(random));
      y.push_back(x[2 * i] + normal(random) / 2 > 0);
    }
  }
  std::vector<double> x;
  std::vector<int> y;
};

class StopInShards : public ::testing::TestWithParam<Method> {
 protected:
  // Whether the fit called on_iteration, and the model that it returned, if any.
  struct Ended {
    int iterations = 0, asked = 0;
    std::optional<Fit> fit{};
  };

  Ended run(StoppedCarrier& carrier, int stop_from) {
    Options options;
    options.method = GetParam();
    options.kernel = "se";
    options.warp = Warp::none;
    options.inducing = 4;
    options.max_iter = 3;
    options.threads = 1;
    options.trace_elbo = true;
    Ended ended;
    options.on_iteration = [&](const Progress& now) {
      ended.iterations = now.iteration;
      return true;
    };
    options.stop = [&] { return carrier.asked >= stop_from; };
    try {
      ended.fit =
          fit_shards(carrier, TableView{table_.x.data(), table_.y.size(), 2}, table_.y, options, {}, {});
    } catch (const Stopped&) {
    } catch (const Error&) {
    }
    ended.asked = carrier.asked;
    return ended;
  }

  void expect_model(const Ended& ended, int k) {
    if (ended.iterations == 0) return;
    ASSERT_TRUE(ended.fit) << "stopped at request " << k << " after iteration " << ended.iterations;
    EXPECT_EQ(ended.fit->report.status, Status::interrupted) << k;
    EXPECT_TRUE(std::isfinite(ended.fit->report.bound)) << k;
    for (const double p : ended.fit->model.predict({table_.x.data(), table_.y.size(), 2}).probabilities)
      ASSERT_TRUE(p > 0 && p < 1);
  }

  const SmallTable table_;
};

TEST_P(StopInShards, KeepsTheBestModel) {
  StoppedCarrier whole;
  const Ended complete = run(whole, 1 << 30);
  ASSERT_TRUE(complete.fit);
  ASSERT_EQ(complete.iterations, 3);
  int kept = 0;
  // The last request only removes the rows.
  for (int k = 1; k + 1 < complete.asked; ++k) {
    StoppedCarrier waits;  // the carrier notices
    waits.throws_from = k;
    const Ended by_carrier = run(waits, 1 << 30);
    ASSERT_NO_FATAL_FAILURE(expect_model(by_carrier, k));
    StoppedCarrier works;  // the driver notices
    ASSERT_NO_FATAL_FAILURE(expect_model(run(works, k), k));
    kept += by_carrier.fit.has_value();
  }
  EXPECT_GT(kept, complete.asked / 3);
}

INSTANTIATE_TEST_SUITE_P(Methods, StopInShards,
                         ::testing::Values(Method::vi_jj, Method::vi_jj_tight, Method::vi_taylor,
                                           Method::vi_newton));

}  // namespace
}  // namespace induce::testing
