// What the label of a row would tell about its latent functions, f_c ~ N(m_c, S2_c), and how firmly.
#pragma once

#include <span>

#include "likelihood/likelihood.hpp"

namespace induce::detail {

double entropy(std::span<const double> p);  // in nats

// I(y; f) = H(E p) - E H(p) of one row, in nats.
double information(const Likelihood& likelihood, const double* m, const double* S2);

// The weights of the sites that may stand for the label of one row: w_c = -E l''_c, on average over the label.
void expected_weights(const Likelihood& likelihood, const double* m, const double* S2, double* w);

}  // namespace induce::detail
