// A small table and all that its candidates need.
#pragma once

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "fit/fit_rows.hpp"
#include "fit/plan_fit.hpp"
#include "linalg/random.hpp"
#include "train/candidate_fit.hpp"

namespace induce::testing {

// The label depends on both features, mostly on the first, which has heavy tails.
struct SmallTable {
  explicit SmallTable(std::size_t n) {
    Random random(5);
    for (std::size_t i = 0; i < n; ++i) {
      const double a = random.normal(), b = random.normal();
      x.insert(x.end(), {std::exp(a), b});
      y.push_back(2 * a + 0.5 * b * b + random.normal() / 2 > 0.5);
    }
  }
  std::vector<double> x;
  std::vector<int> y;
};

struct SmallFit {
  explicit SmallFit(const SmallTable& of, const Options& given = {}) : table(of), options(given) {
    std::iota(order.begin(), order.end(), Index{0});
  }
  explicit SmallFit(std::size_t n) : SmallFit(SmallTable(n)) {}

  // The row of the table that is the k-th of the shuffled ones.
  std::size_t table_row(Index k) const {
    return static_cast<std::size_t>(plan.rows.table_row_of_user(fit.row_at(k)));
  }

  SmallTable table;
  Options options;
  Names names{.classes = {"0", "1"}};
  Workers workers{1};
  StateSaver saver;
  Monitor monitor{options, 500,
                  [](const Fitted&, const FeatureMap&) -> Model { throw std::logic_error("no model"); }};
  FitRows rows{options, names, nullptr, workers, monitor};
  TrainingPlan plan = make_plan();
  FitContext context{plan, workers, rows.owner(), monitor, saver};
  std::vector<Index> order = std::vector<Index>(table.y.size());
  StagedFit fit{context, order};

 private:
  TrainingPlan make_plan() {
    rows.take(TableView{table.x.data(), table.y.size(), 2}, table.y, {});
    return plan_fit(rows, options, workers);
  }
};

}  // namespace induce::testing
