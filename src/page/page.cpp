// Puts the sections of a page together. What is not C++ (style, script, the frame of the page) is in src/page/files.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <induce/error.hpp>
#include <induce_page_files.hpp>

#include "model/state.hpp"
#include "page/html.hpp"
#include "page/sections.hpp"
#include "describe/values.hpp"
#include "text/compose.hpp"
#include "text/format.hpp"

namespace induce {

using namespace detail;

namespace {

// What the frame of the page says before the sections.
std::string headline(const Model& model) {
  const Names& names = model.names();
  const std::string what = names.label.empty() ? "the label" : shown_name(names.label);
  if (names.classes.size() > 2) return "Which " + (names.label.empty() ? std::string("class") : what) + "?";
  return names.label.empty()
             ? shown_name(names.classes[1]) + " or " + shown_name(names.classes[0]) + "?"
             : what + ": " + shown_name(names.classes[1]) + " or " + shown_name(names.classes[0]) + "?";
}

std::string tile(const std::string& value, const std::string& words) {
  return "<div><strong>" + value + "</strong><span>" + words + "</span></div>\n";
}

std::string tiles(const Model& model, const Tested* tested, const Explanation* explanation) {
  std::string out;
  if (tested) {
    out += tile(percent(tested->accuracy.value, 1), "of " + counted(tested->n(), "row") + " named correctly");
    if (!std::isnan(tested->auc.value)) out += tile(fixed(tested->auc.value, 3), "area under the ROC curve");
    out += tile(percent(tested->ece, 1), "mean difference between stated and observed frequency");
  }
  if (explanation) {
    const auto sorted = sorted_importance(explanation->importance, model.names());
    out += tile(shown_name(sorted[0].feature, 18), "matters most of " + counted(model.features(), "column"));
  }
  return out.empty() ? "" : "<div class=\"tiles\">\n" + out + "</div>\n";
}

// Links to the sections that the page has.
std::string links_to(const std::string& sections) {
  constexpr std::pair<const char*, const char*> all[] = {
      {"learned", "What was learned"}, {"quality", "How good"}, {"effects", "What matters"},
      {"pairs", "Together"},           {"unsure", "Surprises"}, {"what-if", "What if?"}};
  std::string out;
  for (const auto& [id, words] : all)
    if (sections.find("<section id=\"" + std::string(id) + "\"") != std::string::npos)
      out += "<a href=\"#" + std::string(id) + "\">" + words + "</a>";
  return out;
}

std::string script_of(const WhatIf& what_if) {
  if (what_if.json.empty()) return "";
  return "<script type=\"application/json\" id=\"model\">" + what_if.json + "</script>\n<script>" +
         std::string(embedded::page_js) + "</script>\n";
}

// For the page's policy: the browser runs no script but this one, whatever else the page may contain.
std::string script_hash() {
  std::string bytes;
  for (std::size_t k = 0; k < embedded::page_js_sha256.size(); k += 2)
    bytes += static_cast<char>(std::stoi(std::string(embedded::page_js_sha256.substr(k, 2)), nullptr, 16));
  return base64(bytes);
}

}  // namespace

namespace detail {

std::string section(const std::string& id, const std::string& heading, const std::string& lead,
                    const std::string& markup) {
  return "<section id=\"" + id + "\" aria-labelledby=\"" + id + "-heading\">\n<h2 id=\"" + id +
         "-heading\">" + heading + "</h2>\n<p class=\"lead\">" + lead + "</p>\n" + markup + "</section>\n";
}

std::string percent(double share, int digits) {
  constexpr const char* blank = "\xC2\xA0";  // no line ends here
  return std::isnan(share) ? "-" : fixed(100 * share, digits) + blank + "%";
}

std::vector<std::size_t> evenly_spread(std::size_t count, std::size_t most) {
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < std::min(count, most); ++k)
    chosen.push_back(count <= most ? k : k * (count - 1) / (most - 1));
  return chosen;
}

std::vector<std::size_t> by_importance(const Model& model, const Explanation* explanation) {
  std::vector<std::size_t> features(model.features());
  std::iota(features.begin(), features.end(), std::size_t{0});
  if (explanation)
    std::stable_sort(features.begin(), features.end(), [&](auto a, auto b) {
      return explanation->importance[a].total > explanation->importance[b].total;
    });
  return features;
}

namespace {

// Rounded up.
std::string one_digit_percent(double share) {
  const double place = std::floor(std::log10(100 * share)), unit = std::pow(10.0, place);
  return percent(std::ceil(100 * share / unit) * unit / 100, std::max(0, static_cast<int>(-place)));
}

}  // namespace

std::string what_if_section(const Model& model, const WhatIf& what_if) {
  if (what_if.json.empty()) return section("what-if", "What if?", escape(what_if.why_not), "");
  const std::string hidden =
      model.features() > 60
          ? " Controls are for the 60 most important columns; the others keep their typical value."
          : "";
  const std::string fewer = what_if.variance_inputs == 0
                                ? "with fewer digits"
                                : "with variances by " + grouped(what_if.variance_inputs) + " of its " +
                                      grouped(model.inducing()) + " inducing inputs";
  const std::string close = what_if.difference == 0
                                ? "exactly what the program would predict"
                                : "what the program would predict, " + fewer +
                                      ": at rows of typical values a chance differs by at most " +
                                      one_digit_percent(what_if.difference);
  return section(
      "what-if", "What if?",
      "Set a row and see what the model says about it, computed right here in this page: " + close +
          ". It starts as a typical row. A value that is missing or unknown is allowed." + hidden,
      std::string(embedded::what_if_html));
}

}  // namespace detail

