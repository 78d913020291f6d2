// Whether a model's numbers are in the ranges that prediction relies on. Asked of every model that is loaded,
// since files come from anywhere, and of every model that is saved, since a file that cannot be loaded is
// worth nothing.
//
// These checks cost m^2, as reading the numbers does. They leave no way to a negative variance (it is clamped
// where rounding could make one, core/pass.cpp), to a hang or to a wrong place in memory. What they cannot
// promise is that no sum overflows: a finite but absurd q could, on some rows. Proving the contrary takes m^3
// (that L L' is K_mm, that I - D is positive definite), and where q is very certain rounding fails honest
// models. So Model::predict looks at each row's result instead, which costs nothing beside computing it.
#pragma once

#include <string>

#include "model/state.hpp"

namespace induce {

// Empty if nothing is wrong, else what, to follow "the model".
std::string flaw_of(const detail::ModelState& state);

}  // namespace induce
