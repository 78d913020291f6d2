#include <stdexcept>

#include <induce/report.hpp>

namespace induce {

const std::vector<double>& Theta::values(std::string_view name) const {
  for (const Parameter& parameter : parameters)
    if (parameter.name == name) return parameter.values;
  throw std::out_of_range("theta has no parameter '" + std::string(name) + "'");
}

double Theta::scalar(std::string_view name) const {
  const std::vector<double>& found = values(name);
  if (found.size() != 1)
    throw std::out_of_range("theta's parameter '" + std::string(name) + "' has " +
                            std::to_string(found.size()) + " values, not one");
  return found[0];
}

}  // namespace induce
