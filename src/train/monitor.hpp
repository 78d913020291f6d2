// Monitors a running fit: its clock (callbacks and evaluation on test data do not count), its budget, its
// history, and stop requests.
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include <induce/model.hpp>
#include <induce/options.hpp>
#include <induce/report.hpp>

#include "core/fitted.hpp"
#include "table/feature_map.hpp"
#include "state/state_saver.hpp"
#include "machine/workers.hpp"

namespace induce::detail {

class Monitor {
 public:
  using MakeModel = std::function<Model(const Fitted&, const FeatureMap&)>;
  Monitor(const Options& options, int max_iter, MakeModel make_model);

  // The following iterations use `rows` rows, m inducing inputs and the features of `map`.
  void begin_stage(std::size_t rows, std::size_t m, const FeatureMap& map);

  // The following iterations continue the only stage of a method that can start again from an iteration.
  void resume_stage(const FeatureMap& map) { map_ = &map; }
  void archive(Archive& a);
  // Runs work() without counting its time.
  void off_the_clock(const std::function<void()>& work);

  // The estimated seconds until the end, for progress.
  void expect(double seconds_left) { expected_ = seconds_left; }

  // Who has the rows, for progress.
  void watch_shards(int count, std::function<double()> imbalance) {
    shards_ = count;
    imbalance_ = std::move(imbalance);
  }

  // Records one iteration. `fitted` and `elbo` are called only if needed, off the clock.
  void after_iteration(double bound, long passes, const std::function<Fitted()>& fitted,
                       const std::function<double()>& elbo);

  // Runs work(), which a stop request may interrupt; false if it did. With checkpoints, the iteration gets a
  // moment to finish, so that the last checkpoint is current.
  bool stoppable(Workers& workers, const std::function<void()>& work);
  // The same for work that the end of the time interrupts, too, because the fit has something without it.
  bool within_time(Workers& workers, const std::function<void()>& work);
  // Of the time limit, what the report after training will take.
  void reserve(double seconds) { reserved_ = seconds; }

  // Checkpoints: at the end of an iteration from which a method can start again, unless work was interrupted ...
  void end_of_iteration(StateSaver& saver) const {
    if (!cut_) saver.safe_point(must_stop());
  }
  // ... and at the end of a stage, unless that had to stop: a resumed fit repeats it.
  void end_of_stage(StateSaver& saver) const {
    if (!must_stop()) saver.safe_point(true);
  }

  // Asks whether the caller wants to stop, then as below: for work that ends early by itself.
  bool must_end() { return must_cut() || must_stop(); }
  // True once the fit must end: interrupted, out of time or out of iterations.
  bool must_stop() const { return interrupted_ || out_of_iterations() || out_of_time(); }
  bool out_of_time() const { return interrupted_ || seconds_left() <= 0; }
  bool interrupted() const { return interrupted_; }
  bool cut() const { return cut_; }  // work was interrupted
  double seconds_left() const { return options_.max_time - seconds() - reserved_; }
  Status status(bool converged) const;
  std::string message(bool converged) const;

  double seconds() const;
  int iterations() const { return static_cast<int>(history_.size()); }
  int max_iter() const { return max_iter_; }
  const std::vector<Iteration>& history() const { return history_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool out_of_iterations() const { return iterations() >= max_iter_; }
  bool stop_requested();
  double gain_of_last_stage() const;
  double rows_per_second() const;
  bool must_cut();
  bool runs(Workers& workers, const std::function<void()>& work, std::function<bool()> stop);

  const Options& options_;
  int max_iter_;
  MakeModel make_model_;
  Iteration stage_;  // the fields that all iterations of this stage share
  int shards_ = 0;
  std::function<double()> imbalance_;
  const FeatureMap* map_ = nullptr;
  Clock::time_point start_ = Clock::now();
  Clock::duration paused_{0};
  double reserved_ = 0;                         // seconds of the limit
  double earlier_seconds_ = 0;                  // seconds before the checkpoint that the fit resumes from
  std::optional<Clock::time_point> stop_time_;  // time of the stop request
  bool interrupted_ = false, cut_ = false;
  double expected_ = std::numeric_limits<double>::quiet_NaN();
  std::vector<Iteration> history_;
};

}  // namespace induce::detail
