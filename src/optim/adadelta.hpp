// AdaDelta as in the climin toolbox, which the paper used: running averages of squared gradients and squared
// steps, and a step rate chosen by the user. Maximises.
//   G2   := decay G2 + (1 - decay) g^2
//   step := rate sqrt(S2 + offset)/sqrt(G2 + offset) g
//   S2   := decay S2 + (1 - decay) step^2
#pragma once

#include "linalg/types.hpp"

namespace induce::detail {

class AdaDelta {
 public:
  explicit AdaDelta(Index n, double rate, double decay = 0.9, double offset = 1e-4)
      : G2(Vector::Zero(n)), S2(Vector::Zero(n)), rate_(rate), decay_(decay), offset_(offset) {}

  Vector G2, S2;  // all that it remembers

  // Moves x along the gradient g.
  void step(Vector& x, const Vector& g) {
    G2 = decay_ * G2 + (1 - decay_) * g.cwiseAbs2();
    const Vector move =
        rate_ * ((S2.array() + offset_).sqrt() / (G2.array() + offset_).sqrt() * g.array()).matrix();
    S2 = decay_ * S2 + (1 - decay_) * move.cwiseAbs2();
    x += move;
  }

 private:
  double rate_, decay_, offset_;
};

}  // namespace induce::detail
