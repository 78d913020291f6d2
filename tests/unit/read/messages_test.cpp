// Bad tables and what the reader says: file, line, column, value, and what to do.
#include "temporary.hpp"

namespace induce::test {
namespace {

class Messages : public TemporaryFiles {};

struct Bad {
  const char* text;
  std::vector<std::string> parts;
  ReadOptions options = {};
  Fault fault = Fault::data;
};

ReadOptions with(void (*set)(ReadOptions&)) {
  ReadOptions options;
  set(options);
  return options;
}

const ReadOptions numeric = with([](ReadOptions& options) { options.numeric = {"a"}; });
const ReadOptions model_of_numbers = with([](ReadOptions& options) {
  options.expected_columns = std::vector<Column>{};
  options.expected_features = {"a"};
  options.label = "y";
  options.classes = {"0", "1"};
});
const ReadOptions model_with_date = with([](ReadOptions& options) {
  options.expected_columns = std::vector<Column>{{ColumnKind::date}};
  options.expected_features = {"a"};
  options.labels_required = false;
});

TEST_F(Messages, OfBadTables) {
  const Bad cases[] = {
      {"a,y\n1,0\n", {"all labels are '0'", "two classes are needed"}},
      {"a,y\n", {"a header but no rows"}},
      {"", {"is empty"}},
      {"#\n", {"comments but no rows"}},
      {"a,b,y\n1,2,0\n1,2\n", {"line 3", "2 columns, expected 3"}},
      {"a,b,y\n1,2,0\n1,2,3,4\n", {"line 3", "4 columns, expected 3"}},
      {"a,b,y\n1,x,0\n1,x,3,4\n", {"line 3", "4 columns, expected 3"}},
      {"a,y\n1,0\ninf,1\n", {"line 3", "column 1 ('a')", "'inf' is infinite"}},
      {"a,y\n1,0\n1e999,1\n", {"line 3", "column 1 ('a')", "'1e999' is too large"}},
      {"a,b,y\n-inf,1,0\n1,inf,1\n", {"line 2", "column 1 ('a')", "'-inf'"}},
      {"a,b,y\n1,inf,0\n-inf,1,1\n", {"line 2", "column 2 ('b')", "'inf'"}},
      {"a,y\n1,0\n\"x\"z,1\n", {"line 3", "after the closing quote"}},
      {"a,y\n1,0\n\"x,1\n", {"line 3", "never closed"}},
      {"a,y\n,0\nNA,1\n", {"no features are left", "empty"}},
      {"a;y\n1,234;0\n5;1\n",
       {"line 2", "column 1 ('a')", "'1,234' may be", "decimal point", "categorical or drop"}},
      {"class,2,0\n3,4,1\n5,6,0\n", {"line 1", "column 1", "'class' is not a number", "header"}},
      {"a,y\n1,0\nx,1\n",
       {"line 3", "column 1 ('a')", "'x' is not a number", "NA", "categorical or drop"},
       numeric},
      {"a,y\n1,0\n2023-01-01,1\n", {"line 3", "'2023-01-01' is not a number"}, numeric},
      {"a,y\ntrue,0\nfalse,1\n", {"line 2", "'true' is not a number"}, numeric},
      {"a,y\n1,0\nx,1\n",
       {"line 3", "column 1 ('a')", "'x' is not a number; write NA for a missing value"},
       model_of_numbers},
      {"b,y\n1,0\n", {"the header lacks 'a'", "it has 'b', 'y'"}, model_of_numbers},
      {"a,y\n1,2\n", {"line 2", "'2' is not one of the model's classes", "'0' and '1'"}, model_of_numbers},
      {"a\n2023-01-01\nsoon\n",
       {"line 3", "column 1 ('a')", "'soon' is not a date such as 2023-01-05"},
       model_with_date},
      {"a\n17\n", {"line 2", "'17' is not a date"}, model_with_date},
      {"a,y\n1,0\n2,1\n",
       {"drop: there is no column named 'b'; the columns are 'a', 'y'"},
       with([](ReadOptions& options) { options.drop = {"b"}; }),
       Fault::usage},
      {"a,y\n1,0\n2,1\n",
       {"only: there is no column named 'b'"},
       with([](ReadOptions& options) {
         options.only = {"a", "b"};
       }),
       Fault::usage},
      {"1,0\n2,1\n",
       {"id: there is no column named 'b': the file has no header"},
       with([](ReadOptions& options) { options.id = "b"; }),
       Fault::usage},
      {"1,0\n2,1\n",
       {"the categorical column 7 does not exist", "from -2 to 1"},
       with([](ReadOptions& options) { options.categorical = {"7"}; }),
       Fault::usage},
      {"a,y\n1,0\n2,1\n",
       {"column 1 ('a') is both categorical and numeric"},
       with([](ReadOptions& options) { options.categorical = options.numeric = {"a"}; }),
       Fault::usage},
      {"a,y\n1,0\n2,1\n",
       {"column 2 ('y') is both the label column and the id column"},
       with([](ReadOptions& options) { options.id = options.label = "y"; }),
       Fault::usage},
      {"a,b,y\n1,1,0\n2,2,1\n",
       {"column 2", "both the id column and the weight column"},
       with([](ReadOptions& options) { options.id = options.weight = "b"; }),
       Fault::usage},
      {"a,y\n1,0\n2,1\n",
       {"column 2 ('y') is the label column and cannot be dropped"},
       with([](ReadOptions& options) { options.drop = {options.label = "y"}; }),
       Fault::usage},
      {"a,b,y\n1,2,0\n2,3,1\n", {"no features"}, with([](ReadOptions& options) {
         options.drop = {"a", "b"};
       })},
  };
  for (const Bad& bad : cases) {
    SCOPED_TRACE(bad.text);
    expect_refused(bad.text, bad.parts, bad.options, bad.fault);
  }
}

}  // namespace
}  // namespace induce::test
