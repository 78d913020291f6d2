#include "page/portable_terms.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "page/packed_numbers.hpp"

namespace induce::detail {
namespace {

constexpr int most_bits = 47;  // of a band
constexpr int bits_of_bits = 7,
              bits_of_count = 17;  // before a vector: how many bits, and for how many numbers

struct Share {
  Index entry;
  double share;
};

// The entries of h_p that may not be 0, increasing.
std::vector<Share> shares_of(const Term& term, const double* x) {
  std::vector<Share> all{{0, 1}};
  for (const Axis& axis : term.axes) {
    const double position = axis.position(x);
    const Index k = std::min(static_cast<Index>(position), axis.size() - 2);
    const double right = position - static_cast<double>(k);
    std::vector<Share> next;
    for (const Share& each : all) {
      next.push_back({each.entry * axis.size() + k, each.share * (1 - right)});
      next.push_back({each.entry * axis.size() + k + 1, each.share * right});
    }
    all = std::move(next);
  }
  return all;
}

Matrix bands_of(const Term& term, const Matrix& S) {
  const std::vector<Index> offsets = band_offsets(term);
  Matrix bands = Matrix::Zero(S.rows(), static_cast<Index>(offsets.size()));
  for (Index o = 0; o < bands.cols(); ++o)
    for (Index e = 0; e + offsets[o] < S.rows(); ++e) bands(e, o) = S(e, e + offsets[o]);
  return bands;
}

}  // namespace

std::vector<Index> band_offsets(const Term& term) {
  if (term.axes.size() == 1) return {0, 1};
  const Index n = term.axes.back().size();
  return {0, 1, n - 1, n, n + 1};
}

PortableTerms::PortableTerms(const Terms& terms, const Posterior& q, const Matrix& joint)
    : terms_(&terms), joint_(joint.rows()), beta_(q.beta) {
  Matrix S = terms.from_tables(q.tables.data());
  N_ = RowMatrix::Zero(joint_ + S.rows(), joint_ + S.cols());
  N_.bottomLeftCorner(S.rows(), joint_) = joint.transpose();
  for (Index p = 0; p < terms.count(); ++p) {
    const Index first = terms.at(p), size = terms[p].size();
    bands_.push_back(bands_of(terms[p], S.block(first, first, size, size)));
    S.block(first, first, size, size).setZero();
  }
  N_.bottomRightCorner(S.rows(), S.cols()) = S.triangularView<Eigen::Lower>();
  for (Index p = 0; p < terms.count(); ++p) {
    const Index first = terms.at(p), size = terms[p].size();
    const auto rows = S.middleRows(first, size);
    const auto with_joint = N_.block(at(p), 0, size, joint_);
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(rows * rows.transpose() +
                                                      with_joint * with_joint.transpose());
    U_.emplace_back(eigen.eigenvectors().rowwise().reverse());  // the largest first
  }
  for (Index p = 0; p < terms.count(); ++p) {
    const Index size = terms[p].size(), end = at(p) + size;
    N_.block(at(p), 0, size, at(p)) = U_[p].transpose() * N_.block(at(p), 0, size, at(p)).eval();
    N_.block(end, at(p), N_.rows() - end, size) = N_.block(end, at(p), N_.rows() - end, size).eval() * U_[p];
  }
}

void PortableTerms::add_to(const double* x, const Vector& c_0, double& mean, double& variance) const {
  Vector c = Vector::Zero(N_.rows());
  c.head(joint_) = c_0;
  for (Index p = 0; p < terms_->count(); ++p) {
    const Term& term = (*terms_)[p];
    const std::vector<Index> offsets = band_offsets(term);
    const std::vector<Share> shares = shares_of(term, x);
    auto own = c.segment(at(p), term.size());
    for (std::size_t b = 0; b < shares.size(); ++b) {
      mean += shares[b].share * beta_[terms_->at(p) + shares[b].entry];
      own += shares[b].share * U_[p].row(shares[b].entry).transpose();
      for (std::size_t a = 0; a <= b; ++a) {
        const auto o = std::find(offsets.begin(), offsets.end(), shares[b].entry - shares[a].entry);
        variance += (a < b ? 2 : 1) * shares[a].share * shares[b].share *
                    bands_[p](shares[a].entry, o - offsets.begin());
      }
    }
    for (Index i = 0; i < own.size(); ++i)
      if (own[i] != 0) variance += 2 * own[i] * N_.row(at(p) + i).head(at(p)).dot(c.head(at(p)));
  }
}

// Vectors are written as: how many bits, then their numbers. Those of U have the bits that errors need to be below those of
// N. N below the diagonal has a vector for each row and earlier term, with a count of its numbers up to the last that is not 0.
PackedTerms PortableTerms::pack(double relative_step) {
  double scale = N_.cwiseAbs().maxCoeff();
  if (scale == 0)  // a term alone has nothing but its bands
    for (const Matrix& bands : bands_) scale = std::max(scale, bands.cwiseAbs().maxCoeff());
  PackedTerms out{.step = scale > 0 ? relative_step * scale : 1};
  PackedNumbers numbers;
  const auto append_vector = [&](double* vector, Index count, int bits) {
    numbers.append(bits, bits_of_bits);
    out.units.push_back(numbers.append_multiples(vector, count, bits));
  };
  N_ = (N_ / out.step).array().round();  // multiples, until the end
  std::vector<std::vector<Index>> used(
      1);  // coordinates that are not all 0, of the joint term and of the others
  for (Index i = 0; i < joint_; ++i) used[0].push_back(i);
  for (Index p = 0; p < terms_->count(); ++p) {
    for (auto band : bands_[p].colwise()) {
      const double multiples = std::max(2.0, 2 * band.cwiseAbs().maxCoeff() / out.step);
      append_vector(band.data(), band.size(), std::min(bits_for(multiples), most_bits));
    }
    used.emplace_back();
    for (Index i = 0; i < U_[p].cols(); ++i) {
      const Index row = at(p) + i;
      const double largest = std::max(N_.row(row).cwiseAbs().maxCoeff(), N_.col(row).cwiseAbs().maxCoeff());
      if (largest == 0) {
        U_[p].col(i).setZero();
        continue;
      }
      used.back().push_back(row);
      append_vector(U_[p].col(i).data(), U_[p].rows(), bits_for(2 * largest));
    }
    out.coordinates.push_back(static_cast<Index>(used.back().size()));
  }
  for (std::size_t p = 1; p < used.size(); ++p)
    for (const Index i : used[p])
      for (std::size_t q = 0; q < p; ++q) {
        double largest = 0;
        std::size_t count = 0;
        for (std::size_t j = 0; j < used[q].size(); ++j) {
          const double multiple = std::fabs(N_(i, used[q][j]));
          largest = std::max(largest, multiple);
          if (multiple > 0) count = j + 1;
        }
        const int bits = bits_for(largest);
        numbers.append(bits, bits_of_bits);
        if (bits == 0) continue;
        numbers.append(static_cast<std::int64_t>(count), bits_of_count);
        for (std::size_t j = 0; j < count; ++j)
          numbers.append(static_cast<std::int64_t>(N_(i, used[q][j])), bits);
      }
  N_ *= out.step;
  out.text = numbers.text();
  return out;
}

}  // namespace induce::detail
