// Facts about a fit, from its report or its JSON summary.
#include <nlohmann/json.hpp>

#include <induce/error.hpp>
#include <induce/page.hpp>

namespace induce {

using namespace detail;

namespace {

using Json = nlohmann::json;

std::optional<Metrics> metrics_from(const Json& json, const char* name) {
  if (!json.contains(name) || !json[name].is_object()) return std::nullopt;
  const Json& object = json[name];
  const auto number = [&](const char* key) {
    return object.contains(key) && object[key].is_number() ? object[key].get<double>()
                                                           : std::numeric_limits<double>::quiet_NaN();
  };
  return Metrics{.n = object.value("n", std::size_t{0}),
                 .accuracy = number("accuracy"),
                 .nll = number("nll"),
                 .brier = number("brier"),
                 .ece = number("ece"),
                 .auc = number("auc"),
                 .rps = number("rps"),
                 .level_error = number("level_error")};
}

void check_number(const Json& json, const char* key, std::size_t wanted, const std::string& what) {
  if (const auto found = json.at(key).get<std::size_t>(); found != wanted)
    throw data_error("the summary is of a fit with " + std::to_string(found) + " " + what +
                     " but the model has " + std::to_string(wanted));
}

FitFacts facts_from(const Json& json, const Model& model) {
  check_number(json, "m", model.inducing(), "inducing inputs");
  check_number(json, "d", model.features(), "features");
  FitFacts facts;
  facts.rows = json.at("n").get<std::size_t>();
  facts.seconds = json.at("seconds").get<double>();
  facts.status = json.at("status").get<std::string>();
  for (const Json& choice : json.value("choices", Json::array())) {
    FitFacts::Choice& out = facts.choices.emplace_back();
    out.what = choice.at("what").get<std::string>();
    out.chosen = choice.at("chosen").get<std::string>();
    out.held_out = choice.at("held_out").get<std::size_t>();
    out.reason = choice.value("reason", "");
    for (const Json& other : choice.at("others")) out.others.push_back(other.at("name").get<std::string>());
  }
  for (const Json& each : json.value("class_counts", Json::array())) {
    facts.class_counts.push_back(each.at("count").get<std::size_t>());
    facts.class_weights.push_back(each.contains("weight") ? each["weight"].get<double>()
                                                          : static_cast<double>(facts.class_counts.back()));
  }
  if (!facts.class_counts.empty() && facts.class_counts.size() != model.classes())
    throw data_error("the summary is of " + std::to_string(facts.class_counts.size()) +
                     " classes but the model has " + std::to_string(model.classes()));
  facts.leave_one_out = metrics_from(json, "leave_one_out");
  facts.cross_validation = metrics_from(json, "cross_validation");
  facts.held_out_by = json.value("held_out_by", "rows");
  facts.class_weights_given = !json.value("class_weights", Json::array()).empty();
  return facts;
}

}  // namespace

FitFacts fit_facts(const Report& report, const Model& model, std::span<const int> labels,
                   std::span<const double> weights) {
  FitFacts facts;
  facts.rows = report.n;
  facts.seconds = report.seconds;
  facts.status = name_of(report.status);
  for (const Chosen& choice : report.choices) {
    facts.choices.push_back({choice.what, choice.chosen.name, {}, choice.held_out, choice.reason});
    for (const Chosen::Candidate& other : choice.others) facts.choices.back().others.push_back(other.name);
  }
  if (!labels.empty()) {
    facts.class_counts.resize(model.classes());
    facts.class_weights.resize(model.classes());
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    facts.class_counts.at(static_cast<std::size_t>(labels[i])) += 1;
    facts.class_weights.at(static_cast<std::size_t>(labels[i])) += weights.empty() ? 1 : weights[i];
  }
  facts.leave_one_out = report.leave_one_out;
  facts.cross_validation = report.cross_validation;
  facts.held_out_by = report.held_out_by;
  facts.class_weights_given = !report.class_weights.empty();
  return facts;
}

FitFacts fit_facts(const std::string& json, const Model& model) {
  try {
    return facts_from(Json::parse(json), model);
  } catch (const Json::exception&) {
    throw data_error("the summary is not one that `induce fit --json` writes");
  }
}

}  // namespace induce
