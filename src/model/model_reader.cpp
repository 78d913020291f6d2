// Reads a model file: see model_format.hpp.
#include <algorithm>
#include <charconv>
#include <limits>
#include <map>

#include <induce/error.hpp>

#include "text/words.hpp"
#include "model/safetensors.hpp"
#include "model/strict_json.hpp"
#include "model/column_tensors.hpp"
#include "model/explanation_tensors.hpp"
#include "model/model_format.hpp"
#include "model/model_text.hpp"
#include "model/projection_tensors.hpp"
#include "model/state.hpp"
#include "model/usable.hpp"

namespace induce::detail {
namespace {

// The constructor checks names, shapes and versions before any number is copied.
class Reader {
 public:
  Reader(std::string_view bytes, const std::string& origin) : file_(bytes, origin), origin_(origin) {
    check_version();
    const Sizes& inputs = shape("inducing_inputs");
    if (inputs.size() != 2) reject("its inducing inputs are not a matrix");
    m_ = inputs[0];
    d_ = inputs[1];
    constexpr std::size_t most = std::numeric_limits<int>::max();  // BLAS uses int for sizes
    if (m_ < 1 || d_ < 1 || m_ > most || d_ > most)
      reject("it has no inducing inputs, no features or too many");
    read_columns();
    check_shapes();
  }

  const ModelText& text() const { return text_; }
  const Encoding& encoding() const { return encoding_; }
  const TypicalValues& typical() const { return typical_; }
  const ColumnRanges& ranges() const { return ranges_; }
  const std::shared_ptr<const Projection>& projection() const { return projection_; }
  bool warped() const { return file_.shapes().contains("warp_exponent"); }
  bool explained() const { return file_.shapes().contains("effect_points"); }

  [[noreturn]] void reject(const std::string& why) const {
    throw data_error(origin_ + ": not a usable model: " + why);
  }
  const std::string& metadata(const std::string& key) const {
    const auto found = file_.metadata().find(key);
    if (found == file_.metadata().end()) reject("metadata '" + key + "' is missing");
    return found->second;
  }
  Vector vector(const std::string& name) const {
    Vector out(static_cast<Index>(file_.count(name)));
    file_.copy(name, out.data());
    return out;
  }
  Matrix matrix(const std::string& name) const {
    const Sizes& size = shape(name);
    RowMatrix out(static_cast<Index>(size[0]), static_cast<Index>(size[1]));
    file_.copy(name, out.data());
    return out;
  }

  // Of each latent function.
  std::vector<Posterior> posteriors(const Frame& frame) const {
    const Index m = frame.m();
    const Vector a = vector("posterior_mean"), D = vector("posterior_shrink");
    std::vector<Posterior> q;
    for (Index c = 0; c < static_cast<Index>(functions_); ++c)
      q.push_back(restore_posterior(frame, a.segment(c * m, m),
                                    Eigen::Map<const RowMatrix>(D.data() + c * m * m, m, m)));
    return q;
  }

  Explanation explanation() const {
    const auto numbers = [&](const char* name) {
      std::vector<double> out(file_.count(name));
      file_.copy(name, out.data());
      return out;
    };
    Explanation explanation;
    const std::string flaw =
        unpack({.points = numbers("effect_points"),
                .values = numbers("effect_values"),
                .mean = numbers("effect_mean"),
                .lower = numbers("effect_lower"),
                .upper = numbers("effect_upper"),
                .importance = numbers("importance"),
                .missing = has_missing_effects() ? numbers("effect_missing") : std::vector<double>{}},
               typical_.gaps, explanation);
    if (!flaw.empty()) reject("it " + flaw);
    return explanation;
  }

  // The kernel and its parameters, mean, Z and jitter.
  Frame frame() const {
    const bool by_name = version_ >= first_with_names;
    Prior prior{.theta = {}, .mean = 0, .Z = matrix("inducing_inputs")};
    if (by_name) {
      const auto kernel = make_kernel(text_.kernel, setting());
      prior.theta.resize(kernel->size());
      Index at = 0;
      for (const KernelParameter& parameter : kernel->parameters()) {
        prior.theta.segment(at, parameter.count) = vector(parameter_prefix + parameter.name);
        at += parameter.count;
      }
      const Vector means = vector("mean");
      if (functions_ == 1) prior.mean = means[0];
      const Vector scales = functions_ == 1 ? Vector() : vector("class_scale");
      for (Index c = 0; c < scales.size(); ++c) prior.classes.push_back({means[c], scales[c]});
      return restore_frame(kernel, prior, matrix("whitener"), vector("jitter")[0]);
    }
    const Vector numbers = vector("theta"), lengthscales = vector("lengthscales");
    const double signal_std = numbers[0], noise_std = numbers[1];
    KernelSetting with_noise = setting();
    with_noise.noise = noise_std != 0;
    const auto kernel = make_kernel(text_.kernel, with_noise);
    if (kernel->size() != 1 + lengthscales.size() + with_noise.noise)
      reject("a file before version 4 cannot have a sum of kernels");
    prior.theta.resize(kernel->size());
    prior.theta[0] = signal_std;
    prior.theta.segment(1, lengthscales.size()) = lengthscales;
    if (with_noise.noise) prior.theta[prior.theta.size() - 1] = noise_std;
    prior.mean = numbers[2];
    return restore_frame(kernel, prior, matrix("whitener"), numbers[3]);
  }

