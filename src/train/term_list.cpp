#include "train/term_list.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "train/parameters.hpp"

namespace induce::detail {
namespace {

constexpr Index most_knots = 512;

bool is_number(const Axis& axis, const double* x) {
  if (axis.value < 0) return false;
  for (Index f = axis.first; f < axis.first + axis.count; ++f)
    if (f != axis.value && x[f] > 0.5) return false;
  return true;
}

void check_axis(const Archive& a, const Axis& axis) {
  const auto increases = [](const std::vector<double>& all) {
    return std::adjacent_find(all.begin(), all.end(), [](double x, double y) { return !(x < y); }) ==
           all.end();
  };
  if (axis.knots.size() != axis.ranks.size() || !increases(axis.knots) || !increases(axis.ranks))
    a.reject("knots", "do not increase");
  const bool finite =
      std::all_of(axis.knots.begin(), axis.knots.end(), [](double x) { return std::isfinite(x); });
  if (!finite || (axis.value < 0 && !axis.knots.empty())) a.reject("knots", "do not match the data");
}

}  // namespace

TermList::TermList(std::string_view kernel, Index columns)
    : knots(static_cast<std::size_t>(columns), 0),
      pair_knots(knots),
      named_knots(knots),
      named_pair_knots(knots) {
  for (std::size_t begin = 0; begin <= kernel.size();) {
    const std::size_t end = std::min(kernel.find('+', begin), kernel.size());
    const std::string_view part = kernel.substr(begin, end - begin);
    begin = end + 1;
    if (part == "mains")
      find_mains = true;
    else if (part == "pairs")
      find_pairs = true;
    else if (!has_terms(part))
      joint += (joint.empty() ? "" : "+") + std::string(part);
    else
      take(named_terms(part, columns));
  }
  std::sort(pairs.begin(), pairs.end());
}

void TermList::take(NamedTerms named) {
  for (const auto& [column, count] : named.knots)
    (named.pairs.empty() ? named_knots : named_pair_knots)[column] = count;
  if (named.pairs.empty())
    mains = std::move(named.mains);
  else
    pairs = std::move(named.pairs);
}

std::string TermList::name() const {
  std::string name = joint;
  const auto add = [&](const char* what, const auto& all, const auto& text) {
    char separator = ':';
    if (all.empty()) return;
    name += (name.empty() ? "" : "+") + std::string(what);
    for (const auto& each : all) {
      name += separator + text(each);
      separator = ',';
    }
  };
  add("mains", mains, [](Index column) { return std::to_string(column); });
  add("pairs", pairs,
      [](const auto& pair) { return std::to_string(pair.first) + '*' + std::to_string(pair.second); });
  return name;
}

TermList TermList::varied(const KernelSetting& setting) const {
  TermList list = *this;
  std::erase_if(list.mains, [&](Index column) { return setting.axes[column].size() < 2; });
  std::erase_if(list.pairs, [&](const auto& pair) {
    return setting.pair_axes[pair.first].size() < 2 || setting.pair_axes[pair.second].size() < 2;
  });
  return list;
}

void TermList::archive(Archive& a) {
  std::vector<Index> firsts, seconds;
  for (const auto& [first, second] : pairs) {
    firsts.push_back(first);
    seconds.push_back(second);
  }
  const auto columns = static_cast<Index>(knots.size());
  a("mains", mains);
  a("firsts", firsts);
  a("seconds", seconds);
  a("knots", knots);
  a("pair_knots", pair_knots);
  if (!a.loading()) return;
  const auto all_columns = [&](const std::vector<Index>& of) {
    return std::all_of(of.begin(), of.end(), [&](Index column) { return column >= 0 && column < columns; });
  };
  const auto are_knots = [&](const std::vector<Index>& of) {
    return static_cast<Index>(of.size()) == columns &&
           std::all_of(of.begin(), of.end(), [&](Index k) { return k >= 0 && k <= most_knots; });
  };
  if (firsts.size() != seconds.size() || !all_columns(mains) || !all_columns(firsts) || !all_columns(seconds))
    a.reject("mains", "does not match the data");
  if (!are_knots(knots) || !are_knots(pair_knots)) a.reject("knots", "does not match the data");
  pairs.clear();
  for (std::size_t k = 0; k < firsts.size(); ++k) pairs.emplace_back(firsts[k], seconds[k]);
}

bool TermList::has_main(Index column) const {
  return std::find(mains.begin(), mains.end(), column) != mains.end();
}
bool TermList::in_pair(Index column) const {
  return std::any_of(pairs.begin(), pairs.end(),
                     [&](const auto& pair) { return pair.first == column || pair.second == column; });
}
bool TermList::has_pair(Index first, Index second) const {
  return std::find(pairs.begin(), pairs.end(), std::pair(first, second)) != pairs.end();
}

void TermList::erase(const std::vector<Index>& columns) {
  if (columns.size() == 1)
    std::erase(mains, columns[0]);
  else
    std::erase(pairs, std::pair(columns[0], columns[1]));
  for (const Index column : columns) {
    if (!has_main(column)) knots[column] = 0;
    if (!in_pair(column)) pair_knots[column] = 0;
  }
}

Axis make_axis(const FeatureMap& map, Index column, const RowMatrix& X, const Vector& weight, Index knots) {
  Axis axis{.first = column, .count = 1, .value = column, .knots = {}, .ranks = {}};
  if (!map.encoding.is_plain()) {
    std::tie(axis.first, axis.count) = map.encoding.features_of(column);
    axis.value = map.encoding.value_of(column);
  }
  if (knots == 0) return axis;
  std::vector<std::pair<double, double>> numbers;
  for (Index i = 0; i < X.rows(); ++i)
    if (is_number(axis, &X(i, 0))) numbers.emplace_back(X(i, axis.value), weight[i]);
  if (!numbers.empty()) place_knots(axis, std::move(numbers), knots);
  return axis;
}

void place_axes(const TermList& list, const FeatureMap& map, const RowMatrix& X, const Vector& weight,
                KernelSetting& setting) {
  setting.axes.clear();
  setting.pair_axes.clear();
  for (Index column = 0; column < map.columns(); ++column) {
    setting.axes.push_back(make_axis(map, column, X, weight, list.knots[column]));
    setting.pair_axes.push_back(make_axis(map, column, X, weight, list.pair_knots[column]));
  }
}

void carry_over(const Kernel& from, const Vector& theta, const Kernel& to, Vector& theta_to) {
  for_each_parameter(to, [&](Index at, const KernelParameter& parameter) {
    for_each_parameter(from, [&](Index from_at, const KernelParameter& theirs) {
      for (Index k = 0; theirs.name == parameter.name && k < parameter.count; ++k) {
        Index same = k;
        if (!parameter.of_terms.empty())
          same = std::find(theirs.of_terms.begin(), theirs.of_terms.end(), parameter.of_terms[k]) -
                 theirs.of_terms.begin();
        if (same < theirs.count) theta_to[at + k] = theta[from_at + same];
      }
    });
  });
}

void archive_axes(Archive a, const TermList& list, const FeatureMap& map, KernelSetting& setting) {
  const auto archive = [&](const char* name, const std::vector<Index>& knots, std::vector<Axis>& axes) {
    if (a.loading()) axes.clear();
    for (Index column = 0; column < static_cast<Index>(knots.size()); ++column) {
      if (a.loading()) axes.push_back(make_axis(map, column, {}, {}, 0));
      if (knots[column] == 0 || axes.empty()) continue;
      a(name + std::to_string(column), axes[column].knots);
      a(name + ("ranks" + std::to_string(column)), axes[column].ranks);
      if (a.loading()) check_axis(a, axes[column]);
    }
  };
  archive("main", list.knots, setting.axes);
  archive("pair", list.pair_knots, setting.pair_axes);
}

}  // namespace induce::detail
