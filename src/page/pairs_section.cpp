// Pairs of features that do more together than each alone: those of the kernel, if it has some that matter (svg/pairs.hpp). Those that the joint term
// makes are searched for and drawn as surfaces of the probability.
//
// With h(a, b) the latent mean averaged over R rows whose features a and b are set, the pair's own part is what is left of it
// after the parts of a and of b,
//   I(a, b) = h(a, b) - mean_b h(a, .) - mean_a h(., b) + mean h,         strength = its standard deviation over the grid.
// With C latent functions each is taken minus their average, and the class with the largest strength is shown. Rows are the R typical
// values of all columns, stored with the model, which are independent of each other and of any training row.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/state.hpp"
#include "svg/heat_map.hpp"
#include "svg/pairs.hpp"
#include "page/html.hpp"
#include "page/sections.hpp"
#include "describe/values.hpp"
#include "text/format.hpp"

namespace induce::detail {
namespace {

constexpr std::size_t most_features = 8, most_pairs = 3, search_points = 6, drawn_points = 15,
                      search_rows = 16;
constexpr double worth_a_search = 0.05;       // share of the joint term, besides pairs of the kernel
constexpr double negligible_strength = 0.03;  // of the latent function, where a class is clear at about 2

// Values of a feature to set it to, and how they are written.
struct PairAxis {
  std::size_t feature = 0;
  std::vector<double> values;
  std::string hidden{};  // levels that are left out, in words
};

// About this many of the values of an effect: levels with the largest effects, or evenly spread numbers.
PairAxis axis_of(const Effect& effect, const Names& names, std::size_t most) {
  const std::vector<double>& all = effect.values;
  PairAxis axis{effect.feature, {}};
  if (!has_levels(names, effect.feature)) {
    for (const std::size_t g : evenly_spread(all.size(), most)) axis.values.push_back(all[g]);
    return axis;
  }
  std::vector<std::size_t> curves(curves_in(effect));
  std::iota(curves.begin(), curves.end(), std::size_t{0});
  Effect present = effect;  // without missing values
  present.missing_mean.clear();
  const std::vector<std::size_t> drawn = drawn_levels(present, curves, std::min<std::size_t>(most, 10));
  for (const std::size_t g : drawn) axis.values.push_back(all[g]);
  axis.hidden = hidden_levels(present, names, drawn);
  return axis;
}

struct Surface {
  PairAxis a, b;
  std::size_t functions = 1;
  std::vector<double> latent, probability;  // (a, b, function)

