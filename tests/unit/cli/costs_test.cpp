// --cost of predict and eval. Oracle: expected costs from the probabilities that predict writes, by hand.
#include <cmath>
#include <iomanip>
#include <sstream>

#include <nlohmann/json.hpp>

#include "support/program.hpp"

namespace induce::testing {
namespace {

using Json = nlohmann::json;

class CostOption : public Program {
 protected:
  void fit_model() const {
    write_table("t.csv", 150, 1);
    EXPECT_EQ(induce("fit t.csv -o m --method vi-jj --inducing 10 --quiet").status, 0);
  }
};

TEST_F(CostOption, LabelsAreThoseOfLeastExpectedCost) {
  fit_model();
  const std::string costs = R"({"left": {"right": 9}, "right": {"left": 1, "right": -1}})";
  write("costs.json", costs);
  const Result run = induce("predict m t.csv --cost '" + costs + "' -o p.jsonl");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(induce("predict m t.csv --cost costs.json -o q.jsonl").status, 0);
  EXPECT_EQ(read("p.jsonl"), read("q.jsonl"));
  double expected = 0;
  std::size_t rows = 0, right = 0;
  for (const std::string& line : lines_of(read("p.jsonl"))) {
    const Json row = Json::parse(line);
    const double p = row["p_right"], left_costs = p, right_costs = 9 * (1 - p) - p;
    EXPECT_EQ(row["label"], right_costs < left_costs ? "right" : "left");
    EXPECT_NEAR(row["expected_cost"], std::min(left_costs, right_costs), 1e-9);
    expected += std::min(left_costs, right_costs);
    rows += 1;
    right += row["label"] == "right" ? 1 : 0;
  }
  const Result evaluated = induce("eval m t.csv --cost costs.json --json j");
  EXPECT_NE(evaluated.out.find("cost per row"), std::string::npos) << evaluated.out;
  EXPECT_NE(evaluated.out.find("that of the costs"), std::string::npos) << evaluated.out;
  const Json found = Json::parse(read("j")), cost = found["costs"];
  EXPECT_NEAR(cost["expected"], expected / static_cast<double>(rows), 1e-9);
  const Json counts = found["confusion"]["counts"];  // of the same labels
  EXPECT_NEAR(cost["cost"],
              (9 * counts[0][1].get<double>() + counts[1][0].get<double>() - counts[1][1].get<double>()) /
                  static_cast<double>(rows),
              1e-9);
  EXPECT_EQ(counts[0][1].get<std::size_t>() + counts[1][1].get<std::size_t>(), right);
  EXPECT_NEAR(cost["own_threshold"], 9.0 / 11, 1e-12);
  EXPECT_EQ(cost["thresholds"].size(), 12U);
  for (const Json& at : cost["thresholds"])
    if (at["threshold"] == cost["own_threshold"]) {
      EXPECT_EQ(at["cost"], cost["cost"]);
    }
  EXPECT_TRUE(Json::parse((induce("eval m t.csv --json j"), read("j")))["costs"].is_null());
}

TEST_F(CostOption, ErrorsNameWhatIsWrong) {
  fit_model();
  expect_one_error(induce("predict m t.csv --cost absent.json"), 2, {"--cost", "absent.json"});
  expect_one_error(induce("predict m t.csv --cost '{\"up\": {}}'"), 2, {"--cost", "'up'", "left, right"});
  expect_one_error(induce("eval m t.csv --cost '{\"left\": 1}'"), 2, {"'left'", "object by predicted class"});
  expect_one_error(induce("eval m t.csv --cost '{\"left\": {\"right\": \"9\"}}'"), 2,
                   {"\"9\"", "'left'", "'right'", "finite number"});
  expect_one_error(induce("eval m t.csv --cost '{'"), 2, {"--cost", "JSON object"});
  expect_one_error(induce("eval m t.csv --cost ''"), 2, {"--cost: '' is not JSON or a file"});
  expect_one_error(induce("report m --cost '{\"left\": {}}' -o page.html"), 2, {"--cost", "give DATA"});
}

TEST_F(CostOption, ClassWeightsAndCostsAreAWarning) {
  fit_model();
  EXPECT_EQ(induce("fit t.csv -o b --method vi-jj --inducing 10 --balanced --quiet").status, 0);
  const std::string costs = " t.csv --cost '{\"left\": {\"right\": 9}}'";
  for (const char* command : {"eval ", "predict "}) {
    EXPECT_NE(induce(command + ("b" + costs)).err.find("rarity twice"), std::string::npos) << command;
    EXPECT_EQ(induce(command + ("m" + costs)).err, "");
  }
}

// Oracle: eval, with the same costs.
TEST_F(CostOption, ThePageSaysWhatDecisionsCost) {
  fit_model();
  const std::string costs = " --cost '{\"left\": {\"right\": 9}, \"right\": {\"left\": 1}}'";
  ASSERT_EQ(induce("report m t.csv -o page.html" + costs).status, 0);
  ASSERT_EQ(induce("report m t.csv -o plain.html").status, 0);
  ASSERT_EQ(induce("eval m t.csv --json j" + costs).status, 0);
  const Json found = Json::parse(read("j"))["costs"];
  const std::string page = read("page.html");
  std::ostringstream cost;
  cost << "On these rows that costs " << std::setprecision(4) << found["cost"].get<double>();
  EXPECT_NE(page.find(cost.str()), std::string::npos) << cost.str();
  for (const char* part : {"cost per row", "label of least expected cost", "90.0"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_EQ(read("plain.html").find("cost per row"), std::string::npos);
}

}  // namespace
}  // namespace induce::testing