std::string html_page(const Model& model, const PageRows& rows, const FitFacts& fit, int threads) {
  const bool has_rows = rows.sparse ? rows.sparse->n > 0 : rows.X.n > 0;
  if (!has_rows && !rows.y.empty())
    throw data_error("there are " + std::to_string(rows.y.size()) + " labels for 0 rows");
  for (const std::size_t given : {fit.class_counts.size(), fit.class_weights.size()})
    if (given != 0 && given != model.classes())
      throw data_error("there are counts of " + std::to_string(given) + " classes but the model has " +
                       std::to_string(model.classes()));
  std::optional<Tested> tested;
  if (has_rows) tested = test_rows(model, rows, fit.class_weights, threads);
  const Tested* known = tested ? &*tested : nullptr;
  std::optional<Explanation> from_rows;
  const Explanation* explanation = model.explanation();
  if (!explanation && has_rows && !model.sparse())
    explanation = &from_rows.emplace(explain(model, rows.X, {}, threads));

  std::string sections = tiles(model, known, explanation);
  sections += learned_section(model, rows, fit, known);
  sections += quality_section(model, rows, fit, known);
  if (explanation) {
    sections += effects_section(model, *explanation, !from_rows);
    sections += pairs_section(model, *explanation, threads);
  } else {
    sections += section("effects", "What matters, and how",
                        model.sparse()
                            ? "The model was fitted to a sparse table: it sees a few directions of its rows, "
                              "so there are no effects of columns."
                            : "The model file has no effects of its columns: give rows to compute them from.",
                        "");
  }
  std::vector<ShownRow> shown;
  if (known) {
    const std::vector<std::size_t> surprising = surprising_rows(*known);
    sections += unsure_section(model, rows, explanation, *known, surprising);
    if (rows.values && !rows.sparse)
      for (const std::size_t i : surprising) shown.push_back({i, {rows.X.row(i), rows.X.row(i) + rows.X.d}});
  }

  constexpr std::size_t rest = 2'000;  // headings and tags
  const std::size_t used = embedded::page_html.size() + embedded::page_css.size() + sections.size() +
                           embedded::what_if_html.size() + script_of({"{}", "", 0}).size() + rest;
  const WhatIf numbers = model.sparse()
                             ? WhatIf{"", "It is left out: the model was fitted to a sparse table of " +
                                              counted(model.features(), "column") + "."}
                             : what_if(model, by_importance(model, explanation), shown,
                                       used < largest_page ? largest_page - used : 0);
  sections += what_if_section(model, numbers);
  return filled(
      embedded::page_html,
      {{"script_hash", script_hash()},
       {"style", std::string(embedded::page_css)},
       {"headline", headline(model)},
       {"title", escape(brief(model.names().label.empty() ? "Report of a model"
                                                          : model.names().label + ": report of a model"))},
       {"version", escape(model.version())},
       {"links", links_to(sections)},
       {"sections", sections},
       {"script", script_of(numbers)}});
}

}  // namespace induce
