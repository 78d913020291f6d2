// Numbers are in three texts: `exact` (doubles), `large` (Z and the triangles, doubles or, if the page would be too large,
// fewer digits) and `tables` (of the terms, with the smallest step that fits). Without terms, fewer digits are used only if the
// predictions at some rows stay that close to the exact ones; with terms the page says how far they are.
#include "page/what_if.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include <nlohmann/json.hpp>

#include "core/pass.hpp"
#include "describe/values.hpp"
#include "model/state.hpp"
#include "page/html.hpp"
#include "page/packed_numbers.hpp"
#include "page/stand_in.hpp"
#include "text/format.hpp"

namespace induce::detail {
namespace {

using Json = nlohmann::json;

constexpr double closest_probability = 2e-10, closest_latent = 1e-9;
constexpr double farthest_probability = 0.01;  // with terms
constexpr double farthest_of_stand_in = 0.1;
constexpr Index fewest_of_stand_in = 20;
constexpr double smallest_step = 1e-13;  // of their tables, relative
constexpr int most_doublings = 38;
constexpr Widths all_widths[] = {{0, 0}, {8, 8}, {7, 8}};
constexpr Widths rough{6, 5};  // of a stand-in, which differs by more
constexpr std::size_t most_controls = 60;
constexpr std::size_t longest_level = 40;

// The typical values of a column, sorted; without them, what the model knows about the column.
std::vector<double> typical_values(const Model& model, std::size_t column) {
  const ModelState& state = state_of(model);
  const auto c = static_cast<Index>(column);
  std::vector<double> values;
  for (Index k = 0; k < state.typical.draws(); ++k) values.push_back(state.typical.values(k, c));
  if (values.empty() && model.explanation()) values = model.explanation()->effects[column].values;
  if (values.empty()) {
    if (const Index f = state.map.value_of(c); f >= 0) {
      RowMatrix at = RowMatrix::Zero(3, state.map.features());
      at.col(f) = Vector{{-2.0, 0.0, 2.0}};
      const RowMatrix undone = state.map.undo(std::move(at));
      for (Index k = 0; k < 3; ++k) values.push_back(undone(k, f));
    } else {
      values.push_back(0);
    }
  }
  std::sort(values.begin(), values.end());
  return values;
}

double typical_value(const Model& model, std::size_t column) {
  const std::vector<double> values = typical_values(model, column);
  if (!has_levels(model.names(), column)) return values[values.size() / 2];
  std::map<double, std::size_t> times;
  for (const double value : values) ++times[value];
  return std::max_element(times.begin(), times.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

// Where the features of a column are, and what its control offers.
Json column_json(const Model& model, std::size_t column) {
  const ModelState& state = state_of(model);
  const Encoding& encoding = state.map.encoding;
  const auto c = static_cast<Index>(column);
  const std::string own = feature_name(model.names(), column);
  Json out{{"name", brief(own)}, {"typical", typical_value(model, column)}};
  if (const std::string title = brief(own, longest_title); title != out["name"]) out["title"] = title;
  const Column kind = model.names().columns.empty() ? Column{} : model.names().columns[column];
  out["kind"] = std::string(name_of(kind.kind));
  out["value"] = state.map.value_of(c);
  out["gaps"] = !state.typical.empty() && state.typical.gaps[column];
  out["missing"] = encoding.is_plain() ? -1 : encoding.missing_of(c);
  if (encoding.is_plain() || encoding.codes()[column].is_number) {
    const std::vector<double> typical = typical_values(model, column);
    double low = typical.front(), high = typical.back();
    if (const Explanation* known = model.explanation()) {
      low = std::min(low, known->effects[column].values.front());
      high = std::max(high, known->effects[column].values.back());
    }
    const bool whole =
        std::all_of(typical.begin(), typical.end(), [](double x) { return x == std::floor(x); });
    out["low"] = whole ? std::floor(low) : low;
    out["high"] = high > low ? (whole ? std::ceil(high) : high) : low + 1;
    out["whole"] = whole;
  }
  if (encoding.is_plain()) return out;
  const ColumnCode& code = encoding.codes()[column];
  const Index first = encoding.features_of(c).first;
  out["first"] = code.is_number ? first + 1 : first;
  if (code.is_number) {
    out["repeated"] = code.repeated.size();
    return out;
  }
  out["other"] = encoding.other_of(c);
  out["levels"] = code.levels;
  out["texts"] = Json::array();
  for (const Index level : code.levels)
    out["texts"].push_back(brief(kind.levels[static_cast<std::size_t>(level)], longest_level));
  out["unknown"] = code.level_count;  // a code without a feature
  return out;
}

class Numbers {
 public:
  void add(double number) { numbers_.push_back(number); }
  template <class Range>
  void add_all(const Range& range) {
    numbers_.insert(numbers_.end(), range.begin(), range.end());
  }
  std::string text() const { return packed_doubles(numbers_); }

 private:
  std::vector<double> numbers_;
};

Json summands_json(const std::vector<PortableSummand>& summands, Index d, Numbers& exact) {
  Json out = Json::array();
  for (const PortableSummand& term : summands) {
    Json one{{"shape", term.shape}, {"variance", term.variance}};
    if (static_cast<Index>(term.features.size()) != d) one["features"] = term.features;
    if (!term.shape.empty()) {
      const bool equal = std::adjacent_find(term.inverse_l.begin(), term.inverse_l.end(),
                                            std::not_equal_to<>()) == term.inverse_l.end();
      const std::vector<double> lengths =
          equal ? std::vector<double>{term.inverse_l.front()} : term.inverse_l;
      one["lengths"] = lengths.size();
      exact.add_all(lengths);
    }
    out.push_back(one);
  }
  return out;
}

Json terms_json(const PlacedTerms* terms, Numbers& exact) {
  Json out = Json::array();
  for (Index p = 0; terms && p < terms->terms().count(); ++p) {
    Json axes = Json::array();
    for (const Axis& axis : terms->terms()[p].axes) {
      axes.push_back({{"first", axis.first},
                      {"count", axis.count},
                      {"value", axis.value},
                      {"size", axis.size()},
                      {"knots", axis.knots.size()}});
      exact.add_all(axis.knots);
    }
    out.push_back(axes);
  }
  return out;
}

Json model_json(const Model& model, const PortableModel& portable, Numbers& exact) {
  const ModelState& state = state_of(model);
  const FeatureMap& map = state.map;
  Json out{{"likelihood", model.likelihood()},
           {"m", portable.Z.rows()},
           {"d", portable.Z.cols()},
           {"variance_inputs", portable.variance_inputs()},
           {"warped", map.warped()},
           {"plain", map.encoding.is_plain()},
           {"draws", state.typical.draws()},
           {"most_gaps", state.typical.most_gaps},
           // Null that becomes an array with its first entry is broken if there is no memory for it.
           {"classes", Json::array()},
           {"columns", Json::array()},
           {"functions", Json::array()}};
  for (const std::string& each : model.names().classes) out["classes"].push_back(brief(each));
  if (const Vector& b = state.fitted.frame.prior.thresholds; b.size() > 0)
    out["thresholds"] = std::vector<double>(b.begin(), b.end());
  exact.add_all(map.standardizer.shift);
  exact.add_all(map.standardizer.scale);
  if (map.warped())
    for (const Vector* part : {&map.origin, &map.unit, &map.exponent}) exact.add_all(*part);
  for (Index c = 0; c < state.typical.values.cols(); ++c) exact.add_all(state.typical.values.col(c));
  for (std::size_t c = 0; c < model.features(); ++c) {
    out["columns"].push_back(column_json(model, c));
    if (!map.encoding.is_plain()) exact.add_all(map.encoding.codes()[c].repeated);
  }
  for (const PortableFunction& f : portable.functions) {
    exact.add(f.mean);
    exact.add(f.scale);
    exact.add_all(f.alpha);
    if (f.terms) exact.add_all(f.terms->beta());
    out["functions"].push_back({{"explained", f.explained.rows}, {"added", f.added.rows}});
  }
  out["summands"] = summands_json(portable.summands, portable.Z.cols(), exact);
  out["terms"] = terms_json(state.fitted.frame.terms(), exact);
  return out;
}

// Rows that an abridged model is compared on: typical values, independently drawn, in several combinations, and inducing inputs.
RowMatrix comparison_rows(const Model& model) {
  constexpr Index times = 8;
  const ModelState& state = state_of(model);
  const Index draws = state.typical.draws(), inputs = std::min<Index>(state.fitted.frame.m(), 64);
  RowMatrix rows(draws * times + inputs, state.map.features());
  for (Index k = 0; k < draws * times; ++k) {
    Vector values(state.typical.values.cols());
    for (Index c = 0; c < values.size(); ++c)
      values[c] = state.typical.values((k + k / draws * c) % draws, c);
    state.map.apply(values.data(), 1, rows.row(k).data());
  }
  rows.bottomRows(inputs) = state.fitted.frame.prior.Z.topRows(inputs);
  return rows;
}

// The largest ones, of probabilities, of means and variances relative to 1 + variance, and of the sum of all variances.
struct Difference {
  double probability = 0, latent = 0, variance = 0;
};

Difference difference_of(const Model& model, const PortableModel& abridged) {
  const ModelState& state = state_of(model);
  const Likelihood& likelihood = *state.likelihood;
  const auto C = static_cast<Index>(abridged.functions.size());
  const RowMatrix rows = comparison_rows(model);
  Workers workers(1);
  Vector all_m, all_S2;
  Pass(rows, state.fitted.frame.m(), workers).marginals(state.fitted.frame, state.fitted.q, all_m, all_S2);
  Vector own_m(C), own_S2(C), p(likelihood.probabilities()), own_p(likelihood.probabilities());
  Difference out;
  for (Index i = 0; i < rows.rows(); ++i) {
    const Vector m = all_m.segment(i * C, C), S2 = all_S2.segment(i * C, C);
    abridged.latent(rows.row(i).data(), own_m.data(), own_S2.data());
    likelihood.probabilities(m.data(), S2.data(), 1, p.data());
    likelihood.probabilities(own_m.data(), own_S2.data(), 1, own_p.data());
    const Vector scale = 1 + S2.array();
    out.probability = std::max(out.probability, (p - own_p).cwiseAbs().maxCoeff());
    out.latent = std::max({out.latent, (m - own_m).cwiseQuotient(scale).cwiseAbs().maxCoeff(),
                           (S2 - own_S2).cwiseQuotient(scale).cwiseAbs().maxCoeff()});
    out.variance = std::max(out.variance, (S2 - own_S2).cwiseAbs().sum());
  }
  return out;
}

std::string too_large(const Model& model) {
  const Frame& frame = state_of(model).fitted.frame;
  const Index d = frame.d(), C = frame.functions();
  // 8 digits each, in what is left of the page by its other sections.
  const double numbers = 1.25e6 / 8;
  const double b = static_cast<double>(d) + static_cast<double>(C) / 2;
  const double m = (-b + std::sqrt(b * b + 2 * static_cast<double>(C) * numbers)) / static_cast<double>(C);
  const auto fewer = static_cast<std::size_t>(std::max(10.0, std::floor(m / 10) * 10));
  const std::string values =
      frame.terms() ? ", " + counted(static_cast<std::size_t>(frame.values()), "value") + " of terms" : "";
  const std::string advice =
      frame.terms()
          ? "Fewer pairs in the kernel, or fewer inducing inputs, need less (options kernel, inducing)."
          : "A model fitted with at most about " + grouped(fewer) +
                " inducing inputs does (option inducing).";
  return "It is left out because the numbers of this model (" + counted(model.inducing(), "inducing input") +
         values + ", " + counted(static_cast<std::size_t>(d), "kernel input") + ", " +
         counted(static_cast<std::size_t>(C), "latent function") + ") do not fit into a page of 1.5 MB. " +
         advice;
}

// dp/dS2 = E p''/2, by the latent function: no larger than this, whatever the row. Of a class between two thresholds p'' is the
// difference of two, of opposite sign at most.
double most_per_variance(const std::string& likelihood) {
  return likelihood == "probit" ? 0.121 : likelihood == "ordinal" ? 2 * 0.0482 : 0.0482;
}

struct Written {
  std::string text;
  PortableModel model;  // as a reader gets it
};

// All of it, tables of terms with this step, if it fits.
std::optional<Written> written(const PortableModel& exact_model, double step, Json json, const Numbers& exact,
                               std::size_t budget) {
  PortableModel abridged = exact_model;
  std::string tables;
  std::vector<double> units;
  for (std::size_t c = 0; c < abridged.functions.size(); ++c)
    if (abridged.functions[c].terms) {
      const PackedTerms packed = abridged.functions[c].terms->pack(step);
      tables += packed.text;
      units.insert(units.end(), packed.units.begin(), packed.units.end());
      json["functions"][c]["step"] = packed.step;
      json["functions"][c]["coordinates"] = packed.coordinates;
    }
  json["tables"] = tables;
  std::vector<Widths> tried(std::begin(all_widths), std::end(all_widths));
  if (exact_model.variance_inputs() < exact_model.Z.rows()) tried = {rough};
  for (const Widths& widths : tried) {
    if (packed_size(exact_model, widths) + tables.size() > budget) continue;
    Written out{"", abridged};
    const Packed packed = pack(out.model, widths);
    Numbers all = exact;
    all.add_all(packed.units);
    all.add_all(units);
    json["exact"] = all.text();
    json["large"] = packed.text;
    json["widths"] = {widths.inputs, widths.triangles};
    out.text = for_script(json.dump(-1, ' ', true));
    if (out.text.size() <= budget) return out;
  }
  return {};
}

// With the smallest step that fits.
std::optional<Written> finest(const PortableModel& exact_model, const Json& json, const Numbers& exact,
                              std::size_t budget) {
  const auto with_step = [&](int k) {
    return written(exact_model, std::ldexp(smallest_step, k), json, exact, budget);
  };
  std::optional<Written> best = with_step(0);
  if (best || !exact_model.functions[0].terms) return best;
  for (int too_small = 0, fits = most_doublings + 1; fits - too_small > 1;) {
    const int k = (too_small + fits) / 2;
    std::optional<Written> found = with_step(k);
    (found ? fits : too_small) = k;
    if (found) best = std::move(found);
  }
  return best;
}

// How many inducing inputs the variances of a stand-in may have: its triangles take most of what is left of the page, or with
// terms three quarters or half.
std::vector<Index> sizes_of_stand_in(const Frame& frame, std::size_t budget) {
  const auto C = static_cast<double>(frame.functions());
  constexpr double digits_of_double = 32.0 / 3;
  const double means =
      static_cast<double>(frame.m()) * (static_cast<double>(frame.d() * rough.inputs) + C * digits_of_double);
  std::vector<Index> sizes;
  for (const double share : frame.terms() ? std::vector{0.75, 0.5} : std::vector{0.97}) {
    const double numbers = share * (static_cast<double>(budget) - means) / rough.triangles;
    const auto size = static_cast<Index>(std::sqrt(std::max(0.0, 2 * numbers / C)));
    if (size > 0) sizes.push_back(std::min(size, frame.m()));
  }
  return sizes;
}

// Of those that fit, the one that is closest to the model.
WhatIf closest_stand_in(const Model& model,
                        const std::function<std::optional<Written>(const PortableModel&)>& page_of,
                        std::size_t budget) {
  const Fitted& fitted = state_of(model).fitted;
  WhatIf out{"", too_large(model), farthest_of_stand_in, 0};
  const std::vector<Index> order = pivoted_order(fitted.frame);
  for (Index count : sizes_of_stand_in(fitted.frame, budget)) {
    std::optional<Written> found;
    for (; !found && count >= fewest_of_stand_in; count = 9 * count / 10)
      found = page_of(stand_in(fitted, order, count));
    if (!found) continue;
    const double most = difference_of(model, found->model).probability;
    if (most <= out.difference)
      out = {std::move(found->text), "", most, static_cast<std::size_t>(found->model.variance_inputs())};
  }
  return out;
}

}  // namespace

std::vector<double> typical_row(const Model& model) {
  std::vector<double> row;
  for (std::size_t c = 0; c < model.features(); ++c) row.push_back(typical_value(model, c));
  return row;
}

WhatIf what_if(const Model& model, const std::vector<std::size_t>& order, const std::vector<ShownRow>& rows,
               std::size_t budget) {
  Json shared{{"controls",
               std::vector<std::size_t>(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                           order.size(), most_controls)))}};
  if (!rows.empty()) shared["rows"] = Json::array();
  for (const ShownRow& row : rows) {
    Json values = Json::array();
    for (const double value : row.values) values.push_back(std::isnan(value) ? Json() : Json(value));
    shared["rows"].push_back({{"index", row.index}, {"values", values}});
  }
  const auto page_of = [&](const PortableModel& portable) {
    Numbers exact;
    Json json = model_json(model, portable, exact);
    json.update(shared);
    return finest(portable, json, exact, budget);
  };
  const Fitted& fitted = state_of(model).fitted;
  if (packed_size(fitted, all_widths[2]) <= budget) {
    if (std::optional<Written> best = page_of(portable(fitted))) {
      const Difference difference = difference_of(model, best->model);
      if (difference.probability <= closest_probability && difference.latent <= closest_latent)
        return {std::move(best->text), "", 0, 0};
      const double most = most_per_variance(model.likelihood()) * difference.variance;
      if (fitted.frame.terms() && most <= farthest_probability) return {std::move(best->text), "", most, 0};
    }
  }
  return closest_stand_in(model, page_of, budget);
}

}  // namespace induce::detail
