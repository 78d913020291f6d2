// --group and --time. Oracles: the rows of the table; the same fit by the library's promises (tests/unit/fit/groups_test.cpp).
#include <nlohmann/json.hpp>

#include "support/program.hpp"

namespace induce::testing {
namespace {

using Json = nlohmann::json;

class GroupOptions : public Program {
 protected:
  // 30 persons of 6 rows; the day grows with the row.
  void write_panel() const {
    std::string text = "a,person,day,b,class\n";
    for (int i = 0; i < 180; ++i) {
      const int person = i % 30;
      text += std::to_string(i * 37 % 50) + ",p" + std::to_string(person) + ",2024-01-" +
              (i / 18 < 9 ? "0" : "") + std::to_string(i / 18 + 1) + "," + std::to_string(i * 13 % 31) + "," +
              ((i * 37 % 50) + (person % 3) * 20 > 35 ? "up" : "down") + "\n";
    }
    write("t.csv", text);
  }
  Json fit(const std::string& arguments) const {
    const Result run = induce("fit " + arguments + " --json j --quiet");
    EXPECT_EQ(run.status, 0) << run.err;
    return Json::parse(read("j"));
  }
};

TEST_F(GroupOptions, TheColumnIsNoFeatureAndRulesWhatIsHeldOut) {
  write_panel();
  const Json grouped = fit("t.csv --group person --drop day -o m");
  EXPECT_EQ(grouped["d"], 2);
  EXPECT_EQ(grouped["held_out_by"], "groups");
  EXPECT_EQ(grouped["options"]["group"], "person");
  EXPECT_EQ(grouped["columns"][1]["kind"], "group");
  const Json timed = fit("t.csv --time day --drop person -o m");
  EXPECT_EQ(timed["held_out_by"], "time");
  EXPECT_EQ(timed["leave_one_out"]["n"], 36);
  EXPECT_EQ(timed["calibration"]["on"], "the latest fifth of the rows");
  EXPECT_TRUE(
      timed["calibration"]["base_nll"].is_null());  // the frequencies of the latest rows are not known
  EXPECT_EQ(induce("predict m t.csv").status, 0);   // the columns are still there
  EXPECT_NE(induce("fit t.csv --group person --drop day").out.find("predicted without each other"),
            std::string::npos);
  fit("t.csv --group 1 --only a --only b -o by_index");
  fit("t.csv --group person --only a --only b -o by_name");
  EXPECT_EQ(read("by_index"), read("by_name"));
}

TEST_F(GroupOptions, HoldoutTakesWholeGroupsOrTheLatestRows) {
  write_panel();
  const Json grouped = fit("t.csv --group person --drop day --holdout 0.25 --max-iter 3");
  EXPECT_EQ(grouped["n"].get<int>() + grouped["test"]["n"].get<int>(), 180);
  EXPECT_EQ(grouped["test"]["n"], 48);  // eight persons
  const Json timed = fit("t.csv --time day --drop person --holdout 0.25 --max-iter 3");
  EXPECT_EQ(timed["test"]["n"], 54);  // three days
  EXPECT_EQ(induce("fit t.csv --time day --drop person --holdout 0.25 --max-iter 3").out.find("latest fifth"),
            std::string::npos);
}

TEST_F(GroupOptions, ErrorsNameWhatIsWrong) {
  write_panel();
  expect_one_error(induce("fit t.csv --group person --time day"), 2, {"--group and --time"});
  expect_one_error(induce("fit t.csv --group ''"), 2, {"--group", "''"});
  expect_one_error(induce("fit t.csv --group who"), 2,
                   {"'t.csv': group: there is no column named 'who'", "'day'"});
  expect_one_error(induce("fit t.csv --group who --only a"), 2, {"group: there is no column named 'who'"});
  expect_one_error(induce("fit t.csv --time who"), 2, {"time: there is no column named 'who'", "'day'"});
  expect_one_error(induce("fit t.csv --group person --group day"), 2, {"--group: may be given once"});
  expect_one_error(induce("fit t.csv --group person --drop person"), 1,
                   {"--group: column 2 ('person') is dropped"});
  expect_one_error(induce("fit t.csv --time person"), 1, {"--time", "person", "numbers or dates"});
  write("gap.csv", "a,p,class\n1,x,u\n2,,v\n3,y,u\n4,x,v\n");
  expect_one_error(induce("fit gap.csv --group p"), 1, {"'gap.csv', line 3: column 2 ('p') has no value"});
  expect_one_error(induce("fit gap.csv --time p"), 1, {"'gap.csv', line 3: column 2 ('p') has no value"});
  write("one.csv", "a,p,class\n1,x,u\n2,x,v\n3,x,u\n4,x,v\n");
  expect_one_error(induce("fit one.csv --group p"), 1, {"--group", "'p'", "one value"});
}

TEST_F(GroupOptions, AFoldWithAllRowsOfAClassIsAWarning) {
  write_panel();
  const auto warned = [&](const std::string& arguments) {
    return induce("fit t.csv --max-iter 5 " + arguments).err.find("without this class") != std::string::npos;
  };
  EXPECT_FALSE(warned("--group person"));
  std::string copied;
  for (const std::string& line : lines_of(read("t.csv")))
    copied += line + (copied.empty() ? ",site" : line.ends_with("up") ? ",north" : ",south") + "\n";
  write("t.csv", copied);
  EXPECT_TRUE(warned("--group site --label class --drop person"));
}

}  // namespace
}  // namespace induce::testing
