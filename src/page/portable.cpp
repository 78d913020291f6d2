#include "page/portable.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "kernel/shape.hpp"
#include "kernel/stationary.hpp"
#include "linalg/blas.hpp"
#include "page/html.hpp"

namespace induce::detail {
namespace {

constexpr double smallest_part = 1e-13;  // of S2: eigenvectors that explain less are left out

// T with T'T = X X', for X' of r <= m rows.
Trapezoid trapezoid_of(const Matrix& X) {
  Trapezoid out{X.cols(), X.rows(), {}};
  if (out.rows == 0) return out;
  const Eigen::HouseholderQR<Matrix> qr(X.transpose());
  for (Index i = 0; i < out.rows; ++i)
    for (Index j = i; j < out.m; ++j) out.entries.push_back(qr.matrixQR()(i, j));
  return out;
}

PortableFunction function_of(const Frame& frame, const Posterior& q, Index c) {
  PortableFunction out{frame.mean(c), frame.scale(c), q.alpha, {}, {}};
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(q.D);
  const double reach = frame.placed->diagonal() * out.scale * out.scale;  // |L^-1 k|^2 <= k(x, x)
  const auto part = [&](double sign) {
    std::vector<Index> chosen;
    for (Index i = 0; i < frame.m(); ++i)
      if (sign * eigen.eigenvalues()[i] * std::max(reach, 1.0) > smallest_part) chosen.push_back(i);
    Matrix X(frame.m(), static_cast<Index>(chosen.size()));
    for (Index i = 0; i < X.cols(); ++i) {
      const Index e = chosen[static_cast<std::size_t>(i)];
      X.col(i) = eigen.eigenvectors().col(e) * std::sqrt(sign * eigen.eigenvalues()[e]);
    }
    blas::solve_lower_transposed(frame.L, X.data(), X.cols());
    return trapezoid_of(X);
  };
  out.explained = part(1);
  out.added = part(-1);
  return out;
}

std::size_t packed_size_of(std::size_t inputs, std::size_t triangles, const Widths& widths) {
  if (widths.inputs == 0) return (8 * (inputs + triangles) + 2) / 3 * 4;
  return inputs * static_cast<std::size_t>(widths.inputs) +
         triangles * static_cast<std::size_t>(widths.triangles);
}

// Rounds the numbers to multiples of a unit and writes these.
void pack_vector(double* numbers, Index count, int digits, Packed& out) {
  const std::int64_t most = (std::int64_t{1} << (6 * digits - 1)) - 1;
  double largest = 0;
  for (Index i = 0; i < count; ++i) largest = std::max(largest, std::fabs(numbers[i]));
  const double unit = largest > 0 ? largest / static_cast<double>(most) : 1;
  for (Index i = 0; i < count; ++i) {
    const std::int64_t whole = std::clamp<std::int64_t>(std::llround(numbers[i] / unit), -most, most);
    for (int k = digits - 1; k >= 0; --k) out.text += base64_digits[(whole + most) >> (6 * k) & 63];
    numbers[i] = static_cast<double>(whole) * unit;
  }
  out.units.push_back(unit);
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

double Trapezoid::squared_norm_of_product(const double* k) const {
  double sum = 0;
  const double* entry = entries.data();
  for (Index i = 0; i < rows; ++i) {
    double product = 0;
    for (Index j = i; j < m; ++j) product += *entry++ * k[j];
    sum += product * product;
  }
  return sum;
}

void PortableModel::latent(const double* x, double* m, double* S2) const {
  Vector k = Vector::Zero(Z.rows()), r2(Z.rows());
  double at_x = 0;
  for (const PortableTerm& term : terms) {
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
    m[c] = f.mean + f.scale * k.dot(f.alpha);
    const double rest =
        at_x - f.explained.squared_norm_of_product(k.data()) + f.added.squared_norm_of_product(k.data());
    S2[c] = f.scale * f.scale * std::max(rest, 0.0);
  }
}

namespace {

// One term for each member of a term of the kernel, and the noise.
std::vector<PortableTerm> terms_of(const Frame& frame) {
  std::vector<PortableTerm> terms;
  for (const KernelSummand& term : frame.kernel->summands(frame.prior.theta.data(), frame.d())) {
    auto inverse_l = term.inverse_l.begin();
    for (const std::vector<Index>& member : term.members) {
      const auto end = inverse_l + static_cast<std::ptrdiff_t>(member.size());
      terms.push_back({term.shape, term.share, member, {inverse_l, end}});
      inverse_l = end;
    }
  }
  const double noise = frame.placed->diagonal() - frame.placed->signal_variance();
  if (noise > 0) terms.push_back({"", noise});
  return terms;
}

}  // namespace

PortableModel portable(const Fitted& fitted) {
  const Frame& frame = fitted.frame;
  PortableModel out{terms_of(frame), frame.prior.Z, {}};
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
  for_each_vector(model, widths, [&](double* numbers, Index count, int digits) {
    pack_vector(numbers, count, digits, out);
  });
  return out;
}

std::string packed_doubles(const std::vector<double>& numbers) {
  std::string bytes;
  for (const double number : numbers) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    for (int b = 7; b >= 0; --b) bytes += static_cast<char>(bits >> (8 * b) & 0xFF);
  }
  return base64(bytes);
}

}  // namespace induce::detail
