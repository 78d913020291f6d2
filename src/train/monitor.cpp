#include "train/monitor.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "text/words.hpp"

namespace induce::detail {
namespace {

// Time for an iteration to finish if there are checkpoints; containers get ten seconds or more to stop.
constexpr std::chrono::seconds grace{2};

}  // namespace

Monitor::Monitor(const Options& options, int max_iter, MakeModel make_model)
    : options_(options), max_iter_(max_iter), make_model_(std::move(make_model)) {}

void Monitor::begin_stage(std::size_t rows, std::size_t m, const FeatureMap& map) {
  stage_.stage = history_.empty() ? 0 : history_.back().stage + 1;
  stage_.rows = rows;
  stage_.m = m;
  map_ = &map;
}

double Monitor::seconds() const {
  return earlier_seconds_ + std::chrono::duration<double>(Clock::now() - start_ - paused_).count();
}

void Monitor::off_the_clock(const std::function<void()>& work) {
  const auto pause = Clock::now();
  work();
  paused_ += Clock::now() - pause;
}

void Monitor::archive(Archive& a) {
  double seconds = this->seconds();
  a("seconds", seconds);
  if (a.loading()) earlier_seconds_ += seconds - this->seconds();
  const std::size_t width = 7;
  std::vector<double> table;
  const auto add = [&](const Iteration& now) {
    for (const double number :
         {static_cast<double>(now.stage), static_cast<double>(now.rows), static_cast<double>(now.m),
          now.seconds, static_cast<double>(now.passes), now.bound, now.elbo})
      table.push_back(number);
  };
  add(stage_);
  for (const Iteration& each : history_) add(each);
  a("iterations", table);
  if (!a.loading()) return;
  if (table.empty() || table.size() % width != 0) a.reject("iterations", "has the wrong shape");
  history_.clear();
  for (std::size_t k = 0; k < table.size(); k += width) {
    const double* at = table.data() + k;
    for (const std::size_t count : {0, 1, 2, 4})
      if (!(at[count] >= 0 && at[count] < (count == 0 ? 1e9 : 1e15)))
        a.reject("iterations", "has a count out of range");
    history_.push_back({.stage = static_cast<int>(at[0]),
                        .rows = static_cast<std::size_t>(at[1]),
                        .m = static_cast<std::size_t>(at[2]),
                        .seconds = at[3],
                        .passes = static_cast<long>(at[4]),
                        .bound = at[5],
                        .elbo = at[6]});
  }
  stage_ = history_.front();
  history_.erase(history_.begin());
}

// Since the end of the stage before this one.
double Monitor::rows_per_second() const {
  const Iteration& now = history_.back();
  const auto before = std::find_if(history_.rbegin(), history_.rend(),
                                   [&](const Iteration& each) { return each.stage < now.stage; });
  const Iteration from = before == history_.rend() ? Iteration() : *before;
  const double seconds = now.seconds - from.seconds;
  return seconds > 0 ? static_cast<double>(now.rows) * static_cast<double>(now.passes - from.passes) / seconds
                     : 0;
}

void Monitor::after_iteration(double bound, long passes, const std::function<Fitted()>& fitted,
                              const std::function<double()>& elbo) {
  Iteration now = stage_;
  now.seconds = seconds();
  now.passes = passes;
  now.bound = bound;
  history_.push_back(now);
  off_the_clock([&] {
    if (options_.trace_elbo) history_.back().elbo = elbo();
    if (options_.on_iteration) {
      const Progress progress{.iteration = iterations(),
                              .max_iter = max_iter_,
                              .now = history_.back(),
                              .gain = gain_of_last_stage(),
                              .seconds_left = std::min(expected_, seconds_left()),
                              .rows_per_second = rows_per_second(),
                              .shards = shards_,
                              .shard_imbalance = imbalance_ ? imbalance_() : 1,
                              .model = [&] { return make_model_(fitted(), *map_); }};
      interrupted_ = !options_.on_iteration(progress) || interrupted_;
    }
    interrupted_ = interrupted_ || stop_requested();
  });
}

// The bound per row at the end of the last stage, minus that of the stage before it.
double Monitor::gain_of_last_stage() const {
  std::vector<const Iteration*> ends;  // of the last two stages before this one
  for (std::size_t k = history_.size(); k-- > 1 && ends.size() < 2;)
    if (history_[k - 1].stage != history_[k].stage) ends.push_back(&history_[k - 1]);
  if (ends.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  const auto per_row = [](const Iteration& at) { return at.bound / static_cast<double>(at.rows); };
  return per_row(*ends[0]) - per_row(*ends[1]);
}

// A stop request is final: the callback is not polled again.
bool Monitor::stop_requested() {
  if (!stop_time_ && options_.stop && options_.stop()) stop_time_ = Clock::now();
  return stop_time_.has_value();
}

bool Monitor::must_cut() {
  if (interrupted_ || !stop_requested()) return interrupted_;
  interrupted_ = options_.checkpoint.empty() || Clock::now() - *stop_time_ >= grace;
  return interrupted_;
}

bool Monitor::stoppable(Workers& workers, const std::function<void()>& work) {
  if (runs(workers, work, options_.stop ? [this] { return must_cut(); } : std::function<bool()>()))
    return true;
  cut_ = interrupted_ = true;
  return false;
}

// Other processes cannot be interrupted by the clock alone: they would not answer any more.
bool Monitor::within_time(Workers& workers, const std::function<void()>& work) {
  if (shards_ > 0 || !std::isfinite(options_.max_time)) return stoppable(workers, work);
  if (runs(workers, work, [this] { return must_cut() || out_of_time(); })) return true;
  cut_ = interrupted_;
  return false;
}

// False if it was stopped: by the condition, or by a carrier that was stopped while it waited.
bool Monitor::runs(Workers& workers, const std::function<void()>& work, std::function<bool()> stop) {
  struct StopPolling {
    Workers& workers;
    ~StopPolling() { workers.stop_when(nullptr); }
  };
  const StopPolling polling{workers};
  if (stop) workers.stop_when(std::move(stop));
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
  if (out_of_time()) return "max_time of " + shortest(options_.max_time) + " s reached";
  if (out_of_iterations()) return "max_iter of " + std::to_string(max_iter_) + " reached";
  return "stopped after iteration " + std::to_string(iterations()) +
         ": too many evaluations without progress";
}

}  // namespace induce::detail

std::string induce::name_of(Status status) {
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
