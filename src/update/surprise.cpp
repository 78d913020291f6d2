#include "update/surprise.hpp"

#include <algorithm>
#include <cmath>

#include "core/pass.hpp"
#include "linalg/blas.hpp"
#include "text/format.hpp"
#include "text/words.hpp"
#include "update/learn_rows.hpp"

namespace induce::detail {
namespace {

constexpr double least_probability = 1e-15;  // as in Metrics
// The rule of the advice, by its numbers: see docs/answers/nightly_updates.md.
constexpr double surprising = 3;     // standard deviations
constexpr double costly = 0.01;      // nats per row beyond what was expected
constexpr double far_away = 3;       // of a column, in standard deviations
constexpr double many_novel = 0.01;  // a share of the rows
constexpr std::size_t most_columns = 5;
constexpr double odds = 100;  // against frequencies of a class that are chance

double standardized(double difference, double variance) {
  return variance > 0 ? difference / std::sqrt(variance) : 0;
}

// What is lost, in nats, if a class with `found` of `rows` was expected to have `expected`: the logarithm of the likelihood ratio of
// both frequencies.
double cost_of_frequency(double found, double expected, double rows) {
  const auto part = [](double a, double b) {
    return a > 0 ? a * std::log(a / std::max(b, least_probability)) : 0;
  };
  return part(found, expected) + part(rows - found, rows - expected);
}

}  // namespace

Vector probabilities_of(const Fitted& fitted, const Likelihood& likelihood, const RowMatrix& X,
                        Workers& workers) {
  Vector m, S2;
  Pass(X, fitted.frame.m(), workers).marginals(fitted.frame, fitted.q, m, S2);
  const Index functions = likelihood.latent_functions(), width = likelihood.probabilities();
  Vector p(X.rows() * width);
  for_each_block(Blocks::light(X.rows()), workers, [&](Index first, Index rows, int /*worker*/) {
    likelihood.probabilities(m.data() + first * functions, S2.data() + first * functions, rows,
                             p.data() + first * width);
  });
  return p;
}

Vector novelty_of_rows(const Frame& fitted, const RowMatrix& X, Workers& workers) {
  const Frame frame = fitted.of_one_function();
  const double signal = frame.placed->signal_variance(), noise = frame.placed->diagonal() - signal;
  Vector m, residual = Vector::Zero(X.rows());
  if (frame.m() == 0 || !(signal > 0)) return residual;
  const Posterior certain = certain_posterior(frame);
  Pass(X, frame.m(), workers).marginals(frame, certain, m, residual);
  return ((residual.array() - noise) / signal).cwiseMax(0.0).cwiseMin(1.0);
}

double log_of_labels(const Vector& p, const Targets& targets, Index width) {
  double sum = 0;
  for (Index i = 0; i < targets.n(); ++i) {
    const double y = targets.y[i];
    const double own = width > 1 ? p[i * width + static_cast<Index>(y)] : y > 0 ? p[i] : 1 - p[i];
    sum += targets.weight[i] * std::log(std::max(own, least_probability));
  }
  return sum;
}

Surprise::Surprise(std::size_t columns, const Names& names, const ColumnMoments& moments)
    : names_(names), moments_(moments), columns_(columns, names) {
  for (std::vector<double>* each : {&of_class_, &expected_, &class_variance_, &class_loss_})
    each->assign(names.classes.size(), 0);
}

void Surprise::add_rows(const Vector& p, const Vector& novelty, const Targets& targets) {
  const std::size_t C = of_class_.size();
  std::vector<double> own(C);
  for (Index i = 0; i < targets.n(); ++i) {
    const double weight = targets.weight[i];
    if (C == 2) {
      own = {1 - p[i], p[i]};
    } else {
      std::copy_n(p.data() + i * static_cast<Index>(C), C, own.begin());
    }
    double mean = 0, square = 0;
    for (std::size_t c = 0; c < C; ++c) {
      const double loss = -std::log(std::max(own[c], least_probability));
      mean += own[c] * loss;
      square += own[c] * loss * loss;
      expected_[c] += weight * own[c];
      class_variance_[c] += weight * own[c] * (1 - own[c]);
    }
    const auto label = static_cast<std::size_t>(C == 2 ? targets.y[i] > 0 : targets.y[i]);
    const double loss = -std::log(std::max(own[label], least_probability));
    of_class_[label] += weight;
    class_loss_[label] += weight * loss;
    rows_ += weight;
    loss_ += weight * loss;
    entropy_ += weight * mean;
    variance_ += weight * std::max(0.0, square - mean * mean);
    if (novelty[i] <= novel_from) continue;
    novel_ += weight;
    novel_loss_ += weight * loss;
    novel_entropy_ += weight * mean;
  }
}

void Surprise::report_columns(UpdateReport& out) const {
  const double all = columns_.weight();
  if (moments_.empty() || !(all > 0)) return;
  std::vector<ColumnShift>& shifts = out.columns;
  const double rows = std::max(1.0, all);
  // Of a share, by the deviation of one row; one that was 0 or 1 could have been half a row of these.
  const auto share = [&](std::size_t column, const std::string& what, double before, double after) {
    const double usual = std::clamp(before, 0.5 / rows, 1 - 0.5 / rows);
    return ColumnShift{column, what, before, after, (after - before) / std::sqrt(usual * (1 - usual))};
  };
  const auto larger = [](const ColumnShift& a, const ColumnShift& b) {
    return std::abs(a.shift) > std::abs(b.shift);
  };
  for (std::size_t c = 0; c < moments_.gaps.size(); ++c) {
    std::vector<ColumnShift> own{share(c, "missing", moments_.gaps[c], 1 - columns_.values[c] / all)};
    if (columns_.values[c] > 0) {
      const std::vector<double>& levels = columns_.levels[c];
      for (std::size_t k = 0; k < levels.size(); ++k) {
        const bool known = k + 1 < levels.size();
        own.push_back(share(c, known ? names_.columns[c].levels[k] : "(unknown)",
                            known ? moments_.levels[c][k] : 0, levels[k] / columns_.values[c]));
      }
      const double difference = columns_.sums[c] / columns_.values[c];
      if (levels.empty() && moments_.deviation[c] > 0 && std::isfinite(difference))
        own.push_back(
            {c, "mean", moments_.mean[c], moments_.mean[c] + difference, difference / moments_.deviation[c]});
    }
    shifts.push_back(*std::min_element(own.begin(), own.end(), larger));
  }
  std::stable_sort(shifts.begin(), shifts.end(), larger);
  while (shifts.size() > most_columns || (!shifts.empty() && shifts.back().shift == 0)) shifts.pop_back();
}

void Surprise::report(double past, double fit, bool can_grow, UpdateReport& out) const {
  out.rows = rows_;
  out.nll = loss_ / rows_;
  out.expected_nll = entropy_ / rows_;
  out.z = standardized(loss_ - entropy_, variance_);
  out.novel = novel_ / rows_;
  if (novel_ > 0) {
    out.novel_nll = novel_loss_ / novel_;
    out.novel_expected = novel_entropy_ / novel_;
  }
  for (std::size_t c = 0; c < of_class_.size(); ++c)
    out.classes.push_back({of_class_[c], expected_[c],
                           standardized(of_class_[c] - expected_[c], class_variance_[c]),
                           of_class_[c] > 0 ? class_loss_[c] / of_class_[c] : 0});
  report_columns(out);

  // Of many classes some are surprising by chance, so that the odds are against all of them together; a few rows of a rare class
  // have a large z.
  const ClassSurprise* odd = nullptr;
  double most = std::max(costly * rows_, std::log(odds * static_cast<double>(out.classes.size()) / 2));
  for (const ClassSurprise& each : out.classes) {
    const double own = cost_of_frequency(each.rows, each.expected, rows_);
    if (std::abs(each.z) <= surprising || own <= most) continue;
    most = own;
    odd = &each;
  }
  const ColumnShift* far = nullptr;
  if (!out.columns.empty() && std::abs(out.columns[0].shift) > far_away) far = &out.columns[0];

  const double excess = loss_ - entropy_;
  const std::string cost =
      readable(excess / rows_, 3) + " nats per row more than expected, z = " + readable(out.z, 3);
  if (out.z > surprising && excess > costly * rows_) {
    const bool of_novel =
        can_grow && !far && out.novel >= many_novel && novel_loss_ - novel_entropy_ > excess / 2;
    out.advice = of_novel ? "grow" : "refit";
    out.reason = "the new rows cost " + cost +
                 (of_novel ? "; more than half of it is due to rows unlike all rows before" : "");
  } else if (can_grow && !far && out.novel >= 10 * many_novel) {
    out.advice = "grow";
    out.reason = readable(100 * out.novel, 3) + " % of the rows are unlike all rows before";
  } else if (far) {
    out.advice = "refit";
  } else if (odd) {
    out.advice = "refit";
    out.reason = "there are " + readable(odd->rows, 9) + " rows of class '" +
                 names_.classes[static_cast<std::size_t>(odd - out.classes.data())] + "' where " +
                 fixed(odd->expected, 1) + " were expected, z = " + readable(odd->z, 3);
  } else if (past + rows_ > fit) {
    out.advice = "refit";
    out.reason =
        "updates have brought more rows than the fit had: kernel and inducing inputs are those of the fit";
  } else {
    out.advice = "keep";
    out.reason = "the new rows are as the model expected";
    if (out.z > surprising) out.reason = "the new rows cost " + cost + ", which is little";
  }
  if (far)
    out.reason = "column " + std::to_string(far->column + 1) +
                 (names_.features.empty() ? "" : " ('" + names_.features[far->column] + "')") +
                 " has moved by " + readable(std::abs(far->shift), 3) + " standard deviations" +
                 (far->what == "mean" ? ": check its units" : "") +
                 (out.reason.empty() ? "" : "; " + out.reason);
}

}  // namespace induce::detail
