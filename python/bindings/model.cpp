// Model: predictions without the GIL, files, and pickling.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <new>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>

#include <induce/costs.hpp>
#include <induce/doubt.hpp>
#include <induce/explain.hpp>
#include <induce/far_values.hpp>
#include <induce/model.hpp>
#include <induce/page.hpp>
#include <induce/rank.hpp>

#include "arrays.hpp"
#include "columns.hpp"
#include "model/state.hpp"
#include "parts.hpp"

#define INDUCE_ARRAY "numpy.typing.NDArray[numpy.float64]"
#define INDUCE_EXPLANATION                                                                                 \
  "tuple[list[tuple[" INDUCE_ARRAY ", " INDUCE_ARRAY ", " INDUCE_ARRAY ", " INDUCE_ARRAY ", " INDUCE_ARRAY \
  "]], " INDUCE_ARRAY ", list[tuple[int, int, " INDUCE_ARRAY ", " INDUCE_ARRAY ", " INDUCE_ARRAY           \
  ", " INDUCE_ARRAY ", " INDUCE_ARRAY "]], list[tuple[list[int], float]]]"

namespace induce::python {
namespace {

bool two_classes(const Model& model) { return model.classes() == 2; }
bool one_function(const Model& model) { return two_classes(model) || model.ordered(); }

template <class Rows>
nb::tuple predict(const Model& model, const Rows& X, int threads) {
  Prediction prediction;
  {
    const nb::gil_scoped_release released;
    prediction = model.predict(view(X), threads);
  }
  const auto shaped = [&](std::vector<double>& numbers) {
    return one_function(model) ? nb::cast(to_numpy(std::move(numbers)))
                               : nb::cast(to_numpy(std::move(numbers), rows_of(X), model.classes()));
  };
  return nb::make_tuple(to_numpy(std::move(prediction.probabilities), rows_of(X), model.classes()),
                        shaped(prediction.mean), shaped(prediction.variance));
}

// (p_low, p_high, noise, knowledge, novelty); ranges are those of the second of two classes.
template <class Rows>
nb::tuple predict_doubt(const Model& model, const Rows& X, int threads) {
  Doubt found;
  std::vector<double> new_to_it;
  {
    const nb::gil_scoped_release released;
    found = doubt(model, model.predict(view(X), threads));
    new_to_it = novelty(model, view(X), threads);
  }
  const auto shaped = [&](std::vector<double>& numbers) {
    if (!two_classes(model)) return nb::cast(to_numpy(std::move(numbers), found.rows, found.classes));
    std::vector<double> second;
    for (std::size_t i = 0; i < found.rows; ++i) second.push_back(numbers[2 * i + 1]);
    return nb::cast(to_numpy(std::move(second)));
  };
  return nb::make_tuple(shaped(found.low), shaped(found.high), to_numpy(std::move(found.noise)),
                        to_numpy(std::move(found.knowledge)), to_numpy(std::move(new_to_it)));
}

// (row, gain, information, random) of each row to label.
template <class Rows>
std::vector<std::tuple<std::size_t, double, double, bool>> rank_rows_of(const Model& model, const Rows& X,
                                                                        std::size_t n,
                                                                        const std::optional<Numbers>& costs,
                                                                        double random_share,
                                                                        std::uint64_t seed, int threads) {
  const RankOptions options{.rows = n, .random_share = random_share, .seed = seed, .threads = threads};
  std::vector<std::tuple<std::size_t, double, double, bool>> chosen;
  for (const RankedRow& row :
       rank_rows(model, view(X), options, costs ? span_of(*costs) : std::span<const double>()))
    chosen.emplace_back(row.row, row.gain, row.information, row.random);
  return chosen;
}

// (values, mean, lower, upper, missing) of each feature, the importance, (first, second, values of both, mean, lower, upper) of each
// pair, and (features, share) of each term. With several latent functions, mean, lower and upper of a feature have one row per class.
// `missing` has the rows mean, lower and upper and a column per curve, or no column. The values of a pair end with NaN if a missing value
// is its last point; its mean, lower and upper have a row for each class and point of the first feature.
nb::tuple to_tuple(const Model& model, const Explanation& explanation) {
  nb::list effects;
  for (const Effect& effect : explanation.effects) {
    const auto curves = [&](const std::vector<double>& numbers) {
      return one_function(model) ? nb::cast(to_numpy(numbers))
                                 : nb::cast(to_numpy(numbers, model.classes(), effect.values.size()));
    };
    std::vector<double> missing;
    for (const auto* part : {&effect.missing_mean, &effect.missing_lower, &effect.missing_upper})
      missing.insert(missing.end(), part->begin(), part->end());
    effects.append(nb::make_tuple(to_numpy(effect.values), curves(effect.mean), curves(effect.lower),
                                  curves(effect.upper),
                                  to_numpy(std::move(missing), 3, effect.missing_mean.size())));
  }
  nb::list pairs, terms;
  for (const PairEffect& pair : explanation.pairs) {
    const auto values = [](const PairEffect::Axis& axis) {
      std::vector<double> all = axis.values;
      if (axis.missing) all.push_back(std::numeric_limits<double>::quiet_NaN());
      return to_numpy(std::move(all));
    };
    const auto surface = [&](const std::vector<double>& numbers) {
      return to_numpy(numbers, numbers.size() / pair.second.points(), pair.second.points());
    };
    pairs.append(nb::make_tuple(pair.first.feature, pair.second.feature, values(pair.first),
                                values(pair.second), surface(pair.mean), surface(pair.lower),
                                surface(pair.upper)));
  }
  for (const TermShare& term : explanation.terms) terms.append(nb::make_tuple(term.features, term.share));
  return nb::make_tuple(effects, importance_rows(explanation.importance), pairs, terms);
}

nb::object stored_explanation(const Model& model) {
  if (const Explanation* stored = model.explanation()) return to_tuple(model, *stored);
  return nb::none();
}

nb::tuple explain_rows(const Model& model, const Table& X, const std::optional<Numbers>& weights,
                       int threads) {
  Explanation explanation;
  {
    const nb::gil_scoped_release released;
    explanation = explain(model, view(X), weights ? span_of(*weights) : std::span<const double>(), threads);
  }
  return to_tuple(model, explanation);
}

// `summary`: JSON about the fit, or empty.
template <class Rows>
std::string report_of_rows(const Model& model, const Rows& X, const Labels& y, const std::string& summary,
                           bool held_out, bool values, const std::optional<std::vector<double>>& costs,
                           int threads) {
  const nb::gil_scoped_release released;
  PageRows rows{.y = span_of(y), .held_out = held_out, .values = values, .costs = costs.value_or(Costs())};
  if constexpr (std::is_same_v<Rows, Table>)
    rows.X = view(X);
  else
    rows.sparse = view(X);
  return html_page(model, rows, summary.empty() ? FitFacts() : fit_facts(summary, model), threads);
}

std::string report_of_model(const Model& model, const std::string& summary, int threads) {
  const nb::gil_scoped_release released;
  return html_page(model, {}, summary.empty() ? FitFacts() : fit_facts(summary, model), threads);
}

nb::bytes to_bytes(const Model& model) {
  const std::string bytes = model.to_bytes();
  return nb::bytes(bytes.data(), bytes.size());
}

Model from_bytes(const nb::bytes& bytes) {
  return Model::from_bytes(std::string(bytes.c_str(), bytes.size()));
}

}  // namespace

void add_model(nb::module_& module) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Model>(module, "Model", "A fitted classifier: immutable, safe to share between threads.")
      .def("predict", &predict<SparseArrays>, nb::arg("X"), nb::arg("threads") = 0,
           nb::sig("def predict(self, X: SparseTable, threads: int = 0) -> "
                   "tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], "
                   "numpy.typing.NDArray[numpy.float64]]"),
           "The same for sparse rows.")
      .def("predict", &predict<Table>, nb::arg("X").noconvert(), nb::arg("threads") = 0,
           nb::sig("def predict(self, X: numpy.typing.NDArray[numpy.float64], threads: int = 0) -> "
                   "tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], "
                   "numpy.typing.NDArray[numpy.float64]]"),
           "Probability of classes[1], latent mean and latent variance of each row. With more than two "
           "classes, arrays of shape (rows, classes); if these are ordered, means and variances are one per "
           "row.")
      .def("predict_doubt", &predict_doubt<SparseArrays>, nb::arg("X"), nb::arg("threads") = 0,
           nb::sig("def predict_doubt(self, X: SparseTable, threads: int = 0) -> "
                   "tuple[numpy.typing.NDArray[numpy.float64], ...]"),
           "The same for sparse rows.")
      .def("predict_doubt", &predict_doubt<Table>, nb::arg("X").noconvert(), nb::arg("threads") = 0,
           nb::sig("def predict_doubt(self, X: numpy.typing.NDArray[numpy.float64], threads: int = 0) -> "
                   "tuple[numpy.typing.NDArray[numpy.float64], ...]"),
           "p_low, p_high, noise, knowledge and novelty of each row. With more than two classes p_low and "
           "p_high have shape (rows, classes), otherwise they are of classes[1].")
      .def("rank_rows", &rank_rows_of<SparseArrays>, nb::arg("X"), nb::arg("n"),
           nb::arg("costs").none() = nb::none(), nb::arg("random_share") = 0.1, nb::arg("seed") = 0,
           nb::arg("threads") = 0, Release(),
           nb::sig("def rank_rows(self, X: SparseTable, n: int, costs: "
                   "numpy.typing.NDArray[numpy.float64] | None = None, random_share: float = 0.1, "
                   "seed: int = 0, threads: int = 0) -> list[tuple[int, float, float, bool]]"),
           "The same for sparse rows.")
      .def("rank_rows", &rank_rows_of<Table>, nb::arg("X").noconvert(), nb::arg("n"),
           nb::arg("costs").none() = nb::none(), nb::arg("random_share") = 0.1, nb::arg("seed") = 0,
           nb::arg("threads") = 0, Release(),
           nb::sig("def rank_rows(self, X: numpy.typing.NDArray[numpy.float64], n: int, costs: "
                   "numpy.typing.NDArray[numpy.float64] | None = None, random_share: float = 0.1, "
                   "seed: int = 0, threads: int = 0) -> list[tuple[int, float, float, bool]]"),
           "Which rows to label next: (row, gain, information, whether it was drawn at random), the first "
           "one first.")
      .def("explain", &explain_rows, nb::arg("X").noconvert(), nb::arg("weights").none() = nb::none(),
           nb::arg("threads") = 0,
           nb::sig(
               "def explain(self, X: numpy.typing.NDArray[numpy.float64], weights: "
               "numpy.typing.NDArray[numpy.float64] | None = None, threads: int = 0) -> " INDUCE_EXPLANATION),
           "(values, mean, lower, upper, missing) of each feature's effect over these rows, main and total "
           "importance, (first, second, values of both, mean, lower, upper) of each pair, and (features, "
           "share) of "
           "each term. With more than two classes, mean, lower and upper have shape (classes, values). "
           "`missing`: mean, lower and upper of a missing value, a column per curve; none without gaps.")
      .def_prop_ro("explanation", &stored_explanation,
                   nb::for_getter(nb::sig("def explanation(self) -> " INDUCE_EXPLANATION " | None")),
                   "The same over the training rows; None if the model has none.")
      .def("report", &report_of_model, nb::arg("summary"), nb::arg("threads") = 0,
           "An HTML page about the model. `summary`: the JSON of the fit's report, or ''.")
      .def("report", &report_of_rows<SparseArrays>, nb::arg("X"), nb::arg("y").noconvert(),
           nb::arg("summary"), nb::arg("held_out"), nb::arg("rows"), nb::arg("costs").none(),
           nb::arg("threads") = 0,
           nb::sig("def report(self, X: SparseTable, y: numpy.typing.NDArray[numpy.int32], summary: str, "
                   "held_out: bool, rows: bool, costs: list[float] | None, threads: int = 0) -> str"),
           "The same with its quality on these rows.")
      .def("report", &report_of_rows<Table>, nb::arg("X").noconvert(), nb::arg("y").noconvert(),
           nb::arg("summary"), nb::arg("held_out"), nb::arg("rows"), nb::arg("costs").none(),
           nb::arg("threads") = 0,
           nb::sig("def report(self, X: numpy.typing.NDArray[numpy.float64], y: "
                   "numpy.typing.NDArray[numpy.int32], summary: str, held_out: bool, rows: bool, costs: "
                   "list[float] | None, threads: int = 0) -> str"),
           "The same with its quality on these rows. `costs`: of decisions, by true and then by predicted "
           "class.")
      .def("save", &Model::save, nb::arg("path"), nb::arg("notes"), Release(),
           "Write a file in safetensors format, with notes in its metadata.")
      .def_static("load", &Model::load, nb::arg("path"), Release())
      .def("__getstate__", &to_bytes)
      .def("__reduce__",
           [](const nb::object& model) {  // what pickle does from protocol 2 on; skops asks for it
             return nb::make_tuple(nb::module_::import_("copyreg").attr("__newobj__"),
                                   nb::make_tuple(model.type()), model.attr("__getstate__")());
           })
      .def("__setstate__",
           [](Model& model, const nb::bytes& bytes) { new (&model) Model(from_bytes(bytes)); })
      .def_prop_ro("classes", [](const Model& model) { return model.names().classes; })
      .def_prop_ro("label", [](const Model& model) { return model.names().label; })
      .def_prop_ro("feature_names", [](const Model& model) { return model.names().features; })
      .def_prop_ro(
          "columns", [](const Model& model) { return from_columns(model.names().columns); },
          "(kind, levels) of each feature; empty: all are numbers.")
      .def_prop_ro("features", &Model::features)
      .def_prop_ro("ordered", &Model::ordered, "More than two classes, and ordered: one latent function.")
      .def_prop_ro(
          "class_weights", [](const Model& model) { return detail::state_of(model).learned.class_weights; },
          "By which the odds of the classes were multiplied after the fit; empty if there are none.")
      .def_prop_ro("sparse", &Model::sparse, "Fitted to a table that stayed sparse.")
      .def_prop_ro("inducing", &Model::inducing)
      .def_prop_ro("kernel", &Model::kernel)
      .def_prop_ro("likelihood", &Model::likelihood)
      .def_prop_ro("method", &Model::method)
      .def_prop_ro("warp", &Model::warp)
      .def_prop_ro(
          "warp_exponents", [](const Model& model) { return to_numpy(model.warp_exponents()); },
          nb::rv_policy::move, "One per feature; 1 if the feature is not warped.")
      .def_prop_ro("theta", [](const Model& model) { return to_dict(model.theta()); })
      .def_prop_ro(
          "inducing_inputs",
          [](const Model& model) {
            return to_numpy(model.inducing_inputs(), model.inducing(), model.input_names().size());
          },
          nb::rv_policy::move, "One row per inducing input, in the units of the data.")
      .def_prop_ro("input_names", &Model::input_names,
                   "The columns of inducing_inputs: the features, or with categories or gaps 'age', "
                   "'age (missing)', 'work=Private', ...")
      .def_prop_ro("lengthscale_names", &Model::lengthscale_names, "What has a length-scale of its own.")
      .def(
          "rows_with_new_gaps",
          [](const Model& model, const Table& X) { return model.rows_with_new_gaps(view(X)); },
          nb::arg("X").noconvert(), Release(),
          "How many rows miss a number in a column that had all of its numbers in the training data.")
      .def(
          "far_values",
          [](const Model& model, const Table& X) {
            return far_values_text(model, model.rows_far_outside(view(X)));
          },
          nb::arg("X").noconvert(), Release(),
          "Which columns have rows far outside the training data, in words; empty if there are none.");
}

}  // namespace induce::python
