#include <induce/model.hpp>

#include <algorithm>
#include <cmath>

#include <induce/error.hpp>

#include "core/pass.hpp"
#include "model/state.hpp"

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
  theta.parameters.push_back({"mean", std::move(means)});
  if (frame.functions() > 1) theta.parameters.push_back({"class_scales", std::move(scales)});
  return theta;
}

std::shared_ptr<const ModelState> make_state(const Names& names, const FeatureMap& map,
                                             const std::string& kernel, const std::string& method,
                                             const Likelihood& likelihood, const Fitted& fitted,
                                             std::optional<Explanation> explanation) {
  auto state = std::make_shared<ModelState>();
  state->names = names;
  state->map = map;
  state->kernel = kernel;
  state->method = method;
  state->version = INDUCE_VERSION;
  state->theta = theta_of(fitted.frame);
  state->likelihood = &likelihood;
  state->fitted = fitted;
  state->explanation = std::move(explanation);
  return state;
}

}  // namespace detail

Model::Model(std::shared_ptr<const detail::ModelState> state) : state_(std::move(state)) {}

std::size_t Model::features() const { return static_cast<std::size_t>(state_->fitted.frame.d()); }
std::size_t Model::inducing() const { return static_cast<std::size_t>(state_->fitted.frame.m()); }
const Names& Model::names() const { return state_->names; }
const Theta& Model::theta() const { return state_->theta; }
const std::string& Model::kernel() const { return state_->kernel; }
std::string Model::likelihood() const { return std::string(state_->likelihood->name()); }
std::size_t Model::classes() const { return state_->names.classes.size(); }
const std::string& Model::method() const { return state_->method; }
const std::string& Model::version() const { return state_->version; }

std::string Model::warp() const { return state_->map.name(); }

std::vector<double> Model::warp_exponents() const {
  const Vector& exponent = state_->map.exponent;
  if (exponent.size() == 0) return std::vector<double>(features(), 1.0);
  return {exponent.begin(), exponent.end()};
}

std::vector<double> Model::inducing_inputs() const {
  const RowMatrix Z = state_->map.undo(RowMatrix(state_->fitted.frame.prior.Z));
  return {Z.data(), Z.data() + Z.size()};
}

const Explanation* Model::explanation() const {
  return state_->explanation ? &*state_->explanation : nullptr;
}

namespace {

Error not_finite(std::size_t row) {
  return data_error("row " + std::to_string(row) +
                    " cannot be predicted: values in the row or the model give a result that is not finite");
}

}  // namespace

Prediction Model::predict(TableView X, int threads) const {
  if (X.d != features())
    throw data_error("the data has " + std::to_string(X.d) + " features but the model has " +
                     std::to_string(features()));
  // One chunk at a time in the model's units: memory is constant in the number of rows.
  constexpr std::size_t chunk = 1 << 16;
  const auto& [frame, q] = state_->fitted;
  const Likelihood& likelihood = *state_->likelihood;
  const Index functions = likelihood.latent_functions();
  const std::size_t numbers = X.n * static_cast<std::size_t>(functions);
  Prediction out{std::vector<double>(numbers), std::vector<double>(numbers), std::vector<double>(numbers)};
  if (X.n == 0) return out;
  Workers workers(X.n <= 256 ? 1 : threads);
  RowMatrix rows;
  Vector m, S2;
  for (std::size_t first = 0; first < X.n; first += chunk) {
    const Blocks blocks = Blocks::light(static_cast<Index>(std::min(chunk, X.n - first)));
    rows.resize(blocks.n, frame.d());
    for_each_block(blocks, workers, [&](Index begin, Index count, int /*worker*/) {
      state_->map.apply(X.row(first + begin), count, rows.row(begin).data());
    });
    Pass(rows, frame.m(), workers).marginals(frame, q, m, S2);
    for_each_block(blocks, workers, [&](Index begin, Index count, int /*worker*/) {
      const std::size_t at = (first + static_cast<std::size_t>(begin)) * static_cast<std::size_t>(functions);
      const auto finite = [&](Index i) {  // see model/usable.hpp
        return m.segment(i * functions, functions).allFinite() &&
               S2.segment(i * functions, functions).allFinite();
      };
      for (Index i = begin; i < begin + count; ++i)
        if (!finite(i)) throw not_finite(first + static_cast<std::size_t>(i));
      likelihood.probabilities(m.data() + begin * functions, S2.data() + begin * functions, count,
                               out.probability.data() + at);
      for (Index k = 0; k < count * functions; ++k) {
        const std::size_t to = at + static_cast<std::size_t>(k);
        if (!(out.probability[to] >= 0 && out.probability[to] <= 1))
          throw not_finite(first + static_cast<std::size_t>(begin + k / functions));
        out.mean[to] = m[begin * functions + k];
        out.variance[to] = S2[begin * functions + k];
      }
    });
  }
  return out;
}

}  // namespace induce
