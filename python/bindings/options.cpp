// Options as attributes with the core's defaults; enumerations by the names that the command line uses.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <induce/options.hpp>

#include "parts.hpp"

namespace induce::python {

void add_options(nb::module_& module) {
  module.def("method_names", &method_names, "The names that `Options.method` knows.");

  const auto unset = nb::arg().none();
  nb::class_<Start>(module, "Start", "Where theta starts; None: the library's choice.")
      .def(nb::init<>())
      .def_rw("signal_std", &Start::signal_std, unset)
      .def_rw("lengthscale", &Start::lengthscale, unset)
      .def_rw("noise_std", &Start::noise_std, unset);

  nb::class_<Options>(module, "Options", "What a fit may be told; 0 or None: the library chooses.")
      .def(nb::init<>())
      .def_prop_rw(
          "method", [](const Options& options) { return std::string(name_of(options.method)); },
          [](Options& options, const std::string& name) { options.method = method_from_name(name); })
      .def_rw("inducing", &Options::inducing)
      .def_rw("kernel", &Options::kernel)
      .def_rw("ard", &Options::ard, unset)
      .def_rw("learn_inputs", &Options::learn_inputs, unset)
      .def_rw("noise", &Options::noise, unset)
      .def_rw("mean", &Options::mean, unset)
      .def_prop_rw(
          "warp", [](const Options& options) { return std::string(name_of(options.warp)); },
          [](Options& options, const std::string& name) { options.warp = warp_from_name(name); })
      .def_rw("standardize", &Options::standardize)
      .def_rw("max_iter", &Options::max_iter)
      .def_rw("max_time", &Options::max_time)
      .def_rw("seed", &Options::seed)
      .def_rw("threads", &Options::threads)
      .def_rw("memory", &Options::memory)
      .def_rw("step", &Options::step)
      .def_rw("batch", &Options::batch)
      .def_rw("start", &Options::start)
      .def_rw("checkpoint", &Options::checkpoint)
      .def_rw("checkpoint_every", &Options::checkpoint_every)
      .def_rw("resume", &Options::resume)
      .def_rw("trace_elbo", &Options::trace_elbo);
}

}  // namespace induce::python
