// Fit, save, predict and evaluate: the outputs of the commands must agree.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <sstream>
#include <thread>

#include <nlohmann/json.hpp>

#include "linalg/random.hpp"
#include "support/program.hpp"

namespace induce::testing {
namespace {

using Json = nlohmann::json;
using RoundTrip = Program;
const std::string kQuick = " --method vi-jj-hybrid --inducing 12 --max-iter 5 ";

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    cells.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return cells;
}

double number_of(const std::string& text) {
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  EXPECT_EQ(result.ptr, text.data() + text.size()) << text;
  return value;
}

TEST_F(RoundTrip, SummaryHasAllKeys) {
  write_table("train.csv", 200, 1);
  write_table("test.csv", 100, 2);
  const Result run = induce("fit train.csv --test test.csv" + kQuick + "--seed 7 -o m --json j");
  ASSERT_EQ(run.status, 0) << run.err;
  const Json j = Json::parse(read("j"));
  for (const char* key :
       {"method",      "status",     "message", "n",       "d",        "m",     "seed",    "threads",
        "seconds",     "iterations", "passes",  "bound",   "elbo",     "theta", "train",   "test",
        "peak_rss_mb", "version",    "kernel",  "classes", "warnings", "files", "options", "importance"})
    EXPECT_TRUE(j.contains(key)) << key;
  for (const char* key : {"signal_std", "lengthscales", "noise_std", "mean", "jitter"})
    EXPECT_TRUE(j["theta"].contains(key)) << key;
  for (const char* key : {"n", "accuracy", "nll", "brier", "ece", "auc"}) {
    EXPECT_TRUE(j["train"].contains(key)) << key;
    EXPECT_TRUE(j["test"].contains(key)) << key;
  }
  EXPECT_EQ(j["method"], "vi-jj-hybrid");
  EXPECT_EQ(j["n"], 200);
  EXPECT_EQ(j["d"], 2);
  EXPECT_EQ(j["m"], 12);
  EXPECT_EQ(j["seed"], 7);
  EXPECT_EQ(j["test"]["n"], 100);
  EXPECT_EQ(j["classes"], (Json{"left", "right"}));
  EXPECT_GT(j["test"]["accuracy"], 0.85);
  EXPECT_GE(j["elbo"], j["bound"]);
  EXPECT_NE(run.out.find("test"), std::string::npos);
}

TEST_F(RoundTrip, EvalAgreesWithFit) {
  write_table("train.csv", 200, 1);
  write_table("test.csv", 100, 2);
  ASSERT_EQ(induce("fit train.csv --test test.csv" + kQuick + "-o m --json j --quiet").status, 0);
  const Result run = induce("eval m test.csv --json e");
  ASSERT_EQ(run.status, 0) << run.err;
  const Json fit = Json::parse(read("j")), eval = Json::parse(read("e"));
  for (const char* key : {"n", "accuracy", "nll", "brier", "ece", "auc"})
    EXPECT_EQ(eval[key], fit["test"][key]);
  EXPECT_NE(run.out.find("accuracy"), std::string::npos);
}

TEST_F(RoundTrip, PredictionsAreConsistent) {
  write_table("train.csv", 200, 1);
  ASSERT_EQ(induce("fit train.csv" + kQuick + "-o m --quiet").status, 0);
  const Result run = induce("predict m train.csv");
  ASSERT_EQ(run.status, 0) << run.err;
  const std::vector<std::string> lines = lines_of(run.out);
  ASSERT_EQ(lines.size(), 201U);
  EXPECT_EQ(lines[0], "label,p_left,p_right,latent_mean,latent_variance");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> cells = cells_of(lines[i]);
    ASSERT_EQ(cells.size(), 5U);
    const double p = number_of(cells[2]);
    EXPECT_EQ(number_of(cells[1]), 1 - p);
    EXPECT_EQ(cells[0], p > 0.5 ? "right" : "left");
    EXPECT_EQ(p > 0.5, number_of(cells[3]) > 0);
    EXPECT_GE(number_of(cells[4]), 0);
  }
  ASSERT_EQ(induce("predict m train.csv -o p.csv").status, 0);
  EXPECT_EQ(read("p.csv"), run.out);
}

