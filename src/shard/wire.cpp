#include "shard/wire.hpp"

#include <array>

namespace induce::detail {
namespace {

Eigen::Map<const Vector> numbers(const std::vector<double>& all) {
  return {all.data(), static_cast<Index>(all.size())};
}

// The axes of terms, which belong to a frame: those of the stage before have other knots.
void write_terms(MessageWriter& out, const Terms* terms) {
  const Index count = terms ? terms->count() : 0;
  out.count(count);
  for (Index p = 0; p < count; ++p) {
    out.counts((*terms)[p].columns);
    for (const Axis& axis : (*terms)[p].axes) {
      out.counts(std::array{axis.first, axis.count, axis.value});
      out.vector(numbers(axis.knots));
      out.vector(numbers(axis.ranks));
    }
  }
}

void read_terms(MessageReader& in, KernelSetting& setting) {
  for (Index terms = in.count(); terms > 0; --terms) {
    const std::vector<Index> columns = in.counts();
    for (const Index column : columns) {
      const std::vector<Index> features = in.counts();
      if (features.size() != 3 || features[0] < 0 || features[1] < 1 || features[0] + features[1] > setting.d)
        throw data_error("a message has a term of unknown features");
      const auto needed = static_cast<std::size_t>(column) + 1;
      if (setting.axes.size() < needed) {
        setting.axes.resize(needed);
        setting.pair_axes.resize(needed);
      }
      const Vector knots = in.vector(), ranks = in.vector();
      (columns.size() == 1 ? setting.axes : setting.pair_axes)[needed - 1] = {
          .first = features[0],
          .count = features[1],
          .value = features[2],
          .knots = {knots.begin(), knots.end()},
          .ranks = {ranks.begin(), ranks.end()}};
    }
  }
}

}  // namespace

void write_frame(MessageWriter& out, const Frame& frame, bool known) {
  out.count(frame.id);
  out.count(known ? 1 : 0);
  if (known) return;
  out.text(frame.kernel->name());
  write_terms(out, frame.kernel->terms());
  out.vector(frame.prior.theta);
  out.number(frame.prior.mean);
  out.matrix(frame.prior.Z);
  out.count(static_cast<Index>(frame.prior.classes.size()));
  for (const ClassPrior& each : frame.prior.classes) {
    out.number(each.mean);
    out.number(each.scale);
  }
  out.vector(frame.prior.thresholds);
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
  KernelSetting setting = setting_;
  read_terms(in, setting);
  frame.kernel = make_kernel(name, setting);
  frame.prior.theta = in.vector();
  if (frame.prior.theta.size() != frame.kernel->size())
    throw data_error("a message has the wrong number of parameters");
  frame.prior.mean = in.number();
  frame.prior.Z = in.matrix();
  frame.prior.classes.resize(static_cast<std::size_t>(in.count()));
  for (ClassPrior& each : frame.prior.classes) {
    each.mean = in.number();
    each.scale = in.number();
  }
  frame.prior.thresholds = in.vector();
  frame.W.resize(frame.prior.Z.rows(), frame.prior.Z.rows());
  in.runs({frame.W.data(), static_cast<std::size_t>(frame.W.size())});
  frame.placed = frame.kernel->place(frame.prior.theta.data(), frame.prior.Z);
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

void write_needs(MessageWriter& out, const StageNeeds& needs, int shards) {
  out.text(needs.likelihood.name());
  out.count(needs.likelihood.classes());
  out.count(needs.setting.d);
  out.count(needs.setting.ard ? 1 : 0);
  out.count(needs.setting.noise ? 1 : 0);
  out.number(needs.setting.spread);
  out.counts(needs.setting.group_of);
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
  needs.rule = in.text();
  needs.m = in.count();
  needs.memory = static_cast<std::size_t>(in.count());
  return needs;
}

}  // namespace induce::detail
