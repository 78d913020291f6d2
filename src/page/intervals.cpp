#include "page/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "linalg/types.hpp"
#include "rows/reducer.hpp"

namespace induce::detail {
namespace {

constexpr double z = 1.959963984540054;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

Estimate with_deviation(double value, double deviation, double low, double high) {
  return {value, std::max(low, value - z * deviation), std::min(high, value + z * deviation)};
}

template <class Of>
double summed(std::size_t n, const Of& of) {
  Workers one(1);
  return sum_over_rows(static_cast<Index>(n), one, [&](Index first, Index rows) {
    double sum = 0;
    for (Index i = first; i < first + rows; ++i) sum += of(static_cast<std::size_t>(i));
    return sum;
  });
}

// V or W of each row, and A.
struct Shares {
  std::vector<double> share;
  double area = unknown;
  double ones = 0, zeros = 0;
};

template <class IsOne>
Shares shares_of(std::size_t n, const std::vector<double>& p, const IsOne& is_one) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return p[a] < p[b]; });
  Shares out{std::vector<double>(n, 0), unknown, 0, 0};
  for (std::size_t i = 0; i < n; ++i) ++(is_one(i) ? out.ones : out.zeros);
  if (out.ones == 0 || out.zeros == 0) return out;
  double ones = 0, zeros = 0, wins = 0;  // below the tie
  for (std::size_t first = 0; first < n;) {
    double own_ones = 0, own_zeros = 0;
    std::size_t end = first;
    for (; end < n && p[order[end]] == p[order[first]]; ++end) ++(is_one(order[end]) ? own_ones : own_zeros);
    for (std::size_t k = first; k < end; ++k)
      out.share[order[k]] = is_one(order[k]) ? (zeros + own_zeros / 2) / out.zeros
                                             : (out.ones - ones - own_ones / 2) / out.ones;
    wins += own_ones * (zeros + own_zeros / 2);
    ones += own_ones;
    zeros += own_zeros;
    first = end;
  }
  out.area = wins / (out.ones * out.zeros);
  return out;
}

}  // namespace

Estimate share_of(double count, double n) {
  if (!(n > 0)) return {unknown, unknown, unknown};
  const double middle = (count + z * z / 2) / (n + z * z),
               half = z / (n + z * z) * std::sqrt(count * (n - count) / n + z * z / 4);
  return {count / n, std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

Estimate mean_of(std::span<const double> x) {
  if (x.empty()) return {unknown, unknown, unknown};
  const auto n = static_cast<double>(x.size());
  const double mean = summed(x.size(), [&](std::size_t i) { return x[i]; }) / n;
  if (x.size() < 2) return {mean, unknown, unknown};
  const double squares = summed(x.size(), [&](std::size_t i) { return (x[i] - mean) * (x[i] - mean); });
  constexpr double infinite = std::numeric_limits<double>::infinity();
  return with_deviation(mean, std::sqrt(squares / (n - 1) / n), 0, infinite);
}

Estimate auc_of(std::span<const double> p, std::span<const int> y) {
  const Shares shares = shares_of(y.size(), {p.begin(), p.end()}, [&](std::size_t i) { return y[i] == 1; });
  if (shares.ones < 2 || shares.zeros < 2) return {shares.area, unknown, unknown};
  const auto squares = [&](int which) {
    return summed(y.size(), [&](std::size_t i) {
      const double away = shares.share[i] - shares.area;
      return y[i] == which ? away * away : 0;
    });
  };
  const double variance =
      squares(1) / (shares.ones - 1) / shares.ones + squares(0) / (shares.zeros - 1) / shares.zeros;
  return with_deviation(shares.area, std::sqrt(variance), 0, 1);
}

Estimate mean_auc_of(std::span<const double> p, std::span<const int> y, std::size_t classes) {
  const std::size_t n = y.size();
  std::vector<double> own(n), moved(n, 0);
  double sum = 0, present = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    for (std::size_t i = 0; i < n; ++i) own[i] = p[i * classes + c];
    const auto is_one = [&](std::size_t i) { return y[i] == static_cast<int>(c); };
    const Shares shares = shares_of(n, own, is_one);
    if (std::isnan(shares.area)) continue;
    sum += shares.area;
    present += 1;
    for (std::size_t i = 0; i < n; ++i)
      moved[i] += (shares.share[i] - shares.area) / (is_one(i) ? shares.ones : shares.zeros);
  }
  if (present == 0) return {unknown, unknown, unknown};
  if (n < 2) return {sum / present, unknown, unknown};
  const auto rows = static_cast<double>(n);
  const double squares = summed(n, [&](std::size_t i) { return moved[i] * moved[i]; });
  return with_deviation(sum / present, std::sqrt(squares * rows / (rows - 1)) / present, 0, 1);
}

}  // namespace induce::detail
