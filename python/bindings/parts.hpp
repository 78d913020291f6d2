// Parts of the module `induce._core`, one per file.
#pragma once

#include <nanobind/nanobind.h>

#include <induce/report.hpp>
#include <induce/update.hpp>

namespace induce::detail {}

namespace induce::python {

using namespace detail;  // the bindings use more than the public headers

namespace nb = nanobind;

void add_options(nb::module_& module);
void add_model(nb::module_& module);
void add_fit(nb::module_& module);
void add_update(nb::module_& module);
void add_shards(nb::module_& module);
void add_arrow(nb::module_& module);
void add_table(nb::module_& module);
void add_export(nb::module_& module);
void add_commands(nb::module_& module);

// Plain Python values and arrays, which can be pickled and printed.
nb::dict to_dict(const Report& report);
nb::dict to_dict(const Theta& theta);
nb::dict to_dict(const Progress& progress);
nb::dict to_dict(const UpdateReport& report, const Names& names);
nb::dict to_dict(const PastUpdate& update);

}  // namespace induce::python
