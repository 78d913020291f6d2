#include "shard/wire.hpp"

namespace induce::detail {

void write_frame(MessageWriter& out, const Frame& frame, bool known) {
  out.count(frame.id);
  out.count(known ? 1 : 0);
  if (known) return;
  out.text(frame.kernel->name());
  out.vector(frame.prior.theta);
  out.number(frame.prior.mean);
  out.matrix(frame.prior.Z);
  out.count(static_cast<Index>(frame.prior.classes.size()));
  for (const ClassPrior& each : frame.prior.classes) {
    out.number(each.mean);
    out.number(each.scale);
  }
  out.runs(frame.W.data(), frame.W.size());
}

const Frame& FrameReader::read(MessageReader& in) {
  const long id = in.count();
  if (in.count() != 0) {
    const auto found = known_.find(id);
    if (found == known_.end()) throw data_error("a message refers to a frame that was not sent");
    return found->second;
  }
  Frame frame;
  frame.id = id;
  const std::string name = in.text();
  std::shared_ptr<const Kernel>& kernel = kernels_[name];
  if (!kernel) kernel = make_kernel(name, setting_);
  frame.kernel = kernel;
  frame.prior.theta = in.vector();
  if (frame.prior.theta.size() != kernel->size())
    throw data_error("a message has the wrong number of parameters");
  frame.prior.mean = in.number();
  frame.prior.Z = in.matrix();
  frame.prior.classes.resize(static_cast<std::size_t>(in.count()));
  for (ClassPrior& each : frame.prior.classes) {
    each.mean = in.number();
    each.scale = in.number();
  }
  frame.W.resize(frame.prior.Z.rows(), frame.prior.Z.rows());
  in.runs({frame.W.data(), static_cast<std::size_t>(frame.W.size())});
  frame.placed = kernel->place(frame.prior.theta.data(), frame.prior.Z);
  frame.ok = true;
  while (known_.size() >= kept_frames) known_.erase(known_.begin());
  return known_[id] = std::move(frame);
}

void write_posteriors(MessageWriter& out, const Posteriors& q, Index functions) {
  out.count(functions);
  for (Index c = 0; c < functions; ++c) {
    out.vector(q[c].alpha);
    out.matrix(q[c].P);
    out.vector(q[c].beta);
    out.matrix(q[c].Y);
    out.vector(q[c].tables);
  }
}

std::vector<Posterior> read_posteriors(MessageReader& in) {
  std::vector<Posterior> q(static_cast<std::size_t>(in.count()));
  for (Posterior& each : q) {
    each.alpha = in.vector();
    each.P = in.matrix();
    each.beta = in.vector();
    each.Y = in.matrix();
    each.tables = in.vector();
  }
  return q;
}

namespace {

Eigen::Map<const Vector> numbers(const std::vector<double>& all) {
  return {all.data(), static_cast<Index>(all.size())};
}

void write_axes(MessageWriter& out, const std::vector<Axis>& axes) {
  out.count(static_cast<Index>(axes.size()));
  for (const Axis& axis : axes) {
    out.count(axis.first);
    out.count(axis.count);
    out.count(axis.value);
    out.vector(numbers(axis.knots));
    out.vector(numbers(axis.ranks));
  }
}

std::vector<Axis> read_axes(MessageReader& in) {
  std::vector<Axis> axes(static_cast<std::size_t>(in.count()));
  for (Axis& axis : axes) {
    axis.first = in.count();
    axis.count = in.count();
    axis.value = in.count();
    const Vector knots = in.vector(), ranks = in.vector();
    axis.knots.assign(knots.begin(), knots.end());
    axis.ranks.assign(ranks.begin(), ranks.end());
  }
  return axes;
}

}  // namespace

void write_needs(MessageWriter& out, const StageNeeds& needs, int shards) {
  out.text(needs.likelihood.name());
  out.count(needs.likelihood.latent_functions() == 1 ? 2 : needs.likelihood.latent_functions());
  out.count(needs.setting.d);
  out.count(needs.setting.ard ? 1 : 0);
  out.count(needs.setting.noise ? 1 : 0);
  out.number(needs.setting.spread);
  out.counts(needs.setting.group_of);
  write_axes(out, needs.setting.axes);
  write_axes(out, needs.setting.pair_axes);
  out.text(needs.rule);
  out.count(needs.m);
  out.count(static_cast<Index>(needs.memory) / shards);
}

StageNeeds read_needs(MessageReader& in) {
  const std::string name = in.text();
  const Likelihood& chosen = likelihood(name, static_cast<std::size_t>(in.count()));
  StageNeeds needs{.m = 0, .likelihood = chosen, .rule = {}, .setting = {.d = in.count()}};
  needs.setting.ard = in.count() != 0;
  needs.setting.noise = in.count() != 0;
  needs.setting.spread = in.number();
  needs.setting.group_of = in.counts();
  needs.setting.axes = read_axes(in);
  needs.setting.pair_axes = read_axes(in);
  needs.rule = in.text();
  needs.m = in.count();
  needs.memory = static_cast<std::size_t>(in.count());
  return needs;
}

}  // namespace induce::detail
