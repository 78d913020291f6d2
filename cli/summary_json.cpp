// See summary_json.hpp. Keys keep the order in which they are written here, most asked-for first.
#include "summary_json.hpp"

#include <nlohmann/json.hpp>

#include "peak_memory.hpp"

namespace induce::cli {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Metrics& metrics) {
  return {{"n", metrics.n},         {"accuracy", metrics.accuracy}, {"nll", metrics.nll},
          {"brier", metrics.brier}, {"ece", metrics.ece},           {"auc", metrics.auc}};
}

Json to_json(const Theta& theta) {
  return {{"signal_std", theta.signal_std},
          {"lengthscales", theta.lengthscales},
          {"noise_std", theta.noise_std},
          {"mean", theta.mean},
          {"jitter", theta.jitter}};
}

template <typename Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json name_or_null(const std::string& name) { return name.empty() ? Json(nullptr) : Json(name); }

// As they were asked for; null where the choice was left to the library.
Json to_json(const Options& options) {
  return {{"method", std::string(name_of(options.method))},
          {"warp", std::string(name_of(options.warp))},
          {"inducing", options.inducing ? Json(options.inducing) : Json("auto")},
          {"kernel", options.kernel},
          {"ard", or_null(options.ard)},
          {"learn_inputs", or_null(options.learn_inputs)},
          {"noise", or_null(options.noise)},
          {"mean", or_null(options.mean)},
          {"standardize", options.standardize},
          {"max_iter", options.max_iter ? Json(options.max_iter) : Json(nullptr)},
          {"max_time", options.max_time},
          {"seed", options.seed},
          {"threads", options.threads},
          {"memory", options.memory ? Json(options.memory) : Json("auto")},
          {"step", options.step},
          {"batch", options.batch ? Json(options.batch) : Json("auto")},
          {"start",
           {{"signal_std", or_null(options.start.signal_std)},
            {"lengthscale", or_null(options.start.lengthscale)},
            {"noise_std", or_null(options.start.noise_std)}}}};
}

// A class name or file name need not be UTF-8; JSON must be.
std::string dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string summary_json(const FitSummary& summary) {
  const Report& report = summary.report;
  Json json;
  json["method"] = report.method;
  json["status"] = name_of(report.status);
  json["message"] = report.message;
  json["n"] = report.n;
  json["d"] = report.d;
  json["m"] = report.m;
  json["rows"] = report.rows;
  json["seed"] = report.seed;
  json["threads"] = report.threads;
  json["seconds"] = report.seconds;
  json["iterations"] = report.iterations;
  json["passes"] = report.passes;
  json["kept_mb"] = static_cast<double>(report.kept_bytes) / (1 << 20);
  json["bound"] = report.bound;
  json["elbo"] = report.elbo;
  json["sparsity_price"] = report.sparsity_price;
  json["warp"] = report.warp;
  json["ladder"] = Json::array();
  for (const Step& step : report.ladder)
    json["ladder"].push_back({{"rows", step.rows},
                              {"m", step.m},
                              {"warp", step.warp},
                              {"bound", step.bound},
                              {"seconds", step.seconds}});
  json["relevance"] = Json::array();
  for (const auto& [feature, value] : sorted_relevance(report, summary.model.names()))
    json["relevance"].push_back({{"feature", feature}, {"inverse_lengthscale", value}});
  json["calibration"] = Json(nullptr);
  if (const auto& found = summary.calibration)
    json["calibration"] = {
        {"on", found->on}, {"ece", found->ece}, {"nll", found->nll}, {"base_nll", found->base_nll}};
  json["leave_one_out"] = report.leave_one_out ? to_json(*report.leave_one_out) : Json(nullptr);
  json["warp_exponents"] = report.warp == "none" ? Json(nullptr) : Json(summary.model.warp_exponents());
  json["kernel"] = summary.model.kernel();
  json["theta"] = to_json(report.theta);
  json["classes"] = summary.model.names().classes;
  json["train"] = to_json(summary.train);
  json["test"] = summary.test ? to_json(*summary.test) : Json(nullptr);
  json["warnings"] = report.warnings;
  json["files"] = {{"train", summary.train_file},
                   {"test", name_or_null(summary.test_file)},
                   {"holdout", summary.holdout > 0 ? Json(summary.holdout) : Json(nullptr)},
                   {"model", name_or_null(summary.model_file)}};
  json["options"] = to_json(summary.options);
  json["options"]["weight"] = name_or_null(summary.weight);
  json["options"]["balanced"] = summary.balanced;
  json["peak_rss_mb"] = peak_rss_mb();
  json["version"] = INDUCE_VERSION;
  return dump(json, 2) + "\n";
}

std::string trace_line(const Progress& progress, const std::optional<Metrics>& test) {
  Json json;
  json["iteration"] = progress.iteration;
  json["stage"] = progress.now.stage;
  json["rows"] = progress.now.rows;
  json["m"] = progress.now.m;
  json["seconds"] = progress.now.seconds;
  json["passes"] = progress.now.passes;
  json["bound"] = progress.now.bound;
  json["elbo"] = progress.now.elbo;
  json["test_accuracy"] = test ? Json(test->accuracy) : Json(nullptr);
  json["test_nll"] = test ? Json(test->nll) : Json(nullptr);
  return dump(json, -1);
}

std::string metrics_json(const Metrics& metrics, const std::string& model_file,
                         const std::string& data_file) {
  Json json = to_json(metrics);
  json["model"] = model_file;
  json["data"] = data_file;
  json["version"] = INDUCE_VERSION;
  return dump(json, 2) + "\n";
}

}  // namespace induce::cli
