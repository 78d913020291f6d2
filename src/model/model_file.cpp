// Writes a model file, and saves and loads models: see model_format.hpp.
#include <induce/error.hpp>

#include "file/regular_file.hpp"
#include "model/safetensors.hpp"
#include "model/model_format.hpp"
#include "model/model_tensors.hpp"
#include "model/model_text.hpp"
#include "model/state.hpp"
#include "model/usable.hpp"

namespace induce {

using namespace detail;

namespace {

Vector numbers_of_classes(const Frame& frame, double (Frame::*number)(Index) const) {
  Vector numbers(frame.functions());
  for (Index c = 0; c < frame.functions(); ++c) numbers[c] = (frame.*number)(c);
  return numbers;
}

// The tensors of all posteriors; if there are several, with one more dimension in front.
template <class Member>
Tensor stacked(const std::vector<Posterior>& q, const Member& member) {
  Tensor all;
  for (const Posterior& each : q) {
    const Tensor one = tensor_of(each.*member);
    if (all.shape.empty()) all.shape = one.shape;
    all.values.insert(all.values.end(), one.values.begin(), one.values.end());
  }
  if (q.size() > 1) all.shape.insert(all.shape.begin(), q.size());
  return all;
}

TensorFile file_of(const ModelState& state, const std::map<std::string, std::string>& notes) {
  const auto& [frame, q] = state.fitted;
  if (const std::string flaw = flaw_of(state); !flaw.empty())
    throw data_error("the model cannot be saved: it " + flaw);
  TensorFile file;
  file.tensors["inducing_inputs"] = tensor_of(frame.prior.Z);
  file.tensors["feature_shift"] = tensor_of(state.map.standardizer.shift);
  file.tensors["feature_scale"] = tensor_of(state.map.standardizer.scale);
  Index at = 0;
  for (const KernelParameter& parameter : frame.kernel->parameters()) {
    file.tensors[parameter_prefix + parameter.name] =
        tensor_of(Vector(frame.prior.theta.segment(at, parameter.count)));
    at += parameter.count;
  }
  if (const Terms* terms = frame.kernel->terms()) add_knots(*terms, file.tensors);
  file.tensors["mean"] = tensor_of(numbers_of_classes(frame, &Frame::mean));
  file.tensors["jitter"] = tensor_of(Vector{{frame.jitter}});
  file.tensors["whitener"] = tensor_of(frame.L);
  file.tensors["posterior_mean"] = stacked(q, &Posterior::a);
  file.tensors["posterior_shrink"] = stacked(q, &Posterior::D);
  if (q.size() > 1) file.tensors["class_scale"] = tensor_of(numbers_of_classes(frame, &Frame::scale));
  if (frame.prior.thresholds.size() > 0) file.tensors["thresholds"] = tensor_of(frame.prior.thresholds);
  if (state.map.warped()) {
    file.tensors["warp_origin"] = tensor_of(state.map.origin);
    file.tensors["warp_unit"] = tensor_of(state.map.unit);
    file.tensors["warp_exponent"] = tensor_of(state.map.exponent);
  }
  if (state.projection) add_projection(*state.projection, file.tensors);
  if (!state.typical.empty()) add_columns(state.map.encoding, state.typical, state.ranges, file.tensors);
  add_learned(state.learned, file.tensors);
  if (state.explanation) add_explanation(*state.explanation, file.tensors);
  file.metadata = {{"format", model_format},
                   {"format_version", std::to_string(newest_version)},
                   {"version", state.version},
                   {"model", write_model_text({.names = state.names,
                                               .kernel = state.kernel,
                                               .likelihood = std::string(state.likelihood->name()),
                                               .method = state.method})}};
  file.metadata.insert(notes.begin(), notes.end());  // never overwrites the format's own keys
  return file;
}

}  // namespace

void Model::save(const std::string& path, const std::map<std::string, std::string>& notes) const {
  write_safetensors(path, file_of(*state_, notes));
}

Model Model::load(const std::string& path) { return read_model(regular_file_bytes(path), path); }

std::string Model::to_bytes(const std::map<std::string, std::string>& notes) const {
  return safetensors_bytes(file_of(*state_, notes));
}

Model Model::from_bytes(const std::string& bytes) { return read_model(bytes, "the bytes"); }

}  // namespace induce
