// Which column is the label, and rows without one.
#include "temporary.hpp"

namespace induce::test {
namespace {

class LabelColumn : public TemporaryFiles {
 protected:
  // Thirty rows, from the header and what a row has in place of each of its fields.
  template <class Row>
  static std::string rows(const std::string& header, Row row) {
    std::string text = header + "\n";
    for (int i = 0; i < 30; ++i) text += row(i) + "\n";
    return text;
  }
  static std::string number(int i) { return std::to_string(i); }
};

TEST_F(LabelColumn, LastOfTwoValues) {
  EXPECT_EQ(read("sex,age,income\nm,1,high\nf,2,low\nf,3,low\n").names.label, "income");
  EXPECT_EQ(read("flag,city,won\n0,a,1\n1,b,0\n0,c,1\n").names.label, "won");
}

TEST_F(LabelColumn, UsualNames) {
  for (const char* name : {"label", "Target", "CLASS", "y", "Outcome"})
    EXPECT_EQ(read(std::string(name) + ",sex,city\nno,m,a\nyes,f,b\nno,f,c\n").names.label, name);
}

TEST_F(LabelColumn, LastOfManyValuesIfNoOtherCouldBeIt) {
  const Dataset iris = read("length,width,species\n1.5,2,setosa\n2,3,virginica\n3,4,versicolor\n");
  EXPECT_EQ(iris.names.label, "species");
  EXPECT_EQ(iris.names.classes.size(), 3U);
  EXPECT_TRUE(iris.warnings.empty());
}

TEST_F(LabelColumn, RefusesIfSeveralCouldBeIt) {
  expect_refused("Id,Survived,Sex,Age,Embarked\n1,0,male,30,S\n2,1,female,20,C\n3,1,female,25,Q\n",
                 {"label column is not named", "--label NAME", "column 2 ('Survived'): '0', '1'",
                  "column 3 ('Sex'): 'female', 'male'", "column 5 ('Embarked'): 'C', 'Q', 'S'"},
                 {}, Fault::usage);
  ReadOptions options;
  options.label = "Survived";
  EXPECT_EQ(read("Id,Survived,Sex,Age,Embarked\n1,0,male,30,S\n2,1,female,20,C\n", options).names.label,
            "Survived");
}

TEST_F(LabelColumn, AnotherIfTheLastCannotBeIt) {
  const std::string quantity = rows(
      "won,city,price", [](int i) { return number(i % 2) + ",c" + number(i % 3) + "," + number(i) + ".5"; });
  const Dataset data = read(quantity);
  EXPECT_EQ(data.names.label, "won");
  EXPECT_EQ(data.names.features, (Strings{"city", "price"}));
  ASSERT_EQ(data.warnings.size(), 1U);
  for (const char* part : {"the label is column 1 ('won')", "column 3 ('price')", "quantity"})
    EXPECT_NE(data.warnings[0].find(part), std::string::npos) << data.warnings[0];
  EXPECT_EQ(
      read(rows("won,x,day", [](int i) { return number(i % 2) + ",1.5,2023-01-" + number(10 + i % 20); }))
          .names.label,
      "won");
  EXPECT_EQ(read(rows("won,x,name", [](int i) { return number(i % 2) + ",1.5,n" + number(i); })).names.label,
            "won");
  EXPECT_EQ(
      read(rows("won,x,same", [](int i) { return number(i % 2) + "," + number(i) + ",k"; })).names.label,
      "won");
  EXPECT_EQ(read(rows("won,x,price",
                      [](int i) { return number(i % 2) + "," + number(i) + "," + number(i) + ".5"; }))
                .names.label,
            "won");  // numbers only
  expect_refused(
      rows("won,sex,price", [](int i) { return number(i % 2) + (i % 3 ? ",m," : ",f,") + number(i) + ".5"; }),
      {"several columns", "('won')", "('sex')"}, {}, Fault::usage);
  expect_refused(
      rows("city,price", [](int i) { return "c" + number(i % 3) + "," + number(i) + ".5"; }),
      {"the last, column 2 ('price'), has 30 different numbers", "quantity", "1000 classes", "--label NAME"});
}

TEST_F(LabelColumn, NumbersOnlyAsBefore) {
  const auto many = [](int i) { return number(i % 2) + "," + number(3 * i) + "," + number(i); };
  EXPECT_EQ(read(rows("flag,x,digit", many)).names.classes.size(), 30U);
  EXPECT_EQ(read(rows("0,0,0", [](int i) { return number(i % 2) + "," + number(i) + ".5"; }).substr(6))
                .names.classes.size(),
            30U);
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
