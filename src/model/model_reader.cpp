// Reads a model file: see model_format.hpp.
#include <algorithm>
#include <limits>

#include <induce/error.hpp>

#include "model/model_format.hpp"
#include "model/model_tensors.hpp"
#include "model/model_text.hpp"
#include "model/state.hpp"
#include "model/strict_json.hpp"
#include "model/usable.hpp"
#include "text/words.hpp"

namespace induce::detail {
namespace {

class ModelReader {
 public:
  ModelReader(std::string_view bytes, const std::string& origin) : file_(bytes, origin) {}

  std::shared_ptr<ModelState> read() {
    check_version();
    const Sizes& inputs = file_.shape("inducing_inputs");
    if (inputs.size() != 2) file_.reject("its inducing inputs are not a matrix");
    m_ = inputs[0];
    d_ = inputs[1];
    constexpr std::size_t most = std::numeric_limits<int>::max();  // BLAS uses int for sizes
    if (d_ < 1 || m_ > most || d_ > most) file_.reject("it has no features, or too many numbers");
    read_columns();
    if (m_ < 1 && has_joint_part(state_->kernel)) file_.reject("it has no inducing inputs");
    FeatureMap& map = state_->map;
    map.standardizer.shift = file_.vector("feature_shift", d_);
    map.standardizer.scale = file_.vector("feature_scale", d_);
    if (file_.has("warp_exponent")) {
      map.origin = file_.vector("warp_origin", d_);
      map.unit = file_.vector("warp_unit", d_);
      map.exponent = file_.vector("warp_exponent", d_);
    }
    if (version_ >= first_with_effects && file_.has("effect_points"))
      state_->explanation = read_explanation(file_, columns_, functions_, state_->typical.gaps);
    if (version_ >= first_with_learned)
      state_->learned = read_learned(file_, state_->names, state_->projection ? 0 : columns_);
    read_fitted();
    if (const std::string flaw = flaw_of(*state_); !flaw.empty()) file_.reject("it " + flaw);
    return state_;
  }

 private:
  void check_version() {
    if (file_.metadata("format") != model_format)
      file_.reject("its format is " + in_quotes(file_.metadata("format")));
    const std::string& text = file_.metadata("format_version");
    version_ = parsed<int>(text).value_or(0);
    if (version_ < oldest_version) file_.reject("its format version is " + in_quotes(text));
    if (version_ > newest_version)
      file_.reject("its format version is " + text + "; this program reads versions " +
                   std::to_string(oldest_version) + " to " + std::to_string(newest_version) +
                   ": a newer induce wrote it");
    if (version_ >= first_with_hash && !file_.hashed()) file_.reject("its content_hash is missing");
    if (version_ < first_with_warps && file_.has("warp_exponent"))
      file_.reject("a file of version " + text + " cannot have warps");
    state_->version = file_.metadata("version");
  }

  // The columns come first: the shapes of all else depend on them.
  void read_columns() {
    columns_ = d_;
    if (version_ < first_with_columns || !file_.has("typical_values")) {
      if (version_ >= first_with_columns && file_.has("projection")) reject_projection();
      return read_text();
    }
    const Sizes& typical = file_.shape("typical_values");
    if (typical.size() != 2 || typical[0] < 1 || typical[1] < 1)
      file_.reject("its typical values are not a matrix");
    columns_ = typical[1];
    state_->typical = read_typical_values(file_, columns_);
    if (version_ >= first_with_ranges && file_.has("column_ranges"))
      state_->ranges = read_ranges(file_, columns_);
    const bool encoded = file_.has("column_order");
    if (file_.has("projection")) {
      if (encoded || file_.has("effect_points")) reject_projection();
      state_->projection = read_projection(file_, columns_);
    }
    read_text();
    const std::vector<Column>& columns = state_->names.columns;
    if (!encoded) {
      if (columns_ != d_ || std::any_of(columns.begin(), columns.end(),
                                        [](const Column& column) { return column.has_levels(); }))
        file_.reject("its columns have no encoding");
      return;
    }
    Encoding& encoding = state_->map.encoding = read_encoding(file_, state_->typical, columns);
    if (static_cast<std::size_t>(encoding.features()) != d_)
      file_.reject("its columns give " + std::to_string(encoding.features()) + " features but it has " +
                   std::to_string(d_));
  }

  [[noreturn]] void reject_projection() const {
    file_.reject("it has a projection, and tensors that only a table without one has");
  }

  void read_text() {
    try {
      ModelText text =
          read_model_text(file_.metadata("model"), state_->projection ? state_->projection->width : columns_);
      state_->names = std::move(text.names);
      state_->kernel = text.kernel;
      state_->method = text.method;
      state_->likelihood = likelihood(text.likelihood, state_->names.classes.size()).given({});
      functions_ = static_cast<std::size_t>(state_->likelihood->latent_functions());
    } catch (const JsonFault& fault) {
      file_.reject("its model text " + fault.what);
    } catch (const Error& error) {
      file_.reject(error.what());
    }
    if (functions_ > 1 && version_ < first_with_classes)
      file_.reject("a file before version 6 cannot have more than two classes");
    if (ordered() && version_ < first_with_thresholds)
      file_.reject("a file before version 10 cannot have ordered classes");
  }

