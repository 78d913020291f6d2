// The shapes of kernels as C source: rho(r^2) of kernel/shape.hpp.
#pragma once

#include <string>

namespace induce::detail::c_source {

// "static double NAME(double r2) {...}". Throws a data Error for a shape that it does not know.
std::string shape_function(const std::string& shape, const std::string& name);

}  // namespace induce::detail::c_source
