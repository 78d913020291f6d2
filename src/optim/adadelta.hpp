// AdaDelta as in the climin toolbox, which the paper used: running averages of squared gradients and squared
// steps, and a step rate chosen by the user. Maximises.
//   G2   := decay G2 + (1 - decay) g^2
//   step := rate sqrt(S2 + offset)/sqrt(G2 + offset) g
//   S2   := decay S2 + (1 - decay) step^2
#pragma once

#include "state/archive.hpp"
#include "linalg/types.hpp"

namespace induce {

class AdaDelta {
 public:
  explicit AdaDelta(Index n, double rate, double decay = 0.9, double offset = 1e-4)
      : rate_(rate), decay_(decay), offset_(offset), G2_(Vector::Zero(n)), S2_(Vector::Zero(n)) {}

  // Moves x along the gradient g.
  void step(Vector& x, const Vector& g) {
    G2_ = decay_ * G2_ + (1 - decay_) * g.cwiseAbs2();
    const Vector move =
        rate_ * ((S2_.array() + offset_).sqrt() / (G2_.array() + offset_).sqrt() * g.array()).matrix();
    S2_ = decay_ * S2_ + (1 - decay_) * move.cwiseAbs2();
    x += move;
  }

  void archive(Archive& a) {
    a.sized("G2", G2_, G2_.size());
    a.sized("S2", S2_, S2_.size());
  }

 private:
  double rate_, decay_, offset_;
  Vector G2_, S2_;
};

}  // namespace induce
