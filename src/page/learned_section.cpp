// What was learned from what.
#include <algorithm>
#include <cmath>

#include "model/state.hpp"
#include "page/html.hpp"
#include "page/sections.hpp"
#include "describe/values.hpp"
#include "text/format.hpp"

namespace induce::detail {
namespace {

constexpr std::size_t most_columns_listed = 200, most_classes_listed = 60;

std::string kernel_in_words(const std::string& kernel) {
  std::string words;
  for (std::size_t begin = 0; begin <= kernel.size();) {
    const std::size_t end = std::min(kernel.find('+', begin), kernel.size());
    const std::string term = kernel.substr(begin, end - begin);
    const std::string said = term == "se"                   ? "very smooth functions of all columns together"
                             : term.starts_with("matern")   ? "less smooth functions of all columns together"
                             : term.starts_with("additive") ? "one function for each single column"
                             : term.starts_with("mains")
                                 ? "one function for each single column, at values of its own"
                             : term.starts_with("pairs") ? "one function for each of some pairs of columns"
                             : term == "linear"          ? "nearly straight lines"
                                                         : term;
    words += (words.empty() ? "" : ", plus ") + said;
    begin = end + 1;
  }
  return words;
}

std::string item(const std::string& term, const std::string& markup) {
  return "<div><dt>" + term + "</dt><dd>" + markup + "</dd></div>\n";
}

std::string classes_of(const Model& model, const std::vector<std::size_t>& counts) {
  const std::vector<std::string>& classes = model.names().classes;
  std::size_t total = 0;
  for (const std::size_t count : counts) total += count;
  std::string out;
  for (std::size_t c = 0; c < std::min(classes.size(), most_classes_listed); ++c) {
    out += (c ? ", " : "") + shown_name(classes[c]);
    if (total > 0)
      out += " (" + grouped(counts[c]) + ", " +
             percent(static_cast<double>(counts[c]) / static_cast<double>(total)) + ")";
  }
  if (classes.size() > most_classes_listed)
    out += " and " + grouped(classes.size() - most_classes_listed) + " more";
  return out;
}

std::string kinds_of(const Model& model) {
  const std::vector<Column>& columns = model.names().columns;  // empty: all are numbers
  std::string out;
  for (const ColumnKind kind :
       {ColumnKind::number, ColumnKind::category, ColumnKind::boolean, ColumnKind::date}) {
    std::size_t count = columns.empty() && kind == ColumnKind::number ? model.features() : 0;
    for (const Column& column : columns) count += column.kind == kind;
    if (count == 0) continue;
    const std::string one(name_of(kind));
    out += (out.empty() ? "" : ", ") + counted(count, one, kind == ColumnKind::category ? "categories" : "");
  }
  return counted(model.features(), "column") + " (" + out + ")";
}

std::string columns_table(const Model& model) {
  const Names& names = model.names();
  const ModelState& state = state_of(model);
  const bool known = !state.typical.empty();
  HtmlTable table{"The columns that the model uses", {"column", "kind", "missing values in training"}, {}};
  if (known) table.header.emplace_back("typical value");
  const std::vector<double> typical = known ? typical_row(model) : std::vector<double>();
  for (std::size_t c = 0; c < std::min(model.features(), most_columns_listed); ++c) {
    const Column column = names.columns.empty() ? Column{} : names.columns[c];
    std::string kind(name_of(column.kind));
    if (column.kind == ColumnKind::category) kind += " of " + counted(column.levels.size(), "level");
    table.rows.push_back({shown_name(feature_name(names, c)), kind,
                          known ? (state.typical.gaps[c] ? "yes" : "no") : "not known"});
    if (known) table.rows.back().push_back(shown_name(value_text(names, c, typical[c], 4)));
  }
  std::string more;
  if (model.features() > most_columns_listed)
    more = "<p>" + grouped(model.features() - most_columns_listed) + " more columns are not listed.</p>";
  return to_html(table) + more;
}

std::string choices_of(const FitFacts& fit) {
  std::string out;
  for (const FitFacts::Choice& choice : fit.choices) {
    if (choice.others.empty()) continue;
    out += (out.empty() ? "" : "; ") + escape(choice.what) + ": <code>" + escape(brief(choice.chosen, 60)) +
           "</code> rather than ";
    for (std::size_t k = 0; k < choice.others.size(); ++k)
      out += (k ? ", " : "") + ("<code>" + escape(brief(choice.others[k], 60)) + "</code>");
    if (choice.held_out > 0)
      out += ", by " + counted(choice.held_out, "row") +
             " of the training table that were held out from the candidates";
    if (!choice.reason.empty()) out += " (" + escape(brief(choice.reason, 200)) + ")";
  }
  return out;
}

}  // namespace

std::string learned_section(const Model& model, const PageRows& rows, const FitFacts& fit,
                            const Tested* tested) {
  const Names& names = model.names();
  const std::string label = names.label.empty() ? "the label" : shown_name(names.label);
  std::string list = "<dl class=\"facts\">\n";
  list += item("It predicts", label + ", one of " + counted(model.classes(), "class", "classes") + ": " +
                                  classes_of(model, fit.class_counts));
  list += item("from", kinds_of(model));
  list += item(
      "Training rows",
      fit.rows
          ? grouped(*fit.rows)
          : "not known: a model file does not keep them (with the summary of the fit this page has them)");
  if (tested)
    list += item("Rows tested on this page",
                 grouped(tested->n()) + (rows.source.empty() ? "" : " of " + shown_name(rows.source, 60)) +
                     ": " + classes_of(model, tested->counts));
  list += item("Kind of model", "Gaussian process classifier, " + escape(model.likelihood()) +
                                    " likelihood, kernel <code>" + escape(brief(model.kernel(), 60)) +
                                    "</code>: " + kernel_in_words(model.kernel()));
  list += item("Size", counted(model.inducing(), "inducing input") +
                           ": made-up rows that stand for all training rows");
  std::size_t warped = 0;
  if (!model.sparse())
    for (const double exponent : model.warp_exponents()) warped += exponent != 1;
  list += item("Numbers", warped > 0 ? counted(warped, "column") + " first bent towards a bell curve (" +
                                           escape(model.warp()) + ")"
                                     : "used as they are, only shifted and scaled");
  if (const std::string choices = choices_of(fit); !choices.empty())
    list += item("Choices of the fit", choices);
  if (fit.seconds)
    list += item("Time", readable(*fit.seconds, 3) + " s" +
                             (fit.status.empty() ? "" : ", ended as: " + escape(fit.status)));
  list += item("Made by", "induce " + escape(model.version()) + ", method " + escape(model.method()));
  list += "</dl>\n";
  return section("learned", "What was learned from what",
                 "The ingredients: what the model was asked to predict, and what it was given to do so.",
                 list + (model.sparse() ? "" : folded("All columns", columns_table(model))));
}

}  // namespace induce::detail
