// Which column is the label, and rows without one.
#include "temporary.hpp"

namespace induce::test {
namespace {

class LabelColumn : public TemporaryFiles {};

TEST_F(LabelColumn, UsualNames) {
  for (const char* name : {"label", "Target", "CLASS", "y", "Outcome"})
    EXPECT_EQ(read(std::string(name) + ",sex,city\nno,m,a\nyes,f,b\nno,f,c\n").names.label, name);
}

TEST_F(LabelColumn, LastWithoutAHeader) {
  EXPECT_EQ(read("0,1,a\n1,2,b\n0,3,a\n").names.classes, (Strings{"a", "b"}));
  ReadOptions options;
  options.weight = "-1";
  EXPECT_EQ(read("5,a,1\n6,b,2\n", options).names.classes, (Strings{"a", "b"}));
}

// Never the last column, nor the only one with two values.
TEST_F(LabelColumn, AsksWhichItIs) {
  const std::string titanic =
      "Id,Survived,Sex,Age,Embarked\n1,0,male,30,S\n2,1,female,20,C\n3,1,female,25,Q\n4,0,male,30,Q\n";
  ReadOptions options;
  options.command = "induce fit t.csv -o m";
  expect_refused(titanic,
                 {"which column is the label? None is called label, target, class, y or outcome",
                  "'Survived' (2), 'Sex' (2). Name it: induce fit t.csv -o m --label Survived"},
                 options, Fault::usage);
  expect_refused("a,b,who bought\n1,2,x\n3,4,y\n", {"'a' (2), 'b' (2), 'who bought' (2)", "--label a"}, {},
                 Fault::usage);
  expect_refused("a,price,who bought\n1,2,x\n1,3,y\n1,4,x\n1,5,x\n",
                 {"with the number of their values: 'who bought' (2). Name it: --label \"who bought\""}, {},
                 Fault::usage);
  options.label = "Survived";
  EXPECT_EQ(read(titanic, options).names.label, "Survived");
}

TEST_F(LabelColumn, AsksIfSeveralHaveUsualNames) {
  expect_refused("class,y,z\na,1,2\na,0,2\n", {"Several are called", ": 'y' (2). Name it: --label y"}, {},
                 Fault::usage);
  ReadOptions options;
  options.drop = {"class"};
  EXPECT_EQ(read("class,y,z\na,1,2\na,0,2\n", options).names.label, "y");
}

// A model may not know the name of its label.
TEST_F(LabelColumn, OfAModelWithoutItsName) {
  ReadOptions options;
  options.expected_features = {"a", "class"};
  options.classes = {"0", "1"};
  EXPECT_EQ(read("a,class,y\n1,2,0\n3,4,1\n", options).names.label, "y");
  expect_refused("a,class,won\n1,2,0\n3,4,1\n", {"which column", "'won' (2)"}, options, Fault::usage);
  options.labels_required = false;
  EXPECT_TRUE(read("a,class,won\n1,2,0\n3,4,1\n", options).y.empty());
}

TEST_F(LabelColumn, ListsTheFewestValuesFirstAndLooksAtTheFirstRows) {
  std::string text = "many,three\n";
  for (int i = 0; i < 3000; ++i) text += std::to_string(i % 40) + ",t" + std::to_string(i % 3) + "\n";
  expect_refused(text, {"in the first 1000 rows: 'three' (3), 'many' (40). Name it: --label three"}, {},
                 Fault::usage);
}

TEST_F(LabelColumn, MissingLabelsAreLeftOut) {
  const std::string text = "a,id,w,y\n1,p,1,no\n2,q,2,\n,r,3,yes\n4,s,4,NA\n5,t,5,no\n";
  ReadOptions options;
  options.weight = "w";
  options.id = "id";
  const Dataset data = read(text, options);
  EXPECT_EQ(data.y, (Ints{0, 1, 0}));
  EXPECT_EQ(data.X(2, 0), 5);
  EXPECT_EQ(data.weights, (std::vector<double>{1, 3, 5}));
  EXPECT_EQ(data.ids, (Strings{"p", "r", "t"}));
  EXPECT_EQ(data.rows_without_label, 2U);
  EXPECT_EQ(data.rows_with_gaps, 1U);
  EXPECT_EQ(data.warnings, Strings{"2 rows have no label and are left out"});
  EXPECT_EQ(read("1,0\n2,\n3,1\n").y, (Ints{0, 1}));
  EXPECT_EQ(read("1,0\n2,nan\n3,1.0\n").names.classes, (Strings{"0", "1"}));
  options = {};
  options.classes = {"no", "yes"};
  EXPECT_EQ(read("a,y\n1,\n2,yes\n", options).y, Ints{1});
  options.classes = {"none", "some"};
  EXPECT_EQ(read("a,y\n1,none\n2,some\n", options).y, (Ints{0, 1}));
  options.labels_required = false;
  options.ignore_labels = true;
  EXPECT_EQ(read("a,y\n1,\n2,yes\n", options).X.rows(), 2);
  expect_refused("a,y\n1,\n2,NA\n", {"no row has a label"});
  expect_refused("a,y\n1,no\n2,NA\n", {"all labels are 'no'", "'NA' counts as missing"});
}

TEST_F(LabelColumn, SimilarLabelsGetAWarning) {
  EXPECT_EQ(read("1,yes\n2,no\n3,Yes\n").warnings,
            Strings{"the labels 'Yes' and 'yes' differ by case or blanks only, but are two classes"});
  EXPECT_EQ(read("1,big cat\n2,bigcat\n3,dog\n").warnings.size(), 1U);
  EXPECT_TRUE(read("1,yes\n2,no\n3, yes \n").warnings.empty());
}

}  // namespace
}  // namespace induce::test
