// The fields of an update (induce/update.hpp): see fields.hpp.
#pragma once

#include <induce/update.hpp>

#include "describe/fields.hpp"
#include "describe/values.hpp"

namespace induce::detail {

// With names in place of numbers.
struct NamedClassSurprise {
  const ClassSurprise& of;
  const std::string& name;
};
struct NamedColumnShift {
  const ColumnShift& of;
  std::string name;
};
struct NamedUpdateReport {
  const UpdateReport& report;
  const Names& names;
};

template <class Visit>
void describe(const NamedClassSurprise& each, Visit&& visit) {
  visit({"name", "", "of the class"}, each.name);
  visit({"rows", "", "the sum of the weights of its rows"}, each.of.rows);
  visit({"expected", "", "what the model before expected it to be"}, each.of.expected);
  visit({"z", "", "(rows - expected) in standard deviations"}, each.of.z);
  visit({"nll", "nats", "of its rows, before they were learned; 0 without rows"}, each.of.nll);
}

template <class Visit>
void describe(const NamedColumnShift& each, Visit&& visit) {
  visit({"feature", "", "its name"}, each.name);
  visit({"what", "",
         "that moved most: mean, missing, a level, or (unknown): levels that the model does not have"},
        each.of.what);
  visit({"before", "", "the mean of the training rows, or the share of them"}, each.of.before);
  visit({"after", "", "that of the new rows"}, each.of.after);
  visit({"shift", "", "after - before, in standard deviations of one row"}, each.of.shift);
}

template <class Visit>
void describe(const NamedUpdateReport& update, Visit&& visit) {
  const UpdateReport& report = update.report;
  visit({"n", "rows", "rows that were learned"}, report.n);
  visit({"rows", "", "the sum of their weights"}, report.rows);
  visit({"seconds", "s", "without the time to read them"}, report.seconds);
  visit({"nll", "nats", "mean of -log p(true class) before the rows were learned"}, report.nll);
  visit({"expected_nll", "nats", "what the model before expected it to be"}, report.expected_nll);
  visit({"z", "", "the difference of the sums of both, in standard deviations of the sum"}, report.z);
  visit({"fitted_nll", "nats", "nll of the same rows after they were learned"}, report.fitted_nll);
  visit({"novel", "", "the share of rows with a novelty above 1/2"}, report.novel);
  visit({"novel_nll", "nats", "nll of these rows; 0 without them"}, report.novel_nll);
  visit({"novel_expected_nll", "nats", "what the model before expected it to be"}, report.novel_expected);
  std::vector<NamedClassSurprise> classes;
  for (std::size_t c = 0; c < report.classes.size(); ++c)
    classes.push_back({report.classes[c], update.names.classes[c]});
  visit({"classes", "", "how frequent each class was, and was expected to be"}, classes);
  std::vector<NamedColumnShift> columns;
  for (const ColumnShift& each : report.columns)
    columns.push_back({each, feature_name(update.names, each.column)});
  visit({"columns", "", "the five that are farthest from the training rows, the largest shift first"},
        columns);
  visit({"unknown_levels", "rows", "with a level that the model does not have"}, report.unknown_levels);
  visit({"new_gaps", "rows", "with gaps unlike those of the training rows"}, report.new_gaps);
  visit({"rounds", "", "of sites, for the longest part of the rows"}, report.rounds);
  visit({"inputs_added", "", "inducing inputs"}, report.inputs_added);
  visit({"kept", "", "how much what the model knew before counts now"}, report.kept);
  visit({"advice", "", "keep, grow or refit"}, report.advice);
  visit({"reason", "", "for the advice, in words"}, report.reason);
}

}  // namespace induce::detail