TEST_F(RoundTrip, PredictIgnoresLabels) {
  write_table("train.csv", 200, 1);
  ASSERT_EQ(induce("fit train.csv" + kQuick + "-o m --quiet").status, 0);
  const std::string with = induce("predict m train.csv").out;
  write_table("bare.csv", 200, 1, "", "", false);
  EXPECT_EQ(induce("predict m bare.csv").out, with);
  write_table("other.csv", 200, 1, "unseen", "unseen");
  EXPECT_EQ(induce("predict m other.csv").out, with);
}

TEST_F(RoundTrip, ClassNamesAreQuotedIfNeeded) {
  write_table("train.csv", 60, 1, "no, thanks", "yes");
  ASSERT_EQ(induce("fit train.csv" + kQuick + "-o m --quiet").status, 0);
  const std::vector<std::string> lines = lines_of(induce("predict m train.csv").out);
  ASSERT_EQ(lines.size(), 61U);
  EXPECT_EQ(lines[0], "label,\"p_no, thanks\",p_yes,latent_mean,latent_variance");
}

TEST_F(RoundTrip, WrongNumberOfFeaturesIsAnError) {
  write("train.svm", "+1 1:1 2:2 3:1\n-1 1:2 2:1 3:0.5\n+1 1:1.5 2:2.5 3:3\n-1 1:2 2:0 3:1\n");
  ASSERT_EQ(induce("fit train.svm --inducing 2 --max-iter 2 -o m --quiet").status, 0);
  write("wide.svm", "+1 1:1 5:2\n");
  expect_one_error(induce("predict m wide.svm"), 1, {"wide.svm", "3", "5"});
  write("narrow.csv", "1,2\n3,4\n");
  expect_one_error(induce("eval m narrow.csv"), 1, {"narrow.csv", "3"});
}

TEST_F(RoundTrip, SparseTestFileMayHaveFewerColumnsButNotMore) {
  write("train.svm", "+1 1:1 2:2\n-1 1:2 2:1\n+1 1:1.5 2:2.5\n-1 1:2 2:0.1\n");
  write("narrow.svm", "+1 1:1\n-1\n");
  write("dense.svm",
        "+1 1:1\n-1 1:2\n");  // one feature in every row: rejected without --features
  write("wide.svm", "+1 1:1 3:1\n-1 1:2\n");
  EXPECT_EQ(induce("fit train.svm --inducing 2 --max-iter 2 --quiet --test narrow.svm").status, 0);
  expect_one_error(induce("fit train.svm --inducing 2 --max-iter 2 --test dense.svm"), 1,
                   {"dense.svm", "1 features in every row, expected 2"});
  EXPECT_EQ(induce("fit train.svm --inducing 2 --max-iter 2 --quiet --test dense.svm --features 2").status,
            0);
  expect_one_error(induce("fit train.svm --inducing 2 --max-iter 2 --test wide.svm"), 1,
                   {"wide.svm", "--features"});
  EXPECT_EQ(induce("fit train.svm --inducing 2 --max-iter 2 --quiet --test wide.svm --features 3").status, 0);
}

TEST_F(RoundTrip, HoldoutIsStratifiedAndSeeded) {
  std::string table = "a,b,class\n";  // 90 of one class, 10 of the other
  for (int i = 0; i < 100; ++i)
    table +=
        std::to_string(i % 17) + "," + std::to_string(i % 23) + "," + (i % 10 == 0 ? "rare" : "usual") + "\n";
  write("t.csv", table);
  const std::string fit = "fit t.csv --holdout 0.2 --quiet --inducing 5 --max-iter 2 --json ";
  ASSERT_EQ(induce(fit + "a --seed 1").status, 0);
  ASSERT_EQ(induce(fit + "b --seed 1").status, 0);
  ASSERT_EQ(induce(fit + "c --seed 2").status, 0);
  const Json a = Json::parse(read("a")), b = Json::parse(read("b")), c = Json::parse(read("c"));
  EXPECT_EQ(a["n"], 80);
  EXPECT_EQ(a["test"]["n"], 20);
  EXPECT_EQ(a["test"], b["test"]);
  EXPECT_NE(a["test"], c["test"]);
}

TEST_F(RoundTrip, UnknownValuesAreNullInJson) {
  write_table("train.csv", 100, 1);
  write("one.csv", "a,b,class\n0,2,right\n1,3,right\n");  // no auc without both classes
  ASSERT_EQ(induce("fit train.csv --test one.csv" + kQuick + "--json j --trace l --quiet").status, 0);
  EXPECT_TRUE(Json::parse(read("j"))["test"]["auc"].is_null());
  ASSERT_EQ(induce("fit train.csv" + kQuick + "--json j --trace l --quiet").status, 0);
  EXPECT_TRUE(Json::parse(read("j"))["test"].is_null());
  EXPECT_TRUE(Json::parse(lines_of(read("l"))[0])["test_nll"].is_null());
}

