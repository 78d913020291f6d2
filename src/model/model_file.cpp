// Writes a model file, and saves and loads models: see model_format.hpp.
#include <algorithm>
#include <array>

#include <induce/error.hpp>

#include "file/regular_file.hpp"
#include "model/safetensors.hpp"
#include "model/column_tensors.hpp"
#include "model/explanation_tensors.hpp"
#include "model/model_format.hpp"
#include "model/model_text.hpp"
#include "model/projection_tensors.hpp"
#include "model/state.hpp"
#include "model/usable.hpp"

namespace induce {

using namespace detail;

namespace {

Tensor tensor_of(const Vector& v) { return {{static_cast<std::size_t>(v.size())}, {v.begin(), v.end()}}; }

Tensor tensor_of(const Matrix& A) {
  const RowMatrix rows = A;
  return {{static_cast<std::size_t>(A.rows()), static_cast<std::size_t>(A.cols())},
          {rows.data(), rows.data() + rows.size()}};
}

Vector numbers_of_classes(const Frame& frame, double (Frame::*number)(Index) const) {
  Vector numbers(frame.functions());
  for (Index c = 0; c < frame.functions(); ++c) numbers[c] = (frame.*number)(c);
  return numbers;
}

// The tensors of all posteriors, with one more dimension in front.
template <class OfOne>
Tensor stacked(const std::vector<Posterior>& q, const OfOne& of_one) {
  Tensor all;
  for (const Posterior& each : q) {
    Tensor one = of_one(each);
    if (all.shape.empty()) {
      all.shape = {q.size()};
      all.shape.insert(all.shape.end(), one.shape.begin(), one.shape.end());
    }
    all.values.insert(all.values.end(), one.values.begin(), one.values.end());
  }
  return all;
}

void add_explanation(const Explanation& explanation, TensorFile& file) {
  ExplanationTensors packed = pack(explanation);
  const std::size_t d = packed.points.size(), points = packed.values.size(),
                    functions = packed.mean.size() / std::max<std::size_t>(points, 1);
  file.tensors["effect_points"] = {{d}, std::move(packed.points)};
  file.tensors["importance"] = {{d, 2}, std::move(packed.importance)};
  if (!packed.missing.empty())
    file.tensors["effect_missing"] = {{d, 3, functions}, std::move(packed.missing)};
  const std::array<std::vector<double>*, 4> curves{&packed.values, &packed.mean, &packed.lower,
                                                   &packed.upper};
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const bool of_class = k > 0 && functions > 1;
    file.tensors[curve_names[k]] = {of_class ? Sizes{functions, points} : Sizes{points},
                                    std::move(*curves[k])};
  }
}

TensorFile file_of(const ModelState& state) {
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
  file.tensors["mean"] = tensor_of(numbers_of_classes(frame, &Frame::mean));
  file.tensors["jitter"] = tensor_of(Vector{{frame.jitter}});
  file.tensors["whitener"] = tensor_of(frame.L);
  if (q.size() == 1) {
    file.tensors["posterior_mean"] = tensor_of(q[0].a);
    file.tensors["posterior_shrink"] = tensor_of(q[0].D);
  } else {
    file.tensors["class_scale"] = tensor_of(numbers_of_classes(frame, &Frame::scale));
    file.tensors["posterior_mean"] = stacked(q, [](const Posterior& each) { return tensor_of(each.a); });
    file.tensors["posterior_shrink"] = stacked(q, [](const Posterior& each) { return tensor_of(each.D); });
  }
  if (state.map.warped()) {
    file.tensors["warp_origin"] = tensor_of(state.map.origin);
    file.tensors["warp_unit"] = tensor_of(state.map.unit);
    file.tensors["warp_exponent"] = tensor_of(state.map.exponent);
  }
  if (state.projection) file.tensors.merge(projection_tensors(*state.projection));
  if (!state.typical.empty())
    file.tensors.merge(column_tensors(state.map.encoding, state.typical, state.ranges));
  if (state.explanation) add_explanation(*state.explanation, file);
  file.metadata = {{"format", model_format},
                   {"format_version", std::to_string(newest_version)},
                   {"version", state.version},
                   {"model", write_model_text({.names = state.names,
                                               .kernel = state.kernel,
                                               .likelihood = std::string(state.likelihood->name()),
                                               .method = state.method})}};
  return file;
}

}  // namespace

namespace {

TensorFile with_notes(TensorFile file, const std::map<std::string, std::string>& notes) {
  file.metadata.insert(notes.begin(), notes.end());  // never overwrites the format's own keys
  return file;
}

}  // namespace

void Model::save(const std::string& path, const std::map<std::string, std::string>& notes) const {
  write_safetensors(path, with_notes(file_of(*state_), notes));
}

Model Model::load(const std::string& path) { return read_model(regular_file_bytes(path), path); }

std::string Model::to_bytes(const std::map<std::string, std::string>& notes) const {
  return safetensors_bytes(with_notes(file_of(*state_), notes));
}

Model Model::from_bytes(const std::string& bytes) { return read_model(bytes, "the bytes"); }

}  // namespace induce
