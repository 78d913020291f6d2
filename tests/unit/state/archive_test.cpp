// Numbers that are stored and loaded. Oracle: what was stored, to the bit.
#include "state/archive.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <induce/error.hpp>

namespace induce::testing {
namespace {

struct State {
  double x = 0;
  bool flag = false;
  int small = 0;
  long large = 0;
  std::size_t size = 0;
  Vector v;
  Matrix A;
  std::vector<double> numbers;
  std::vector<Index> counts;

  void archive(Archive& a) {
    a("x", x);
    a("flag", flag);
    a("small", small);
    a("large", large);
    a("size", size);
    a("v", v);
    a("A", A);
    a("numbers", numbers);
    a("counts", counts);
  }
};

NamedArrays stored(State state) {
  NamedArrays arrays;
  Archive save(arrays, Archive::Direction::save);
  save.part("state", state);
  return arrays;
}

State loaded(NamedArrays arrays) {
  State state;
  Archive load(arrays, Archive::Direction::load);
  load.part("state", state);
  return state;
}

State example() {
  return {.x = -0.1,
          .flag = true,
          .small = -3,
          .large = 1L << 52,
          .size = 7,
          .v = Vector::LinSpaced(5, 0, 1),
          .A = Matrix::Identity(2, 3),
          .numbers = {INFINITY, -0.0},
          .counts = {4, 5}};
}

TEST(Archive, EveryTypeIsLoadedAsItWasStored) {
  const State want = example(), got = loaded(stored(want));
  EXPECT_EQ(got.x, want.x);
  EXPECT_EQ(got.flag, want.flag);
  EXPECT_EQ(got.small, want.small);
  EXPECT_EQ(got.large, want.large);
  EXPECT_EQ(got.size, want.size);
  EXPECT_TRUE(got.v == want.v);
  EXPECT_TRUE(got.A == want.A);
  EXPECT_EQ(got.numbers, want.numbers);
  EXPECT_TRUE(std::signbit(got.numbers[1]));
  EXPECT_EQ(got.counts, want.counts);
}

TEST(Archive, DamagedArraysAreRefusedByName) {
  const auto refuses = [](const std::string& name, const std::vector<double>& values) {
    NamedArrays arrays = stored(example());
    arrays["state." + name] = values;
    try {
      loaded(arrays);
      ADD_FAILURE() << name << " was accepted";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("'state." + name + "'"), std::string::npos) << error.what();
    }
  };
  refuses("x", {});
  refuses("x", {1, 2});
  refuses("flag", {2});
  refuses("small", {0.5});
  refuses("small", {1e12});
  refuses("large", {1e300});
  refuses("size", {-1});
  refuses("A", {2, 3, 1});
  refuses("A", {-2, -3, 1, 1, 1, 1, 1, 1});
  refuses("counts", {NAN});
  NamedArrays arrays = stored(example());
  arrays.erase("state.v");
  EXPECT_THROW(loaded(arrays), Error);
}

TEST(Archive, SizedVectorsAreChecked) {
  NamedArrays arrays{{"v", {1, 2, 3}}};
  Archive load(arrays, Archive::Direction::load);
  Vector v;
  EXPECT_NO_THROW(load.sized("v", v, 3));
  EXPECT_THROW(load.sized("v", v, 4), Error);
}

}  // namespace
}  // namespace induce::testing
