// `induce explain`: the table, the curves and the picture, from the model alone and from rows.
#include <algorithm>
#include <sstream>

#include <nlohmann/json.hpp>

#include "support/program.hpp"

namespace induce::testing {
namespace {

using Json = nlohmann::json;
using ExplainCommand = Program;
const std::string kSmallFit = " --inducing 12 --quiet ";

TEST_F(ExplainCommand, NeedsNoDataAndAgreesWithTheFit) {
  write_table("train.csv", 200, 1);
  ASSERT_EQ(induce("fit train.csv" + kSmallFit + "-o m --json j").status, 0);
  const Result run = induce("explain m -o e.csv --svg e.svg --json e.json");
  ASSERT_EQ(run.status, 0) << run.err;
  const Json fit = Json::parse(read("j")), explained = Json::parse(read("e.json"));
  EXPECT_EQ(fit["importance"], explained["importance"]);
  ASSERT_EQ(explained["importance"].size(), 2u);
  EXPECT_GE(explained["importance"][0]["total"], explained["importance"][1]["total"]);
  EXPECT_TRUE(explained["data"].is_null());

  const std::vector<std::string> table = lines_of(run.out);
  ASSERT_EQ(table.size(), 4u);
  EXPECT_TRUE(table[3].starts_with("shares of the variation: ")) << table[3];
  EXPECT_EQ(fit["terms"], explained["terms"]);
  double sum = 0;
  for (const Json& term : explained["terms"]) sum += term["share"].get<double>();
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_TRUE(table[0].starts_with("feature")) << table[0];
  EXPECT_TRUE(table[1].starts_with(explained["importance"][0]["feature"].get<std::string>())) << table[1];

  const std::vector<std::string> curves = lines_of(read("e.csv"));
  EXPECT_EQ(curves[0], "feature,value,effect,lower,upper");
  std::size_t points = 0;
  for (const Json& effect : explained["effects"]) points += effect["values"].size();
  EXPECT_EQ(curves.size(), 1 + points);
  const std::string svg = read("e.svg");
  EXPECT_TRUE(svg.starts_with("<?xml"));
  EXPECT_NE(svg.find(">a</text>"), std::string::npos);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

// Oracle: the shapes that docs/reference.md states, and one row of the file for each number.
TEST_F(ExplainCommand, WritesAndDrawsPairs) {
  std::string table = "size,colour,kind\n";
  for (int i = 0; i < 240; ++i) {
    const int size = i * 7 % 20, colour = i * 5 % 3;
    const bool gap = i % 11 == 0;
    table += (gap ? "" : std::to_string(size)) + "," +
             (colour == 0   ? "red"
              : colour == 1 ? "green"
                            : "blue") +
             "," + ((size > 9) == (colour == 0) && i % 13 ? "yes" : "no") + "\n";
  }
  write("train.csv", table);
  ASSERT_EQ(induce("fit train.csv --label kind --kernel mains+pairs:size*colour --quiet -o m").status, 0);
  const Result run = induce("explain m -o e.csv --svg e.svg --json e.json");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find("size*colour"), std::string::npos) << run.out;
  EXPECT_NE(induce("info m").out.find("size*colour"), std::string::npos);
  const Json explained = Json::parse(read("e.json"));
  ASSERT_EQ(explained["pairs"].size(), 1u);
  const Json& pair = explained["pairs"][0];
  EXPECT_EQ(pair["first"]["feature"], "size");
  EXPECT_EQ(pair["first"]["missing"], true);
  EXPECT_EQ(pair["second"]["levels"], (Json{"blue", "green", "red"}));
  ASSERT_EQ(pair["effect"].size(), pair["first"]["values"].size() + 1);
  EXPECT_EQ(pair["effect"][0].size(), 3u);
  EXPECT_LT(pair["lower"][0][0], pair["upper"][0][0]);

  std::size_t points = 3 * pair["effect"].size();
  for (const Json& effect : explained["effects"])
    points += effect[effect["levels"].is_null() ? "values" : "levels"].size() + !effect["missing"].is_null();
  const std::vector<std::string> rows = lines_of(read("e.csv"));
  EXPECT_EQ(rows[0], "feature,value,second_feature,second_value,effect,lower,upper");
  EXPECT_EQ(rows.size(), 1 + points);
  EXPECT_TRUE(rows.back().starts_with("size,(missing),colour,red,")) << rows.back();
  const std::string svg = read("e.svg");
  EXPECT_NE(svg.find("What two features do together"), std::string::npos);
  EXPECT_NE(svg.find("size (up) and colour (right)"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST_F(ExplainCommand, UsesTheRowsOfData) {
  write_table("train.csv", 200, 1);
  write_table("other.csv", 50, 2, "left", "right", false);
  ASSERT_EQ(induce("fit train.csv" + kSmallFit + "-o m").status, 0);
  const Result stored = induce("explain m"), train = induce("explain m train.csv"),
               other = induce("explain m other.csv --threads 1 --json o.json");
  EXPECT_EQ(train.status, 0) << train.err;
  EXPECT_EQ(other.status, 0) << other.err;
  EXPECT_NE(stored.out, other.out);
  EXPECT_EQ(Json::parse(read("o.json"))["data"], "other.csv");
  EXPECT_EQ(induce("explain m other.csv --threads 3").out, other.out);
}

TEST_F(ExplainCommand, AnOldModelNeedsData) {
  const std::string old = std::string(INDUCE_TESTS "/golden/version4.model");
  expect_one_error(induce("explain " + old), 2, {"version4.model", "no explanation", "DATA"});
  EXPECT_EQ(induce("explain " + old + " " INDUCE_TESTS "/golden/train.csv").status, 0);
}

TEST_F(ExplainCommand, WritesNothingOnFailure) {
  write_table("train.csv", 60, 1);
  ASSERT_EQ(induce("fit train.csv" + kSmallFit + "-o m").status, 0);
  EXPECT_EQ(induce("explain m none.csv -o e.csv --svg e.svg").status, 1);
  expect_one_error(induce("explain m -o e --svg e"), 2, {"--svg", "--output"});
  EXPECT_EQ(files(), (std::vector<std::string>{"m", "train.csv"}));
}

TEST_F(ExplainCommand, DrawsAtMostTwelvePanels) {
  std::ostringstream table;
  for (int i = 0; i < 120; ++i) {
    table << i % 2;
    for (int f = 1; f <= 15; ++f) table << ' ' << f << ':' << (i * (f + 7)) % 31 + (f == 1 ? 5 * (i % 2) : 0);
    table << '\n';
  }
  write("wide.svm", table.str());
  ASSERT_EQ(induce("fit wide.svm" + kSmallFit + "--kernel se -o m").status, 0);
  ASSERT_EQ(induce("explain m --svg e.svg").status, 0);
  const std::string svg = read("e.svg");
  EXPECT_NE(svg.find("3 less important features not shown"), std::string::npos);
  std::size_t panels = 0;
  for (std::size_t at = svg.find(" %</text>"); at != std::string::npos; at = svg.find(" %</text>", at + 1))
    ++panels;
  EXPECT_EQ(panels, 12u);
}

}  // namespace
}  // namespace induce::testing
