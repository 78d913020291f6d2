#include "support/class_engine.hpp"

#include <cmath>
#include <random>
#include <stdexcept>

#include "train/row_sums.hpp"

namespace induce::testing {

naive::ClassProblem random_class_problem(unsigned seed, Index n, Index m, Index d, Index classes) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const auto draw = [&] { return normal(generator); };
  naive::ClassProblem problem;
  problem.X = RowMatrix::NullaryExpr(n, d, draw);
  problem.y =
      Vector::NullaryExpr(n, [&] { return std::floor(uniform(generator) * static_cast<double>(classes)); });
  problem.weight = Vector::NullaryExpr(n, [&] { return 0.5 + 2 * uniform(generator); });
  problem.Z = Matrix::NullaryExpr(m, d, draw);
  problem.signal_std = std::exp(0.3 * draw());
  problem.lengthscales = Vector::NullaryExpr(d, [&] { return std::exp(0.3 * draw()); });
  problem.noise_std = 0.1 + 0.2 * uniform(generator);
  problem.mean = Vector::NullaryExpr(classes, draw);
  problem.scale = Vector::NullaryExpr(classes, [&] { return std::exp(0.4 * draw()); });
  return problem;
}

std::shared_ptr<const Kernel> kernel_of(const naive::ClassProblem& problem) {
  return make_kernel(problem.shape, {.d = problem.X.cols(), .ard = true, .noise = problem.noise_std > 0});
}

Prior prior_of(const naive::ClassProblem& problem) {
  const auto kernel = kernel_of(problem);
  Prior prior{.theta = Vector::Constant(kernel->size(), NAN), .mean = 0, .Z = problem.Z};
  const auto set = [&](const char* name, const Vector& values) {
    const auto at = kernel->find(name);
    if (!at) throw std::logic_error(std::string("no parameter ") + name);
    prior.theta.segment(*at, values.size()) = values;
  };
  set("signal_std", Vector{{problem.signal_std}});
  set("lengthscales", problem.lengthscales);
  if (problem.noise_std > 0) set("noise_std", Vector{{problem.noise_std}});
  for (Index c = 0; c < problem.classes(); ++c) prior.classes.push_back({problem.mean[c], problem.scale[c]});
  return prior;
}

Layout layout_of(const naive::ClassProblem& problem) {
  return {.kernel = kernel_of(problem), .mean = true, .inputs = true};
}

Vector coordinates(const naive::ClassProblem& problem) {
  const Prior prior = prior_of(problem);
  const Index kernel = prior.theta.size(), C = problem.classes();
  Vector x(kernel + 2 * C + problem.Z.size());
  x << prior.theta.array().log().matrix(), problem.scale.array().log().matrix(), problem.mean,
      Vector(problem.Z.reshaped());
  return x;
}

naive::ClassProblem moved_to(naive::ClassProblem problem, const Vector& x) {
  const auto kernel = kernel_of(problem);
  const Index C = problem.classes(), d = problem.X.cols();
  const auto values = [&](const char* name, Index count) {
    return Vector(x.segment(*kernel->find(name), count).array().exp());
  };
  problem.signal_std = values("signal_std", 1)[0];
  problem.lengthscales = values("lengthscales", d);
  if (problem.noise_std > 0) problem.noise_std = values("noise_std", 1)[0];
  problem.scale = x.segment(kernel->size(), C).array().exp();
  problem.mean = x.segment(kernel->size() + C, C);
  problem.Z = x.tail(problem.Z.size()).reshaped(problem.Z.rows(), d);
  return problem;
}

Matrix by_class(const Vector& numbers, Index classes) {
  return Eigen::Map<const RowMatrix>(numbers.data(), numbers.size() / classes, classes);
}

naive::ClassSites class_sites(const Sites& sites) {
  const Index C = sites.w.size() / sites.c.size();
  return {by_class(sites.w, C), by_class(sites.t, C), sites.c};
}

std::vector<naive::Posterior> class_posteriors(const Frame& frame, const Posteriors& q) {
  std::vector<naive::Posterior> out;
  for (Index c = 0; c < frame.functions(); ++c) {
    const double r = frame.scale(c);
    out.push_back({r * natural_mean(frame, q[c]), r * r * natural_covariance(frame, q[c])});
  }
  return out;
}

ClassEngine::ClassEngine(const naive::ClassProblem& problem, int threads, std::size_t memory)
    : workers(threads),
      kernel(kernel_of(problem)),
      likelihood(induce::likelihood("softmax", static_cast<std::size_t>(problem.classes()))),
      X(problem.X),
      targets(problem.y, problem.weight),
      pass(X, problem.Z.rows(), workers, memory),
      sites(problem.n(), problem.classes()),
      collapsed(static_cast<std::size_t>(problem.classes())) {
  place(problem);
}

void ClassEngine::place(const naive::ClassProblem& problem) {
  frame = make_frame(kernel, prior_of(problem), 0);
}

void ClassEngine::start() {
  const Index C = frame.functions();
  Vector mean(X.rows() * C), variance(X.rows() * C);
  for (Index k = 0; k < mean.size(); ++k) {
    mean[k] = frame.mean(k % C);
    variance[k] = frame.scale(k % C) * frame.scale(k % C) * frame.placed->diagonal();
  }
  refresh_sites(*make_site_rule("newton", likelihood), targets, mean, variance, workers, sites);
}

void ClassEngine::rounds(int count) {
  for (int round = 0; round < count; ++round) {
    bound();
    pass.marginals(frame, q(), m, S2);
    refresh_sites(*make_site_rule("newton", likelihood), targets, m, S2, workers, sites);
  }
}

double ClassEngine::bound() {
  Sums& sums = pass.first_half(frame, sites);
  double F = 0;
  for (Index c = 0; c < frame.functions(); ++c) {
    collapse(frame, sums, collapsed[static_cast<std::size_t>(c)], c);
    F += collapsed[static_cast<std::size_t>(c)].F;
  }
  return F;
}

double ClassEngine::elbo() {
  const double F = bound();
  pass.marginals(frame, q(), m, S2);
  return F + expected_log_likelihood(likelihood, targets, m, S2, workers) -
         expected_sites(sites, m, S2, workers);
}

Gradient ClassEngine::gradient() { return fixed_site_gradient(pass, frame, collapsed, sites, m, S2); }

}  // namespace induce::testing
