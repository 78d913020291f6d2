// Scratch files that fail during a fit: a disk that is full, and a file that is cut off underneath. Oracles: the error names
// folder and reason, the folder is empty afterwards, and no descriptor stays open.
#include <gtest/gtest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <induce/fit.hpp>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>

#include "fit/fit_store.hpp"
#include "store/file_store.hpp"
#include "store/row_order.hpp"

namespace induce::testing {
namespace {

namespace fs = std::filesystem;

class FailingFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("failing_files." + std::to_string(::getpid()));
    fs::create_directory(folder_);
    std::mt19937 random(4);
    std::normal_distribution<double> normal;
    for (int i = 0; i < rows_; ++i) {
      x_.insert(x_.end(), {normal(random), normal(random), normal(random)});
      y_.push_back(x_[static_cast<std::size_t>(3 * i)] + normal(random) / 2 > 0);
    }
  }
  void TearDown() override { fs::remove_all(folder_); }

  // Descriptors of files in the folder, which have no name.
  std::vector<int> scratch_files() const {
    std::vector<int> found;
    for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
      std::error_code gone;
      const std::string target = fs::read_symlink(entry.path(), gone).string();
      if (!gone && target.starts_with(folder_.string() + "/"))
        found.push_back(std::stoi(entry.path().filename()));
    }
    return found;
  }

  // The error of a fit of rows in files.
  std::string message(const std::function<bool(const Progress&)>& on_iteration) const {
    Options options;
    options.inducing = 5;
    options.kernel = "se";
    options.warp = Warp::none;
    options.threads = 2;
    options.max_iter = 30;
    options.sample_rows = 1000;
    options.on_iteration = on_iteration;
    Workers workers(2);
    try {
      FileStore rows(3, columns_by_name(3, {}), folder_.string(), y_.size());
      rows.add(x_.data(), rows_, y_.data(), nullptr);
      rows.finish(workers);
      fit_store(rows, options, {});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  void expect_nothing_left() const {
    EXPECT_TRUE(scratch_files().empty());
    EXPECT_TRUE(fs::is_empty(folder_));
  }

  static constexpr Index rows_ = 3000;
  fs::path folder_;
  std::vector<double> x_;
  std::vector<int> y_;
};

// Files of this process may not be larger; a signal would end it.
class LimitOfFiles {
 public:
  explicit LimitOfFiles(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~LimitOfFiles() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(FailingFiles, FitSucceedsOtherwise) {
  bool seen = false;
  EXPECT_EQ(message([&](const Progress& now) {
              seen = seen || now.now.rows == static_cast<std::size_t>(rows_);
              return true;
            }),
            "");
  EXPECT_TRUE(seen);
  expect_nothing_left();
}

// The rows take 72 kB, their weights and each number of a site 24 kB, so that the limit is reached at different points.
TEST_F(FailingFiles, FullDiskIsAnError) {
  for (const rlim_t limit : {0, 1000, 20000, 30000, 70000}) {
    std::string text;
    {
      const LimitOfFiles small(limit);
      text = message({});
    }
    EXPECT_NE(text.find("scratch folder '" + folder_.string() + "' cannot be written"), std::string::npos)
        << text;
    EXPECT_NE(text.find("File too large"), std::string::npos) << text;
    expect_nothing_left();
  }
}

TEST_F(FailingFiles, FullDiskWithinAPassIsAnError) {
  std::optional<LimitOfFiles> small;
  const std::string text = message([&](const Progress& now) {
    if (now.now.rows < static_cast<std::size_t>(rows_))
      small.emplace(100);  // before sites of all rows are written
    return true;
  });
  small.reset();
  EXPECT_NE(text.find("cannot be written: File too large"), std::string::npos) << text;
  expect_nothing_left();
}

TEST_F(FailingFiles, FileThatIsCutOffIsAnError) {
  for (const off_t left : {0, 8, 20000}) {
    const std::string text = message([&](const Progress& now) {
      if (now.now.rows == static_cast<std::size_t>(rows_)) {
        for (const int file : scratch_files()) EXPECT_EQ(::ftruncate(file, left), 0);
      }
      return true;
    });
    EXPECT_NE(text.find("scratch folder '" + folder_.string() + "' cannot be read: Input/output error"),
              std::string::npos)
        << text;
    expect_nothing_left();
  }
}

// Oracle: the old bytes.
TEST_F(FailingFiles, FullDiskKeepsTheOldModel) {
  Options options;
  options.method = Method::vi_jj;
  options.inducing = 3;
  options.max_iter = 2;
  const Model model = fit({x_.data(), 100, 3}, std::vector<int>(y_.begin(), y_.begin() + 100), options).model;
  const std::string path = (folder_ / "model").string();
  std::ofstream(path) << "old";
  {
    const LimitOfFiles small(1000);
    EXPECT_THROW(model.save(path), Error);
  }
  std::string kept;
  std::ifstream(path) >> kept;
  EXPECT_EQ(kept, "old");
  fs::remove(path);
  EXPECT_THROW(model.save("/dev/full"), Error);
  expect_nothing_left();
}

}  // namespace
}  // namespace induce::testing
