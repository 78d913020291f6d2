#include <stdexcept>

#include <induce/model.hpp>
#include <induce/version.hpp>

#include "model/state.hpp"
#include "text/words.hpp"

namespace induce {

namespace detail {

Theta theta_of(const Frame& frame) {
  Theta theta{.parameters = {}, .jitter = frame.jitter};
  Index at = 0;
  for (const KernelParameter& parameter : frame.kernel->parameters()) {
    const double* first = frame.prior.theta.data() + at;
    theta.parameters.push_back({parameter.name,
                                {first, first + parameter.count},
                                parameter.per_feature,
                                {parameter.columns.begin(), parameter.columns.end()}});
    at += parameter.count;
  }
  if (!frame.kernel->find("noise_std")) theta.parameters.push_back({"noise_std", {0}});
  std::vector<double> means, scales;
  for (Index c = 0; c < frame.functions(); ++c) {
    means.push_back(frame.mean(c));
    scales.push_back(frame.scale(c));
  }
  if (frame.prior.thresholds.size() == 0) theta.parameters.push_back({"mean", std::move(means)});
  if (frame.functions() > 1) theta.parameters.push_back({"class_scales", std::move(scales)});
  if (const Vector& b = frame.prior.thresholds; b.size() > 0)
    theta.parameters.push_back({"thresholds", {b.begin(), b.end()}});
  return theta;
}

std::shared_ptr<ModelState> make_state(const Names& names, const FeatureMap& map,
                                       const TypicalValues& typical, const std::string& kernel,
                                       const std::string& method, const Likelihood& likelihood,
                                       const Fitted& fitted, std::optional<Explanation> explanation) {
  auto state = std::make_shared<ModelState>();
  state->names = names;
  state->map = map;
  state->typical = typical;
  state->kernel = kernel;
  state->method = method;
  state->version = INDUCE_VERSION;
  state->theta = theta_of(fitted.frame);
  state->likelihood = likelihood.given(fitted.frame.prior.thresholds);
  state->fitted = fitted;
  state->explanation = std::move(explanation);
  return state;
}

}  // namespace detail

using namespace detail;

const std::vector<double>& Theta::values(std::string_view name) const {
  for (const Parameter& parameter : parameters)
    if (parameter.name == name) return parameter.values;
  throw std::out_of_range("theta has no parameter '" + std::string(name) + "'");
}

double Theta::scalar(std::string_view name) const {
  const std::vector<double>& found = values(name);
  if (found.size() != 1)
    throw std::out_of_range("theta's parameter '" + std::string(name) + "' has " +
                            std::to_string(found.size()) + " values, not one");
  return found[0];
}

Model::Model(std::shared_ptr<const ModelState> state) : state_(std::move(state)) {}

const ModelState& detail::state_of(const Model& model) { return *model.state_; }
Model detail::model_with(std::shared_ptr<const ModelState> state) { return Model(std::move(state)); }

std::size_t Model::features() const {
  return state_->projection ? state_->projection->width : static_cast<std::size_t>(state_->map.columns());
}
bool Model::sparse() const { return state_->projection != nullptr; }
std::size_t Model::inducing() const { return static_cast<std::size_t>(state_->fitted.frame.m()); }
const Names& Model::names() const { return state_->names; }
const Theta& Model::theta() const { return state_->theta; }
const std::string& Model::kernel() const { return state_->kernel; }
std::string Model::likelihood() const { return std::string(state_->likelihood->name()); }
std::size_t Model::classes() const { return state_->names.classes.size(); }
bool Model::ordered() const { return state_->likelihood->latent_functions() == 1 && classes() > 2; }
const std::string& Model::method() const { return state_->method; }
const std::string& Model::version() const { return state_->version; }

std::string Model::warp() const { return state_->map.name(); }

std::vector<double> Model::warp_exponents() const {
  const FeatureMap& map = state_->map;
  std::vector<double> exponents(static_cast<std::size_t>(map.columns()), 1.0);
  for (Index f = 0; f < map.exponent.size(); ++f)
    if (map.exponent[f] != 1) exponents[map.column_of(f)] = map.exponent[f];
  return exponents;
}

std::vector<double> Model::inducing_inputs() const {
  const RowMatrix Z = state_->map.undo(RowMatrix(state_->fitted.frame.prior.Z));
  return {Z.data(), Z.data() + Z.size()};
}

namespace {

std::vector<std::string> plain_names(const Model& model) {
  std::vector<std::string> names = model.names().features;
  for (std::size_t f = names.size(); f < model.features(); ++f) names.push_back(unnamed_feature(f));
  return names;
}

}  // namespace

std::vector<std::string> Model::input_names() const {
  if (state_->projection) return state_->projection->names();
  const Encoding& encoding = state_->map.encoding;
  return encoding.is_plain() ? plain_names(*this) : encoding.names_of_features(names());
}

std::vector<std::string> Model::lengthscale_names() const {
  if (state_->projection) return state_->projection->names();
  const Encoding& encoding = state_->map.encoding;
  if (encoding.is_plain()) return plain_names(*this);
  std::vector<std::string> out;
  for (std::size_t g = 0; g < encoding.groups().size(); ++g)
    out.push_back(encoding.name_of_group(static_cast<Index>(g), names().features));
  return out;
}

const Explanation* Model::explanation() const {
  return state_->explanation ? &*state_->explanation : nullptr;
}

}  // namespace induce