TEST_F(RoundTrip, TraceHasOneLinePerIteration) {
  write_table("train.csv", 200, 1);
  ASSERT_EQ(induce("fit train.csv --holdout 0.3" + kQuick + "--json j --trace l --quiet").status, 0);
  const std::vector<std::string> lines = lines_of(read("l"));
  const Json summary = Json::parse(read("j"));
  EXPECT_EQ(lines.size(), summary["iterations"].get<std::size_t>());
  double seconds = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Json line = Json::parse(lines[i]);
    for (const char* key : {"iteration", "seconds", "passes", "bound", "elbo", "test_accuracy", "test_nll"})
      EXPECT_TRUE(line.contains(key) && line[key].is_number()) << key << ": " << lines[i];
    EXPECT_GE(line["seconds"], seconds);
    seconds = line["seconds"];
  }
}

TEST_F(RoundTrip, SameSeedSameBits) {
  write_table("train.csv", 200, 1);
  ASSERT_EQ(induce("fit train.csv" + kQuick + "--seed 3 -o a --quiet").status, 0);
  ASSERT_EQ(induce("fit train.csv" + kQuick + "--seed 3 -o b --quiet").status, 0);
  EXPECT_EQ(read("a"), read("b"));
}

TEST_F(RoundTrip, SumsOfKernelsHaveReadableParameterNames) {
  write_table("train.csv", 100, 1);
  const Result fit = induce("fit train.csv --kernel se+matern:1.2 --inducing 10 --max-iter 3 -o m");
  ASSERT_EQ(fit.status, 0) << fit.err;
  const Result info = induce("info m");
  for (const char* words : {"  theta          signal std ", ", 2 length-scales from ",
                            ", matern:1.2 signal std ", ", 2 matern:1.2 length-scales from "})
    EXPECT_NE(fit.out.find(words), std::string::npos) << words << "\n" << fit.out;
  for (const char* words : {"\n  signal std                ", "\n  length-scales             ",
                            "\n  matern:1.2 signal std     ", "\n  matern:1.2 length-scales  "})
    EXPECT_NE(info.out.find(words), std::string::npos) << words << "\n" << info.out;
}

TEST_F(RoundTrip, SummaryNamesItsRows) {
  write_table("train.csv", 100, 1);
  const std::string out = induce("fit train.csv --inducing 10 --max-iter 3 -o m").out;
  for (const char* name :
       {"size", "time", "bound", "theta", "importance", "calibration", "train", "leave-one-out", "model"})
    EXPECT_NE(out.find("\n  " + std::string(name) + " "), std::string::npos) << name << "\n" << out;
}

TEST_F(RoundTrip, SummarySaysWhyASmallTableChose) {
  write_table("train.csv", 100, 1);
  const std::string out = induce("fit train.csv --inducing 10 -o m").out;
  const std::size_t begin = out.find(", chosen by the bound: ");
  ASSERT_NE(begin, std::string::npos) << out;
  const std::string line = out.substr(begin, out.find('\n', begin) - begin);
  EXPECT_NE(line.find("); it "), std::string::npos) << line;  // has the highest bound, or is the simplest
}

// Noise, of which some seeds choose terms within one standard error, which are dropped later.
TEST_F(RoundTrip, SummaryDoesNotNameALoserAsChosen) {
  for (const unsigned seed : {9, 16}) {
    Random random(seed);
    std::ostringstream table;
    table << "a,b,c,d,class\n";
    for (int i = 0; i < 5000; ++i) {
      for (int k = 0; k < 4; ++k) table << random.normal() << ",";
      table << (random.normal() > 0) << "\n";
    }
    write("noise.csv", table.str());
    const std::string out = induce("fit noise.csv -o m").out;
    const std::size_t begin = out.find("\n  kernel ");
    ASSERT_NE(begin, std::string::npos) << out;
    const std::string line = out.substr(begin + 1, out.find('\n', begin + 1) - begin - 1);
    const std::size_t name = line.find_first_not_of(' ', line.find("kernel ") + 6),
                      end = line.find(',', name);
    const std::string loser = line.substr(name, end - name) + " 0.";
    const bool lost =
        line.find("(" + loser) != std::string::npos || line.find(", " + loser) != std::string::npos;
    EXPECT_EQ(lost, line.find(", chosen as ") != std::string::npos) << line;
    EXPECT_EQ(lost, line.find("no term gained enough to be kept") != std::string::npos) << line;
  }
}

