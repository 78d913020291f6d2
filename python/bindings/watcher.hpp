// Lets Python watch and stop a fit that runs without the GIL.
#pragma once

#include <chrono>
#include <optional>
#include <utility>

#include <nanobind/nanobind.h>

#include <induce/fit.hpp>

#include "parts.hpp"

namespace induce::python {

// Called between and within iterations. Acquiring the GIL can take five milliseconds while other Python threads are
// busy, so signals are checked at most twenty times a second and Python is called only if there is a callback.
class Watcher {
 public:
  explicit Watcher(nb::object on_iteration) : on_iteration_(std::move(on_iteration)) {}

  bool interrupted() {
    const auto now = std::chrono::steady_clock::now();
    if (raised_) return true;
    if (now < next_check_) return false;
    next_check_ = now + std::chrono::milliseconds(50);
    const nb::gil_scoped_acquire held;
    try {
      if (PyErr_CheckSignals() != 0) nb::raise_python_error();
    } catch (const nb::python_error& error) {
      keep(error);
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
      keep(error);
      return false;
    }
  }

  // With the GIL. The fit ends for this reason.
  void keep(const nb::python_error& error) {
    exception_ = nb::borrow(error.value());
    raised_ = true;
  }

  // The exception raised during the fit (KeyboardInterrupt, or from the callback), or None.
  const nb::object& exception() const { return exception_; }
  bool raised() const { return raised_; }

 private:
  nb::object on_iteration_;
  nb::object exception_ = nb::none();
  bool raised_ = false;  // known without the GIL
  std::chrono::steady_clock::time_point next_check_ = std::chrono::steady_clock::now();
};

[[noreturn]] inline void raise_again(const nb::object& exception) {
  PyObject* raised = exception.ptr();
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(raised)), raised);
  nb::raise_python_error();
}

// Calls run(options) without the GIL: model, report, and what Python raised meanwhile or None. Without a model, that is
// raised.
template <class Run>
nb::tuple watched(Watcher& watcher, Options options, const Run& run) {
  options.on_iteration = [&](const Progress& progress) { return watcher.keep_going(progress); };
  options.stop = [&] { return watcher.interrupted(); };
  std::optional<Fit> done;
  {
    const nb::gil_scoped_release released;
    try {
      done = run(options);
    } catch (const std::exception&) {
      if (!watcher.raised()) throw;
    }
  }
  if (!done) raise_again(watcher.exception());  // interrupted before there was a model
  return nb::make_tuple(std::move(done->model), to_dict(done->report), watcher.exception());
}

}  // namespace induce::python
