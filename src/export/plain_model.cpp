// From the state of a model to plain numbers: induce/export.hpp.
#include <induce/export.hpp>

#include "model/state.hpp"

namespace induce {

using namespace detail;

namespace {

std::vector<double> numbers(const Vector& v) { return {v.begin(), v.end()}; }

std::vector<double> row_major(const Matrix& A) {
  const RowMatrix rows = A;
  return {rows.data(), rows.data() + rows.size()};
}

std::size_t place(Index feature) {
  return feature < 0 ? PlainModel::none : static_cast<std::size_t>(feature);
}

PlainModel::Column column_of(const Encoding& encoding, Index column) {
  const ColumnCode& code = encoding.codes()[column];
  PlainModel::Column out;
  out.value = place(encoding.value_of(column));
  out.missing = place(encoding.missing_of(column));
  out.other = place(encoding.other_of(column));
  // A number's levels come after its value, those of a category first.
  out.first_level = place(encoding.features_of(column).first + (code.is_number ? 1 : 0));
  out.levels.assign(code.levels.begin(), code.levels.end());
  out.repeated = code.repeated;
  return out;
}

void add_table(const ModelState& state, PlainModel& out) {
  if (state.projection) {
    out.used_columns.assign(state.projection->column.begin(), state.projection->column.end());
    out.projection.assign(state.projection->W.data(),
                          state.projection->W.data() + state.projection->W.size());
  }
  const FeatureMap& map = state.map;
  out.encoded = !map.encoding.is_plain();
  for (Index column = 0; out.encoded && column < map.columns(); ++column)
    out.columns.push_back(column_of(map.encoding, column));
  out.warp_origin = numbers(map.origin);
  out.warp_unit = numbers(map.unit);
  out.warp_exponent = numbers(map.exponent);
  out.shift = numbers(map.standardizer.shift);
  out.scale = numbers(map.standardizer.scale);
  if (state.projection) return;
  out.typical_values = row_major(state.typical.values);
  out.draws = static_cast<std::size_t>(state.typical.draws());
  out.gaps = state.typical.gaps;
  out.most_gaps = state.typical.most_gaps;
}

void add_kernel(const Frame& frame, PlainModel& out) {
  for (const KernelSummand& summand : frame.kernel->summands(frame.prior.theta.data(), frame.d())) {
    PlainModel::Summand plain{summand.shape, summand.share, {}, summand.inverse_l};
    for (const std::vector<Index>& member : summand.members)
      plain.members.emplace_back(member.begin(), member.end());
    out.summands.push_back(std::move(plain));
  }
  out.diagonal = out.largest_variance = frame.placed->diagonal();
  out.inducing_inputs = row_major(frame.prior.Z);
  out.whitener = row_major(frame.L);
  if (!frame.terms()) return;
  const Terms& terms = frame.terms()->terms();
  for (Index p = 0; p < terms.count(); ++p) {
    std::vector<PlainModel::Axis> axes;
    for (const Axis& axis : terms[p].axes)
      axes.push_back({static_cast<std::size_t>(axis.first), static_cast<std::size_t>(axis.count),
                      place(axis.value), axis.knots});
    out.terms.push_back(std::move(axes));
  }
  out.largest_variance += (1 + 1e-5) * frame.terms()->variance();  // more than its nuggets
}

PlainModel::Function function_of(const Frame& frame, const Posterior& q, Index c) {
  const Matrix D = q.D.topLeftCorner(frame.m(), frame.m());
  PlainModel::Function out{frame.mean(c),
                           frame.scale(c),
                           numbers(q.alpha),
                           row_major(D),
                           numbers(q.beta),
                           {q.Y.data(), q.Y.data() + q.Y.size()},
                           {}};
  if (!frame.terms()) return out;
  const Matrix S = frame.terms()->terms().from_tables(q.tables.data());
  for (Index i = 0; i < S.rows(); ++i)
    for (Index j = 0; j <= i; ++j) out.S.push_back(S(i, j));
  return out;
}

}  // namespace

PlainModel plain_model(const Model& model) {
  const ModelState& state = state_of(model);
  const Frame& frame = state.fitted.frame;
  PlainModel out;
  add_table(state, out);
  add_kernel(frame, out);
  for (Index c = 0; c < frame.functions(); ++c)
    out.functions.push_back(function_of(frame, state.fitted.q[static_cast<std::size_t>(c)], c));
  out.thresholds = numbers(frame.prior.thresholds);
  return out;
}

}  // namespace induce