 private:
  void check_version() {
    if (metadata("format") != model_format) reject("its format is " + in_quotes(metadata("format")));
    const std::string& text = metadata("format_version");
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version_);
    if (error != std::errc() || end != text.data() + text.size() || version_ < oldest_version)
      reject("its format version is " + in_quotes(text));
    if (version_ > newest_version)
      reject("its format version is " + text + "; this program reads versions " +
             std::to_string(oldest_version) + " to " + std::to_string(newest_version) +
             ": a newer induce wrote it");
    if (version_ >= first_with_hash && !file_.hashed()) reject("its content_hash is missing");
    if (version_ < first_with_warps && warped()) reject("a file of version " + text + " cannot have warps");
  }

  const Sizes& shape(const std::string& name) const {
    const auto found = file_.shapes().find(name);
    if (found == file_.shapes().end()) reject("tensor '" + name + "' is missing");
    return found->second;
  }

  bool has_missing_effects() const { return has_columns() && file_.shapes().contains("effect_missing"); }
  bool has_columns() const { return file_.shapes().contains("typical_values"); }
  bool has_ranges() const {
    return version_ >= first_with_ranges && file_.shapes().contains("column_ranges");
  }
  bool encoded() const { return file_.shapes().contains("column_order"); }

  // The columns come first: the shapes of all else depend on them.
  void read_columns() {
    columns_ = d_;
    if (version_ < first_with_columns) return read_text();
    if (has_columns()) {
      const Sizes& typical = shape("typical_values");
      if (typical.size() != 2 || typical[0] < 1 || typical[1] < 1)
        reject("its typical values are not a matrix");
      columns_ = typical[1];
      if (shape("most_gaps") != Sizes{1}) reject("tensor 'most_gaps' has the wrong shape");
      for (const std::string& name : names_of_column_tensors(encoded()))
        if (shape(name) != Sizes{columns_}) reject("tensor '" + name + "' has the wrong shape");
      if (has_ranges() && shape("column_ranges") != Sizes{columns_, 2})
        reject("tensor 'column_ranges' has the wrong shape");
      if (encoded())
        for (const char* name : {"level_features", "repeated_values"})
          if (shape(name).size() != 1) reject("tensor '" + std::string(name) + "' has the wrong shape");
    }
    projection_shapes_ = shapes_of_projection(file_, columns_);
    if (!projection_shapes_.empty()) read_sparse_columns();
    read_text();
    if (!has_columns()) return;
    std::string flaw = read_typical_values(file_, typical_);
    if (flaw.empty() && has_ranges()) flaw = read_ranges(file_, ranges_);
    if (flaw.empty() && encoded()) flaw = read_encoding(file_, text_.names.columns, encoding_);
    if (!flaw.empty()) reject("it " + flaw);
    const std::vector<Column>& columns = text_.names.columns;
    if (!encoded() &&
        (columns_ != d_ || std::any_of(columns.begin(), columns.end(),
                                       [](const Column& column) { return column.has_levels(); })))
      reject("its columns have no encoding");
    if (encoded() && static_cast<std::size_t>(encoding_.features()) != d_)
      reject("its columns give " + std::to_string(encoding_.features()) + " features but it has " +
             std::to_string(d_));
    check_kernel();
  }

  void read_sparse_columns() {
    if (!has_columns() || encoded() || explained())
      reject("it has a projection, and tensors that only a table without one has");
    for (const auto& [name, size] : projection_shapes_)
      if (shape(name) != size) reject("tensor '" + name + "' has the wrong shape");
    if (const std::string flaw = read_projection(file_, projection_); !flaw.empty()) reject("it " + flaw);
  }

  void check_kernel() {
    try {
      make_kernel(text_.kernel, {.d = static_cast<Index>(d_), .group_of = encoding_.group_of()});
    } catch (const Error& error) {
      reject(error.what());
    }
  }

  void read_text() {
    try {
      text_ = read_model_text(metadata("model"), projection_ ? projection_->width : columns_);
      if (!has_columns()) make_kernel(text_.kernel, {.d = static_cast<Index>(d_)});
      const Likelihood& chosen = likelihood(text_.likelihood, text_.names.classes.size());
      functions_ = static_cast<std::size_t>(chosen.latent_functions());
    } catch (const JsonFault& fault) {
      reject("its model text " + fault.what);
    } catch (const Error& error) {
      reject(error.what());
    }
    if (functions_ > 1 && version_ < first_with_classes)
      reject("a file before version 6 cannot have more than two classes");
  }

