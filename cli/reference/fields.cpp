// The results: visits the records of a small fit and writes the names and meanings of their
// fields.
#include <set>

#include <induce/fit.hpp>

#include "markdown.hpp"
#include "summary.hpp"

namespace induce::cli {
namespace {

// One row per field: JSON key, Python key, unit and meaning.
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

std::string theta_fields() {
  Theta theta;
  for (const ParameterWords& words : known_parameters())
    theta.parameters.push_back({std::string(words.field.name), {0}});
  return fields_of(theta, true);
}

// Keys of the JSON summary that are not in the report.
std::string summary_only(const FitSummary& summary) {
  std::set<std::string_view> known;
  describe(summary.fit.report, [&](const Field& field, const auto&) { known.insert(field.name); });
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

}  // namespace

std::string fields_text() {
  const Fit small = small_fit();
  const Options options;
  const FitArguments arguments;
  const TrainingData data{};
  const FitSummary summary{small, options, arguments, data};
  const Confusion confusion{small.model.names().classes, {}};
  const Iteration iteration;
  const Progress progress{.now = iteration, .model = {}};
  std::string text = "\n## Fields of a result\n";
  const auto add = [&](const std::string& title, const std::string& about, const std::string& table) {
    text += "\n### " + title + "\n" + about + "\n\n" + table;
  };
  add("Report",
      "`Report` in C++, `report_` in Python, and the first keys of the output of `induce fit --json`. "
      "Numbers that are not finite are `null` in JSON.",
      fields_of(small.report, true));
  add("JSON summary", "Further keys of `induce fit --json`.", summary_only(summary));
  add("columns", "In the JSON summary: one entry per column, in the order of the file.",
      fields_of(ColumnSummary(), false));
  add("class_counts", "In the JSON summary: one entry per class.",
      fields_of(ClassCount{small.model.names().classes[0], 0, 0}, false));
  add("choices", "One entry per choice that the fit made; those of Python have the same keys.",
      fields_of(Chosen(), false));
  add("others", "In an entry of `choices`: the candidates that were not chosen, in the order tried.",
      fields_of(Chosen::Candidate(), false));
  add("options",
      "In the JSON summary: every option of a fit by its name above. `start` has the keys `signal_std`, "
      "`lengthscale` and `noise_std`. Some options of the command line are there too.",
      header({"key", "unit", "meaning"}) + row({code("weight"), "", "--weight; null: none"}) +
          row({code("trials"), "", "--trials; null: none"}) + row({code("shares"), "", "--shares"}) +
          row({code("group"), "", "--group; null: none"}) + row({code("time"), "", "--time; null: none"}) +
          row({code("balanced"), "", "--balanced"}));
  add("theta", "The parameters of the model, by name.", theta_fields());
  add("leave_one_out, train, test", "Metrics of the predicted probabilities.", fields_of(Metrics(), true));
  add("Evaluation", "Output of `induce eval --json`.",
      fields_of(Evaluation{Metrics(), confusion, std::nullopt, "", ""}, false));
  add("confusion", "In the output of `induce eval --json`.", fields_of(confusion, false));
  add("costs", "In the output of `induce eval --json --cost`.", fields_of(CostEvaluation(), false));
  add("thresholds", "In `costs`: one entry per threshold.", fields_of(CostEvaluation::AtThreshold(), false));
  add("ladder", "One entry per stage of a fit that adds rows or inducing inputs.", fields_of(Stage(), true));
  add("history", "Python: one array per field, with one number per iteration.",
      fields_of(Iteration(), false));
  add("Trace", "Output of `induce fit --trace`: one line per iteration.",
      fields_of(TraceLine{progress, std::nullopt}, false));
  add("importance",
      "JSON: a list, largest total first. Python: an array in feature order, with columns main and total.",
      fields_of(FeatureImportance(), false));
  add("terms", "JSON: a list, largest share first.", fields_of(NamedTerm(), false));
  add("relevance", "JSON: a list, most relevant first. Python: an array in feature order.",
      fields_of(Relevance(), false));
  add("calibration", "Calibration of the probabilities on rows that the model has not seen.",
      fields_of(Calibration(), false));
  const Explanation explanation;
  add("Explanation", "Output of `induce explain --json`.",
      fields_of(Explained{explanation, small.model.names(), "", ""}, false));
  const Effect effect;
  add("effects", "One entry per feature.", fields_of(NamedEffect{effect, ""}, false));
  const PairEffect pair;
  add("pairs", "One entry per pair of the kernel.", fields_of(NamedPair{pair, small.model.names()}, false));
  add("first, second", "In an entry of `pairs`: a column and its points.",
      fields_of(NamedAxis{pair.first, small.model.names()}, false));
  add("Model", "What `induce info` prints, and the output of `induce info --json`.",
      fields_of(small.model, false));
  const UpdateReport update;
  const ClassSurprise surprise;
  const ColumnShift shift;
  add("Update", "Output of `induce update --json`; in Python `update_report_`, without the last four keys.",
      fields_of(UpdateSummary{update, small.model.names(), "", "", ""}, false));
  add("classes of an update", "In the output of `induce update --json`: one entry per class.",
      fields_of(NamedClassSurprise{surprise, small.model.names().classes[0]}, false));
  add("columns of an update", "In the output of `induce update --json`.",
      fields_of(NamedColumnShift{shift, ""}, false));
  add("updates", "In the output of `induce info --json`, and `updates_` in Python: one entry per update.",
      fields_of(PastUpdate(), false));
  add("files", "Files that were read and written.", fields_of(arguments, false));
  return text;
}

}  // namespace induce::cli