  double strength(std::size_t c) const {
    const std::size_t rows = a.values.size(), columns = b.values.size();
    Matrix h(static_cast<Index>(rows), static_cast<Index>(columns));
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j)
        h(static_cast<Index>(i), static_cast<Index>(j)) = latent[(i * columns + j) * functions + c];
    h.colwise() -= Vector(h.rowwise().mean());
    h.rowwise() -= Eigen::RowVectorXd(h.colwise().mean());
    return std::sqrt(h.squaredNorm() / static_cast<double>(h.size()));
  }
  std::size_t strongest() const {
    std::size_t best = 0;
    for (std::size_t c = 1; c < functions; ++c)
      if (strength(c) > strength(best)) best = c;
    return best;
  }
};

Surface surface_of(const Model& model, PairAxis a, PairAxis b, std::size_t rows, int threads) {
  const Matrix& typical = state_of(model).typical.values;
  const std::size_t d = model.features(), cells = a.values.size() * b.values.size();
  rows = std::min(rows, static_cast<std::size_t>(typical.rows()));
  std::vector<double> table(cells * rows * d);
  double* out = table.data();
  for (const double value_a : a.values)
    for (const double value_b : b.values)
      for (std::size_t i = 0; i < rows; ++i, out += d) {
        for (std::size_t c = 0; c < d; ++c) out[c] = typical(static_cast<Index>(i), static_cast<Index>(c));
        out[a.feature] = value_a;
        out[b.feature] = value_b;
      }
  const Prediction all = model.predict(TableView{table.data(), cells * rows, d}, threads);
  const std::size_t C = all.functions();
  Surface surface{std::move(a), std::move(b), C, std::vector<double>(cells * C),
                  std::vector<double>(cells * C)};
  for (std::size_t k = 0; k < cells * rows; ++k) {
    double average = 0;
    for (std::size_t c = 0; c < C && C > 1; ++c) average += all.mean[k * C + c] / static_cast<double>(C);
    for (std::size_t c = 0; c < C; ++c) {
      surface.latent[k / rows * C + c] += (all.mean[k * C + c] - average) / static_cast<double>(rows);
      surface.probability[k / rows * C + c] +=
          all.probability(k, C == 1 ? all.classes - 1 : c) / static_cast<double>(rows);
    }
  }
  return surface;
}

std::string draw_surface(const Surface& surface, const Names& names) {
  const std::size_t rows = surface.a.values.size(), columns = surface.b.values.size(),
                    c = surface.strongest();
  const auto p = [&](std::size_t i, std::size_t j) {
    return surface.probability[(i * columns + j) * surface.functions + c];
  };
  const std::string a = brief(feature_name(names, surface.a.feature), 28),
                    b = brief(feature_name(names, surface.b.feature), 28);
  const std::string own = surface.functions > 1 ? names.classes[c] : names.classes.back();
  double low = 1, high = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      low = std::min(low, p(i, j));
      high = std::max(high, p(i, j));
    }
  std::vector<double> shares;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      shares.push_back(high > low ? (p(i, j) - low) / (high - low) : 0.5);
  const auto axis_of_map = [&](const PairAxis& axis) {
    HeatAxis out{{}, has_levels(names, axis.feature)};
    for (const double value : axis.values) out.names.push_back(value_text(names, axis.feature, value, 3));
    return out;
  };
  const Chart chart = heat_map(
      axis_of_map(surface.a), axis_of_map(surface.b), shares,
      "Probability of " + brief(own) + " by " + a + " and " + b + "; the table below has its numbers.");
  HtmlTable table{"Probability of " + brief(own) + " by " + a + " (lines) and " + b + " (columns)", {""}, {}};
  const auto some_rows = evenly_spread(rows, 5), some_columns = evenly_spread(columns, 5);
  for (const std::size_t j : some_columns)
    table.header.push_back(shown_name(value_text(names, surface.b.feature, surface.b.values[j], 4), 20));
  for (const std::size_t i : some_rows) {
    table.rows.push_back({shown_name(value_text(names, surface.a.feature, surface.a.values[i], 4), 20)});
    for (const std::size_t j : some_columns) table.rows.back().push_back(percent(p(i, j), 1));
  }
  const auto hidden = [](const std::string& name, const PairAxis& axis) {
    return axis.hidden.empty() ? "" : " " + escape(name) + ": " + axis.hidden + ".";
  };
  return "<figure class=\"card\"><figcaption><strong>" + escape(a) + "</strong> (up) and <strong>" +
         escape(b) + "</strong> (right)<br><span class=\"quiet\">chance of " + shown_name(own, 24) +
         ": <span class=\"scale\"><b>" + percent(low) + "</b><i></i><b>" + percent(high) + "</b></span>" +
         hidden(a, surface.a) + hidden(b, surface.b) + "</span></figcaption>" + chart.svg() +
         folded("As a table", to_html(table)) + "</figure>\n";
}

// A pair of the kernel.
std::string draw_pair(const PairPanel& panel, double reach, const Names& names, bool several_functions) {
  const PairEffect& pair = panel.pair;
  const std::string a = brief(feature_name(names, pair.first.feature), 28),
                    b = brief(feature_name(names, pair.second.feature), 28);
  const std::string own = several_functions ? names.classes[panel.curve] : names.classes.back();
  HtmlTable table{"Effect on " + brief(own) + " of " + a + " (lines) and " + b +
                      " (columns) together, with its 95 % band",
                  {""},
                  {}};
  const auto some_rows = evenly_spread(panel.up.size(), 5),
             some_columns = evenly_spread(panel.right.size(), 5);
  for (const std::size_t j : some_columns)
    table.header.push_back(shown_name(point_text(pair.second, names, panel.right[j], 4), 20));
  for (const std::size_t i : some_rows) {
    table.rows.push_back({shown_name(point_text(pair.first, names, panel.up[i], 4), 20)});
    for (const std::size_t j : some_columns) {
      const std::size_t k = panel.at(panel.up[i], panel.right[j]);
      table.rows.back().push_back(fixed(pair.mean[k], 2) + " (" + fixed(pair.lower[k], 2) + " to " +
                                  fixed(pair.upper[k], 2) + ")");
    }
  }
  return "<figure class=\"card\"><figcaption><strong>" + escape(a) + "</strong> (up) and <strong>" +
         escape(b) + "</strong> (right)<br><span class=\"quiet\">share " + percent(panel.share) +
         "; effect on " + shown_name(own, 24) + ": <span class=\"scale\"><b>" + fixed(-reach, 1) +
         "</b><i></i><b>" + fixed(reach, 1) + "</b></span>" +
         (panel.hidden.empty() ? "" : " " + escape(panel.hidden) + ".") + "</span></figcaption>" +
         pair_chart(panel, reach, names, "; the table below has its numbers.").svg() +
         folded("As a table", to_html(table)) + "</figure>\n";
}

