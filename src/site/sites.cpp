// The table of site rules: one line each.
#include "site/jaakkola_jordan.hpp"
#include "site/newton.hpp"
#include "site/taylor.hpp"

#include <stdexcept>

namespace induce {
namespace {

const JaakkolaJordan jaakkola_jordan;
const Taylor taylor;
const Newton newton;

struct Entry {
  std::string_view name;
  const SiteRule* rule;
};

const Entry table[] = {{"jj", &jaakkola_jordan}, {"taylor", &taylor}, {"newton", &newton}};

}  // namespace

const SiteRule& site_rule(std::string_view name) {
  for (const auto& entry : table)
    if (entry.name == name) return *entry.rule;
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

}  // namespace induce
