// Atomic file replacement.
#include "file/atomic_file.hpp"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <thread>

#include "unit/read/temporary.hpp"

namespace {
std::vector<mode_t> synced;  // modes of the files, in the order of the calls
}

// In place of the C library's.
extern "C" int fsync(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) == 0) synced.push_back(status.st_mode & S_IFMT);
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

namespace induce::test {
namespace {

namespace fs = std::filesystem;

class Atomic : public TemporaryFiles {
 protected:
  void put(const std::string& name, const std::string& text) const {
    AtomicFile file(path(name));
    file.write(text);
    file.commit();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(fs::path(path("x")).parent_path()), {}));
  }
  static std::string text_of(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

TEST_F(Atomic, NothingIsVisibleBeforeCommit) {
  put("a", "old");
  {
    AtomicFile file(path("a"));
    file.write("new");
    EXPECT_EQ(text_of(path("a")), "old");
  }
  EXPECT_EQ(text_of(path("a")), "old");
  EXPECT_EQ(files(), 1U) << "a temporary file was left behind";
  put("a", "newer");
  EXPECT_EQ(text_of(path("a")), "newer");
  EXPECT_EQ(files(), 1U);
}

TEST_F(Atomic, PreservesLinksAndPermissions) {
  put("real", "old");
  fs::permissions(path("real"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(path("real"), path("link"));
  put("link", "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(text_of(path("real")), "new");
  EXPECT_EQ(fs::status(path("real")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Atomic, SpecialFilesAreNotReplaced) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  for (const std::string& target : {path("pipe"), std::string("/dev/null"), path("x") + "/..", std::string()})
    EXPECT_THROW(AtomicFile file(target), Error) << target;
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(Atomic, SpecialFilesAreWrittenIfAllowed) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = text_of(path("pipe")); });
  AtomicFile file(path("pipe"), Special::written);
  file.write("for ");
  file.write("the pipe");
  file.commit();
  reader.join();
  EXPECT_EQ(got, "for the pipe");
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
  EXPECT_EQ(files(), 1U);
}

TEST_F(Atomic, ErrorsNameTheArgument) {
  try {
    AtomicFile file(path("missing/file"), Special::written, "--output");
    ADD_FAILURE() << "a missing folder was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(),
              "--output: " + path("missing/file") + ": cannot be written: No such file or directory");
  }
}

// Without the folder's, a power failure can undo the rename.
TEST_F(Atomic, SyncsTheFileAndThenItsFolder) {
  synced.clear();
  put("a", "text");
  EXPECT_EQ(synced, (std::vector<mode_t>{S_IFREG, S_IFDIR}));
}

TEST_F(Atomic, NamesMayHaveTheMaximumLength) {
  const std::string name(255, 'x');
  put(name, "old");
  put(name, "new");
  EXPECT_EQ(text_of(path(name)), "new");
  EXPECT_EQ(files(), 1U);
}

// As a signal handler would.
TEST_F(Atomic, RemovesAllTemporaryFiles) {
  const fs::path folder = fs::path(path("x")).parent_path();
  TemporaryName kept, removed, never;
  const auto create = [](const char* name) { return std::ofstream(name).good(); };
  ASSERT_EQ(kept.make(folder, create), 0);
  ASSERT_EQ(removed.make(folder, create), 0);
  EXPECT_EQ(never.make(folder, [](const char*) { return errno = EACCES, false; }), EACCES);
  fs::rename(kept.c_str(), path("kept"));
  kept.forget();
  EXPECT_EQ(files(), 2U);
  remove_temporaries();
  EXPECT_EQ(files(), 1U);
  EXPECT_TRUE(fs::exists(path("kept")));
}

}  // namespace
}  // namespace induce::test