  bool ordered() const { return functions_ == 1 && state_->likelihood->classes() > 2; }

  // `noise`: before version 4 a number in theta, not a tensor.
  std::shared_ptr<const Kernel> kernel(const std::string& prefix, bool noise) {
    const bool additive_only = !file_.has(prefix + "lengthscales");
    const std::string lengthscales = prefix + (additive_only ? "additive.lengthscales" : "lengthscales");
    const bool shared = file_.has(lengthscales) && file_.shape(lengthscales) == Sizes{1};
    KernelSetting setting{.d = static_cast<Index>(d_),
                          .ard = !shared,
                          .noise = noise,
                          .group_of = state_->map.encoding.group_of()};
    if (has_terms(state_->kernel)) {
      if (version_ < first_with_terms) file_.reject("a file before version 9 cannot have terms");
      read_knots(file_, state_->map.encoding, static_cast<Index>(columns_), setting);
    }
    try {
      return make_kernel(state_->kernel, setting);
    } catch (const Error& error) {
      file_.reject(error.what());
    }
  }

  // All numbers are read before the first of them is used.
  void read_fitted() {
    Prior prior{.theta = {}, .mean = 0, .Z = file_.matrix("inducing_inputs", m_, d_)};
    double jitter = 0;
    const auto of =
        version_ >= first_with_names ? read_named_prior(prior, jitter) : read_unnamed_prior(prior, jitter);
    if (state_->explanation && version_ >= first_with_terms)
      read_terms(file_, *of, m_ > 0, functions_, state_->typical.gaps, *state_->explanation);
    const Matrix L = file_.matrix("whitener", m_, m_);
    const bool many = functions_ > 1;
    const std::size_t M = m_ + (of->terms() ? static_cast<std::size_t>(of->terms()->values()) : 0);
    const std::vector<double> a = file_.numbers("posterior_mean", many ? Sizes{functions_, M} : Sizes{M});
    const std::vector<double> D =
        file_.numbers("posterior_shrink", many ? Sizes{functions_, M, M} : Sizes{M, M});
    file_.check_all_read();
    Fitted& fitted = state_->fitted;
    fitted.frame = restore_frame(of, prior, L, jitter);
    const auto size = static_cast<Index>(M);
    for (std::size_t c = 0; c < functions_; ++c)
      fitted.q.push_back(restore_posterior(fitted.frame, Eigen::Map<const Vector>(a.data() + c * M, size),
                                           Eigen::Map<const RowMatrix>(D.data() + c * M * M, size, size)));
    state_->theta = theta_of(fitted.frame);
  }

  std::shared_ptr<const Kernel> read_named_prior(Prior& prior, double& jitter) {
    const auto of = kernel(parameter_prefix, file_.has(parameter_prefix + "noise_std"));
    prior.theta.resize(of->size());
    Index at = 0;
    for (const KernelParameter& parameter : of->parameters()) {
      prior.theta.segment(at, parameter.count) =
          file_.vector(parameter_prefix + parameter.name, static_cast<std::size_t>(parameter.count));
      at += parameter.count;
    }
    const Vector means = file_.vector("mean", functions_);
    if (functions_ == 1) prior.mean = means[0];
    const Vector scales = functions_ == 1 ? Vector() : file_.vector("class_scale", functions_);
    for (Index c = 0; c < scales.size(); ++c) prior.classes.push_back({means[c], scales[c]});
    jitter = file_.number("jitter");
    if (ordered()) {
      prior.thresholds = file_.vector("thresholds", state_->names.classes.size() - 1);
      state_->likelihood = state_->likelihood->given(prior.thresholds);
    }
    return of;
  }

  std::shared_ptr<const Kernel> read_unnamed_prior(Prior& prior, double& jitter) {
    const Vector numbers = file_.vector("theta", 4);
    const bool noise = numbers[1] != 0;
    const auto of = kernel("", noise);
    const bool shared = file_.shape("lengthscales") == Sizes{1};
    const Vector lengthscales = file_.vector("lengthscales", shared ? 1 : d_);
    if (of->size() != 1 + lengthscales.size() + noise)
      file_.reject("a file before version 4 cannot have a sum of kernels");
    prior.theta.resize(of->size());
    prior.theta[0] = numbers[0];
    prior.theta.segment(1, lengthscales.size()) = lengthscales;
    if (noise) prior.theta[prior.theta.size() - 1] = numbers[1];
    prior.mean = numbers[2];
    jitter = numbers[3];
    return of;
  }

  TensorReader file_;
  std::shared_ptr<ModelState> state_ = std::make_shared<ModelState>();
  int version_ = 0;
  std::size_t m_ = 0, d_ = 0, columns_ = 0, functions_ = 1;
};

}  // namespace

Model read_model(std::string_view bytes, const std::string& origin) {
  return model_with(ModelReader(bytes, origin).read());
}

}  // namespace induce::detail
