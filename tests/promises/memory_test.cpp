// The memory estimate of a fit (train/memory_needed.hpp) and the detection of available memory (machine/memory.hpp).
// Oracles: the peak measured by the system, and simulated machines made of files.
#include <gtest/gtest.h>

#include <sys/resource.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <induce/fit.hpp>

#include "linalg/random.hpp"
#include "process_memory.hpp"
#include "machine/workers.hpp"
#include "train/memory_needed.hpp"

namespace induce::testing {
namespace {

constexpr double MiB = 1 << 20, GiB = 1 << 30;

// Limits this process to `more` bytes of additional address space during its lifetime.
class LimitedAddressSpace {
 public:
  explicit LimitedAddressSpace(double more) {
    ::getrlimit(RLIMIT_AS, &before_);
    double pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limit = before_;
    limit.rlim_cur = static_cast<rlim_t>(pages * static_cast<double>(::sysconf(_SC_PAGE_SIZE)) + more);
    ::setrlimit(RLIMIT_AS, &limit);
  }
  ~LimitedAddressSpace() { ::setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

struct Case {
  const char* method;
  std::size_t n, d, m, memory;
  bool checkpoints = false;
  double values = 0;  // of the terms of `many_values`
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.method << ", n = " << c.n << ", d = " << c.d << ", m = " << c.m << ", memory " << c.memory;
}

// Of columns 0 to 3: 4 x 32 values of main effects and 4 x 12 x 12 of pairs, at most 13 x 13.
const std::string many_values = "mains:0@32,1@32,2@32,3@32+pairs:0@12*1@12,1@12*2@12,2@12*3@12,0@12*3@12";

struct Measured {
  double bytes = 0;
  bool whole = false;  // the fit reached its last stage
};

Measured measured(const Case& c) {
  Random random(1);
  std::vector<double> x(c.n * c.d);
  std::vector<int> y(c.n);
  for (double& value : x) value = random.normal();
  for (std::size_t i = 0; i < c.n; ++i) y[i] = x[i * c.d] + random.normal() > 0;
  Options options;
  options.method = method_from_name(c.method);
  options.inducing = c.m;
  if (c.values > 0) options.kernel = (c.m > 0 ? "se+" : "") + many_values;
  options.memory = c.memory;
  options.max_iter = 60;
  options.max_time = c.values > 0 ? 5 : 2;
  options.threads = 2;
  if (c.checkpoints) options.checkpoint = ::testing::TempDir() + "induce-memory-test.state";
  options.checkpoint_every = 0;
  ::malloc_trim(0);
  const double before = resident_bytes();
  if (!forget_peak()) return {};
  const Report report = fit({x.data(), c.n, c.d}, y, options).report;
  std::filesystem::remove(options.checkpoint);
  return {peak_bytes() - before, report.m == c.m && report.rows == c.n};
}

// The estimate is never below the measured peak (apart from BLAS's own buffers), and not so far above that it would
// reject fits that could run.
TEST(Memory, EstimateCoversTheMeasuredPeak) {
#if defined(INDUCE_SANITIZED) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer has its own allocator";
#endif
  constexpr std::size_t none = 1, all = std::size_t{1} << 30;
  for (const Case& c :
       {Case{"vi-newton", 60000, 30, 60, none}, Case{"vi-newton", 4000, 5, 600, none},
        Case{"vi-newton", 30000, 5, 100, all}, Case{"vi-jj", 60000, 30, 60, none},
        Case{"vi-jj-full", 60000, 5, 50, none}, Case{"vi-jj-tight", 3000, 5, 600, none},
        Case{"svi-lbfgs", 3000, 5, 300, none}, Case{"svi-adadelta", 60000, 30, 60, none},
        Case{"vi-jj-full", 60000, 5, 50, none, true}, Case{"vi-newton", 60000, 30, 60, none, true},
        Case{"vi-newton", 8000, 4, 0, none, false, 800}, Case{"vi-newton", 8000, 4, 50, none, true, 800}}) {
    const auto [got, whole] = measured(c);
    if (got == 0) GTEST_SKIP() << "this system does not report the peak";
    const MemoryNeeded needed = memory_needed(traits_of(method_from_name(c.method)),
                                              {.n = double(c.n),
                                               .d = double(c.d),
                                               .m = double(c.m),
                                               .values = c.values,
                                               .learn_inputs = std::string(c.method) == "vi-newton",
                                               .threads = 2,
                                               .kept_limit = double(c.memory),
                                               .checkpoints = c.checkpoints});
    EXPECT_LT(got, needed.total() + 16 * MiB)
        << c << ": rows " << needed.rows / MiB << " algebra " << needed.algebra / MiB << " workers "
        << needed.workers / MiB << " kept " << needed.kept / MiB;
    if (whole) {  // pages reused from earlier fits lower the measurement
      EXPECT_LT(needed.total(), 2 * got + 64 * MiB) << c;
    }
  }
}

const MethodTraits& newton = traits_of(Method::vi_newton);

std::string refusal(const FitSize& size, const AvailableMemory& room) {
  try {
    require_memory(newton, size, room);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

// The number, with commas, after `words` in a text; 0 if there is none.
double number_after(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  if (at == std::string::npos) return 0;
  std::string digits;
  for (std::size_t k = at + words.size();
       std::isdigit(text[k]) || (text[k] == ',' && std::isdigit(text[k + 1])); ++k)
    if (text[k] != ',') digits += text[k];
  return digits.empty() ? 0 : std::stod(digits);
}

TEST(Memory, ErrorSaysWhatIsMissing) {
  const FitSize size{.n = 1e6, .d = 5, .m = 100, .threads = 2, .kept_limit = 1 * GiB};
  const MemoryNeeded needed = memory_needed(newton, size);
  const double least = needed.total() - needed.kept;
  EXPECT_EQ(refusal(size, {}), "");
  EXPECT_EQ(refusal(size, {.machine = needed.total()}), "");
  EXPECT_EQ(refusal(size, {.machine = needed.total() - 1}),
            "the fit needs about " + memory_text(needed.total()) + " of memory but only " +
                memory_text(needed.total() - 1) +
                " is available: use less memory for the cache (option memory), now " +
                memory_text(needed.kept));
  const std::string rows = refusal(size, {.machine = least - 1}),
                    narrow = refusal(size, {.address_space = least + needed.reserved - 1});
  EXPECT_NE(rows.find("is available: use fewer rows, at most "), std::string::npos) << rows;
  EXPECT_EQ(rows.find("classes"), std::string::npos) << rows;
  EXPECT_NE(narrow.find("of address space but"), std::string::npos) << narrow;
  EXPECT_NE(narrow.find(", or fewer threads"), std::string::npos) << narrow;
  EXPECT_NE(refusal(size, {.machine = 1 * MiB}).find("use fewer rows and fewer inducing inputs"),
            std::string::npos);
}

// What the message advises fits, and a tenth more does not. Oracle: the formula.
TEST(Memory, ErrorSaysWhatWouldFit) {
  struct Refused {
    const char* what;
    FitSize size;
    double machine;
    bool rows, inducing, classes;  // what the message has
  };
  const FitSize many{.n = 1e5, .d = 5, .m = 200, .functions = 1000, .learn_inputs = true, .threads = 2};
  FitSize files = many, here = many;
  files.all = here.all = 1e7;
  files.functions = here.functions = 10;
  here.all_here = true;
  FitSize limited = many, automatic = many;
  limited.limit = 2e9;
  automatic.follow = [](FitSize& size) { size.m = std::min(1000.0, std::sqrt(4e7 / size.functions)); };
  for (const Refused& c :
       {Refused{"1,000 classes, 24 GiB", many, 24 * GiB, true, false, true},
        Refused{"1,000 classes, 2 GB", many, 2e9, false, false, true},
        Refused{"1,000 classes, the option memory has 2 GB", limited, 24 * GiB, false, false, true},
        Refused{"fewer classes have more inducing inputs", automatic, 24 * GiB, true, false, true},
        Refused{"algebra", {.n = 1e4, .d = 5, .m = 1e4, .threads = 2}, 4 * GiB, true, true, false},
        Refused{"a sample of a table in files", files, 400 * MiB, true, true, true},
        Refused{"all rows in memory", here, 4 * GiB, true, false, false}}) {
    const std::string text = refusal(c.size, {.machine = c.machine});
    const auto fits = [&](const FitSize& size) {
      const MemoryNeeded needed = memory_needed(newton, size);
      return needed.total() - needed.kept <= (size.limit > 0 ? size.limit : c.machine);
    };
    const auto expect_limit = [&](bool wanted, const std::string& words, const auto& with) {
      const double most = number_after(text, words + ", at most ");
      EXPECT_EQ(most > 0, wanted) << c.what << ", " << words << ": " << text;
      if (most > 0) {
        EXPECT_TRUE(fits(with(most))) << c.what << ": " << text;
        EXPECT_FALSE(fits(with(1.1 * most + 1))) << c.what << ": " << text;
      }
    };
    const bool in_files = c.size.all > 0 && !c.size.all_here;
    expect_limit(c.rows, in_files ? "a smaller sample of rows (option sample_rows)" : "fewer rows",
                 [&](double n) {
                   FitSize size = c.size;
                   size.n = std::min(n, size.n);
                   if (size.all_here) size.all = n;
                   if (size.follow) size.follow(size);
                   size.m = std::min(size.n, size.m);
                   return size;
                 });
    expect_limit(c.inducing, "fewer inducing inputs (option inducing)", [&](double m) {
      FitSize size = c.size;
      size.m = m;
      return size;
    });
    expect_limit(c.classes, "fewer classes", [&](double functions) {
      FitSize size = c.size;
      size.functions = functions;
      if (size.follow) size.follow(size);
      return size;
    });
  }
}

TEST(Memory, AFitThatIsTooLargeIsRejectedBeforeItStarts) {
#if defined(INDUCE_SANITIZED) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer needs more address space than any limit leaves";
#endif
  Random random(1);
  std::vector<double> x(200000);
  std::vector<int> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = (x[i] = random.normal()) > 0;
  Options options;
  options.inducing = x.size();  // 300 GB for each matrix of m x m
  const LimitedAddressSpace limited(4 * GiB);
  try {
    fit({x.data(), x.size(), 1}, y, options);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::data);
    EXPECT_NE(std::string(error.what()).find("fewer inducing inputs"), std::string::npos) << error.what();
  }
}

class Machine : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "induce-machine-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
    put("/proc/meminfo", "MemTotal: 32000 kB\nMemAvailable:   20000 kB\nSwapFree: 1000 kB\n");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void put(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  double room() const { return available_memory(root_).machine; }

  std::string root_;
};

TEST_F(Machine, WithoutContainer) {
  EXPECT_EQ(room(), 21000.0 * 1024);
  put("/proc/self/cgroup", "0::/\n");  // no limit at the root
  EXPECT_EQ(room(), 21000.0 * 1024);
}

TEST_F(Machine, GroupsOfVersion2AndTheirAncestors) {
  put("/proc/self/cgroup", "0::/a/b\n");
  put("/sys/fs/cgroup/a/b/memory.max", "max\n");
  put("/sys/fs/cgroup/a/b/memory.current", "5000000\n");
  put("/sys/fs/cgroup/a/memory.max", "10000000\n");
  put("/sys/fs/cgroup/a/memory.current", "9000000\n");
  EXPECT_EQ(room(), 1000000);
  put("/sys/fs/cgroup/a/memory.stat",
      "anon 1\ninactive_file 2000000\nactive_file 300000\n");  // reclaimable
  EXPECT_EQ(room(), 3300000);
  put("/sys/fs/cgroup/a/memory.current", "99000000\n");
  EXPECT_EQ(room(), 0);
}

TEST_F(Machine, GroupsOfVersion1) {
  put("/proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/of/the/host\n0::/\n");
  put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "1000\n");
  EXPECT_EQ(room(), 21000.0 * 1024);
  put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "8000000\n");
  put("/sys/fs/cgroup/memory/memory.stat",
      "inactive_file 7\ntotal_inactive_file 100\ntotal_active_file 20\n");
  EXPECT_EQ(room(), 8000000 - 1000 + 120);
}

TEST_F(Machine, WithoutInformationNothingIsRejected) {
  std::filesystem::remove_all(root_ + "/proc");
  EXPECT_EQ(available_memory(root_).least(), std::numeric_limits<double>::infinity());
}

// Falls back to fewer threads if the system cannot create them.
TEST(Memory, FewerThreadsIfTheirStacksDoNotFit) {
#if defined(INDUCE_SANITIZED) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer needs more address space than any limit leaves";
#endif
  const LimitedAddressSpace limited(600 * MiB);
  Workers workers(200);
  EXPECT_GE(workers.size(), 1);
  EXPECT_LT(workers.size(), 200);
  std::atomic<long> sum = 0;
  workers.run(1000, [&](Index number, int) { sum += number; });
  EXPECT_EQ(sum, 999 * 1000 / 2);
}

}  // namespace
}  // namespace induce::testing