TEST_F(RoundTrip, InfoShowsTheModel) {
  write_table("train.csv", 100, 1);
  ASSERT_EQ(induce("fit train.csv" + kQuick + "--ard -o m --quiet").status, 0);
  const Result run = induce("info m");
  EXPECT_EQ(run.status, 0) << run.err;
  for (const char* word :
       {"vi-jj-hybrid", "se", "left, right", "a, b", "12", "class", "length-scales", "signal"})
    EXPECT_NE(run.out.find(word), std::string::npos) << word << "\n" << run.out;
  ASSERT_EQ(induce("info m --json m.json").status, 0);
  const auto json = nlohmann::json::parse(read("m.json"));
  EXPECT_EQ(json["method"], "vi-jj-hybrid");
  EXPECT_EQ(json["likelihood"], "logistic");
  EXPECT_EQ(json["label_column"], "class");
  EXPECT_EQ(json["features"], 2);
  EXPECT_EQ(json["theta"]["lengthscales"].size(), 2u);
  EXPECT_TRUE(json["weight_column"].is_null());
}

TEST_F(RoundTrip, NotAModel) {
  write_table("t.csv", 20, 1);
  for (const char* command : {"info t.csv", "predict t.csv x.csv", "eval t.csv x.csv", "info none"})
    expect_one_error(induce(command), 1, {});
}

TEST_F(RoundTrip, DemoDrawsAPicture) {
  const Result run = induce("demo -o picture.svg");
  ASSERT_EQ(run.status, 0) << run.err;
  for (const char* word : {"vi-newton", "the default", "vi-jj-hybrid", "accuracy", "NLL", "picture.svg"})
    EXPECT_NE(run.out.find(word), std::string::npos) << word;
  const std::string svg = read("picture.svg");
  for (const char* word : {"vi-newton, the default: 9", "vi-jj-hybrid, from the paper: 9"})
    EXPECT_NE(svg.find(word), std::string::npos) << word;
  EXPECT_TRUE(svg.starts_with("<?xml"));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_LT(svg.size(), 800000U);
  expect_one_error(induce("demo -o missing/picture.svg"), 1, {"missing/picture.svg"});
}

class Interrupt : public Program, public ::testing::WithParamInterface<int> {
 protected:
  // Starts a fit that would run for hours and waits for its first iteration.
  pid_t start_long_fit() const {
    const pid_t child = ::fork();
    if (child == 0) {
      if (::chdir(path("").c_str()) != 0) ::_exit(99);
      const int null = ::open("/dev/null", O_RDWR);
      for (int descriptor : {0, 1, 2}) ::dup2(null, descriptor);
      ::signal(GetParam(), SIG_DFL);
      ::execl(INDUCE_COMMAND, "induce", "fit", "t.csv", "--method", "svi-adadelta", "--max-iter", "100000000",
              "--inducing", "20", "-o", "m", "--json", "j", "--trace", "l", nullptr);
      ::_exit(98);
    }
    for (int tries = 0; tries < 3000 && read("l").empty(); ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return child;
  }
};

TEST_P(Interrupt, FirstSignalStillWritesTheModel) {
  write_table("t.csv", 500, 1);
  const pid_t child = start_long_fit();
  ASSERT_EQ(::kill(child, GetParam()), 0);
  int wait_status = 0;
  ASSERT_EQ(::waitpid(child, &wait_status, 0), child);
  ASSERT_TRUE(WIFEXITED(wait_status));
  EXPECT_EQ(WEXITSTATUS(wait_status), 0);
  EXPECT_EQ(Json::parse(read("j"))["status"], "interrupted");
  EXPECT_EQ(files(), (std::vector<std::string>{"j", "l", "m", "t.csv"}));
  EXPECT_EQ(induce("info m").status, 0);
}

INSTANTIATE_TEST_SUITE_P(Signals, Interrupt, ::testing::Values(SIGINT, SIGTERM));

}  // namespace
}  // namespace induce::testing
