// Comparisons that say what differed.
#pragma once

#include <string>

#include "linalg/types.hpp"

namespace induce::testing {

// |got - want| <= tolerance, relative or absolute, whichever is wider.
void expect_close(double got, double want, double tolerance, const std::string& what);

void expect_close(const Vector& got, const Vector& want, double tolerance, const std::string& what);

// Entry by entry, like a vector.
void expect_close_matrix(const Matrix& got, const Matrix& want, double tolerance, const std::string& what);

}  // namespace induce::testing
