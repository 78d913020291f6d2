#include "export/c_source.hpp"

#include <string_view>
#include <vector>

#include "export/c_text.hpp"
#include "text/compose.hpp"

namespace induce::detail::c_source {
namespace {

std::string name_function(const std::string& name, const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t k = 0; k < names.size(); ++k)
    list += (k > 0 ? ",\n      " : "\n      ") + literal(names[k]);
  return "\n/* A null pointer for an index that does not exist, and for a name of more than " +
         std::to_string(longest_literal) + " bytes. */\nINDUCE_FUNCTION const char *" + name +
         "(int index) {\n  static const char *const names[" + std::to_string(names.size()) + "] = {" + list +
         "};\n  return index >= 0 && index < " + std::to_string(names.size()) + " ? names[index] : 0;\n}\n";
}

constexpr std::string_view level_function = R"(
/* What features[column] is for a text of a category or boolean: the index of its level, or the number of levels for a text that
   training did not have. NAN is a missing value. -1 for a column of numbers, which need no such function. */
INDUCE_FUNCTION double induce_level(int column, const char *text) {
  static const int first[INDUCE_FEATURES + 1] = {@FIRST@};
  static const char *const level[@COUNT@] = {@LEVELS@};
  int k, i;
  if (column < 0 || column >= INDUCE_FEATURES || first[column] == first[column + 1]) return -1.0;
  for (k = first[column]; k < first[column + 1]; ++k) {
    for (i = 0; level[k] && text[i] && text[i] == level[k][i]; ++i) {
    }
    if (level[k] && text[i] == level[k][i]) return k - first[column];
  }
  return first[column + 1] - first[column];
}
)";

std::string levels_of(const Names& names) {
  std::string first = "0", list;
  std::size_t count = 0;
  for (const Column& column : names.columns) {
    for (const std::string& level : column.levels)
      list += (count++ > 0 ? ",\n      " : "\n      ") + literal(level);
    first += ", " + std::to_string(count);
  }
  if (count == 0) return "";
  return filled(level_function, {{"FIRST", first}, {"COUNT", std::to_string(count)}, {"LEVELS", list}});
}

constexpr std::string_view projected = R"(
/* A few linear features of the columns. */
static inline void induce_raw_features(const double *features, double *x) {
@ARRAYS@  int k, f;
  for (f = 0; f < @D@; ++f) x[f] = 0.0;
  for (k = 0; k < @USED@; ++k)
    for (f = 0; f < @D@; ++f) x[f] += features[used[k]] * weight[k * @D@ + f];
}
)";

constexpr std::string_view copied = R"(
static inline void induce_raw_features(const double *features, double *x) {
  int f;
  for (f = 0; f < @D@; ++f) x[f] = features[f];
}
)";

// `place` has five numbers per column: value, missing, other, the first level's feature, and where its list begins; a list ends
// where that of the next column begins. `known` has levels or repeated values, increasing.
constexpr std::string_view encoded = R"(
/* Columns become features: values, and 0 or 1 for levels, repeated values and gaps. */
static inline void induce_raw_features(const double *features, double *x) {
@ARRAYS@  int column, f, k;
  for (f = 0; f < @D@; ++f) x[f] = 0.0;
  for (column = 0; column < INDUCE_FEATURES; ++column) {
    const int *at = place + 5 * column;
    const double value = features[column];
    int own = -1;
    if (value != value) {
      own = at[1] >= 0 ? at[1] : at[2];
    } else {
      const double wanted = at[0] >= 0 ? value : floor(value);
      for (k = at[4]; k < at[9]; ++k)
        if (known[k] == wanted) own = at[3] + (k - at[4]);
      if (own < 0) own = at[2];
    }
    if (at[0] >= 0) x[at[0]] = value;
    if (own >= 0) x[own] = 1.0;
  }
}
)";

std::string raw_features(const PlainModel& model) {
  const std::string d = std::to_string(model.shift.size());
  if (!model.used_columns.empty())
    return filled(projected,
                  {{"ARRAYS", array("used", model.used_columns) + array("weight", model.projection)},
                   {"USED", std::to_string(model.used_columns.size())},
                   {"D", d}});
  if (!model.encoded) return filled(copied, {{"D", d}});
  std::vector<std::size_t> place;
  std::vector<double> known;
  for (const PlainModel::Column& column : model.columns) {
    place.insert(place.end(), {column.value, column.missing, column.other, column.first_level, known.size()});
    known.insert(known.end(), column.levels.begin(), column.levels.end());
    known.insert(known.end(), column.repeated.begin(), column.repeated.end());
  }
  place.insert(place.end(), {0, 0, 0, 0, known.size()});
  return filled(encoded, {{"ARRAYS", array("place", place) + array("known", known)}, {"D", d}});
}