  bool is_shared(const std::string& name) const {
    const auto found = file_.shapes().find(name);
    return found != file_.shapes().end() && found->second == Sizes{1};
  }

  // Before version 4, noise is a number in theta, not a tensor.
  KernelSetting setting() const {
    const std::string prefix = version_ >= first_with_names ? parameter_prefix : "";
    const bool additive_only = !file_.shapes().contains(prefix + "lengthscales");
    return {.d = static_cast<Index>(d_),
            .ard = !is_shared(prefix + (additive_only ? "additive.lengthscales" : "lengthscales")),
            .noise = file_.shapes().contains(prefix + "noise_std"),
            .group_of = encoding_.group_of()};
  }

  void check_shapes() const {
    std::map<std::string, Sizes> expected{{"inducing_inputs", {m_, d_}}, {"feature_shift", {d_}},
                                          {"feature_scale", {d_}},       {"whitener", {m_, m_}},
                                          {"posterior_mean", {m_}},      {"posterior_shrink", {m_, m_}}};
    if (version_ >= first_with_names) {
      expected["mean"] = {functions_};
      expected["jitter"] = {1};
      const auto kernel = make_kernel(text_.kernel, setting());
      for (const KernelParameter& parameter : kernel->parameters())
        expected[parameter_prefix + parameter.name] = {static_cast<std::size_t>(parameter.count)};
    } else {
      expected["lengthscales"] = {setting().ard ? d_ : 1};
      expected["theta"] = {4};
    }
    if (functions_ > 1) {
      expected["class_scale"] = {functions_};
      expected["posterior_mean"] = {functions_, m_};
      expected["posterior_shrink"] = {functions_, m_, m_};
    }
    if (warped())
      for (const char* name : {"warp_origin", "warp_unit", "warp_exponent"}) expected[name] = {d_};
    if (version_ >= first_with_effects && explained()) {
      expected["effect_points"] = {columns_};
      expected["importance"] = {columns_, 2};
      const Sizes& points = shape("effect_values");
      if (points.size() != 1) reject("tensor 'effect_values' has the wrong shape");
      for (const char* name : curve_names) expected[name] = points;
      if (has_missing_effects()) expected["effect_missing"] = {columns_, 3, functions_};
      if (functions_ > 1)
        for (const char* name : {"effect_mean", "effect_lower", "effect_upper"})
          expected[name] = {functions_, points[0]};
    }
    if (version_ >= first_with_columns && has_columns()) {  // checked by read_columns()
      for (const char* name : {"typical_values", "most_gaps"}) expected[name] = shape(name);
      for (const std::string& name : names_of_column_tensors(encoded())) expected[name] = shape(name);
      if (has_ranges()) expected["column_ranges"] = shape("column_ranges");
      if (encoded())
        for (const char* name : {"level_features", "repeated_values"}) expected[name] = shape(name);
    }
    expected.insert(projection_shapes_.begin(), projection_shapes_.end());
    for (const auto& [name, size] : expected)
      if (shape(name) != size) reject("tensor '" + name + "' has the wrong shape");
    for (const auto& [name, size] : file_.shapes())
      if (!expected.contains(name)) reject("unexpected tensor " + in_quotes(name));
  }

  CheckedTensors file_;
  const std::string& origin_;
  std::size_t m_ = 0, d_ = 0, columns_ = 0, functions_ = 1;
  int version_ = 0;
  ModelText text_;
  Encoding encoding_;
  TypicalValues typical_;
  ColumnRanges ranges_;
  std::shared_ptr<const Projection> projection_;
  std::map<std::string, Sizes> projection_shapes_;  // of its tensors
};

}  // namespace

Model read_model(std::string_view bytes, const std::string& origin) {
  const Reader reader(bytes, origin);
  auto state = std::make_shared<ModelState>();
  state->names = reader.text().names;
  state->kernel = reader.text().kernel;
  state->method = reader.text().method;
  state->likelihood = &likelihood(reader.text().likelihood, reader.text().names.classes.size());
  state->version = reader.metadata("version");
  state->map.encoding = reader.encoding();
  state->typical = reader.typical();
  state->ranges = reader.ranges();
  state->projection = reader.projection();
  state->map.standardizer.shift = reader.vector("feature_shift");
  state->map.standardizer.scale = reader.vector("feature_scale");
  if (reader.warped()) {
    state->map.origin = reader.vector("warp_origin");
    state->map.unit = reader.vector("warp_unit");
    state->map.exponent = reader.vector("warp_exponent");
  }
  if (reader.explained()) state->explanation = reader.explanation();
  state->fitted = {reader.frame(), {}};
  state->fitted.q = reader.posteriors(state->fitted.frame);
  state->theta = theta_of(state->fitted.frame);
  if (const std::string flaw = flaw_of(*state); !flaw.empty()) reader.reject("it " + flaw);
  return model_with(std::move(state));
}

}  // namespace induce::detail
