#include "state/archive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <induce/error.hpp>

namespace induce::detail {
namespace {

constexpr double max_exact = 0x1p53;
constexpr double max_int = std::numeric_limits<int>::max();

bool is_whole(double value, double low, double high) {
  return value >= low && value <= high && value == std::floor(value);
}

}  // namespace

Archive Archive::inside(const std::string& name) const {
  Archive within(arrays_, direction_);
  within.prefix_ = prefix_ + name + ".";
  return within;
}

void Archive::reject(const std::string& name, const std::string& why) const {
  throw data_error("the stored '" + prefix_ + name + "' " + why);
}

std::vector<double>& Archive::slot(const std::string& name) {
  if (!loading()) return arrays_[prefix_ + name];
  const auto found = arrays_.find(prefix_ + name);
  if (found == arrays_.end()) reject(name, "is missing");
  return found->second;
}

template <class Number>
void Archive::numbers(const std::string& name, std::vector<Number>& value, double low, double high) {
  std::vector<double>& stored = slot(name);
  if (loading()) {
    value.clear();
    for (const double number : stored) {
      if (!is_whole(number, low, high)) reject(name, "holds a number out of range");
      value.push_back(static_cast<Number>(number));
    }
  } else {
    stored.assign(value.begin(), value.end());
  }
}

template <class Number>
void Archive::number(const std::string& name, Number& value, double low, double high) {
  std::vector<Number> one{value};
  numbers(name, one, low, high);
  if (one.size() != 1) reject(name, "is not a single number");
  value = one[0];
}

void Archive::operator()(const std::string& name, double& value) {
  std::vector<double>& stored = slot(name);
  if (!loading()) stored = {value};
  if (stored.size() != 1) reject(name, "is not a single number");
  value = stored[0];
}

void Archive::operator()(const std::string& name, bool& value) {
  int number = value;
  this->number(name, number, 0, 1);
  value = number != 0;
}

void Archive::operator()(const std::string& name, int& value) { number(name, value, -max_int, max_int); }
void Archive::operator()(const std::string& name, long& value) { number(name, value, -max_exact, max_exact); }
void Archive::operator()(const std::string& name, std::size_t& value) { number(name, value, 0, max_exact); }
void Archive::operator()(const std::string& name, std::vector<double>& value) {
  if (loading())
    value = slot(name);
  else
    slot(name) = value;
}
void Archive::operator()(const std::string& name, std::vector<int>& value) {
  numbers(name, value, -max_int, max_int);
}
void Archive::operator()(const std::string& name, std::vector<Index>& value) {
  numbers(name, value, -max_exact, max_exact);
}

void Archive::operator()(const std::string& name, Vector& value) {
  std::vector<double>& stored = slot(name);
  if (loading())
    value = Eigen::Map<const Vector>(stored.data(), static_cast<Index>(stored.size()));
  else
    stored.assign(value.data(), value.data() + value.size());
}

void Archive::sized(const std::string& name, Vector& value, Index size) {
  (*this)(name, value);
  if (loading() && value.size() != size) reject(name, "has the wrong length");
}

// Stored with the numbers of rows and columns first.
void Archive::operator()(const std::string& name, Matrix& value) {
  std::vector<double>& stored = slot(name);
  if (!loading()) {
    stored = {static_cast<double>(value.rows()), static_cast<double>(value.cols())};
    stored.insert(stored.end(), value.data(), value.data() + value.size());
    return;
  }
  if (stored.size() < 2 || !is_whole(stored[0], 0, max_exact) || !is_whole(stored[1], 0, max_exact) ||
      stored[0] * stored[1] != static_cast<double>(stored.size() - 2))
    reject(name, "has the wrong shape");
  value = Eigen::Map<const Matrix>(stored.data() + 2, static_cast<Index>(stored[0]),
                                   static_cast<Index>(stored[1]));
}

}  // namespace induce::detail
