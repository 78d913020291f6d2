// See page.hpp. The half that tells what comes back is here: the records of a small fit are visited, and only the
// names and meanings of their fields are written.
#include "page.hpp"

#include <set>

#include <induce/fit.hpp>

#include "markdown.hpp"
#include "option_pages.hpp"
#include "summary_fields.hpp"

namespace induce::cli {
namespace {

// A row for each field: its key in JSON, its key in Python, its unit and meaning.
class FieldTable {
 public:
  explicit FieldTable(bool in_python) : in_python_(in_python) {
    text_ = in_python ? header({"JSON", "Python", "unit", "meaning"}) : header({"key", "unit", "meaning"});
  }

  template <class Value>
  void operator()(const Field& field, const Value&) {
    add(field, field.name, field.name, field.unit);
  }
  void operator()(const Field& field, const Bytes&) {
    const std::string name(field.name);
    add(field, name + "_mb", name + "_bytes", "MB; bytes");
  }
  void operator()(const Field& field, const History&) { add(field, "", field.name, field.unit); }

  std::string take() { return std::move(text_); }

 private:
  void add(const Field& field, std::string_view json, std::string_view python, std::string_view unit) {
    std::vector<std::string> cells{code(json)};
    if (in_python_) cells.push_back(code(python));
    cells.insert(cells.end(), {std::string(unit), std::string(field.meaning)});
    text_ += row(cells);
  }

  bool in_python_;
  std::string text_;
};

template <class Record>
std::string fields_of(const Record& record, bool in_python) {
  FieldTable table(in_python);
  describe(record, table);
  return table.take();
}

std::string theta_page() {
  Theta theta;
  for (const ParameterWords& words : known_parameters())
    theta.parameters.push_back({std::string(words.field.name), {0}});
  return fields_of(theta, true);
}

// Keys that the JSON summary has and the report has not.
std::string beside_report(const FitSummary& summary) {
  std::set<std::string_view> known;
  describe(summary.report, [&](const Field& field, const auto&) { known.insert(field.name); });
  FieldTable table(false);
  describe(summary, [&](const Field& field, const auto& value) {
    if (!known.contains(field.name)) table(field, value);
  });
  return table.take();
}

Fit small_fit() {
  const std::vector<double> x{0, 1, 2, 3};
  Options options;
  options.method = Method::vi_jj;
  options.max_iter = 1;
  options.threads = 1;
  return fit({x.data(), 4, 1}, std::vector<int>{0, 1, 0, 1}, options);
}

std::string fields_page() {
  const Fit small = small_fit();
  const Options options;
  const FitSummary summary{small.report, small.model, options, "", "", 0, "", "", false, {}, {}, {}};
  const Iteration iteration;
  const Progress progress{.now = iteration, .model = {}};
  std::string text = "\n## Fields of a result\n";
  const auto add = [&](const std::string& title, const std::string& about, const std::string& table) {
    text += "\n### " + title + "\n" + about + "\n\n" + table;
  };
  add("Report",
      "`Report` in C++, `report_` in Python, and the first keys of what `induce fit --json` writes. A number "
      "that is "
      "not finite is `null` in JSON.",
      fields_of(small.report, true));
  add("JSON summary", "What `induce fit --json` has besides.", beside_report(summary));
  add("theta", "The parameters that the model has, by name.", theta_page());
  add("leave_one_out, train, test", "Measures of probabilities.", fields_of(Metrics(), true));
  add("Evaluation", "What `induce eval --json` writes.", fields_of(Evaluation{Metrics(), "", ""}, false));
  add("ladder", "One for each stage of a fit that grows.", fields_of(Step(), true));
  add("history", "Python: an array for each of these, a number for each iteration.",
      fields_of(Iteration(), false));
  add("Trace", "A line for each iteration, what `induce fit --trace` writes.",
      fields_of(TraceLine{progress, std::nullopt}, false));
  add("relevance", "JSON: a list, most relevant first. Python: an array, in the order of the features.",
      fields_of(Relevance(), false));
  add("calibration", "How far probabilities can be trusted.", fields_of(Calibration(), false));
  add("files", "What was read and written.", fields_of(SummaryFiles{summary}, false));
  return text;
}

constexpr const char* kIntroduction = R"(# Reference
Every option and every field of a result. This page is made from the tables that the program works by
(`src/describe`): `cmake --build build --target reference` writes it anew, and a test fails while it is stale.

## Options of a fit
The names are those of `induce::Options` in C++, of the parameters of `GPClassifier` in Python and of "options" in the JSON
summary. What is left to the library is `null` or `"auto"` in JSON and `None` or `"auto"` in Python. "Result depends on it": options
that say yes must be the same when a fit is resumed from a checkpoint; the same options, data and seed give the same bits.
Python has `class_weight`, `callback` and `verbose` besides ([python.md](python.md)).
)";

constexpr const char* kCommands = R"(
## Other options of the command line
What the commands take besides.
)";

}  // namespace

std::string reference_page() {
  return kIntroduction + options_page() + kCommands + commands_page() + fields_page();
}

}  // namespace induce::cli
