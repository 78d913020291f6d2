// A model as a safetensors file. The tensors, all F64:
//   inducing_inputs (m, d)   Z in the model's units        whitener (m, m)       L of K_mm = L L'
//   feature_shift   (d)      x_model = (x - shift)/scale   posterior_mean (m)    a = L^-1 mu
//   feature_scale   (d)                                    posterior_shrink (m, m)   D = I - L^-1 Sigma L^-T
//   lengthscales    (1 or d) in the model's units          theta (4)     sigma_f, sigma_n, mean, jitter
// and where features are warped before they are shifted and scaled (data/feature_map.hpp)
//   warp_origin, warp_unit, warp_exponent (d)
// The metadata has: format ("induce-model"), format_version, version of the library, and under "model" a JSON
// text with kernel, method, classes, label, features and, if rows had weights, weight. A reader refuses other
// formats and newer versions. Version 2 may have warps, version 1 has none.
#include <nlohmann/json.hpp>

#include <induce/error.hpp>

#include "model/safetensors.hpp"
#include "model/state.hpp"

namespace induce {
namespace {

constexpr const char *format = "induce-model", *format_version = "2", *older_version = "1";

Tensor tensor_of(const Vector& v) { return {{static_cast<std::size_t>(v.size())}, {v.begin(), v.end()}}; }

Tensor tensor_of(const Matrix& A) {
  const RowMatrix rows = A;
  return {{static_cast<std::size_t>(A.rows()), static_cast<std::size_t>(A.cols())},
          {rows.data(), rows.data() + rows.size()}};
}

class Reader {
 public:
  Reader(const std::string& path, const TensorFile& file) : path_(path), file_(file) {}

  [[noreturn]] void reject(const std::string& why) const {
    throw data_error(path_ + ": not a usable model: " + why);
  }

  const std::string& metadata(const std::string& key) const {
    const auto found = file_.metadata.find(key);
    if (found == file_.metadata.end()) reject("metadata '" + key + "' is missing");
    return found->second;
  }
  const Tensor& tensor(const std::string& name, std::size_t dimensions) const {
    const auto found = file_.tensors.find(name);
    if (found == file_.tensors.end()) reject("tensor '" + name + "' is missing");
    if (found->second.shape.size() != dimensions || found->second.values.empty())
      reject("tensor '" + name + "' has a wrong shape");
    return found->second;
  }
  Vector vector(const std::string& name) const {
    const Tensor& found = tensor(name, 1);
    return Eigen::Map<const Vector>(found.values.data(), static_cast<Index>(found.values.size()));
  }
  Vector vector(const std::string& name, Index size) const {
    const Vector found = vector(name);
    if (found.size() != size) reject("tensor '" + name + "' has a wrong length");
    return found;
  }
  Matrix matrix(const std::string& name) const {
    const Tensor& found = tensor(name, 2);
    return Eigen::Map<const RowMatrix>(found.values.data(), static_cast<Index>(found.shape[0]),
                                       static_cast<Index>(found.shape[1]));
  }
  Matrix square(const std::string& name, Index size) const {
    const Matrix found = matrix(name);
    if (found.rows() != size || found.cols() != size) reject("tensor '" + name + "' has a wrong shape");
    return found;
  }

