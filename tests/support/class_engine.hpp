// Drives the engine with C latent functions like training does, and converts between its types and those of the slow twin.
#pragma once

#include <memory>
#include <vector>

#include "core/gradient.hpp"
#include "core/pass.hpp"
#include "site/targets.hpp"
#include "support/naive_classes.hpp"
#include "train/parameters.hpp"

namespace induce::testing {

// Three classes (or more), per-feature length-scales, noise, means, scales, weights from 0.5 to 2.5.
naive::ClassProblem random_class_problem(unsigned seed, Index n, Index m, Index d, Index classes = 3);

std::shared_ptr<const Kernel> kernel_of(const naive::ClassProblem& problem);
Prior prior_of(const naive::ClassProblem& problem);
// Everything packed, in the order of Layout: log theta, log scales, means, Z feature by feature.
Layout layout_of(const naive::ClassProblem& problem);
Vector coordinates(const naive::ClassProblem& problem);
naive::ClassProblem moved_to(naive::ClassProblem problem, const Vector& x);

naive::ClassSites class_sites(const Sites& sites);
// q(u_c) of u_c = scale_c g_c(Z), from that of g_c.
std::vector<naive::Posterior> class_posteriors(const Frame& frame, const Posteriors& q);
// n x C, row-major, as a matrix.
Matrix by_class(const Vector& numbers, Index classes);

class ClassEngine {
 public:
  explicit ClassEngine(const naive::ClassProblem& problem, int threads = 1, std::size_t memory = 0);

  void place(const naive::ClassProblem& problem);  // without jitter
  void start();                                    // sites from the marginals of the prior
  void rounds(int count);                          // sites -> q -> marginals -> sites
  double bound();                                  // F at the sites
  double elbo();                                   // of the last q
  Gradient gradient();                             // of F at fixed sites
  Posteriors q() const { return Posteriors(collapsed); }

  Workers workers;
  std::shared_ptr<const Kernel> kernel;
  const Likelihood& likelihood;
  RowMatrix X;
  Targets targets;
  Pass pass;
  Frame frame;
  Sites sites;
  std::vector<Collapsed> collapsed;
  Vector m, S2;
};

}  // namespace induce::testing
