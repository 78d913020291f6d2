// Updates without the GIL.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <utility>

#include <induce/update.hpp>

#include "arrays.hpp"
#include "parts.hpp"

namespace induce::python {
namespace {

template <class Rows>
nb::tuple update_by(const Model& model, const Rows& X, const Labels& y, const std::optional<Numbers>& weights,
                    double forget, bool grow, int threads) {
  std::optional<Update> done;
  {
    const nb::gil_scoped_release released;
    done = update(model, view(X), span_of(y), {.forget = forget, .grow = grow, .threads = threads},
                  weights ? span_of(*weights) : std::span<const double>());
  }
  const nb::dict report = to_dict(done->report, model.names());
  return nb::make_tuple(std::move(done->model), report);
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