 private:
  const std::string& path_;
  const TensorFile& file_;
};

Names read_names(const Reader& reader, const nlohmann::json& model, Index d) {
  Names names;
  const auto classes = model.at("classes").get<std::vector<std::string>>();
  if (classes.size() != 2) reader.reject("it has " + std::to_string(classes.size()) + " classes, not 2");
  names.classes = {classes[0], classes[1]};
  names.label = model.at("label").get<std::string>();
  names.features = model.at("features").get<std::vector<std::string>>();
  names.weight = model.value("weight", "");
  if (!names.features.empty() && static_cast<Index>(names.features.size()) != d)
    reader.reject("it names " + std::to_string(names.features.size()) + " features but has " +
                  std::to_string(d));
  return names;
}

TensorFile file_of(const detail::ModelState& state) {
  const auto& [frame, q] = state.fitted;
  TensorFile file;
  file.tensors["inducing_inputs"] = tensor_of(frame.Z);
  file.tensors["feature_shift"] = tensor_of(state.map.standardizer.shift);
  file.tensors["feature_scale"] = tensor_of(state.map.standardizer.scale);
  file.tensors["lengthscales"] = tensor_of(frame.hyper.lengthscales);
  file.tensors["theta"] =
      tensor_of(Vector{{frame.hyper.signal_std, frame.hyper.noise_std, frame.hyper.mean, frame.jitter}});
  file.tensors["whitener"] = tensor_of(frame.L);
  file.tensors["posterior_mean"] = tensor_of(q.a);
  file.tensors["posterior_shrink"] = tensor_of(q.D);
  if (state.map.warped()) {
    file.tensors["warp_origin"] = tensor_of(state.map.origin);
    file.tensors["warp_unit"] = tensor_of(state.map.unit);
    file.tensors["warp_exponent"] = tensor_of(state.map.exponent);
  }
  nlohmann::json model = {{"kernel", state.kernel},
                          {"method", state.method},
                          {"classes", state.names.classes},
                          {"label", state.names.label},
                          {"features", state.names.features}};
  if (!state.names.weight.empty()) model["weight"] = state.names.weight;
  file.metadata = {{"format", format},
                   {"format_version", format_version},
                   {"version", state.version},
                   {"model", model.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)}};
  return file;
}

Model model_of(const TensorFile& file, const std::string& path) {
  const Reader reader(path, file);
  if (reader.metadata("format") != format) reader.reject("its format is '" + reader.metadata("format") + "'");
  const std::string& version = reader.metadata("format_version");
  if (version != format_version && version != older_version)
    reader.reject("its format version is " + version + ", this program reads versions " + older_version +
                  " and " + format_version);

  auto state = std::make_shared<detail::ModelState>();
  Frame& frame = state->fitted.frame;
  frame.Z = reader.matrix("inducing_inputs");
  const Index m = frame.m(), d = frame.d();
  const auto model = nlohmann::json::parse(reader.metadata("model"), nullptr, false);
  try {
    state->kernel = model.at("kernel").get<std::string>();
    state->method = model.at("method").get<std::string>();
    state->names = read_names(reader, model, d);
    state->version = reader.metadata("version");
    state->shape = make_shape(state->kernel);
  } catch (const nlohmann::json::exception& error) {
    reader.reject(std::string("its metadata is broken: ") + error.what());
  } catch (const Error& error) {
    reader.reject(error.what());
  }
  state->map.standardizer.shift = reader.vector("feature_shift", d);
  state->map.standardizer.scale = reader.vector("feature_scale", d);
  if ((state->map.standardizer.scale.array() <= 0).any()) reader.reject("a feature's scale is not positive");

  if (file.tensors.contains("warp_exponent")) {
    state->map.origin = reader.vector("warp_origin", d);
    state->map.unit = reader.vector("warp_unit", d);
    state->map.exponent = reader.vector("warp_exponent", d);
    if ((state->map.unit.array() <= 0).any()) reader.reject("a feature's warp has no positive unit");
  }

  const Vector theta = reader.vector("theta", 4), lengthscales = reader.vector("lengthscales");
  if (lengthscales.size() != 1 && lengthscales.size() != d)
    reader.reject("it has a wrong number of length-scales");
  if (theta[0] <= 0 || theta[1] < 0 || theta[3] < 0 || (lengthscales.array() <= 0).any())
    reader.reject("a parameter is out of its range");
  const Hyper hyper{theta[0], lengthscales, theta[1], theta[2]};
  state->fitted = restore_fitted(*state->shape, hyper, frame.Z, reader.square("whitener", m), theta[3],
                                 reader.vector("posterior_mean", m), reader.square("posterior_shrink", m));
  if ((state->fitted.frame.L.diagonal().array() <= 0).any())
    reader.reject("its whitener is not a Cholesky factor");
  state->theta = detail::theta_of(state->fitted.frame);
  return Model(std::move(state));
}

}  // namespace

void Model::save(const std::string& path, const std::map<std::string, std::string>& notes) const {
  TensorFile file = file_of(*state_);
  file.metadata.insert(notes.begin(), notes.end());  // never over the format's own
  write_safetensors(path, file);
}

Model Model::load(const std::string& path) { return model_of(read_safetensors(path), path); }

std::string Model::to_bytes() const { return safetensors_bytes(file_of(*state_)); }

Model Model::from_bytes(const std::string& bytes) {
  return model_of(parse_safetensors(bytes, "the bytes"), "the bytes");
}

}  // namespace induce
