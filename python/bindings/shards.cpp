// Rows of one fit in several Python processes. The driver reaches its shards through a Python function.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <induce/fit.hpp>

#include "arrays.hpp"
#include "columns.hpp"
#include "fit/fit_shards.hpp"
#include "linalg/blas.hpp"
#include "parts.hpp"
#include "shard/shard.hpp"
#include "watcher.hpp"

namespace induce::python {
namespace {

class PythonShard {
 public:
  explicit PythonShard(int threads) : workers_(threads), shard_(workers_) {}

  void add_rows(const Table& X, const Labels& y, const std::optional<Numbers>& weights, Index piece) {
    const std::size_t rows = X.shape(0);
    if (y.shape(0) != rows || (weights && weights->shape(0) != rows))
      throw Error(Fault::data, "a partition has " + std::to_string(rows) + " rows, but " +
                                   std::to_string(y.shape(0)) + " labels" +
                                   (weights ? " and " + std::to_string(weights->shape(0)) + " weights" : ""));
    const nb::gil_scoped_release released;
    shard_.add_rows(X.data(), static_cast<Index>(rows), static_cast<Index>(X.shape(1)), y.data(),
                    weights ? weights->data() : nullptr, piece);
  }

  nb::bytes answer(const nb::bytes& request) {
    std::string answer;
    {
      const nb::gil_scoped_release released;
      const blas::SingleThreadedBlas single;
      answer = shard_.answer({request.c_str(), request.size()});
    }
    return nb::bytes(answer.data(), answer.size());
  }

 private:
  Workers workers_;
  Shard shard_;
};

// Thrown when `ask` has raised an exception, which the watcher keeps.
struct AskFailed : std::exception {
  const char* what() const noexcept override { return "the shards cannot be asked"; }
};

// Calls `ask`, a list of bytes to a list of bytes. Ctrl-C while it waits stops the fit, as at any other time.
class PythonCarrier final : public Carrier {
 public:
  PythonCarrier(nb::object ask, int count, Watcher& watcher)
      : ask_(std::move(ask)), count_(count), watcher_(watcher) {}

  int count() const override { return count_; }

  std::vector<std::string> ask(const std::vector<std::string>& requests) override {
    if (stopped_) throw Stopped();
    if (failed_) throw AskFailed();
    const nb::gil_scoped_acquire held;
    try {
      nb::list asked;
      for (const std::string& request : requests) asked.append(nb::bytes(request.data(), request.size()));
      const nb::object given = ask_(asked);
      std::vector<std::string> answers;
      for (const nb::handle answer : given) {
        const auto bytes = nb::cast<nb::bytes>(answer);
        answers.emplace_back(bytes.c_str(), bytes.size());
      }
      if (answers.size() != requests.size())
        throw Error(Fault::data, "ask has returned " + std::to_string(answers.size()) + " answers to " +
                                     std::to_string(requests.size()) + " requests");
      return answers;
    } catch (const nb::python_error& error) {
      watcher_.keep(error);
      stopped_ = error.matches(PyExc_KeyboardInterrupt);
      failed_ = !stopped_;
    }
    if (stopped_) throw Stopped();
    throw AskFailed();
  }

 private:
  nb::object ask_;
  int count_;
  Watcher& watcher_;
  bool stopped_ = false, failed_ = false;
};

nb::tuple fit_python_shards(const nb::object& ask, int count, Options options,
                            const std::vector<std::string>& classes, const std::string& label,
                            const std::vector<std::string>& features,
                            const std::vector<KindAndLevels>& columns, const nb::object& on_iteration) {
  if (count < 1) throw Error(Fault::usage, "count = " + std::to_string(count) + ": must be 1 or more");
  Watcher watcher(on_iteration);
  PythonCarrier carrier(ask, count, watcher);
  const Names names{classes, label, features, "", to_columns(columns)};
  return watched(watcher, std::move(options),
                 [&](const Options& with_watcher) { return fit_shards(carrier, with_watcher, names); });
}

}  // namespace

void add_shards(nb::module_& module) {
  nb::class_<PythonShard>(module, "Shard", "Rows of a fit, in the process that has them.")
      .def(nb::init<int>(), nb::arg("threads") = 0)
      .def("add_rows", &PythonShard::add_rows, nb::arg("x").noconvert(), nb::arg("y").noconvert(),
           nb::arg("weight").noconvert().none() = nb::none(), nb::arg("piece") = 0,
           nb::sig("def add_rows(self, x: numpy.typing.NDArray[numpy.float64], "
                   "y: numpy.typing.NDArray[numpy.intc], "
                   "weight: numpy.typing.NDArray[numpy.float64] | None = None, piece: int = 0) -> None"),
           "Add rows of the table, before the fit begins. y has indices of classes; rows of a piece come "
           "after "
           "those of pieces with smaller numbers.")
      .def("answer", &PythonShard::answer, nb::arg("request"), "Answer a request of fit_shards.");
  module.def(
      "fit_shards", &fit_python_shards, nb::arg("ask"), nb::arg("count"), nb::arg("options"),
      nb::arg("classes"), nb::arg("label") = "", nb::arg("features") = std::vector<std::string>{},
      nb::arg("columns") = std::vector<KindAndLevels>{}, nb::arg("on_iteration").none() = nb::none(),
      nb::sig("def fit_shards(ask: collections.abc.Callable[[list[bytes]], list[bytes]], count: int, "
              "options: Options, classes: list[str], label: str = '', features: list[str] = [], "
              "columns: list[tuple[str, list[str]]] = [], "
              "on_iteration: collections.abc.Callable[[dict[str, float]], bool | None] | None = None) "
              "-> tuple[Model, dict[str, typing.Any], BaseException | None]"),
      "fit() for the rows of `count` shards. `ask` passes one request to each of them and returns their "
      "answers, in the same order. An exception that it raises ends the fit and is raised again.");
}

}  // namespace induce::python
