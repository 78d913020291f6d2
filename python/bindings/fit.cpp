// Fits without the GIL. Python can watch and stop a fit.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <induce/fit.hpp>

#include "arrays.hpp"
#include "columns.hpp"
#include "parts.hpp"
#include "watcher.hpp"

namespace induce::python {
namespace {

std::span<const double> span_or_none(const std::optional<Numbers>& numbers) {
  return numbers ? span_of(*numbers) : std::span<const double>{};
}
Groups groups_of(const std::optional<Labels>& groups, bool in_time) {
  return {groups ? span_of(*groups) : std::span<const int>{}, in_time};
}

template <class Rows>
nb::tuple fit_table(const Rows& X, const Labels& y, Options options, const std::vector<std::string>& classes,
                    const std::string& label, const std::vector<std::string>& features,
                    const std::vector<KindAndLevels>& columns, const std::optional<Numbers>& weights,
                    const std::optional<Labels>& groups, bool in_time, const nb::object& on_iteration) {
  Watcher watcher(on_iteration);
  const Names names{classes, label, features, "", to_columns(columns)};
  return watched(watcher, std::move(options), [&](const Options& with_watcher) {
    return fit(view(X), span_of(y), with_watcher, span_or_none(weights), names, groups_of(groups, in_time));
  });
}

template <class Rows>
nb::tuple fit_trials(const Rows& X, const Numbers& successes, const std::optional<Numbers>& trials,
                     Options options, const std::string& label, const std::vector<std::string>& features,
                     const std::vector<KindAndLevels>& columns, const std::optional<Numbers>& weights,
                     const std::optional<Labels>& groups, bool in_time, const nb::object& on_iteration) {
  Watcher watcher(on_iteration);
  const Names names{{}, label, features, "", to_columns(columns)};
  return watched(watcher, std::move(options), [&](const Options& with_watcher) {
    return fit(view(X), Trials{span_of(successes), span_or_none(trials)}, with_watcher, span_or_none(weights),
               names, groups_of(groups, in_time));
  });
}

template <class Rows>
void add_fit_trials(nb::module_& module, const std::string& rows) {
  const std::string signature =
      "def fit_trials(X: " + rows +
      ", successes: numpy.typing.NDArray[numpy.float64], trials: numpy.typing.NDArray[numpy.float64] | None, "
      "options: Options, label: str = '', features: list[str] = [], "
      "columns: list[tuple[str, list[str]]] = [], weights: numpy.typing.NDArray[numpy.float64] | None = "
      "None, "
      "groups: numpy.typing.NDArray[numpy.intc] | None = None, in_time: bool = False, "
      "on_iteration: collections.abc.Callable[[dict[str, float]], bool | None] | None = None) "
      "-> tuple[Model, dict[str, typing.Any], BaseException | None]";
  module.def(
      "fit_trials", &fit_trials<Rows>, nb::arg("X").noconvert(), nb::arg("successes").noconvert(),
      nb::arg("trials").noconvert().none(), nb::arg("options"), nb::arg("label") = "",
      nb::arg("features") = std::vector<std::string>{}, nb::arg("columns") = std::vector<KindAndLevels>{},
      nb::arg("weights").noconvert().none() = nb::none(), nb::arg("groups").noconvert().none() = nb::none(),
      nb::arg("in_time") = false, nb::arg("on_iteration").none() = nb::none(), nb::sig(signature.c_str()),
      "The same for labels that are successes of trials or, with None, shares.");
}

}  // namespace

void add_fit(nb::module_& module) {
  nb::class_<SparseArrays>(module, "SparseTable", "A scipy CSR matrix by its arrays, which are not copied.")
      .def(nb::init<Starts, Places, Numbers, std::size_t>(), nb::arg("starts").noconvert(),
           nb::arg("columns").noconvert(), nb::arg("values").noconvert(), nb::arg("width"),
           nb::sig("def __init__(self, starts: numpy.typing.NDArray[numpy.int64], "
                   "columns: numpy.typing.NDArray[numpy.int32], "
                   "values: numpy.typing.NDArray[numpy.float64], width: int) -> None"))
      .def("__len__", &SparseArrays::rows);
  module.def("fit", &fit_table<SparseArrays>, nb::arg("X"), nb::arg("y").noconvert(), nb::arg("options"),
             nb::arg("classes"), nb::arg("label") = "", nb::arg("features") = std::vector<std::string>{},
             nb::arg("columns") = std::vector<KindAndLevels>{},
             nb::arg("weights").noconvert().none() = nb::none(),
             nb::arg("groups").noconvert().none() = nb::none(), nb::arg("in_time") = false,
             nb::arg("on_iteration").none() = nb::none(),
             nb::sig("def fit(X: SparseTable, y: numpy.typing.NDArray[numpy.intc], "
                     "options: Options, classes: list[str], label: str = '', features: list[str] = [], "
                     "columns: list[tuple[str, list[str]]] = [], "
                     "weights: numpy.typing.NDArray[numpy.float64] | None = None, "
                     "groups: numpy.typing.NDArray[numpy.intc] | None = None, in_time: bool = False, "
                     "on_iteration: collections.abc.Callable[[dict[str, float]], bool | None] | None = None) "
                     "-> tuple[Model, dict[str, typing.Any], BaseException | None]"),
             "The same for sparse rows.");
  module.def(
      "fit", &fit_table<Table>, nb::arg("X").noconvert(), nb::arg("y").noconvert(), nb::arg("options"),
      nb::arg("classes"), nb::arg("label") = "", nb::arg("features") = std::vector<std::string>{},
      nb::arg("columns") = std::vector<KindAndLevels>{}, nb::arg("weights").noconvert().none() = nb::none(),
      nb::arg("groups").noconvert().none() = nb::none(), nb::arg("in_time") = false,
      nb::arg("on_iteration").none() = nb::none(),
      nb::sig("def fit(X: numpy.typing.NDArray[numpy.float64], y: numpy.typing.NDArray[numpy.intc], "
              "options: Options, classes: list[str], label: str = '', features: list[str] = [], "
              "columns: list[tuple[str, list[str]]] = [], "
              "weights: numpy.typing.NDArray[numpy.float64] | None = None, "
              "groups: numpy.typing.NDArray[numpy.intc] | None = None, in_time: bool = False, "
              "on_iteration: collections.abc.Callable[[dict[str, float]], bool | None] | None = None) "
              "-> tuple[Model, dict[str, typing.Any], BaseException | None]"),
      "Return the best model, its report, and the exception raised during the fit or None. `columns` has "
      "(kind, levels) of each feature; empty: all are numbers. `groups`: the number of each row's group, "
      "which "
      "are moments if `in_time`. `on_iteration` may return False to stop.");
  add_fit_trials<SparseArrays>(module, "SparseTable");
  add_fit_trials<Table>(module, "numpy.typing.NDArray[numpy.float64]");
}

}  // namespace induce::python
