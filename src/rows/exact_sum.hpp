// A sum of finite numbers that is rounded once, so that it does not depend on their order: Shewchuk's expansion, as in
// Python's math.fsum.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace induce::detail {

class ExactSum {
 public:
  void add(double x) {
    std::size_t kept = 0;
    for (double part : parts_) {
      if (std::abs(x) < std::abs(part)) std::swap(x, part);
      const double high = x + part, low = part - (high - x);  // high + low = x + part
      if (low != 0) parts_[kept++] = low;
      x = high;
    }
    parts_.resize(kept);
    parts_.push_back(x);
  }

  // Numbers whose sum it is, the smallest first; they can be added to another sum.
  const std::vector<double>& parts() const { return parts_; }

  double value() const {
    if (parts_.empty()) return 0;
    std::size_t left = parts_.size() - 1;
    double sum = parts_[left], rest = 0;
    while (left > 0 && rest == 0) {
      const double before = sum, part = parts_[--left];
      sum = before + part;
      rest = part - (sum - before);
    }
    // A half of the last bit was rounded to even, but what is left says where to.
    if (left > 0 && ((rest < 0 && parts_[left - 1] < 0) || (rest > 0 && parts_[left - 1] > 0))) {
      const double other = sum + 2 * rest;
      if (other - sum == 2 * rest) sum = other;
    }
    return sum;
  }

 private:
  std::vector<double> parts_;
};

}  // namespace induce::detail
