// Models for programs without this library: C source, and the plain numbers from which _onnx writes a graph.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <induce/export.hpp>

#include "arrays.hpp"
#include "parts.hpp"

namespace induce::python {
namespace {

// None for a feature that does not exist.
nb::object feature(std::size_t index) {
  return index == PlainModel::none ? nb::none() : nb::object(nb::int_(index));
}

nb::dict part_of(const PlainModel::Column& column) {
  nb::dict out;
  out["value"] = feature(column.value);
  out["missing"] = feature(column.missing);
  out["other"] = feature(column.other);
  out["first_level"] = feature(column.first_level);
  out["levels"] = nb::cast(column.levels);
  out["repeated"] = nb::cast(column.repeated);
  return out;
}

nb::dict part_of(const PlainModel::Summand& summand) {
  nb::dict out;
  out["shape"] = summand.shape;
  out["share"] = summand.share;
  out["members"] = nb::cast(summand.members);
  out["inverse_l"] = to_numpy(summand.inverse_l);
  return out;
}

nb::dict part_of(const PlainModel::Axis& axis) {
  nb::dict out;
  nb::list levels;
  for (std::size_t f = axis.first; f < axis.first + axis.count; ++f)
    if (f != axis.value) levels.append(f);
  out["levels"] = levels;
  out["value"] = feature(axis.value);
  out["knots"] = to_numpy(axis.knots);
  return out;
}

nb::dict part_of(const PlainModel::Function& function) {
  const std::size_t m = function.alpha.size(), values = function.beta.size();
  nb::dict out;
  out["mean"] = function.mean;
  out["scale"] = function.scale;
  out["alpha"] = to_numpy(function.alpha);
  out["D"] = to_numpy(function.D, m, m);
  out["beta"] = to_numpy(function.beta);
  out["Y"] = to_numpy(function.Y, values, m);
  out["S"] = to_numpy(function.S);
  return out;
}

template <class Part>
nb::list list_of(const std::vector<Part>& parts) {
  nb::list out;
  for (const Part& part : parts) out.append(part_of(part));
  return out;
}

nb::dict plain(const Model& model) {
  PlainModel from = plain_model(model);
  const std::size_t m = model.inducing(), d = from.shift.size(), used = from.used_columns.size();
  nb::dict out;
  out["used_columns"] = nb::cast(from.used_columns);
  out["projection"] = to_numpy(std::move(from.projection), used, d);
  out["encoded"] = from.encoded;
  out["columns"] = list_of(from.columns);
  out["warp_origin"] = to_numpy(std::move(from.warp_origin));
  out["warp_unit"] = to_numpy(std::move(from.warp_unit));
  out["warp_exponent"] = to_numpy(std::move(from.warp_exponent));
  out["shift"] = to_numpy(std::move(from.shift));
  out["scale"] = to_numpy(std::move(from.scale));
  out["summands"] = list_of(from.summands);
  out["diagonal"] = from.diagonal;
  out["inducing_inputs"] = to_numpy(std::move(from.inducing_inputs), m, d);
  out["whitener"] = to_numpy(std::move(from.whitener), m, m);
  nb::list terms;
  for (const std::vector<PlainModel::Axis>& axes : from.terms) terms.append(list_of(axes));
  out["terms"] = terms;
  out["functions"] = list_of(from.functions);
  out["thresholds"] = to_numpy(std::move(from.thresholds));
  out["largest_variance"] = from.largest_variance;
  out["typical_values"] =
      to_numpy(std::move(from.typical_values), from.draws, from.draws > 0 ? model.features() : 0);
  out["gaps"] = nb::cast(from.gaps);
  out["most_gaps"] = from.most_gaps;
  return out;
}

}  // namespace

void add_export(nb::module_& module) {
  module.def("c_header", &c_header, nb::arg("model"), nb::arg("rows") = 0,
             "A model as one C99 header. rows: how many different ones it was fitted to; 0: not known.");
  module.def("plain_model", &plain, nb::arg("model"),
             "A model as plain numbers: see include/induce/export.hpp.");
}

}  // namespace induce::python
