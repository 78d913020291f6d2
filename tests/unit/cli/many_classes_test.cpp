// Three and more classes, end to end: fit, predict, eval, info and explain must agree.
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>

#include <nlohmann/json.hpp>

#include "support/program.hpp"
#include "linalg/random.hpp"

namespace induce::testing {
namespace {

using Json = nlohmann::json;
using Strings = std::vector<std::string>;

Strings split(const std::string& line) {
  Strings cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

double to_number(const std::string& text) {
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  EXPECT_EQ(result.ptr, text.data() + text.size()) << text;
  return value;
}

class ManyClasses : public Program {
 protected:
  // Classes by angle, with some noise: features `a` and `b`, label column `class`. Names must be in order.
  void write_classes(const std::string& name, int rows, unsigned seed, const Strings& names,
                     const std::string& extra = "") const {
    Random random(seed);
    std::ostringstream text;
    text.precision(17);
    text << "a,b,class\n";
    for (int i = 0; i < rows; ++i) {
      const std::size_t c = static_cast<std::size_t>(i) % names.size();
      const double angle = 6.283 * static_cast<double>(c) / static_cast<double>(names.size());
      text << 2 * std::cos(angle) + random.normal() << "," << 2 * std::sin(angle) + random.normal() << ","
           << names[c] << "\n";
    }
    write(name, text.str() + extra);
  }
  void fit(const std::string& arguments) const {
    const Result run = induce("fit " + arguments + " --inducing 20 --max-iter 15 -o m --json j --quiet");
    ASSERT_EQ(run.status, 0) << run.err;
  }
  Json json(const std::string& name) const { return Json::parse(read(name)); }
};

const Strings kPets{"cat", "dog", "fish"};

TEST_F(ManyClasses, FitPredictAndEvalAgree) {
  write_classes("train.csv", 150, 1, kPets);
  write_classes("test.csv", 90, 2, kPets);
  const Result run =
      induce("fit train.csv --test test.csv --inducing 20 --max-iter 15 -o m --json j --trace t");
  ASSERT_EQ(run.status, 0) << run.err;
  for (const char* words : {"label class, 3 classes: cat 50, dog 50, fish 50 rows\n", ", 3 means from ",
                            ", 3 class scales from "})
    EXPECT_NE(run.out.find(words), std::string::npos) << words << "\n" << run.out;
  const Json summary = json("j");
  EXPECT_EQ(summary["likelihood"], "softmax");
  EXPECT_EQ(summary["classes"], Json(kPets));
  EXPECT_EQ(summary["class_counts"][2], (Json{{"name", "fish"}, {"count", 50}, {"weight", 50}}));
  EXPECT_EQ(summary["label"], "class");
  EXPECT_EQ(summary["theta"]["mean"].size(), 3U);
  EXPECT_EQ(summary["theta"]["class_scales"].size(), 3U);
  EXPECT_NEAR(summary["calibration"]["base_nll"], std::log(3.0), 1e-12);
  const Json last = Json::parse(lines_of(read("t")).back());  // the model may be one evaluation better
  EXPECT_NEAR(last["test_nll"], summary["test"]["nll"], 0.02);

  const Result predict = induce("predict m test.csv");
  ASSERT_EQ(predict.status, 0) << predict.err;
  const Strings lines = lines_of(predict.out), rows = lines_of(read("test.csv"));
  ASSERT_EQ(lines.size(), 91U);
  EXPECT_EQ(lines[0], "label,p_cat,p_dog,p_fish");
  double nll = 0, brier = 0;  // oracle of eval: the file of predictions
  std::map<std::string, std::map<std::string, int>> counts;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const Strings cells = split(lines[i]);
    const std::string truth = split(rows[i])[2];
    ASSERT_EQ(cells.size(), 4U);
    double sum = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const double p = to_number(cells[c + 1]), target = truth == kPets[c] ? 1 : 0;
      sum += p;
      brier += (p - target) * (p - target) / 90;
      nll -= target * std::log(p) / 90;
      if (cells[0] == kPets[c]) {
        for (std::size_t other = 0; other < 3; ++other) EXPECT_GE(p, to_number(cells[other + 1]));
      }
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    ++counts[truth][cells[0]];
  }

  const Result eval = induce("eval m test.csv --confusion --json e");
  ASSERT_EQ(eval.status, 0) << eval.err;
  const Json metrics = json("e");
  for (const char* key : {"n", "accuracy", "nll", "brier", "ece", "auc"})
    EXPECT_EQ(metrics[key], summary["test"][key]) << key;
  EXPECT_NEAR(metrics["nll"], nll, 1e-12);
  EXPECT_NEAR(metrics["brier"], brier, 1e-12);
  EXPECT_GT(metrics["accuracy"], 0.8);
  EXPECT_EQ(metrics["confusion"]["classes"], Json(kPets));
  const Strings text = lines_of(eval.out);
  ASSERT_EQ(text.size(), 7U) << eval.out;
  EXPECT_EQ(text[3], "true \\ predicted  cat  dog  fish");
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b)
      EXPECT_EQ(metrics["confusion"]["counts"][a][b], counts[kPets[a]][kPets[b]]);
  EXPECT_TRUE(text[4].starts_with("cat ")) << eval.out;
  EXPECT_EQ(text[6].size(), text[3].size()) << eval.out;
}

TEST_F(ManyClasses, LatentColumnsOnRequest) {
  write_classes("train.csv", 90, 1, kPets);
  fit("train.csv");
  const Strings lines = lines_of(induce("predict m train.csv --latent").out);
  EXPECT_EQ(lines[0],
            "label,p_cat,p_dog,p_fish,latent_mean_cat,latent_mean_dog,latent_mean_fish,"
            "latent_variance_cat,latent_variance_dog,latent_variance_fish");
  const Strings plain = lines_of(induce("predict m train.csv").out);
  ASSERT_EQ(plain.size(), lines.size());
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const Strings cells = split(lines[i]);
    ASSERT_EQ(cells.size(), 10U);
    EXPECT_TRUE(lines[i].starts_with(plain[i] + ","));
    for (std::size_t c = 7; c < 10; ++c) EXPECT_GT(to_number(cells[c]), 0);
  }
  write_table("two.csv", 60, 1);
  fit("two.csv");
  EXPECT_EQ(induce("predict m two.csv --latent").out, induce("predict m two.csv").out);
}

