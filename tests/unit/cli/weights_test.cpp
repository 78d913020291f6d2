// --weight and --balanced. Oracles: tables with repeated rows; the fit without --balanced.
#include <cmath>

#include <nlohmann/json.hpp>

#include "support/program.hpp"

namespace induce::testing {
namespace {

using Json = nlohmann::json;

class WeightOptions : public Program {
 protected:
  // once.csv has each row of write_table() with a weight of 0 to 3; many.csv repeats each row that many times with
  // weight 1; bare.csv is many.csv without the weights.
  void write_copies(int rows) const {
    write_table("plain.csv", rows, 1);
    const std::vector<std::string> lines = lines_of(read("plain.csv"));
    std::string once = "a,b,w,class\n", many = once, bare = "a,b,class\n";
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const std::size_t comma = lines[i].rfind(',');
      const std::string features = lines[i].substr(0, comma), label = lines[i].substr(comma) + "\n";
      once += features + "," + std::to_string(i % 4) + label;
      for (std::size_t copy = 0; copy < i % 4; ++copy) {
        many += features + ",1" + label;
        bare += features + label;
      }
    }
    write("once.csv", once);
    write("many.csv", many);
    write("bare.csv", bare);
  }
  // The tensors of a model file, after its header. The first eight bytes are the length of the header.
  std::string numbers_of(const std::string& model) const {
    const std::string bytes = read(model);
    std::size_t length = 0;
    for (std::size_t k = 8; k-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes.at(k));
    return bytes.substr(8 + length);
  }
  Json fit(const std::string& arguments) const {
    const Result run = induce("fit " + arguments + " --json j --quiet");
    EXPECT_EQ(run.status, 0) << run.err;
    return Json::parse(read("j"));
  }
};

TEST_F(WeightOptions, WeightsEqualRepeatedRowsExactly) {
  write_copies(120);
  const Json once = fit("once.csv --weight w -o once"), many = fit("many.csv --weight w -o many"),
             bare = fit("bare.csv -o bare");
  EXPECT_EQ(once["n"], 120);
  EXPECT_EQ(many["n"], 180);
  EXPECT_TRUE(numbers_of("once") == numbers_of("many"));
  EXPECT_TRUE(numbers_of("once") == numbers_of("bare"));
  EXPECT_EQ(once["bound"], bare["bound"]);
  EXPECT_EQ(once["train"]["n"], 180);
  EXPECT_NEAR(once["train"]["nll"], bare["train"]["nll"], 1e-12);
  EXPECT_NEAR(once["train"]["auc"], bare["train"]["auc"], 1e-12);
  EXPECT_EQ(once["leave_one_out"]["n"], 180);
  EXPECT_GT(once["leave_one_out"]["nll"], bare["leave_one_out"]["nll"])
      << "a row is left out with all its weight";
  EXPECT_NEAR(once["calibration"]["base_nll"], bare["calibration"]["base_nll"], 1e-12);
}

TEST_F(WeightOptions, BalancedClassesShiftTheMeanOfTheFit) {
  // 60 rows of one class, 20 of the other, each of weight 2: 160 / (2 120) and 160 / (2 40).
  std::string rows;
  for (int i = 0; i < 80; ++i) {
    const bool rare = i % 4 == 0;
    rows += std::to_string((i * 37 % 80) / 40.0 + (rare ? 1 : 0)) + ",2," + (rare ? "rare\n" : "usual\n");
  }
  write("t.csv", "a,w,class\n" + rows);
  const Json plain = fit("t.csv --weight w -o plain"), balanced = fit("t.csv --weight w --balanced -o got");
  const double shift = std::log(120.0) - std::log(40.0);  // of usual, the second class, with its sign turned
  EXPECT_NEAR(balanced["theta"]["mean"], plain["theta"]["mean"].get<double>() - shift, 1e-12);
  EXPECT_NEAR(balanced["class_weights"][0], 2, 1e-12);
  EXPECT_NEAR(balanced["class_weights"][1], 2.0 / 3, 1e-12);
  EXPECT_TRUE(plain["class_weights"].empty());
  for (const char* same : {"leave_one_out", "calibration", "elbo", "class_counts"})
    EXPECT_EQ(balanced[same], plain[same]) << same;
  EXPECT_NE(balanced["train"], plain["train"]);
  EXPECT_NE(induce("fit t.csv --weight w --balanced").out.find("before its classes were balanced"),
            std::string::npos);
  expect_one_error(induce("fit t.csv --weight w --balanced --likelihood probit"), 2,
                   {"probit", "class weights", "logistic"});
}

TEST_F(WeightOptions, SummaryAndInfoShowWeights) {
  write_copies(40);
  const std::string quick = " --method vi-jj --inducing 5 --max-iter 2 ";
  const Json weighted = fit("once.csv --weight -2 --balanced -o m" + quick)["options"],
             plain = fit("bare.csv -o p" + quick)["options"];
  EXPECT_EQ(weighted["weight"], "-2");
  EXPECT_EQ(weighted["balanced"], true);
  EXPECT_TRUE(plain["weight"].is_null());
  EXPECT_EQ(plain["balanced"], false);
  EXPECT_NE(induce("info m").out.find("weight column     w\n"), std::string::npos);
  EXPECT_EQ(induce("info p").out.find("weight"), std::string::npos);
}

TEST_F(WeightOptions, WeightColumnIsOptionalInOtherData) {
  write_copies(60);
  const std::string quick = " --method vi-jj --inducing 5 --max-iter 2 ";
  write_table("test.csv", 60, 1);  // the rows of once.csv
  const Json without = fit("once.csv --weight w --test test.csv -o m" + quick);
  EXPECT_EQ(fit("once.csv --weight w --label 3 --test test.csv" + quick)["test"], without["test"]);
  const Json with = fit("once.csv --weight 2 --test many.csv" + quick);
  write("garbled.csv", "w,class,b,a\nno number,left,1,2\n,right,0.5,1\n");
  EXPECT_EQ(without["d"], 2);
  EXPECT_EQ(without["test"]["n"], 60);  // unweighted
  EXPECT_EQ(with["test"]["n"], 90);
  EXPECT_EQ(induce("fit once.csv --weight w --test garbled.csv --quiet" + quick).status, 0);

  EXPECT_EQ(induce("predict m once.csv").out, induce("predict m plain.csv").out);
  EXPECT_EQ(induce("eval m once.csv").out, induce("eval m plain.csv").out);
  const Result unlabelled = shell("cut -d, -f1-3 once.csv >cut.csv && \"$INDUCE\" predict m cut.csv");
  EXPECT_EQ(unlabelled.status, 0) << unlabelled.err;
  EXPECT_EQ(unlabelled.out, induce("predict m plain.csv").out);
}

TEST_F(WeightOptions, ColumnsByIndexWithoutHeader) {
  write_copies(60);
  const std::string quick = " --method vi-jj --inducing 5 --max-iter 2 ";
  shell("tail -n +2 once.csv >once; cp once again; tail -n +2 plain.csv >plain");
  fit("once.csv --weight w -o named" + quick);
  EXPECT_EQ(fit("once --weight -2 --test plain -o m" + quick)["test"]["n"], 60);
  EXPECT_EQ(fit("once --weight 2 --test again" + quick)["test"]["n"], 60);
  EXPECT_EQ(numbers_of("m"), numbers_of("named"));
  EXPECT_EQ(induce("predict m once").out, induce("predict named once.csv").out);
  EXPECT_EQ(induce("predict m plain").out, induce("predict named once.csv").out);
}

TEST_F(WeightOptions, HoldoutKeepsTheWeightsOfRows) {
  // The weight identifies the class: 1 for class x, 3 for class y.
  std::string table = "a,w,class\n";
  for (int i = 0; i < 100; ++i) table += std::to_string(i * 37 % 100) + (i % 2 ? ",3,y\n" : ",1,x\n");
  write("t.csv", table);
  const Json summary = fit("t.csv --weight w --holdout 0.2 --method vi-jj --inducing 5 --max-iter 2");
  EXPECT_EQ(summary["n"], 80);
  EXPECT_EQ(summary["train"]["n"], 160);
  EXPECT_EQ(summary["test"]["n"], 20);
}

TEST_F(WeightOptions, ErrorsNameFileLineAndColumn) {
  write("t.csv", "a,w,class\n1,1,x\n2,-3,y\n");
  write("t.svm", "1 1:2\n0 1:3\n");
  write("zero.csv", "a,w,class\n1,0,x\n2,0,x\n3,1,y\n");
  expect_one_error(induce("fit t.csv --weight w -o m"), 1,
                   {"t.csv", "line 3", "column 2 ('w')", "'-3'", ">= 0"});
  expect_one_error(induce("fit t.csv --weight u -o m"), 2, {"t.csv", "'u'", "'a', 'w', 'class'"});
  expect_one_error(induce("fit t.csv --weight class --label class -o m"), 2,
                   {"column 3 ('class')", "label", "weight"});
  expect_one_error(induce("fit t.csv --weight '' -o m"), 2, {"--weight", "''"});
  expect_one_error(induce("fit t.svm --weight 1 -o m"), 2, {"t.svm", "weight", "LIBSVM"});
  for (const char* balanced : {"", " --balanced"})
    expect_one_error(induce("fit zero.csv --weight w -o m" + std::string(balanced)), 1,
                     {"weight 0", "two classes"});
  EXPECT_FALSE(exists("m"));
}

}  // namespace
}  // namespace induce::testing
