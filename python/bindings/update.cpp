// Updates without the GIL.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <string>
#include <utility>
#include <vector>

#include <induce/update.hpp>

#include "arrays.hpp"
#include "fit/trials.hpp"
#include "parts.hpp"
#include "rows/sparse_rows.hpp"

namespace induce::python {
namespace {

std::span<const double> span_or_none(const std::optional<Numbers>& numbers) {
  return numbers ? span_of(*numbers) : std::span<const double>();
}

// What `learn` returns, which runs without the GIL.
template <class Learn>
nb::tuple updated(const Model& model, const Learn& learn) {
  std::optional<Update> done;
  {
    const nb::gil_scoped_release released;
    done = learn();
  }
  const nb::dict report = to_dict(done->report, model.names());
  return nb::make_tuple(std::move(done->model), report);
}

template <class Rows>
nb::tuple update_by(const Model& model, const Rows& X, const Labels& y, const std::optional<Numbers>& weights,
                    double forget, bool grow, int threads) {
  return updated(model, [&] {
    return update(model, view(X), span_of(y), {.forget = forget, .grow = grow, .threads = threads},
                  span_or_none(weights));
  });
}

SparseRows rows_of(const SparseView& X, const std::vector<std::size_t>& rows) { return take_rows(X, rows); }
RowMatrix rows_of(const TableView& X, const std::vector<std::size_t>& rows) {
  return Eigen::Map<const RowMatrix>(X.x, static_cast<Index>(X.n), static_cast<Index>(X.d))(rows, Eigen::all);
}
SparseView view(const SparseRows& X) { return X.view(); }
TableView view(const RowMatrix& X) {
  return {X.data(), static_cast<std::size_t>(X.rows()), static_cast<std::size_t>(X.cols())};
}

template <class Rows>
nb::tuple update_by_trials(const Model& model, const Rows& X, const Numbers& successes,
                           const std::optional<Numbers>& trials, const std::optional<Numbers>& weights,
                           double forget, bool grow, int threads) {
  return updated(model, [&] {
    const SplitRows split = split_trials({span_of(successes), span_or_none(trials)}, span_or_none(weights));
    const auto rows = rows_of(python::view(X), split.row);
    return update(model, view(rows), split.label, {.forget = forget, .grow = grow, .threads = threads},
                  split.weight);
  });
}

template <class Rows>
void add_update_trials(nb::module_& module, const std::string& rows) {
  const std::string signature =
      "def update_trials(model: Model, X: " + rows +
      ", successes: numpy.typing.NDArray[numpy.float64], trials: numpy.typing.NDArray[numpy.float64] | None, "
      "weights: numpy.typing.NDArray[numpy.float64] | None = None, forget: float = 0.0, grow: bool = False, "
      "threads: int = 0) -> tuple[Model, dict]";
  module.def("update_trials", &update_by_trials<Rows>, nb::arg("model"), nb::arg("X").noconvert(),
             nb::arg("successes").noconvert(), nb::arg("trials").noconvert().none(),
             nb::arg("weights").none() = nb::none(), nb::arg("forget") = 0.0, nb::arg("grow") = false,
             nb::arg("threads") = 0, nb::sig(signature.c_str()),
             "The same for labels that are successes of trials or, with None, shares.");
}

}  // namespace

void add_update(nb::module_& module) {
  module.def(
      "update", &update_by<SparseArrays>, nb::arg("model"), nb::arg("X"), nb::arg("y").noconvert(),
      nb::arg("weights").none() = nb::none(), nb::arg("forget") = 0.0, nb::arg("grow") = false,
      nb::arg("threads") = 0,
      nb::sig("def update(model: Model, X: SparseTable, y: numpy.typing.NDArray[numpy.int32], weights: "
              "numpy.typing.NDArray[numpy.float64] | None = None, forget: float = 0.0, grow: bool = "
              "False, threads: int = 0) -> tuple[Model, dict]"),
      "The same for sparse rows.");
  module.def(
      "update", &update_by<Table>, nb::arg("model"), nb::arg("X").noconvert(), nb::arg("y").noconvert(),
      nb::arg("weights").none() = nb::none(), nb::arg("forget") = 0.0, nb::arg("grow") = false,
      nb::arg("threads") = 0,
      nb::sig("def update(model: Model, X: numpy.typing.NDArray[numpy.float64], y: "
              "numpy.typing.NDArray[numpy.int32], weights: numpy.typing.NDArray[numpy.float64] | None = "
              "None, forget: float = 0.0, grow: bool = False, threads: int = 0) -> tuple[Model, dict]"),
      "The model after it has learned these rows, and what it saw in them.");
  add_update_trials<SparseArrays>(module, "SparseTable");
  add_update_trials<Table>(module, "numpy.typing.NDArray[numpy.float64]");
  module.def(
      "past_updates",
      [](const Model& model) {
        nb::list all;
        for (const PastUpdate& each : past_updates(model)) all.append(to_dict(each));
        return all;
      },
      nb::arg("model"), "What was learned since the fit, as dicts in the order of time.");
}

}  // namespace induce::python
