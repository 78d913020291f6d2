// CSV: every accepted variant and every error. Expected tables are written by hand.
#include "temporary.hpp"

namespace induce::test {
namespace {

class Csv : public TemporaryFiles {};

const RowMatrix plain_X = table({{1, 2}, {3, 4.5}, {-5e-3, 6}});
const Ints plain_y{0, 1, 0};

void expect_plain(const Dataset& data) {
  EXPECT_EQ(data.X, plain_X);
  EXPECT_EQ(data.y, plain_y);
  EXPECT_EQ(data.names.classes[0], "0");
  EXPECT_EQ(data.names.classes[1], "1");
}

TEST_F(Csv, PlainWithoutHeader) {
  const Dataset data = read("1,2,0\n3,4.5,1\n-5e-3,6,0\n");
  expect_plain(data);
  EXPECT_TRUE(data.names.features.empty());
  EXPECT_EQ(data.names.label, "");
}

TEST_F(Csv, HeaderNamesFeaturesAndLabel) {
  const Dataset data = read("a,b,class\n1,2,0\n3,4.5,1\n-5e-3,6,0\n");
  expect_plain(data);
  EXPECT_EQ(data.names.features, (Strings{"a", "b"}));
  EXPECT_EQ(data.names.label, "class");
}

TEST_F(Csv, SemicolonAndTab) {
  expect_plain(read("1;2;0\n3;4.5;1\n-5e-3;6;0\n"));
  expect_plain(read("1\t2\t0\n3\t4.5\t1\n-5e-3\t6\t0\n"));
  expect_plain(read("a\tb, with comma\tclass\n1\t2\t0\n3\t4.5\t1\n-5e-3\t6\t0\n"));
}

TEST_F(Csv, CrlfByteOrderMarkBlankLinesAndNoFinalNewline) {
  expect_plain(
      read("\xef\xbb\xbf"
           "1,2,0\r\n\r\n3,4.5,1\r\n   \r\n-5e-3,6,0\r\n\r\n"));
  expect_plain(read("\n\na,b,y\n1,2,0\n\n3,4.5,1\n-5e-3,6,0"));
}

TEST_F(Csv, BlanksAndPlusSignsAroundNumbers) {
  expect_plain(read("  1 , +2 ,  0\n3,\t4.50,1 \n -5.0E-03  ,6.,0\n"));
}

TEST_F(Csv, QuotedHeaderOnly) {
  ReadOptions options;
  options.label = "-1";
  const Dataset data =
      read("\"a, or so\",\"b \"\"c\"\"\",\"two\nlines\"\n1,2,0\n3,4.5,1\n-5e-3,6,0\n", options);
  expect_plain(data);
  EXPECT_EQ(data.names.features, (Strings{"a, or so", "b \"c\""}));
  EXPECT_EQ(data.names.label, "two\nlines");
}

TEST_F(Csv, QuotedFieldsWithDelimitersNewlinesAndQuotes) {
  const Dataset data =
      read("a,b,class\n\"1\",2,\"one, \"\"two\"\"\"\n3, \" 4.5 \" ,\"x\ny\"\r\n-5e-3,6,\"x\ny\"\n");
  EXPECT_EQ(data.X, plain_X);
  EXPECT_EQ(data.y, (Ints{0, 1, 1}));
  EXPECT_EQ(data.names.classes[0], "one, \"two\"");
  EXPECT_EQ(data.names.classes[1], "x\ny");
}

TEST_F(Csv, QuotedAndUnquotedLabelsAreEqual) {
  const Dataset data = read("1,cat\n2,\"cat\"\n3,dog\n");
  EXPECT_EQ(data.y, (Ints{0, 0, 1}));
}

TEST_F(Csv, QuoteInsideAFieldIsAnOrdinaryCharacter) {
  const Dataset data = read("1,5\" pipe\n2,6\" pipe\n");
  EXPECT_EQ(data.names.classes[0], "5\" pipe");
  EXPECT_EQ(data.names.classes[1], "6\" pipe");
}

TEST_F(Csv, LabelByNameIndexAndDefaultName) {
  const std::string body = "0,1,2\n1,3,4.5\n0,-5e-3,6\n";
  ReadOptions options;
  options.label = "0";
  expect_plain(read(body, options));
  options.label = "-3";
  expect_plain(read(body, options));
  options.label = "class";
  expect_plain(read("class,a,b\n" + body, options));
  expect_plain(read("Target,a,b\n" + body));  // the only usual name in the header
  EXPECT_EQ(read("y,a,b\n" + body).names.label, "y");
}

TEST_F(Csv, LabelNameTakesPrecedenceOverIndex) {
  ReadOptions options;
  options.label = "1";
  options.expected_features = {"a", "b"};
  const Dataset data = read("a,b,1\n1,2,0\n3,4.5,1\n-5e-3,6,0\n", options);
  expect_plain(data);
  EXPECT_EQ(data.names.label, "1");
}

TEST_F(Csv, KnownLabelNameTakesPrecedenceOverIndex) {
  ReadOptions options;
  options.label = "0";
  options.known_label = "class";
  options.expected_features = {"a", "b"};
  expect_plain(read("a,b,class\n1,2,0\n3,4.5,1\n-5e-3,6,0\n", options));
  expect_plain(read("0,1,2\n1,3,4.5\n0,-5e-3,6\n", options));
}

TEST_F(Csv, MissingLabelColumn) {
  ReadOptions options;
  options.label = "class";
  expect_refused("a,b,y\n1,2,0\n3,4,1\n", {"no column named 'class'", "'a', 'b', 'y'"}, options,
                 Fault::usage);
  expect_refused("1,2,0\n3,4,1\n", {"no column named 'class'", "no header"}, options, Fault::usage);
  options.label = "3";
  expect_refused("1,2,0\n3,4,1\n", {"label column 3", "3 columns", "-3 to 2"}, options, Fault::usage);
  options.label = "-4";
  expect_refused("1,2,0\n3,4,1\n", {"label column -4"}, options, Fault::usage);
}

TEST_F(Csv, HeaderOrNot) {
  EXPECT_EQ(read("a,b,y\n1,2,0\n3,4,1\n").names.features, (Strings{"a", "b"}));
  EXPECT_EQ(read(",a,label\n1,2,0\n3,4,1\n").names.features, (Strings{"", "a"}));  // as R writes row names
  EXPECT_EQ(read("0,1,2,label\n1,2,3,0\n3,4,5,1\n").names.features,
            (Strings{"0", "1", "2"}));  // as pandas writes unnamed columns
  EXPECT_EQ(read("1.5,2,target\n3,4,other\n").X.rows(), 2);
  ReadOptions options;
  options.label = "class";
  EXPECT_EQ(read("id,2019,class\n1,2,0\n3,4,1\n", options).names.features, (Strings{"id", "2019"}));
  EXPECT_EQ(read("?,2,0\n3,4,1\n").X.rows(),
            2);  // a missing value in the first line does not make it a header
  expect_refused("abc,2,0\n3,4,1\n", {"line 1", "column 1", "'abc' is not a number", "header"});
}

TEST_F(Csv, KnownClasses) {
  ReadOptions options;
  options.classes = {"0", "1"};
  const Dataset one_class = read("1,2,1.0\n3,4,+1\n", options);
  EXPECT_EQ(one_class.y, (Ints{1, 1}));
  EXPECT_EQ(one_class.names.classes, *options.classes);
  expect_refused("1,2,1\n3,4,2\n", {"line 2", "'2'", "'0' and '1'"}, options);
  options.classes = {"dog", "cat"};  // in the model's order
  EXPECT_EQ(read("1,cat\n2,dog\n", options).y, (Ints{1, 0}));
  expect_refused("1,cat\n\n2,Dog\n", {"line 3", "'Dog'"}, options);
}

TEST_F(Csv, WithoutLabelsByCount) {
  ReadOptions options;
  options.labels_required = false;
  options.features = 2;
  for (const char* text : {"1,2\n3,4.5\n-5e-3,6\n", "a,b\n1,2\n3,4.5\n-5e-3,6\n"}) {
    const Dataset data = read(text, options);
    EXPECT_EQ(data.X, plain_X);
    EXPECT_TRUE(data.y.empty());
  }
  expect_plain(read("1,2,0\n3,4.5,1\n-5e-3,6,0\n", options));  // labels are read if present
  expect_refused("1,2,3,0\n4,5,6,1\n", {"3 feature columns", "expected 2 features"}, options);
  options.features = 1;
  EXPECT_EQ(read("a\n1\n2\n", options).X, table({{1}, {2}}));
  options.features = 3;
  options.labels_required = true;
  expect_refused("1,2,0\n3,4,1\n", {"2 feature columns and a label", "expected 3 features"}, options);
}

TEST_F(Csv, IgnoredLabelsMayBeAnything) {
  ReadOptions options;
  options.labels_required = false;
  options.ignore_labels = true;
  options.label = "class";
  const Dataset data = read("a,b,class\n1,2,x\n3,4,y\n5,6,z\n", options);
  EXPECT_EQ(data.X, table({{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_TRUE(data.y.empty());
}

TEST_F(Csv, ExpectedFeaturesByName) {
  ReadOptions options;
  options.expected_features = {"a", "b"};
  options.label = "class";
  const Dataset data = read("b,class,id,a\n2,0,x,1\n4.5,1,y,3\n6,0,z,-5e-3\n", options);  // id is ignored
  expect_plain(data);
  EXPECT_EQ(data.names.features, options.expected_features);
  expect_refused("b,class,c\n2,0,1\n", {"lacks 'a'"}, options);
  expect_refused("a,b\n1,2\n3,4\n", {"no column named 'class'"}, options, Fault::usage);

  options.labels_required = false;
  const Dataset unlabelled = read("b,a\n2,1\n4.5,3\n6,-5e-3\n", options);
  EXPECT_EQ(unlabelled.X, plain_X);
  EXPECT_TRUE(unlabelled.y.empty());
  EXPECT_EQ(read("id,b,a\n9,2,1\n", options).warnings,
            Strings{"columns that the model does not use are ignored: 'id'"});
  expect_refused("b,c\n2,1\n", {"lacks 'a'"}, options);
  // Without a header, columns are taken by position and the model's label name is irrelevant.
  EXPECT_EQ(read("1,2\n3,4.5\n-5e-3,6\n", options).X, plain_X);
  expect_plain(read("1,2,0\n3,4.5,1\n-5e-3,6,0\n", options));
  expect_refused("1,2,3,0\n", {"3 feature columns", "expected 2 features"}, options);

  options.label = "";
  expect_plain(read("b,class,a\n2,0,1\n4.5,1,3\n6,0,-5e-3\n", options));
  expect_plain(read("b,a,class\n2,1,0\n4.5,3,1\n6,-5e-3,0\n", options));
  options.labels_required = true;
  expect_refused("id,b,a\n9,2,1\n", {"which column is the label?"}, options, Fault::usage);
}

TEST_F(Csv, Labels) {
  const auto classes = [&](const std::string& text) { return read(text).names.classes; };
  using Two = std::vector<std::string>;
  EXPECT_EQ(classes("1,+1\n2,1.0\n3,-1\n4,1\n"), (Two{"-1", "1"}));
  EXPECT_EQ(classes("1,10\n2,9\n"), (Two{"9", "10"}));    // as numbers
  EXPECT_EQ(classes("1,10\n2,9x\n"), (Two{"10", "9x"}));  // as strings
  EXPECT_EQ(classes("1,0.50\n2,1e3\n"), (Two{"0.5", "1000"}));
  EXPECT_EQ(classes("1,-0\n2,2\n"), (Two{"0", "2"}));
  EXPECT_EQ(classes("1,yes\n2,no\n"), (Two{"no", "yes"}));
  EXPECT_EQ(classes("1,inf\n2,1\n"), (Two{"1", "inf"}));  // not finite, so both are strings
  EXPECT_EQ(read("1,+1\n2,1.0\n3,-1\n4,1\n").y, (Ints{1, 1, 0, 1}));
  EXPECT_EQ(read("1,b\n2,a\n3,b\n").y, (Ints{1, 0, 1}));
}

TEST_F(Csv, ManyClasses) {
  using Strings = std::vector<std::string>;
  const auto classes = [&](const std::string& text) { return read(text).names.classes; };
  EXPECT_EQ(classes("1,c\n2,a\n3,b\n4,a\n"), (Strings{"a", "b", "c"}));
  EXPECT_EQ(read("1,c\n2,a\n3,b\n4,a\n").y, (Ints{2, 0, 1, 0}));
  EXPECT_EQ(classes("1,10\n2,9\n3,100\n4,-1\n"), (Strings{"-1", "9", "10", "100"}));  // as numbers
  EXPECT_EQ(classes("1,10\n2,9\n3,x\n"), (Strings{"10", "9", "x"}));                  // as strings
  EXPECT_EQ(read("1,1\n2,+1.0\n3,2\n4,3e0\n").y, (Ints{0, 0, 1, 2}));

  ReadOptions options;
  options.classes = {"dog", "cat", "eel"};  // in the model's order; one is absent
  EXPECT_EQ(read("1,eel\n2,dog\n", options).y, (Ints{2, 0}));
  expect_refused("1,eel\n2,ox\n", {"line 2", "'ox' is not one of the model's classes", "'dog', 'cat', 'eel'"},
                 options);
  options.classes = {"1", "2", "3", "4", "5", "6"};
  expect_refused("1,7\n", {"'7'", "'1', '2', '3', '4', '5', ..."}, options);
}

TEST_F(Csv, WrongNumberOfClasses) {
  expect_refused("1,+1\n2,1.0\n", {"all labels are '1'", "two classes"});
  expect_refused("1,cat\n2,cat\n", {"all labels are 'cat'"});
  std::string regression, text;
  for (int i = 0; i < 20001; ++i) regression += "1," + std::to_string(i) + ".5\n";
  expect_refused(regression, {"more than 20000 different numbers", "regression", "1000 classes"});
  for (int i = 0; i < 20001; ++i) text += "1,name" + std::to_string(i) + "\n";
  expect_refused(text, {"more than 20000 different values", "identifier or free text"});
}

TEST_F(Csv, EmptyFiles) {
  expect_refused("", {"is empty"});
  expect_refused("\n \r\n\n", {"is empty"});
  expect_refused("\xef\xbb\xbf", {"is empty"});
  expect_refused("a,b,label\n", {"a header but no rows"});
  expect_refused("a,b,label", {"a header but no rows"});
}

TEST_F(Csv, NoFeatures) { expect_refused("1\n0\n", {"no features"}); }

TEST_F(Csv, WrongNumberOfColumns) {
  expect_refused("1,2,0\n\n3,4,5,1\n", {"line 3", "4 columns", "expected 3"});
  expect_refused("1,2,0\n3,1\n", {"line 2", "2 columns", "expected 3"});
  expect_refused("1,2,0\n3,4,1,\n", {"line 2", "4 columns"});
  expect_refused("1,2,0\n3\n", {"line 2", "1 columns"});
  expect_refused("1,2,0\n,,,\n", {"line 2", "4 columns"});  // rather than the missing value
  expect_refused("1,2,0\nx,4,5,1\n", {"line 2", "4 columns"});
}

TEST_F(Csv, NotFinite) {
  expect_refused("1,2,0\n3,inf,1\n", {"line 2", "column 2", "'inf' is infinite"});
  expect_refused("1,2,0\n-Infinity,4,1\n", {"line 2", "column 1", "infinite"});
  expect_refused("1,2,0\n3,1e999,1\n", {"line 2", "column 2", "too large"});
  EXPECT_EQ(read("1e-999,2,0\n3,4,1\n").X(0, 0), 0);
}

TEST_F(Csv, BadQuotes) {
  expect_refused("1,2,a\n3,4,\"b\n5,6,a\n", {"line 2", "never closed"});
  expect_refused("1,2,a\n3,\"4\"5,b\n", {"line 2", "after the closing quote"});
}

TEST_F(Csv, QuotedNewlinesCountAsLines) {
  ReadOptions options;
  options.numeric = {"a"};
  expect_refused("a,class\n1,\"x\n\ny\"\n\n2,z\nbad,z\n", {"line 7", "'bad'"}, options);
}

TEST_F(Csv, ParallelChunksGiveTheSameTableAndTheFirstError) {
  // Oracle: the numbers written. Two megabytes make several chunks for more than one thread.
  const int n = 60000;
  std::string text = "a,b,class\n";
  for (int i = 0; i < n; ++i)
    text += std::to_string(i) + ".25," + std::to_string(-i) + "e-3,class " + std::to_string(i % 3 / 2) +
            "\n" + (i % 1000 == 0 ? "\n" : "");
  ASSERT_GT(text.size(), 1500000U);
  for (const int threads : {1, 2, 5}) {
    ReadOptions options;
    options.threads = threads;
    const Dataset data = read(text, options);
    ASSERT_EQ(data.X.rows(), n);
    for (int i = 0; i < n; ++i) {
      ASSERT_EQ(data.X(i, 0), i + 0.25);
      ASSERT_EQ(data.X(i, 1), -i / 1000.0);
      ASSERT_EQ(data.y[i], i % 3 / 2);
    }
    std::string broken = text;
    broken.replace(broken.find("\n55000.25") + 1, 3, "two");
    broken.replace(broken.find("\n30000.25") + 1, 3, "one");
    // 30000 rows before it, the header, 30 blank lines, and itself.
    options.numeric = {"a"};
    expect_refused(broken, {"line 30032", "column 1 ('a')", "'one00.25'"}, options);
  }
}

}  // namespace
}  // namespace induce::test
