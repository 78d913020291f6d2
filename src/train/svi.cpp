// The stochastic baseline. svi-AdaDelta takes minibatch steps on the bound of svi_bound.hpp; svi-L-BFGS uses the
// whole sum. q starts at the prior, where the KL is zero.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "linalg/random.hpp"
#include "optim/adadelta.hpp"
#include "optim/lbfgsb.hpp"
#include "train/plan.hpp"
#include "train/svi_bound.hpp"

namespace induce::detail {
namespace {

// AdaDelta fluctuates: it has converged when the average bound of the last epochs exceeds that of the epochs
// before by less than this, relative.
constexpr int epochs_compared = 10;
constexpr double epoch_tolerance = 1e-4;

// Each epoch has an order of its own, so that none needs the one before.
std::vector<Index> order_of_epoch(Index n, std::uint64_t seed, long epoch) {
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  Random(splitmix64(seed) + static_cast<std::uint64_t>(epoch)).shuffle(order);
  return order;
}

class Svi {
 public:
  Svi(const FitContext& context, const RowMatrix& X, const Prior& start)
      : plan_(context.plan),
        X_(X),
        monitor_(context.monitor),
        saver_(context.saver),
        workers_(context.workers),
        bound_(plan_.likelihood, plan_.kernels[0].layout, start),
        all_rows_(X, start.Z.rows(), workers_, plan_.memory),
        lower_(Vector::Constant(bound_.size(), -INFINITY)),
        upper_(Vector::Constant(bound_.size(), INFINITY)) {
    const Index p = plan_.kernels[0].layout.size(start);
    lower_.head(p) = plan_.kernels[0].layout.lower(start);
    upper_.head(p) = plan_.kernels[0].layout.upper(start);
    const Frame frame = make_frame(plan_.kernels[0].layout.kernel, start);
    const Index m = frame.m();
    x_ = bound_.pack({start, Vector::Zero(m), frame.ok ? frame.L : Matrix(Matrix::Identity(m, m))});
  }

  Outcome run() {
    Outcome outcome;
    outcome.converged = plan_.method.optimizer == Optimizer::adadelta ? by_adadelta() : by_lbfgsb();
    outcome.failure = failure_;
    Report& report = outcome.report;
    report.elbo = full_bound(x_, &outcome.fitted);
    report.bound = report.elbo;
    report.passes = passes_;
    report.kept_bytes = all_rows_.kept_bytes();
    if (!std::isfinite(report.elbo)) outcome.failure = "the bound is not finite; try a smaller step";
    return outcome;
  }

 private:
  double full_bound(const Vector& x, Fitted* fitted) {
    return bound_.value(all_rows_, plan_.targets, 1, x, nullptr, fitted);
  }

  void record(double bound, const Vector& x) {
    monitor_.after_iteration(
        bound, passes_,
        [&] {
          Fitted fitted;
          full_bound(x, &fitted);
          return fitted;
        },
        [&] { return full_bound(x, nullptr); });
  }

  bool by_adadelta() {
    const Index n = X_.rows(), size = std::min(plan_.batch, n), steps = n / size;
    RowMatrix X(size, X_.cols());
    Targets targets{Vector(size)};
    Vector gradient(bound_.size());
    Pass batch(X, bound_.inducing(), workers_);
    AdaDelta adadelta(bound_.size(), plan_.step);
    Vector good = x_;
    const StateSaver::Section part(&saver_, "epoch", [&](Archive& a) {
      a.sized("x", x_, bound_.size());
      a.sized("G2", adadelta.G2, bound_.size());
      a.sized("S2", adadelta.S2, bound_.size());
      a("passes", passes_);
      good = x_;
    });
    while (!monitor_.must_stop()) {
      const std::vector<Index> order = order_of_epoch(n, plan_.seed, passes_);
      double sum = 0;
      for (Index step = 0; step < steps; ++step) {
        for (Index i = 0; i < size; ++i) {
          X.row(i) = X_.row(order[step * size + i]);
          targets.y[i] = plan_.targets.y[order[step * size + i]];
          targets.weight[i] = plan_.targets.weight[order[step * size + i]];
        }
        double value = -INFINITY;
        const bool done = monitor_.stoppable(workers_, [&] {
          value = bound_.value(batch, targets, static_cast<double>(n) / static_cast<double>(size), x_,
                               &gradient, nullptr);
        });
        if (!std::isfinite(value) || !gradient.allFinite()) {  // return to the last epoch
          x_ = good;
          if (done) failure_ = "the bound is not finite after a step; try a smaller step";
          return false;
        }
        sum += value;
        adadelta.step(x_, gradient);
        x_ = x_.cwiseMax(lower_).cwiseMin(upper_);
      }
      good = x_;
      ++passes_;
      record(sum / static_cast<double>(steps), x_);
      if (bound_converged()) return true;
      monitor_.end_of_iteration(saver_);
    }
    return false;
  }

  bool bound_converged() const {
    const auto& history = monitor_.history();
    if (history.size() < 2 * epochs_compared) return false;
    double now = 0, before = 0;
    for (int k = 1; k <= epochs_compared; ++k) {
      now += history[history.size() - k].bound / epochs_compared;
      before += history[history.size() - epochs_compared - k].bound / epochs_compared;
    }
    return now - before < epoch_tolerance * std::abs(before);
  }

  bool by_lbfgsb() {
    LbfgsbSettings settings;
    settings.max_evaluations = 20 * monitor_.max_iter();
    settings.max_iterations = monitor_.max_iter();
    settings.relative_reduction = 1e-7;
    settings.must_stop = [this] { return monitor_.must_stop(); };
    settings.on_iteration = [this](const Vector& x, double value) {
      if (monitor_.cut()) return false;
      record(value, x);
      return !monitor_.must_stop();
    };
    const Optimum optimum = maximize_lbfgsb(
        [this](const Vector& x, Vector& gradient) {
          double value = -INFINITY;
          monitor_.stoppable(workers_, [&] {
            ++passes_;
            value = bound_.value(all_rows_, plan_.targets, 1, x, &gradient, nullptr);
          });
          return value;
        },
        x_, lower_, upper_, settings);
    x_ = optimum.x;
    return optimum.converged || optimum.stuck;
  }

  const TrainingPlan& plan_;
  const RowMatrix& X_;
  Monitor& monitor_;
  StateSaver& saver_;
  Workers& workers_;
  SviBound bound_;
  Pass all_rows_;
  Vector lower_, upper_, x_;
  long passes_ = 0;
  std::string failure_;  // why training could not continue
};

}  // namespace

Outcome train_svi(const FitContext& context) {
  return train_from_kmeans(
      context, [&](const RowMatrix& X, const Prior& start) { return Svi(context, X, start).run(); });
}

}  // namespace induce::detail
