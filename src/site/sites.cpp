// The table of site rules: one line each.
#include "site/jaakkola_jordan.hpp"
#include "site/newton.hpp"
#include "site/taylor.hpp"

#include <stdexcept>

namespace induce::detail {
namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<const SiteRule> (*make)(const Likelihood& likelihood);
};

constexpr Entry table[] = {
    {"jj",
     [](const Likelihood&) -> std::unique_ptr<const SiteRule> { return std::make_unique<JaakkolaJordan>(); }},
    {"taylor",
     [](const Likelihood& l) -> std::unique_ptr<const SiteRule> { return std::make_unique<Taylor>(l); }},
    {"newton",
     [](const Likelihood& l) -> std::unique_ptr<const SiteRule> { return std::make_unique<Newton>(l); }},
};

}  // namespace

std::unique_ptr<const SiteRule> make_site_rule(std::string_view name, const Likelihood& likelihood) {
  if (!likelihood.supports(name))
    throw std::logic_error("no site rule " + std::string(name) + " for " + std::string(likelihood.name()));
  for (const auto& entry : table)
    if (entry.name == name) return entry.make(likelihood);
  throw std::logic_error("no such site rule: " + std::string(name));
}

const std::vector<std::string>& site_rule_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& entry : table) all.emplace_back(entry.name);
    return all;
  }();
  return names;
}

}  // namespace induce::detail
