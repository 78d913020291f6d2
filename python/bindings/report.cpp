// See parts.hpp. A member of Report that is not here does not reach Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "parts.hpp"

namespace induce::python {
namespace {

template <class Member>
nb::object column(const std::vector<Iteration>& history, Member member) {
  std::vector<double> values;
  values.reserve(history.size());
  for (const Iteration& iteration : history) values.push_back(static_cast<double>(iteration.*member));
  return nb::cast(to_numpy(std::move(values)));
}

nb::dict to_dict(const std::vector<Iteration>& history) {
  nb::dict columns;
  columns["stage"] = column(history, &Iteration::stage);
  columns["rows"] = column(history, &Iteration::rows);
  columns["m"] = column(history, &Iteration::m);
  columns["seconds"] = column(history, &Iteration::seconds);
  columns["passes"] = column(history, &Iteration::passes);
  columns["bound"] = column(history, &Iteration::bound);
  columns["elbo"] = column(history, &Iteration::elbo);
  return columns;
}

nb::list to_list(const std::vector<Step>& ladder) {
  nb::list steps;
  for (const Step& step : ladder) {
    nb::dict parts;
    parts["rows"] = step.rows;
    parts["m"] = step.m;
    parts["warp"] = step.warp;
    parts["bound"] = step.bound;
    parts["seconds"] = step.seconds;
    steps.append(parts);
  }
  return steps;
}

nb::object to_object(const std::optional<Metrics>& metrics) {
  if (!metrics) return nb::none();
  nb::dict parts;
  parts["n"] = metrics->n;
  parts["accuracy"] = metrics->accuracy;
  parts["nll"] = metrics->nll;
  parts["brier"] = metrics->brier;
  parts["ece"] = metrics->ece;
  parts["auc"] = metrics->auc;
  return parts;
}

}  // namespace

nb::dict to_dict(const Theta& theta) {
  nb::dict parts;
  parts["signal_std"] = theta.signal_std;
  parts["lengthscales"] = to_numpy(theta.lengthscales);
  parts["noise_std"] = theta.noise_std;
  parts["mean"] = theta.mean;
  parts["jitter"] = theta.jitter;
  return parts;
}

nb::dict to_dict(const Report& report) {
  nb::dict parts;
  parts["method"] = report.method;
  parts["status"] = name_of(report.status);
  parts["message"] = report.message;
  parts["warnings"] = report.warnings;
  parts["n"] = report.n;
  parts["d"] = report.d;
  parts["m"] = report.m;
  parts["rows"] = report.rows;
  parts["seed"] = report.seed;
  parts["threads"] = report.threads;
  parts["seconds"] = report.seconds;
  parts["iterations"] = report.iterations;
  parts["passes"] = report.passes;
  parts["kept_bytes"] = report.kept_bytes;
  parts["bound"] = report.bound;
  parts["elbo"] = report.elbo;
  parts["sparsity_price"] = report.sparsity_price;
  parts["warp"] = report.warp;
  parts["ladder"] = to_list(report.ladder);
  parts["relevance"] = to_numpy(report.relevance);
  parts["leave_one_out"] = to_object(report.leave_one_out);
  parts["theta"] = to_dict(report.theta);
  parts["history"] = to_dict(report.history);
  return parts;
}

}  // namespace induce::python
