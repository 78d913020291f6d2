// Fits without the GIL. Python can watch and stop a fit.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>

#include <induce/fit.hpp>

#include "arrays.hpp"
#include "columns.hpp"
#include "parts.hpp"

namespace induce::python {
namespace {

// Called between and within iterations. Acquiring the GIL can take five milliseconds while other Python threads are
// busy, so signals are checked at most twenty times a second and Python is called only if there is a callback.
class Watcher {
 public:
  explicit Watcher(nb::object on_iteration) : on_iteration_(std::move(on_iteration)) {}

  bool interrupted() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_check_) return false;
    next_check_ = now + std::chrono::milliseconds(50);
    const nb::gil_scoped_acquire held;
    try {
      if (PyErr_CheckSignals() != 0) nb::raise_python_error();
    } catch (const nb::python_error& error) {
      exception_ = nb::borrow(error.value());
      return true;
    }
    return false;
  }

  bool keep_going(const Progress& progress) {
    if (on_iteration_.is_none()) return true;
    const nb::gil_scoped_acquire held;
    try {
      const nb::object result = on_iteration_(to_dict(progress));
      return result.is_none() || nb::bool_(result);
    } catch (const nb::python_error& error) {
      exception_ = nb::borrow(error.value());
      return false;
    }
  }

  // The exception raised during the fit (KeyboardInterrupt, or from the callback), or None.
  const nb::object& exception() const { return exception_; }

 private:
  nb::object on_iteration_;
  nb::object exception_ = nb::none();
  std::chrono::steady_clock::time_point next_check_ = std::chrono::steady_clock::now();
};

template <class Rows>
nb::tuple fit_table(const Rows& X, const Labels& y, Options options, const std::vector<std::string>& classes,
                    const std::string& label, const std::vector<std::string>& features,
                    const std::vector<KindAndLevels>& columns, const std::optional<Numbers>& weights,
                    const nb::object& on_iteration) {
  Watcher watcher(on_iteration);
  options.on_iteration = [&](const Progress& progress) { return watcher.keep_going(progress); };
  options.stop = [&] { return watcher.interrupted(); };
  const Names names{classes, label, features, "", to_columns(columns)};
  std::optional<Fit> done;
  {
    const nb::gil_scoped_release released;
    try {
      done =
          fit(view(X), span_of(y), options, names, weights ? span_of(*weights) : std::span<const double>{});
    } catch (const Error&) {
      if (watcher.exception().is_none()) throw;
    }
  }
  if (!done) {  // interrupted before there was a model
    PyObject* raised = watcher.exception().ptr();
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(raised)), raised);
    nb::raise_python_error();
  }
  return nb::make_tuple(std::move(done->model), to_dict(done->report), watcher.exception());
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
             nb::arg("weights").noconvert().none() = nb::none(), nb::arg("on_iteration").none() = nb::none(),
             nb::sig("def fit(X: SparseTable, y: numpy.typing.NDArray[numpy.intc], "
                     "options: Options, classes: list[str], label: str = '', features: list[str] = [], "
                     "columns: list[tuple[str, list[str]]] = [], "
                     "weights: numpy.typing.NDArray[numpy.float64] | None = None, "
                     "on_iteration: collections.abc.Callable[[dict[str, float]], bool | None] | None = None) "
                     "-> tuple[Model, dict[str, typing.Any], BaseException | None]"),
             "The same for sparse rows.");
  module.def(
      "fit", &fit_table<Table>, nb::arg("X").noconvert(), nb::arg("y").noconvert(), nb::arg("options"),
      nb::arg("classes"), nb::arg("label") = "", nb::arg("features") = std::vector<std::string>{},
      nb::arg("columns") = std::vector<KindAndLevels>{}, nb::arg("weights").noconvert().none() = nb::none(),
      nb::arg("on_iteration").none() = nb::none(),
      nb::sig("def fit(X: numpy.typing.NDArray[numpy.float64], y: numpy.typing.NDArray[numpy.intc], "
              "options: Options, classes: list[str], label: str = '', features: list[str] = [], "
              "columns: list[tuple[str, list[str]]] = [], "
              "weights: numpy.typing.NDArray[numpy.float64] | None = None, "
              "on_iteration: collections.abc.Callable[[dict[str, float]], bool | None] | None = None) "
              "-> tuple[Model, dict[str, typing.Any], BaseException | None]"),
      "Return the best model, its report, and the exception raised during the fit or None. `columns` has "
      "(kind, levels) of each feature; empty: all are numbers. `on_iteration` may return False to stop.");
}

}  // namespace induce::python
