// vi-newton: theta, mean and Z jointly by L-BFGS-B on the profiled true bound (profiled_bound.hpp), in stages
// with more and more rows and inducing inputs (stages.hpp). Before that, or as its first stage, the feature map and the
// kernel are chosen (model_choice.hpp).
#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/random.hpp"
#include "text/words.hpp"
#include "train/cross_validation.hpp"
#include "train/held_out_choice.hpp"
#include "train/policy.hpp"

namespace induce::detail {
namespace {

// The user's rows, shuffled.
std::vector<Index> shuffled_rows(const TrainingPlan& plan) {
  std::vector<Index> order(static_cast<std::size_t>(plan.rows.user_rows()));
  std::iota(order.begin(), order.end(), Index{0});
  Random(plan.seed).shuffle(order);
  return order;
}

Stages plan_stages(const TrainingPlan& plan) {
  const double share =
      static_cast<double>(rows_of_rare_class(plan.class_rows())) / static_cast<double>(plan.rows.user_rows());
  return {plan.n,
          plan.maps[0].features(),
          plan.inducing,
          plan.find_inducing,
          plan.kernels[0].layout.inputs,
          std::lround(share * static_cast<double>(plan.n)),
          plan.all ? plan.sample : 0,
          plan.distinct(plan.n),
          plan.options.effort};
}

// Null if there is nothing to choose, or too little to choose by. Arranges the order of the fit's rows for it.
std::unique_ptr<ModelChoice> make_choice(StagedFit& fit, const Stages& stages, std::vector<Index>& order) {
  const TrainingPlan& plan = fit.plan();
  const StagePlan first = stages.first();
  if (!plan.all && first.rows == plan.n) {
    Folds folds = arrange_folds(plan, order);
    if (!CrossValidation::needed(plan, first)) return nullptr;
    return std::make_unique<CrossValidation>(fit, first, std::move(folds));
  }
  if (!HeldOutChoice::needed(plan, first)) return nullptr;
  std::optional<StagePlan> second = stages.next(first, first.m);
  // The rows that judge it must be unknown to the candidate, and there must be some.
  if (second->rows >= plan.rows.user_rows() || !plan.groups.of.empty() || plan.table_without) second.reset();
  return std::make_unique<HeldOutChoice>(fit, first, second, arrange_held_out(plan, order, first.rows));
}

// The candidate that was chosen without held-out rows, for all rows.
CandidateFit with_all_rows(StagedFit& fit, const CandidateFit& chosen) {
  if (chosen.side().own_table) return {fit, chosen.candidate(), fit.all_rows()};
  CandidateFit all = chosen;
  all.use(fit.all_rows());
  return all;
}

void archive_stages(Archive a, const TrainingPlan& plan, std::vector<Stage>& stages) {
  std::vector<std::string> kernels;
  for (const KernelPlan& each : plan.kernels) kernels.push_back(each.name);
  std::size_t count = stages.size();
  a("count", count);
  if (count > 10000) a.reject("count", "is too large");
  stages.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    Archive at = a.inside(std::to_string(k));
    Stage& stage = stages[k];
    at("rows", stage.rows);
    at("m", stage.m);
    at("bound", stage.bound);
    at("seconds", stage.seconds);
    const auto archive_name = [&](const char* what, const std::vector<std::string>& names,
                                  std::string& name) {
      std::size_t number = std::find(names.begin(), names.end(), name) - names.begin();
      at(what, number);
      if (number >= names.size()) at.reject(what, "is out of range");
      name = names[number];
    };
    archive_name("warp", plan.map_names, stage.warp);
    archive_name("kernel", kernels, stage.kernel);
  }
}

class NewtonFit {
 public:
  explicit NewtonFit(const FitContext& context)
      : plan_(context.plan),
        monitor_(context.monitor),
        saver_(context.saver),
        order_(shuffled_rows(plan_)),
        stages_(plan_stages(plan_)),
        stage_(plan_.start ? stages_.first_from_model(plan_.start->frame.m()) : stages_.first()),
        fit_{context, order_} {
    choice_ = make_choice(fit_, stages_, order_);
    fit_.seconds_left = [this](const StagePlan& now, double pace) { return pace * work_left(now); };
  }

  Outcome run() {
    const StateSaver::Section section(&saver_, "stages", [this](Archive& a) { archive(a); });
    const bool run_first = candidate_ || choose();
    const KernelPlan& first = plan_.kernels[0];
    const bool has_level = first.layout.mean || first.start.thresholds.size() > 0;
    base_rate_ = has_level && choice_ && !choice_->features_predict();
    Outcome outcome;
    if (base_rate_)
      candidate_->become_base_rate();
    else
      outcome.failure = grow(run_first);
    if (!base_rate_ && candidate_->rows() > 0 && !monitor_.must_stop()) candidate_->finish();
    const ProfiledPoint& point = candidate_->point();
    outcome.fitted = point.fitted();
    outcome.map = candidate_->candidate().map;
    outcome.converged = base_rate_ || (candidate_->converged() && candidate_->rows() == plan_.n);
    outcome.exhausted = candidate_->exhausted();
    report(point, outcome.report);
    return outcome;
  }

