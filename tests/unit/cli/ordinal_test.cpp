// Ordered classes on the command line: the order of labels, what predict and eval write. Oracles: the definitions, messages.
#include <cmath>
#include <sstream>

#include <nlohmann/json.hpp>

#include "linalg/random.hpp"
#include "support/program.hpp"

namespace induce::testing {
namespace {

class Ordinal : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    Random random(4);
    std::ostringstream texts, numbers;
    texts << "a,b,grade\n";
    numbers << "a,b,grade\n";
    const char* names[] = {"low", "middle", "high"};
    const char* values[] = {"2", "10", "100"};
    for (int i = 0; i < 150; ++i) {
      const double a = random.normal(), b = random.normal(), f = 2 * a + b + 0.5 * random.normal();
      const int level = (f > -1) + (f > 1.5);
      texts << a << "," << b << "," << names[level] << "\n";
      numbers << a << "," << b << "," << values[level] << "\n";
    }
    write("texts.csv", texts.str());
    write("numbers.csv", numbers.str());
  }
  Result fit(const std::string& arguments) const {
    return induce("fit " + arguments +
                  " --label grade --inducing 15 --kernel se --max-iter 15 -o m --json j --quiet");
  }
  void expect_refused(const std::string& arguments, const std::string& part) const {
    const Result run = fit(arguments);
    EXPECT_NE(run.status, 0) << arguments;
    EXPECT_NE(run.err.find(part), std::string::npos) << run.err;
  }
};

TEST_F(Ordinal, TextsNeedAnOrderOfAllLabels) {
  expect_refused("texts.csv --likelihood ordinal", "--order high,low,middle");
  expect_refused("texts.csv --likelihood ordinal --order low,high", "missing: 'middle'");
  expect_refused("texts.csv --likelihood ordinal --order low,low,middle,high", "'low' is in it twice");
  expect_refused("texts.csv --order low,middle,high", "--order requires --likelihood ordinal, not auto");
  expect_refused("texts.csv --likelihood ordinal --order low,middle,high --balanced", "class weights");
}

TEST_F(Ordinal, NumbersAndAListGiveTheSameModel) {
  ASSERT_EQ(fit("numbers.csv --likelihood ordinal").status, 0);
  const auto by_number = nlohmann::json::parse(read("j"));
  EXPECT_EQ(by_number["classes"], (nlohmann::json{"2", "10", "100"}));
  ASSERT_EQ(fit("texts.csv --likelihood ordinal --order low,middle,high").status, 0);
  const auto by_list = nlohmann::json::parse(read("j"));
  EXPECT_EQ(by_list["classes"], (nlohmann::json{"low", "middle", "high"}));
  EXPECT_EQ(by_list["theta"]["thresholds"], by_number["theta"]["thresholds"]);
  EXPECT_EQ(by_list["theta"]["thresholds"].size(), 2u);
  EXPECT_TRUE(by_list["leave_one_out"]["rps"].is_number());
  ASSERT_EQ(fit("numbers.csv --likelihood ordinal --order 100,10.0,2").status, 0);
  EXPECT_EQ(nlohmann::json::parse(read("j"))["classes"], (nlohmann::json{"100", "10", "2"}));
  // Blanks do not count, and labels without rows are left out.
  ASSERT_EQ(fit("texts.csv --likelihood ordinal --order 'none, low, middle, high , top'").status, 0);
  EXPECT_EQ(nlohmann::json::parse(read("j"))["classes"], by_list["classes"]);
}

TEST_F(Ordinal, PredictAndEvalKnowLevels) {
  ASSERT_EQ(fit("texts.csv --likelihood ordinal --order low,middle,high").status, 0);
  ASSERT_EQ(induce("predict m texts.csv --doubt --set 0.1 -o p.jsonl").status, 0);
  double rps = 0, error = 0;
  int rows = 0;
  std::istringstream table(read("texts.csv"));
  std::string line;
  std::getline(table, line);
  const std::vector<std::string> names{"low", "middle", "high"};
  for (const std::string& text : lines_of(read("p.jsonl"))) {
    const auto row = nlohmann::json::parse(text);
    std::getline(table, line);
    const double low = row["p_low"], middle = row["p_middle"], high = row["p_high"];
    EXPECT_NEAR(row["expected_level"], low + 2 * middle + 3 * high, 1e-12);
    EXPECT_TRUE(row["latent_mean"].is_number());
    EXPECT_LE(row["p_low_middle"], row["p_high_middle"]);
    const auto level = [&](const std::string& name) {
      return std::find(names.begin(), names.end(), name) - names.begin();
    };
    const auto y = level(line.substr(line.rfind(',') + 1));
    rps += (std::pow(low - (y == 0), 2) + std::pow(low + middle - (y <= 1), 2)) / 2;
    error += static_cast<double>(std::abs(level(row["label"]) - y));
    ++rows;
  }
  ASSERT_EQ(rows, 150);
  const Result run = induce("eval m texts.csv --json e");
  EXPECT_NE(run.out.find("rps  level error"), std::string::npos) << run.out;
  const auto found = nlohmann::json::parse(read("e"));
  EXPECT_NEAR(found["rps"], rps / rows, 1e-12);
  EXPECT_NEAR(found["level_error"], error / rows, 1e-12);
  EXPECT_NE(induce("info m").out.find("low | middle"), std::string::npos);
  EXPECT_NE(induce("explain m").out.find("log odds of a higher level"), std::string::npos);
  EXPECT_EQ(induce("report m texts.csv -o page.html").status, 0);
  EXPECT_EQ(induce("export m --c model.h").status, 0);
}

TEST_F(Ordinal, ResumesWithItsOrder) {
  ASSERT_EQ(fit("texts.csv --likelihood ordinal --order low,middle,high --checkpoint state").status, 0);
  const std::string whole = read("m");
  ASSERT_EQ(induce("fit --resume state -o again --quiet").status, 0);
  EXPECT_NE(induce("info again").out.find("3: low, middle, high"), std::string::npos);
  EXPECT_EQ(induce("eval again texts.csv").out, induce("eval m texts.csv").out);
}

}  // namespace
}  // namespace induce::testing
