// Columns that look like groups. Oracle: made-up persons and quantities, and labels in random order.
#include <gtest/gtest.h>

#include <cmath>

#include <induce/model.hpp>

#include "fit/group_columns.hpp"
#include "linalg/random.hpp"

namespace induce::testing {
namespace {

using namespace detail;

// Persons with effects, a whole number that the label depends on smoothly, and whole numbers without meaning.
struct Visits {
  explicit Visits(unsigned seed, double effect_size = 1.5) {
    Random random(seed);
    for (int person = 0; person < 100; ++person) {
      const double effect = effect_size * random.normal();
      for (int row = 0; row < 10; ++row) {
        const double age = static_cast<double>(random.below(60));
        x.insert(x.end(), {static_cast<double>(person), age, static_cast<double>(random.below(40))});
        y.push_back(random.uniform() < 1 / (1 + std::exp(-effect - (age - 30) / 15)));
      }
    }
  }
  std::string warning() const {
    Workers workers(1);
    Names names{.classes = {"0", "1"}, .features = {"person", "age", "room"}};
    const std::vector<Index> order{0, 1, 2};
    const MemoryStore rows({x.data(), y.size(), 3}, y, {}, order, workers);
    return warning_of_group_columns(rows, names, workers);
  }
  std::vector<double> x;
  std::vector<int> y;
};

TEST(GroupColumns, PersonsAreNamedAndQuantitiesNot) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const std::string text = Visits(seed).warning();
    EXPECT_NE(text.find("column person (100 values)."), std::string::npos) << text;
    EXPECT_NE(text.find("group of its rows"), std::string::npos);
  }
}

TEST(GroupColumns, PersonsWithoutEffectAreNot) {
  for (unsigned seed = 0; seed < 20; ++seed) EXPECT_EQ(Visits(seed, 0).warning(), "");
}

TEST(GroupColumns, LabelsInRandomOrderNameNone) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Visits table(seed % 10);
    if (seed % 2)  // a rare class
      for (std::size_t i = 0; i < table.y.size(); ++i) table.y[i] = i % 50 == 0;
    Random(seed).shuffle(table.y);
    EXPECT_EQ(table.warning(), "") << seed;
  }
}

}  // namespace
}  // namespace induce::testing