TEST_F(ManyClasses, InfoAndExplainNameTheClasses) {
  write_classes("train.csv", 150, 1, kPets);
  fit("train.csv");
  const Result info = induce("info m --json i");
  EXPECT_NE(info.out.find("classes           3: cat, dog, fish\n"), std::string::npos) << info.out;
  for (const char* label : {"\n  means           ", "\n  class scales    "}) {
    const std::size_t at = info.out.find(label);
    ASSERT_NE(at, std::string::npos) << info.out;
    const Strings lines = lines_of(info.out.substr(at + 1));
    for (std::size_t c = 0; c < 3; ++c) EXPECT_TRUE(lines[c].ends_with(" " + kPets[c])) << lines[c];
  }
  EXPECT_EQ(json("i")["classes"], Json(kPets));
  EXPECT_EQ(json("i")["theta"], json("j")["theta"]);

  const Result run = induce("explain m -o e.csv --svg e.svg --json e.json");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(lines_of(run.out).size(), 4U);
  const Json explained = json("e.json");
  EXPECT_EQ(explained["classes"], Json(kPets));
  const Strings curves = lines_of(read("e.csv"));
  EXPECT_EQ(curves[0], "feature,class,value,effect,lower,upper");
  std::size_t line = 1;
  for (const Json& effect : explained["effects"]) {
    const std::size_t points = effect["values"].size();
    ASSERT_EQ(effect["effect"].size(), 3U);
    for (std::size_t g = 0; g < points; ++g) {
      double sum = 0;
      for (std::size_t c = 0; c < 3; ++c) {
        const Strings cells = split(curves.at(line + c * points + g));
        EXPECT_EQ(cells[0], effect["feature"]);
        EXPECT_EQ(cells[1], kPets[c]);
        EXPECT_EQ(to_number(cells[3]), effect["effect"][c][g]);
        EXPECT_LE(effect["lower"][c][g], effect["effect"][c][g]);
        EXPECT_GE(effect["upper"][c][g], effect["effect"][c][g]);
        sum += effect["effect"][c][g].get<double>();
      }
      EXPECT_NEAR(sum, 0, 1e-9);  // minus the average of all
    }
    line += 3 * points;
  }
  EXPECT_EQ(curves.size(), line);
  const std::string svg = read("e.svg");
  for (const std::string& name : kPets) EXPECT_NE(svg.find(">" + name + "</text>"), std::string::npos);
  EXPECT_NE(svg.find("latent function of the class minus the average of all"), std::string::npos);
  EXPECT_EQ(svg.find("vary most"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST_F(ManyClasses, NumbersAreSortedAsNumbers) {
  const Strings numbers{"-1", "2", "9", "10", "100", "3e2", "1000"};
  write_classes("train.csv", 140, 1, numbers);
  fit("train.csv");
  EXPECT_EQ(json("j")["classes"], (Json{"-1", "2", "9", "10", "100", "300", "1000"}));
  EXPECT_TRUE(induce("predict m train.csv").out.starts_with("label,p_-1,p_2,p_9,p_10,p_100,p_300,p_1000\n"));
  ASSERT_EQ(induce("explain m --svg e.svg").status, 0);
  EXPECT_NE(read("e.svg").find("the 5 of 7 whose curves vary most"), std::string::npos);
  expect_one_error(induce("explain m --svg e.svg -o e.svg"), 2, {"--svg"});
  write("other.csv", "a,b,class\n1,2,4\n");
  expect_one_error(induce("eval m other.csv"), 1,
                   {"other.csv", "line 2", "'4'", "the model's classes", "'-1', '2', '9', '10', '100', ..."});
}

TEST_F(ManyClasses, AClassMayHaveOneRowOrNoneToTest) {
  write_classes("train.csv", 120, 1, kPets, "0.5,0.5,gnu\n");
  fit("train.csv --holdout 0.2");
  EXPECT_EQ(json("j")["class_counts"][3],
            (Json{{"name", "gnu"}, {"count", 1}, {"weight", 1}}));  // kept for training
  EXPECT_EQ(json("j")["test"]["n"], 24);
  write_classes("two.csv", 40, 2, {"cat", "dog"});
  const Result eval = induce("eval m two.csv --confusion --json e");
  ASSERT_EQ(eval.status, 0) << eval.err;
  EXPECT_GT(json("e")["auc"], 0.8);  // of the classes that are present
  EXPECT_EQ(json("e")["confusion"]["counts"][2], (Json{0, 0, 0, 0}));
  EXPECT_NE(eval.out.find("\nfish                .    .     .    .\n"), std::string::npos) << eval.out;
  write("one.csv", "a,b,class\n2,0,cat\n");
  ASSERT_EQ(induce("eval m one.csv --json e").status, 0);
  EXPECT_TRUE(json("e")["auc"].is_null());
}

TEST_F(ManyClasses, ConfusionOfTwoAndOfManyClasses) {
  write_table("two.csv", 100, 1);
  fit("two.csv");
  const Result two = induce("eval m two.csv --confusion --json e");
  const Json counts = json("e")["confusion"]["counts"];
  EXPECT_EQ(counts.size(), 2U);
  int all = 0;
  for (const Json& row : counts)
    for (const Json& count : row) all += count.get<int>();
  EXPECT_EQ(all, 100);
  EXPECT_NE(two.out.find("true \\ predicted  left  right\n"), std::string::npos) << two.out;
  EXPECT_EQ(lines_of(induce("eval m two.csv").out).size(), 2U);

  Strings wide;
  for (char c = 'a'; c < 'a' + 12; ++c) wide.push_back("a rather long name " + std::string(1, c));
  write_classes("wide.csv", 120, 1, wide);
  fit("wide.csv --max-iter 2");
  const Strings numbered = lines_of(induce("eval m wide.csv --confusion").out);
  EXPECT_NE(numbered[3].find("(1)  (2)  (3)"), std::string::npos) << numbered[3];
  EXPECT_TRUE(numbered[4].starts_with("(1) a rather long name a ")) << numbered[4];
  EXPECT_NE(induce("info m").out.find("a rather long name j and 2 more\n"), std::string::npos);

  Strings many;
  for (int c = 10; c < 45; ++c) many.push_back("c" + std::to_string(c));
  write_classes("many.csv", 105, 1, many);
  fit("many.csv --max-iter 2");
  const Strings pairs = lines_of(induce("eval m many.csv --confusion").out);
  ASSERT_EQ(pairs.size(), 25U);
  EXPECT_NE(pairs[3].find("The 20 of "), std::string::npos) << pairs[3];
  EXPECT_EQ(split(pairs[4])[0], "true  predicted  rows  of");
}

TEST_F(ManyClasses, BalancedClassesShiftTheMeansOfTheFit) {
  // 60, 30 and 10 rows: weights 100 / (3 rows of the class).
  std::string rows;
  for (int i = 0; i < 100; ++i) {
    const int c = i % 10 == 0 ? 2 : i % 10 < 4 ? 1 : 0;
    rows += std::to_string((i * 37 % 100) / 50.0 + c) + "," + kPets[static_cast<std::size_t>(c)] + "\n";
  }
  write("t.csv", "a,class\n" + rows);
  fit("t.csv");
  const auto plain = json("j");
  fit("t.csv --balanced");
  const auto balanced = json("j");
  const double counts[]{60, 30, 10}, average = (std::log(60) + std::log(30) + std::log(10)) / 3;
  for (std::size_t c = 0; c < 3; ++c)
    EXPECT_NEAR(balanced["theta"]["mean"][c],
                plain["theta"]["mean"][c].get<double>() + average - std::log(counts[c]), 1e-12);
  EXPECT_EQ(balanced["calibration"], plain["calibration"]);
}

TEST_F(ManyClasses, WhatIsRefused) {
  write_classes("train.csv", 60, 1, kPets);
  expect_one_error(induce("fit train.csv --method vi-jj -o m"), 2,
                   {"vi-jj", "two classes", "the data has 3", "vi-newton"});
  expect_one_error(induce("fit train.csv --likelihood probit -o m"), 2,
                   {"probit", "two classes", "the data has 3", "softmax"});
  std::string price = "a,price\n";
  for (int i = 0; i < 200; ++i) price += std::to_string(i % 17) + "," + std::to_string(i) + ".5\n";
  write("price.csv", price);
  expect_one_error(induce("fit price.csv --label price -o m"), 1,
                   {"200 different numbers in 200 rows", "a quantity (regression)", "the right column"});
  std::string names = "a,name\n";
  for (int i = 0; i < 1100; ++i) names += std::to_string(i % 17) + ",n" + std::to_string(i) + "\n";
  write("names.csv", names);
  expect_one_error(induce("fit names.csv --label name -o m"), 1, {"1100 classes", "at most 1000"});
  EXPECT_FALSE(exists("m"));
}

}  // namespace
}  // namespace induce::testing
