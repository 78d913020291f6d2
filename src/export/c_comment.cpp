#include "export/c_source.hpp"

#include <algorithm>

#include <induce/version.hpp>

#include "export/c_text.hpp"
#include "text/words.hpp"

namespace induce::detail::c_source {
namespace {

constexpr std::size_t most_listed = 1000;  // columns, classes, levels of a column

std::string rest_of(std::size_t count) {
  return count > most_listed ? "     ... and " + std::to_string(count - most_listed) + " more\n" : "";
}

std::string kind_in_words(const Column& column) {
  switch (column.kind) {
    case ColumnKind::number:
      return "number, in the unit of the training data";
    case ColumnKind::date:
      return "date: days since 1970-01-01 UTC, with the time of day as the fraction";
    case ColumnKind::category:
    case ColumnKind::boolean:
      break;
  }
  return std::string(name_of(column.kind)) + ": the index of its level, or " +
         std::to_string(column.levels.size()) + " for any other";
}

std::string columns_in_words(const Model& model) {
  const Names& names = model.names();
  std::string text;
  for (std::size_t k = 0; k < std::min(model.features(), most_listed); ++k) {
    const Column column = names.columns.empty() ? Column{} : names.columns[k];
    text += "     " + std::to_string(k) + "  " +
            (names.features.empty() ? std::string() : "'" + shown(names.features[k]) + "', ") +
            kind_in_words(column) + "\n";
    for (std::size_t l = 0; l < std::min(column.levels.size(), most_listed); ++l)
      text += "          " + std::to_string(l) + " = '" + shown(column.levels[l]) + "'\n";
    text += rest_of(column.levels.size());
  }
  return text + rest_of(model.features());
}

}  // namespace

std::string comment_of(const Model& model, std::size_t rows) {
  const Names& names = model.names();
  std::string classes;
  for (std::size_t c = 0; c < std::min(names.classes.size(), most_listed); ++c)
    classes += "     " + std::to_string(c) + "  '" + shown(names.classes[c]) + "'\n";
  classes += rest_of(names.classes.size());
  return "/* A Gaussian process classifier, written by induce " INDUCE_VERSION
         ".\n\n"
         "   model     kernel " +
         escaped(model.kernel()) + ", " + escaped(model.likelihood()) + " likelihood, " +
         std::to_string(model.inducing()) + " inducing inputs, fitted by induce " + escaped(model.version()) +
         (rows > 0 ? " to " + std::to_string(rows) + " different " + noun(rows, "row") : "") + "\n" +
         (names.label.empty() ? std::string() : "   label     '" + shown(names.label) + "'\n") +
         "   accuracy  probabilities differ from those of `induce predict` by less than 1e-12\n\n"
         "   int induce_predict(const double *features, double *probabilities);\n"
         "     features: INDUCE_FEATURES numbers, " +
         (model.sparse() ? "zeros included. A missing value is INDUCE_MISSING_VALUE.\n"
                         : "NAN for a missing value.\n") +
         "     probabilities: INDUCE_CLASSES numbers, in the order below.\n"
         "     Returns 0, or INDUCE_INFINITE_VALUE, INDUCE_MISSING_VALUE or INDUCE_NOT_FINITE (the model "
         "gives no number for\n"
         "     this row), and then leaves the probabilities as they are. Allocates nothing and keeps no "
         "state, so any number\n"
         "     of threads may call it; needs about INDUCE_STACK_BYTES of stack.\n\n"
         "   Bytes of names that could be mistaken for C or hidden from a reader are shown as octal "
         "numbers.\n\n"
         "   probabilities[]\n" +
         classes + "\n   features[]\n" + columns_in_words(model) + "*/\n";
}

}  // namespace induce::detail::c_source
