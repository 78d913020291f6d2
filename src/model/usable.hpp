// Checks that a model's numbers are in the ranges that prediction relies on. Applied to every loaded model, since
// files come from anywhere, and to every saved model, since a file that cannot be loaded is useless.
//
// These checks cost m^2, like reading the numbers. They rule out a negative variance (rounding is clamped in
// core/pass.cpp), a hang and invalid memory access. They cannot guarantee that no sum overflows: a finite but
// absurd q could overflow on some rows. Proving otherwise takes m^3 (that L L' is K_mm, that I - D is positive
// definite), and where q is very certain, rounding would reject valid models. So Model::predict checks the
// result of each row instead, at negligible cost.
#pragma once

#include <string>

#include "model/state.hpp"

namespace induce::detail {

// Empty if the model is usable, else the reason, to follow "the model".
std::string flaw_of(const ModelState& state);

}  // namespace induce::detail
