// induce rank. Oracles: what predict says about the same rows, and what must not change anything.
#include <set>

#include <nlohmann/json.hpp>

#include "support/program.hpp"

namespace induce::testing {
namespace {

using Json = nlohmann::json;

class Rank : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    write_table("train.csv", 100, 1);
    EXPECT_EQ(induce("fit train.csv --label class -o m --kernel se --warp none --quiet").status, 0);
    write_table("rows.csv", 3000, 2);
    std::string pool = "name,minutes";
    std::size_t row = 0;
    for (const std::string& line : lines_of(read("rows.csv"))) {
      if (row > 0) pool += "r" + std::to_string(row - 1) + "," + (row % 2 ? "2" : "1");
      pool += "," + line + "\n";
      ++row;
    }
    write("pool.csv", pool);
  }
  std::vector<Json> ranked(const std::string& options) const {
    const Result run = induce("rank m " + options + " -o chosen.jsonl");
    EXPECT_EQ(run.status, 0) << run.err;
    std::vector<Json> rows;
    for (const std::string& line : lines_of(read("chosen.jsonl"))) rows.push_back(Json::parse(line));
    return rows;
  }
};

TEST_F(Rank, WritesWhatPredictSaysOfTheRowsThatItChooses) {
  const std::vector<Json> chosen = ranked("pool.csv -n 20 --id name");
  ASSERT_EQ(chosen.size(), 20U);
  EXPECT_EQ(induce("predict m pool.csv --doubt --id name -o p.jsonl").status, 0);
  const std::vector<std::string> predicted = lines_of(read("p.jsonl"));
  std::set<std::size_t> different;
  int random = 0;
  for (const Json& row : chosen) {
    const auto number = row["row"].get<std::size_t>();
    different.insert(number);
    EXPECT_EQ(row["name"], "r" + std::to_string(number));
    const Json expected = Json::parse(predicted.at(number));
    EXPECT_EQ(row["p_left"], expected["p_left"]);
    EXPECT_NEAR(row["novelty"].get<double>(), expected["novelty"].get<double>(), 1e-9);
    EXPECT_LE(row["information"].get<double>(), expected["knowledge"].get<double>() + 1e-12);
    EXPECT_GT(row["gain"].get<double>(), 0);
    random += row["random"].get<int>();
  }
  EXPECT_EQ(different.size(), 20U);
  EXPECT_EQ(random, 2);
}

TEST_F(Rank, CostsThreadsAndSeveralFiles) {
  const std::vector<Json> free = ranked("pool.csv --id name --random 0 --threads 1");
  EXPECT_EQ(free.size(), 50U);
  EXPECT_EQ(free, ranked("pool.csv --id name --random 0 --threads 2"));
  const auto cheap = [](const std::vector<Json>& rows) {
    int count = 0;
    for (const Json& row : rows) count += row["row"].get<int>() % 2;  // odd rows take 1 minute
    return count;
  };
  EXPECT_GT(cheap(ranked("pool.csv --cost minutes --random 0")), cheap(free));
  EXPECT_NE(ranked("pool.csv --random 1 --seed 1"), ranked("pool.csv --random 1 --seed 2"));
  write("more.csv", read("pool.csv"));
  for (const Json& row : ranked("pool.csv more.csv --id name"))
    EXPECT_EQ(row["name"], "r" + std::to_string(row["row"].get<int>() % 3000));
}

TEST_F(Rank, ErrorsNameWhatIsWrong) {
  write("free.csv", "a,b,minutes\n1,2,3\n1,2,0\n");
  expect_one_error(induce("rank m free.csv --cost minutes"), 1, {"row 1", "cost is 0"});
  expect_one_error(induce("rank m pool.csv -n 0"), 2, {"--rows", "'0'"});
  expect_one_error(induce("rank m pool.csv -n 6000"), 2, {"rows = 6000", "5000"});
  expect_one_error(induce("rank m pool.csv --random 2"), 2, {"--random", "'2'", "0 to 1"});
  expect_one_error(induce("rank m pool.csv --cost nobody"), 2, {"nobody"});
  expect_one_error(induce("rank m pool.csv --id ''"), 2, {"--id"});
  expect_one_error(induce("rank m pool.csv --cost a"), 2,
                   {"column 3 ('a') is a feature of the model and cannot be the cost column"});
  expect_one_error(induce("rank m pool.csv --cost 9"), 2, {"the cost column 9 does not exist"});
}

}  // namespace
}  // namespace induce::testing