// Of the joint term; 1 if there are no shares, as in older files.
double joint_share(const Explanation& explanation) {
  if (explanation.terms.empty()) return 1;
  return explanation.terms.back().features.empty() ? explanation.terms.back().share : 0;
}

// Two features, as numbers, and how much they do together.
struct Found {
  double strength;
  std::size_t a, b;
};

// Those worth a picture, the strongest first, without these.
std::vector<Found> search(const Model& model, const Explanation& explanation,
                          const std::vector<PairPanel>& without, int threads) {
  const Names& names = model.names();
  std::vector<PairAxis> axes;
  const std::vector<FeatureImportance> sorted = sorted_importance(explanation.importance, names);
  for (std::size_t k = 0; k < std::min(sorted.size(), most_features); ++k)
    axes.push_back(axis_of(explanation.effects[sorted[k].number], names, search_points));
  const auto drawn = [&](std::size_t a, std::size_t b) {
    return std::any_of(without.begin(), without.end(), [&](const PairPanel& panel) {
      return std::minmax(a, b) == std::minmax(panel.pair.first.feature, panel.pair.second.feature);
    });
  };
  std::vector<Found> found;
  for (std::size_t i = 0; i < axes.size(); ++i)
    for (std::size_t j = i + 1; j < axes.size(); ++j) {
      if (drawn(axes[i].feature, axes[j].feature)) continue;
      const Surface surface = surface_of(model, axes[i], axes[j], search_rows, threads);
      found.push_back({surface.strength(surface.strongest()), axes[i].feature, axes[j].feature});
    }
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& x, const Found& y) { return x.strength > y.strength; });
  std::erase_if(found, [](const Found& pair) { return !(pair.strength > negligible_strength); });
  return found;
}

std::string panels(const std::string& markup) { return "<div class=\"panels\">\n" + markup + "</div>\n"; }

}  // namespace

std::string pairs_section(const Model& model, const Explanation& explanation, int threads) {
  const Names& names = model.names();
  const std::string heading = "What columns do together";
  if (state_of(model).typical.empty() || model.features() < 2) return "";
  const PairPanels known = pair_panels(explanation, names, most_pairs);
  std::string known_markup, found_markup;
  const bool several_functions = model.classes() > 2 && !model.ordered();
  for (const PairPanel& panel : known.panels)
    known_markup += draw_pair(panel, known.reach, names, several_functions);
  if (known.panels.empty() || joint_share(explanation) > worth_a_search) {
    const std::vector<Found> found = search(model, explanation, known.panels, threads);
    for (std::size_t k = 0; k < std::min(found.size(), most_pairs); ++k)
      found_markup +=
          draw_surface(surface_of(model, axis_of(explanation.effects[found[k].a], names, drawn_points),
                                  axis_of(explanation.effects[found[k].b], names, drawn_points),
                                  static_cast<std::size_t>(state_of(model).typical.draws()), threads),
                       names);
  }
  const std::string of_found =
      "the colour is the chance predicted for rows with these two values, averaged over typical values of "
      "all "
      "other columns. If stripes are not parallel, the effect of one column depends on the other.";
  if (!known.panels.empty())
    return section(
        "pairs", heading,
        "The pairs of columns that do most together, beyond what the charts above show of each: orange makes "
        "the class more likely, blue less, in the units of the charts. Averaged over the rows' values of "
        "either "
        "column this is 0. A dot marks a cell whose 95 % band has 0 in it: the data leave open in which "
        "direction.",
        panels(known_markup) + (found_markup.empty() ? ""
                                                     : "<p class=\"lead\">Other pairs that act together: " +
                                                           of_found + "</p>\n" + panels(found_markup)));
  if (found_markup.empty())
    return section("pairs", heading,
                   "Nothing worth a picture: no two of the " +
                       std::to_string(std::min(explanation.effects.size(), most_features)) +
                       " most important columns do much together that each does not do alone.",
                   "");
  return section("pairs", heading,
                 "The pairs of columns that do most together beyond what each does alone: " + of_found,
                 panels(found_markup));
}

}  // namespace induce::detail
