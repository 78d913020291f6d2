// Code shared by all kernels, and the grammar of kernel names.
#include "kernel/kernel.hpp"

#include <algorithm>
#include <charconv>

#include <induce/error.hpp>
#include <induce/options.hpp>

#include "kernel/additive.hpp"
#include "kernel/stationary.hpp"
#include "kernel/sum.hpp"
#include "kernel/terms_kernel.hpp"
#include "kernel/white_noise.hpp"

namespace induce::detail {

Index Kernel::size() const {
  Index size = 0;
  for (const KernelParameter& parameter : parameters()) size += parameter.count;
  return size;
}

Vector Kernel::start() const {
  Vector theta(size());
  Index at = 0;
  for (const KernelParameter& parameter : parameters()) {
    theta.segment(at, parameter.count).setConstant(parameter.start);
    at += parameter.count;
  }
  return theta;
}

std::vector<KernelSummand> Kernel::summands(const double* /*theta*/, Index /*d*/) const {
  throw data_error("kernel '" + name() + "' cannot be exported");
}

Index KernelSetting::groups() const {
  return group_of.empty() ? d : *std::max_element(group_of.begin(), group_of.end()) + 1;
}

std::optional<Index> Kernel::find(std::string_view name) const {
  Index at = 0;
  for (const KernelParameter& parameter : parameters()) {
    if (parameter.name == name) return at;
    at += parameter.count;
  }
  return std::nullopt;
}

namespace {

constexpr std::string_view additive_kind = "additive", mains_kind = "mains", pairs_kind = "pairs";

bool is_part(std::string_view part, std::string_view kind) {
  return part.starts_with(kind) && (part.size() == kind.size() || part[kind.size()] == ':');
}

// The kind of a part with a list, or the part itself.
std::string_view kind_of(std::string_view part) {
  for (const std::string_view kind : {additive_kind, mains_kind, pairs_kind})
    if (is_part(part, kind)) return kind;
  return part;
}

constexpr Index fewest_knots = 2, most_knots = 512;

// Reads lists of columns such as "0,5,7", "0*5,1*7" or, of terms, "0@32,5", after the kind of the part and a colon; none: the part has no list.
class ColumnList {
 public:
  static constexpr Index any_column =
      -1;  // there is no table yet: columns may have names, and are numbered as they come

  ColumnList(std::string_view part, Index columns)
      : part_(part), list_(part.substr(std::min(part.size(), kind_of(part).size() + 1))), columns_(columns) {
    if (part.ends_with(':')) fail("columns are missing after the colon");
  }

  bool empty() const { return list_.empty(); }
  const std::vector<std::pair<Index, Index>>& knots() const { return knots_; }
  std::vector<Index> increasing() {
    std::vector<Index> all;
    while (!list_.empty()) {
      all.push_back(number());
      if (all.size() > 1 && all.back() <= all[all.size() - 2]) fail("columns must be increasing");
      next(',');
    }
    return all;
  }
  std::vector<Index> in_any_order() {
    std::vector<Index> all;
    while (!list_.empty()) {
      all.push_back(column_of_term());
      next(',');
    }
    std::sort(all.begin(), all.end());
    if (std::adjacent_find(all.begin(), all.end()) != all.end()) fail("a column appears twice");
    return all;
  }
  std::vector<std::pair<Index, Index>> two_each() {
    std::vector<std::pair<Index, Index>> all;
    while (!list_.empty()) {
      Index first = column_of_term();
      if (!next('*')) fail("a pair has two columns, as in 0*5");
      Index second = column_of_term();
      if (first == second) fail("a pair has two different columns");
      if (first > second) std::swap(first, second);
      all.emplace_back(first, second);
      if (std::find(all.begin(), all.end() - 1, all.back()) != all.end() - 1) fail("a pair appears twice");
      next(',');
    }
    return all;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw usage_error("kernel '" + std::string(part_) + "': " + why);
  }
  Index number() {
    if (columns_ == any_column) {
      const std::size_t end = std::min(list_.find_first_of(",*"), list_.size());
      if (end == 0) fail("a column is missing");
      list_.remove_prefix(end);
      return ++f_;
    }
    Index f = -1;
    const auto [end, error] = std::from_chars(list_.data(), list_.data() + list_.size(), f);
    if (error != std::errc() || f < 0) fail("columns must be indices from 0, separated by commas");
    if (columns_ > 0 && f >= columns_)
      fail("there is no column " + std::to_string(f) + "; the data has " + std::to_string(columns_));
    list_.remove_prefix(static_cast<std::size_t>(end - list_.data()));
    return f;
  }
  Index column_of_term() {
    const Index column = number();
    if (!list_.starts_with('@')) return column;
    list_.remove_prefix(1);
    Index knots = 0;
    const auto [end, error] = std::from_chars(list_.data(), list_.data() + list_.size(), knots);
    if (error != std::errc() || knots < fewest_knots || knots > most_knots)
      fail("a column has from " + std::to_string(fewest_knots) + " to " + std::to_string(most_knots) +
           " knots, as in 0@32");
    list_.remove_prefix(static_cast<std::size_t>(end - list_.data()));
    const auto known =
        std::find_if(knots_.begin(), knots_.end(), [&](auto& each) { return each.first == column; });
    if (known == knots_.end())
      knots_.emplace_back(column, knots);
    else if (known->second != knots)
      fail("column " + std::to_string(column) + " has two numbers of knots: one grid serves all pairs");
    return column;
  }
  // Whether the separator comes next; false at the end.
  bool next(char separator) {
    if (list_.empty()) return false;
    if (list_[0] != separator || list_.size() == 1)
      fail("columns must be indices from 0, separated by commas");
    list_.remove_prefix(1);
    return true;
  }

