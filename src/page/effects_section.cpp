// What each feature does: importance, and the effects of the most important features.
#include <algorithm>

#include "page/html.hpp"
#include "page/sections.hpp"
#include "svg/effects.hpp"
#include "text/format.hpp"

namespace induce::detail {
namespace {

constexpr std::size_t most_bars = 20, most_listed = 100, most_named = 8, table_points = 9;

// What a curve does, in a sentence; `own`: the class, as markup.
std::string in_words(const EffectPanel& panel, const Names& names, std::size_t curve,
                     const std::string& own) {
  const Effect& effect = panel.effect;
  const bool levels = panel.column.has_levels();
  if (effect.values.size() < 2) return "Nearly all rows have one value.";
  std::vector<double> mean;
  for (std::size_t g = 0; g < (levels ? points_in(effect) : effect.values.size()); ++g)
    mean.push_back(point_of(effect, curve, g).mean);
  const CurveShape shape = shape_of(mean);
  if (shape.reach < 0.05) return "On its own it changes next to nothing.";
  if (!levels && shape.rises) return "The higher, the more likely " + own + ".";
  if (!levels && shape.falls) return "The higher, the less likely " + own + ".";
  const auto value_at = [&](std::size_t g) { return shown_name(point_text(effect, names, g, 4), 24); };
  return own + " is most likely at " + value_at(shape.highest) + ", least likely at " +
         value_at(shape.lowest) + ".";
}

std::string effect_table(const EffectPanel& panel, const Names& names,
                         const std::vector<std::size_t>& curves) {
  const Effect& effect = panel.effect;
  const bool many = curves_in(effect) > 1;
  HtmlTable table{"Effect of " + brief(panel.importance.feature), {"value", "effect", "95 % band"}, {}};
  if (many) table.header.insert(table.header.begin(), "class");
  std::vector<std::size_t> points = panel.levels;
  if (points.empty())
    for (const std::size_t g : evenly_spread(points_in(effect), table_points)) points.push_back(g);
  for (const std::size_t c : curves)
    for (const std::size_t g : points) {
      const EffectPoint point = point_of(effect, c, g);
      std::vector<std::string> row{shown_name(point_text(effect, names, g, 4), 24), fixed(point.mean, 2),
                                   fixed(point.lower, 2) + " to " + fixed(point.upper, 2)};
      if (many) row.insert(row.begin(), shown_name(names.classes[c], 24));
      table.rows.push_back(row);
    }
  return to_html(table);
}

// "8 less important columns are not listed"; nothing if all are.
std::string less_important(std::size_t columns, const std::string& how) {
  if (columns == 0) return "";
  return "<p class=\"quiet\">" + counted(columns, "less important column") +
         (columns == 1 ? " is " : " are ") + how + ".</p>\n";
}

std::string importance_bars(const std::vector<FeatureImportance>& sorted) {
  const double most = std::max(sorted[0].total, 1e-9);
  std::string out =
      "<div class=\"bars\" role=\"list\" aria-label=\"Importance of the features: share of the variation of "
      "the prediction\">\n";
  const std::size_t bars = std::min(sorted.size(), most_bars);
  for (std::size_t k = 0; k < bars; ++k)
    out += "<div role=\"listitem\"><span>" + shown_name(sorted[k].feature, 28) +
           "</span><span class=\"track\"><i style=\"width:" + fixed(100 * sorted[k].total / most, 1) +
           "%\"><b style=\"width:" +
           fixed(100 * std::min(1.0, sorted[k].main / std::max(sorted[k].total, 1e-12)), 1) +
           "%\"></b></i></span><span>" + percent(sorted[k].total) + "</span></div>\n";
  return out + "</div>\n" + less_important(sorted.size() - bars, "without a bar");
}

std::string importance_table(const std::vector<FeatureImportance>& sorted) {
  HtmlTable table{"Importance of the features", {"feature", "alone", "with interactions"}, {}};
  const std::size_t listed = std::min(sorted.size(), most_listed);
  for (std::size_t k = 0; k < listed; ++k)
    table.rows.push_back(
        {shown_name(sorted[k].feature), percent(sorted[k].main, 1), percent(sorted[k].total, 1)});
  return to_html(table) + less_important(sorted.size() - listed, "not listed");
}

// "age 41 %, age*hours 20 %, ...", and all of them in a table.
std::string shares(const std::vector<TermShare>& terms, const Names& names) {
  if (terms.empty()) return "";
  const std::vector<NamedTerm> sorted = sorted_terms(terms, names);
  HtmlTable table{"Shares of the variation of the prediction", {"term", "share"}, {}};
  std::string text;
  const std::size_t listed = std::min(sorted.size(), most_listed);
  std::size_t named = std::min(sorted.size(), most_named);
  while (named > 1 && sorted[named - 1].share < 0.005) --named;  // shown as 0 %
  for (std::size_t k = 0; k < listed; ++k) {
    table.rows.push_back({shown_name(sorted[k].term), percent(sorted[k].share, 1)});
    if (k < named)
      text += (k ? ", " : "") + ("<b>" + shown_name(sorted[k].term, 40) + "</b> " + percent(sorted[k].share));
  }
  return "<p>In shares that add up to 100 %: " + text + (named < sorted.size() ? ", others less" : "") +
         ". <span class=\"quiet\">" +
         (terms.back().features.empty() ? "<b>joint</b> is all else that columns do together. " : "") +
         "Two names with * between them are a pair: what both do beyond what each does by "
         "itself.</span></p>\n" +
         folded("All shares as a table",
                to_html(table) + less_important(sorted.size() - listed, "not listed"));
}

std::string legend(const Names& names, const std::vector<std::size_t>& curves) {
  std::string out = "<p class=\"legend\">";
  for (std::size_t k = 0; k < curves.size(); ++k)
    out += "<span><i class=\"s" + std::to_string(k) + "\"></i>" + shown_name(names.classes[curves[k]], 24) +
           "</span> ";
  if (curves.size() < names.classes.size())
    out += "<span>(the " + std::to_string(curves.size()) + " of " + grouped(names.classes.size()) +
           " classes that move most)</span>";
  return out + "</p>\n";
}

}  // namespace

std::string effects_section(const Model& model, const Explanation& explanation, bool training_rows) {
  const Names& names = model.names();
  const bool many = model.classes() > 2 && !model.ordered();
  const std::vector<FeatureImportance> sorted = sorted_importance(explanation.importance, names);
  const auto [curves, panels, without_chart] = effect_panels(explanation, names);

  std::string markup = importance_bars(sorted) +
                       folded("All importances as a table", importance_table(sorted)) +
                       shares(explanation.terms, names);
  if (many) markup += legend(names, curves);
  markup += "<div class=\"panels\">\n";
  for (const EffectPanel& panel : panels) {
    const std::size_t most_moved = *std::max_element(curves.begin(), curves.end(), [&](auto a, auto b) {
      return reach_of(curve_of(panel.effect, a)) < reach_of(curve_of(panel.effect, b));
    });
    const std::string words =
        negligible(panel.importance)
            ? "It changes next to nothing, compared with other columns."
            : in_words(panel, names, most_moved,
                       model.ordered()
                           ? "a high level"
                           : "<b>" + shown_name(names.classes[many ? most_moved : 1], 24) + "</b>");
    markup += "<figure class=\"card\"><figcaption><strong>" + shown_name(panel.importance.feature, 32) +
              "</strong> <span class=\"quiet\">" + percent(panel.importance.total) + " of the variation" +
              (panel.own_scale ? ", own scale" : "") + "</span><br>" + words +
              (panel.hidden.empty() ? "" : " <span class=\"quiet\">" + panel.hidden + ".</span>") +
              "</figcaption>" +
              effect_chart(panel, curves, names, "; the table below has its numbers.").svg() +
              folded("As a table", effect_table(panel, names, curves)) + "</figure>\n";
  }
  markup += "</div>\n" + less_important(without_chart, "without a chart");
  const std::string scale =
      many ? "A curve above 0 makes its class more likely than it is on average, a curve below 0 less likely."
      : model.ordered() ? "Above 0 a value makes high levels more likely, below 0 low ones. One step of 1 "
                          "multiplies the odds "
                          "of being above any level by 2.7; a step of 0.7 doubles them."
      : model.likelihood() == "logistic" ? "Above 0 a value makes " + shown_name(names.classes[1], 24) +
                                               " more likely, below 0 less likely. One step of 1 multiplies "
                                               "the odds by 2.7; a step of 0.7 doubles them."
                                         : "Above 0 a value makes " + shown_name(names.classes[1], 24) +
                                               " more likely, below 0 less likely.";
  return section("effects", "What matters, and how",
                 "Long bars are the columns that move the prediction most; the dark part is what a column "
                 "does by itself, the light part what it does together with others. Each chart shows one "
                 "column while the others vary as they do in the " +
                     std::string(training_rows ? "training rows" : "rows given") +
                     ", with the range in which the truth lies with 95 % probability (the band). " + scale +
                     " This is what the model has learned, not necessarily a cause.",
                 markup);
}

}  // namespace induce::detail
