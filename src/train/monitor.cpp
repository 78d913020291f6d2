#include "train/monitor.hpp"

#include <string>

namespace induce {

std::string name_of(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::budget:
      return "budget";
    case Status::interrupted:
      return "interrupted";
    case Status::failed:
      break;
  }
  return "failed";
}

Monitor::Monitor(const Options& options, int max_iter, MakeModel make_model)
    : options_(options), max_iter_(max_iter), make_model_(std::move(make_model)) {}

void Monitor::begin_stage(std::size_t rows, std::size_t m, const FeatureMap& map) {
  stage_.stage = history_.empty() ? 0 : history_.back().stage + 1;
  stage_.rows = rows;
  stage_.m = m;
  map_ = &map;
}

double Monitor::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_ - paused_).count();
}

void Monitor::after_iteration(double bound, long passes, const std::function<Fitted()>& fitted,
                              const std::function<double()>& elbo) {
  Iteration now = stage_;
  now.seconds = seconds();
  now.passes = passes;
  now.bound = bound;
  history_.push_back(now);
  const auto pause = Clock::now();
  if (options_.trace_elbo) history_.back().elbo = elbo();
  if (options_.on_iteration) {
    const Progress progress{iterations(), max_iter_, history_.back(),
                            [&] { return make_model_(fitted(), *map_); }};
    interrupted_ = !options_.on_iteration(progress) || interrupted_;
  }
  ask_to_stop();
  paused_ += Clock::now() - pause;
}

bool Monitor::ask_to_stop() {
  interrupted_ = interrupted_ || (options_.stop && options_.stop());
  return interrupted_;
}

bool Monitor::stoppable(Workers& workers, const std::function<void()>& work) {
  struct Asking {
    Workers& workers;
    ~Asking() { workers.stop_when(nullptr); }
  };
  const Asking asking{workers};
  if (options_.stop) workers.stop_when([this] { return ask_to_stop(); });
  try {
    work();
    return true;
  } catch (const Stopped&) {
    return false;
  }
}

Status Monitor::status(bool converged) const {
  if (interrupted_) return Status::interrupted;
  return converged ? Status::converged : Status::budget;
}

std::string Monitor::message(bool converged) const {
  if (interrupted_) return "stopped by the caller after iteration " + std::to_string(iterations());
  if (converged) return "the bound stopped moving";
  if (out_of_time()) return "max_time of " + std::to_string(options_.max_time) + " s reached";
  if (out_of_iterations()) return "max_iter of " + std::to_string(max_iter_) + " reached";
  return "stopped after iteration " + std::to_string(iterations()) + ": too many evaluations brought nothing";
}

}  // namespace induce