  std::string_view part_, list_;
  Index columns_, f_ = -1;
  std::vector<std::pair<Index, Index>> knots_;
};

std::vector<Index> all_columns(const KernelSetting& setting) {
  std::vector<Index> all;
  for (std::size_t column = 0; column < setting.axes.size(); ++column)
    if (setting.axes[column].size() > 1) all.push_back(static_cast<Index>(column));
  return all;
}

}  // namespace

namespace {

template <class Visit>
bool any_part(std::string_view name, const Visit& visit) {
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('+', begin), name.size());
    if (visit(kind_of(name.substr(begin, end - begin)))) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

bool has_terms(std::string_view name) {
  return any_part(name, [](std::string_view kind) { return kind == mains_kind || kind == pairs_kind; });
}
bool has_additive_part(std::string_view name) {
  return any_part(name, [](std::string_view kind) { return kind == additive_kind; });
}
bool has_joint_part(std::string_view name) {
  return any_part(name, [](std::string_view kind) { return kind != mains_kind && kind != pairs_kind; });
}

NamedTerms named_terms(std::string_view part, Index columns) {
  ColumnList list(part, columns);
  NamedTerms named;
  if (kind_of(part) == mains_kind)
    named.mains = list.in_any_order();
  else
    named.pairs = list.two_each();
  named.knots = list.knots();
  return named;
}

std::pair<std::string_view, std::string_view> without_knots(std::string_view column) {
  const std::size_t at = column.rfind('@');
  if (at == std::string_view::npos ||
      column.find_first_not_of("0123456789", at + 1) != std::string_view::npos)
    return {column, {}};
  return {column.substr(0, at), column.substr(at)};
}

// Parameters of the first part have plain names; those of the others are prefixed with the name of the part. An
// additive part has the shape of the part before it. Terms come last.
std::shared_ptr<const Kernel> make_kernel(std::string_view name, const KernelSetting& setting) {
  std::vector<std::unique_ptr<const Kernel>> parts;
  std::vector<std::string_view> known;
  std::string last_shape = "se", terms;
  std::vector<Index> of_mains;
  std::vector<std::pair<Index, Index>> of_pairs;
  const auto columns = setting.d > 0 ? static_cast<Index>(setting.axes.size()) : ColumnList::any_column;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('+', begin), name.size());
    const std::string part(name.substr(begin, end - begin));
    const std::string_view kind = kind_of(name.substr(begin, end - begin));
    if (part.empty() && !name.empty())
      throw usage_error("kernel '" + std::string(name) + "': a sum needs a kernel before and after each +");
    if (std::find(known.begin(), known.end(), kind) != known.end())
      throw usage_error("kernel '" + std::string(name) + "': " + std::string(kind) +
                        " appears twice in the sum");
    if (kind == additive_kind) {
      ColumnList list(part, setting.groups());
      parts.push_back(std::make_unique<AdditiveKernel>(last_shape, list.increasing(), setting));
    } else if (kind == mains_kind) {
      ColumnList list(part, columns);
      of_mains = list.empty() ? all_columns(setting) : list.in_any_order();
    } else if (kind == pairs_kind) {
      of_pairs = ColumnList(part, columns).two_each();
    } else if (part == "linear") {
      parts.push_back(StationaryKernel::nearly_linear(setting));
    } else {
      parts.push_back(std::make_unique<StationaryKernel>(part, setting, known.empty() ? "" : part + "."));
      last_shape = part;
    }
    if (kind == mains_kind || kind == pairs_kind) terms += (terms.empty() ? "" : "+") + part;
    known.push_back(kind);
    begin = end + 1;
  }
  if (!terms.empty() && columns > 0)
    parts.push_back(std::make_unique<TermsKernel>(terms, of_mains, of_pairs, setting));
  if (setting.noise) parts.push_back(std::make_unique<WhiteNoise>());
  if (parts.size() == 1) return std::shared_ptr<const Kernel>(std::move(parts[0]));
  return std::make_shared<SumKernel>(std::move(parts));
}

}  // namespace induce::detail

void induce::check_kernel_name(std::string_view name) {
  if (detail::has_additive_part(name))
    throw usage_error("kernel '" + std::string(name) +
                      "': fits no longer have an additive part; use mains instead, as in se+mains or "
                      "se+mains:0,5");
  if (name != "auto") detail::make_kernel(name, {.d = 0});
}