constexpr std::string_view warp = R"(
/* ((1 + x)^p - 1)/p, from l = log(1 + x) */
static inline double induce_power(double l, double p) { return p == 0.0 ? l : expm1(p * l) / p; }

/* The Yeo-Johnson transform. */
static inline double induce_warp(double x, double p) {
  return x < 0.0 ? -induce_power(log1p(-x), 2.0 - p) : induce_power(log1p(x), p);
}
)";

constexpr std::string_view units = R"(
static inline void induce_model_units(const double *features, double *x) {
@ARRAYS@  int f;
  induce_raw_features(features, x);
  for (f = 0; f < @D@; ++f) {
@WARP@    x[f] = (x[f] - shift[f]) / scale[f];
@GAPS@  }
}
)";

}  // namespace

std::string names_of(const Model& model) {
  const Names& names = model.names();
  return name_function("induce_class_name", names.classes) +
         (names.features.empty() ? std::string() : name_function("induce_column_name", names.features)) +
         levels_of(names);
}

std::string units_function(const PlainModel& model) {
  const bool warped = !model.warp_exponent.empty();
  std::string arrays = array("shift", model.shift) + array("scale", model.scale);
  if (warped)
    arrays += array("origin", model.warp_origin) + array("unit", model.warp_unit) +
              array("exponent", model.warp_exponent);
  return raw_features(model) + (warped ? std::string(warp) : std::string()) +
         filled(units,
                {{"ARRAYS", arrays},
                 {"D", std::to_string(model.shift.size())},
                 {"WARP", warped ? "    if (exponent[f] != 1.0)\n"
                                   "      x[f] = induce_warp(induce_clamp((x[f] - origin[f]) / unit[f], "
                                   "1e30), exponent[f]);\n"
                                 : ""},
                 {"GAPS", model.encoded
                              ? "    if (x[f] != x[f]) x[f] = 0.0; /* a missing number is the mean */\n"
                              : ""}});
}

namespace {

constexpr std::string_view check = R"(
INDUCE_FUNCTION int induce_predict(const double *features, double *probabilities) {
  int k, missing = 0;
  for (k = 0; k < INDUCE_FEATURES; ++k) {
    if (features[k] != features[k])
      ++missing;
    else if (features[k] - features[k] != 0.0)
      return INDUCE_INFINITE_VALUE;
  }
)";

constexpr std::string_view average = R"(  if (missing > 0) {
@ARRAYS@    double filled[INDUCE_FEATURES], p[INDUCE_CLASSES], sum[INDUCE_CLASSES];
    int unusual = missing > @MOST@, draw, c;
    for (k = 0; k < INDUCE_FEATURES; ++k)
      if (features[k] != features[k] && !gaps[k]) unusual = 1;
    if (unusual) { /* the average over what the gaps may be */
      for (c = 0; c < INDUCE_CLASSES; ++c) sum[c] = 0.0;
      for (draw = 0; draw < @DRAWS@; ++draw) {
        int status;
        for (k = 0; k < INDUCE_FEATURES; ++k)
          filled[k] = features[k] != features[k] ? typical[draw * INDUCE_FEATURES + k] : features[k];
        status = induce_predict_complete(filled, p);
        if (status != 0) return status;
        for (c = 0; c < INDUCE_CLASSES; ++c) sum[c] += p[c];
      }
      for (c = 0; c < INDUCE_CLASSES; ++c) probabilities[c] = sum[c] / @DRAWS@.0;
      return 0;
    }
  }
)";

}  // namespace

std::string predict_function(const Model& model, const PlainModel& plain) {
  std::string text(check);
  if (model.sparse()) {
    text += "  if (missing > 0) return INDUCE_MISSING_VALUE;\n";
  } else if (plain.draws > 0) {
    const std::vector<std::size_t> gaps(plain.gaps.begin(), plain.gaps.end());
    text += filled(average, {{"ARRAYS", array("typical", plain.typical_values) + array("gaps", gaps)},
                             {"MOST", std::to_string(plain.most_gaps)},
                             {"DRAWS", std::to_string(plain.draws)}});
  } else {
    text += "  (void)missing;\n";
  }
  return text + "  return induce_predict_complete(features, probabilities);\n}\n";
}

}  // namespace induce::detail::c_source
