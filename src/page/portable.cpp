#include "page/portable.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "kernel/shape.hpp"
#include "kernel/stationary.hpp"
#include "linalg/blas.hpp"
#include "page/packed_numbers.hpp"

namespace induce::detail {
namespace {

constexpr double smallest_part = 1e-13;  // of S2: eigenvectors that explain less are left out

// Of the eigenvalues of D with one sign: T'T = L^-T V diag(lambda) V'L^-1, and N_0 (portable_terms.hpp).
struct Part {
  Trapezoid T;
  Matrix N_0;
};

Part part_of(const Frame& frame, const Posterior& q, const Eigen::SelfAdjointEigenSolver<Matrix>& eigen,
             double sign, double smallest) {
  const Index m = frame.m();
  std::vector<Index> chosen;
  for (Index i = 0; i < m; ++i)
    if (sign * eigen.eigenvalues()[i] > smallest) chosen.push_back(i);
  Part out{{static_cast<Index>(chosen.size()), m, {}}, Matrix(static_cast<Index>(chosen.size()), q.Y.cols())};
  if (chosen.empty()) return out;
  const Vector root = (sign * eigen.eigenvalues()(chosen)).cwiseSqrt();
  const Matrix V = eigen.eigenvectors()(Eigen::all, chosen);
  Matrix X = V * root.asDiagonal();
  blas::solve_lower_transposed(frame.L, X.data(), X.cols());
  const Eigen::HouseholderQR<Matrix> qr(X.transpose());
  for (Index i = 0; i < out.T.rows; ++i)
    for (Index j = i; j < m; ++j) out.T.entries.push_back(qr.matrixQR()(i, j));
  if (q.Y.cols() == 0) return out;
  const Matrix LY = frame.L.triangularView<Eigen::Lower>().transpose() * q.Y;
  out.N_0 = root.cwiseInverse().asDiagonal() * (V.transpose() * LY);
  out.N_0.applyOnTheLeft(qr.householderQ().adjoint());
  return out;
}

PortableFunction function_of(const Frame& frame, const Posterior& q, Index c) {
  PortableFunction out{frame.mean(c), frame.scale(c), q.alpha, {}, {}, {}};
  Matrix N_0(0, q.Y.cols());
  if (const Index m = frame.m(); m > 0) {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(q.D.topLeftCorner(m, m));
    const double reach = frame.placed->diagonal() * out.scale * out.scale;  // |L^-1 k|^2 <= k(x, x)
    const double smallest = smallest_part / std::max(reach, 1.0);
    Part positive = part_of(frame, q, eigen, 1, smallest);
    out.explained = std::move(positive.T);
    out.added = part_of(frame, q, eigen, -1, smallest).T;
    N_0 = std::move(positive.N_0);
  }
  if (frame.terms()) out.terms.emplace(frame.terms()->terms(), q, N_0);
  return out;
}

std::size_t packed_size_of(std::size_t inputs, std::size_t triangles, const Widths& widths) {
  if (widths.inputs == 0) return (8 * (inputs + triangles) + 2) / 3 * 4;
  return inputs * static_cast<std::size_t>(widths.inputs) +
         triangles * static_cast<std::size_t>(widths.triangles);
}

// Visits columns of Z, then rows of trapezoids, as visit(numbers, count, digits).
template <class Visit>
void for_each_vector(PortableModel& model, const Widths& widths, const Visit& visit) {
  for (Index f = 0; f < model.Z.cols(); ++f) visit(model.Z.col(f).data(), model.Z.rows(), widths.inputs);
  for (PortableFunction& f : model.functions)
    for (Trapezoid* part : {&f.explained, &f.added}) {
      double* row = part->entries.data();
      for (Index i = 0; i < part->rows; row += part->m - i, ++i) visit(row, part->m - i, widths.triangles);
    }
}

}  // namespace

Vector Trapezoid::times(const Vector& k) const {
  Vector out = Vector::Zero(rows);
  const double* entry = entries.data();
  for (Index i = 0; i < rows; ++i)
    for (Index j = i; j < m; ++j) out[i] += *entry++ * k[j];
  return out;
}

void PortableModel::latent(const double* x, double* m, double* S2) const {
  Vector k = Vector::Zero(Z.rows()), r2(Z.rows());
  double at_x = 0;
  for (const PortableSummand& term : summands) {
    at_x += term.variance;
    if (term.shape.empty()) continue;
    r2.setZero();
    for (std::size_t i = 0; i < term.features.size(); ++i) {
      const Index f = term.features[i];
      const double x_s = std::clamp(x[f] * term.inverse_l[i], -farthest_scaled, farthest_scaled);
      r2.array() += (x_s - Z.col(f).array() * term.inverse_l[i]).square();
    }
    make_shape(term.shape)->covariance(r2.data(), r2.size(), term.variance);
    k += r2;
  }
  for (std::size_t c = 0; c < functions.size(); ++c) {
    const PortableFunction& f = functions[c];
    const Vector c_0 = f.explained.times(k);
    double mean = k.dot(f.alpha), rest = at_x - c_0.squaredNorm() + f.added.times(k).squaredNorm();
    if (f.terms) f.terms->add_to(x, c_0, mean, rest);
    m[c] = f.mean + f.scale * mean;
    S2[c] = f.scale * f.scale * std::max(rest, 0.0);
  }
}

namespace {

// One for each member of a summand of the kernel, and the noise.
std::vector<PortableSummand> summands_of(const Frame& frame) {
  std::vector<PortableSummand> summands;
  for (const KernelSummand& term : frame.kernel->summands(frame.prior.theta.data(), frame.d())) {
    auto inverse_l = term.inverse_l.begin();
    for (const std::vector<Index>& member : term.members) {
      const auto end = inverse_l + static_cast<std::ptrdiff_t>(member.size());
      summands.push_back({term.shape, term.share, member, {inverse_l, end}});
      inverse_l = end;
    }
  }
  const double noise = frame.placed->diagonal() - frame.placed->signal_variance();
  if (noise > 0) summands.push_back({"", noise});
  return summands;
}

}  // namespace

PortableModel portable(const Fitted& fitted) {
  const Frame& frame = fitted.frame;
  PortableModel out{summands_of(frame), frame.prior.Z, {}};
  const blas::Buffers buffers(1);
  const blas::SingleThreadedBlas single;
  for (Index c = 0; c < frame.functions(); ++c)
    out.functions.push_back(function_of(frame, fitted.q[static_cast<std::size_t>(c)], c));
  return out;
}

std::size_t packed_size(const Fitted& fitted, const Widths& widths) {
  const Frame& frame = fitted.frame;
  return packed_size_of(static_cast<std::size_t>(frame.m() * frame.d()),
                        static_cast<std::size_t>(frame.functions() * frame.m() * (frame.m() + 1) / 2),
                        widths);
}

std::size_t packed_size(const PortableModel& model, const Widths& widths) {
  std::size_t triangles = 0;
  for (const PortableFunction& f : model.functions)
    triangles += f.explained.entries.size() + f.added.entries.size();
  return packed_size_of(static_cast<std::size_t>(model.Z.size()), triangles, widths);
}

Packed pack(PortableModel& model, const Widths& widths) {
  Packed out;
  if (widths.inputs == 0) {
    std::vector<double> all;
    for_each_vector(model, widths, [&](const double* numbers, Index count, int /*digits*/) {
      all.insert(all.end(), numbers, numbers + count);
    });
    out.text = packed_doubles(all);
    return out;
  }
  PackedNumbers text;
  for_each_vector(model, widths, [&](double* numbers, Index count, int digits) {
    out.units.push_back(text.append_multiples(numbers, count, 6 * digits));
  });
  out.text = text.text();
  return out;
}

}  // namespace induce::detail