 private:
  // Operations until the end, at the inducing inputs of this stage.
  double work_left(const StagePlan& now) const {
    const auto usual = [&](const StagePlan& of) {
      return policy::usual_passes *
             work_of_pass(plan_.distinct(of.rows), of.m, plan_.maps[0].features(), fit_.functions());
    };
    double later_work = 0;
    for (StagePlan later = now; later.rows < plan_.n; later_work += usual(later))
      later = stages_.next(later, later.m);
    return usual(now) / 2 + later_work;
  }

  // Makes the candidate. False if it has run the stage already.
  bool choose() {
    if (choice_) {
      choice_->run();
      choosing_seconds_ = monitor_.seconds();
    }
    if (const CandidateFit* best = choice_ ? choice_->chosen() : nullptr)
      candidate_ = with_all_rows(fit_, *best);
    else
      candidate_.emplace(fit_, Candidate{}, fit_.all_rows());
    if (candidate_->rows() > stage_.rows) stage_ = stages_.next(stage_, stage_.m);
    // A small table is chosen for with another tolerance.
    return stage_.rows == plan_.n || candidate_->rows() < stage_.rows;
  }

  bool another_follows(const ProfiledPoint& point) const {
    return stage_.rows < plan_.n ||
           stages_.worth_growing(stage_, point.frame.m(), point.value, point.value - fewer_,
                                 point.sparsity_price(), fit_.functions(),
                                 TermSize(candidate_->kernel().terms()));
  }

  // Runs the stages. Returns why it could not go on; empty otherwise.
  std::string grow(bool run_first) {
    for (bool run = run_first; !monitor_.must_stop() || candidate_->rows() == 0; run = true) {
      if (run && !candidate_->run(stage_, [this](const ProfiledPoint& at) { return another_follows(at); }) &&
          !monitor_.must_stop())
        return "the bound is not finite at the start of a stage of " + std::to_string(stage_.rows) +
               " rows and " + std::to_string(stage_.m) + " inducing " +
               noun(static_cast<std::size_t>(stage_.m), "input");
      if (stage_.last || monitor_.must_stop()) break;

      const ProfiledPoint& point = candidate_->point();
      if (!another_follows(point)) break;  // rows were left out, or the optimizer ended it, not its tolerance
      if (stage_.rows == plan_.n) fewer_ = point.value;
      stage_ = stages_.next(stage_, point.frame.m());
      if (!stage_.last && candidate_->estimate(stage_) > monitor_.seconds_left())
        stage_ = stages_.last(point.frame.m());
      monitor_.end_of_stage(saver_);
    }
    return "";
  }

  void report(const ProfiledPoint& point, Report& report) {
    std::vector<Stage>& stages = report.stages = std::move(fit_.stages);
    if (!stages.empty() && candidate_->rows() > 0) stages.back().bound = point.value;
    report.rows = static_cast<std::size_t>(candidate_->rows());
    report.bound = point.value;
    report.elbo = point.elbo;
    report.sparsity_price = point.sparsity_price();
    report.passes = fit_.passes;
    report.kept_bytes = fit_.kept_bytes;
    report.choosing_seconds = choosing_seconds_;
    report.last_seconds =
        stages.size() > 1 ? stages.back().seconds - stages[stages.size() - 2].seconds : monitor_.seconds();
    if (!base_rate_) report.doubling_gain = point.sparsity_price();
    if (std::isfinite(fewer_) && point.value > fewer_)
      report.doubling_gain = std::min(report.doubling_gain, (point.value - fewer_) / 2);
    if (choice_) choice_->report(report);
    if (candidate_->rows() == 0 || monitor_.interrupted()) return;
    if (plan_.groups.of.empty())
      candidate_->report_leave_one_out(report);
    else if (candidate_->rows() == plan_.n)  // otherwise there is no time for folds, either
      candidate_->report_folds_left_out(arrange_folds(plan_, order_), report);
  }

  // Between two stages.
  void archive(Archive& a) {
    if (choice_) a.part("choice", *choice_);
    a.part("stage", stage_);
    if (stage_.rows < 1 || stage_.rows > plan_.n || stage_.m < std::min<Index>(1, plan_.inducing) ||
        stage_.m > plan_.inducing)
      a.reject("stage", "does not match the data");
    archive_fit(a.inside("candidate"), fit_, candidate_, [this] { return fit_.all_rows(); });
    archive_stages(a.inside("stages"), plan_, fit_.stages);
    a("fewer", fewer_);
    a("choosing_seconds", choosing_seconds_);
    a("passes", fit_.passes);
    a("kept_bytes", fit_.kept_bytes);
  }

  const TrainingPlan& plan_;
  Monitor& monitor_;
  StateSaver& saver_;
  std::vector<Index> order_;
  const Stages stages_;
  StagePlan stage_;
  StagedFit fit_;
  std::unique_ptr<ModelChoice> choice_;
  std::optional<CandidateFit> candidate_;  // once it is chosen
  double fewer_ = -INFINITY;               // the bound over all rows with fewer inducing inputs
  double choosing_seconds_ = 0;
  bool base_rate_ = false;
};

}  // namespace

Outcome train_newton(const FitContext& context) { return NewtonFit(context).run(); }

}  // namespace induce::detail
