#include "optim/lbfgsb.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

// The routine setulb_, renamed by cmake/lbfgsb.cmake.
extern "C" void induce_setulb(const int* n, const int* m, double* x, const double* l, const double* u,
                              const int* nbd, double* f, double* g, const double* factr, const double* pgtol,
                              double* wa, int* iwa, char* task, const int* iprint, char* csave, int* lsave,
                              int* isave, double* dsave, std::size_t task_length, std::size_t csave_length);

namespace induce {
namespace {

// The complete state of the Fortran routine between two calls.
struct RoutineState {
  static constexpr std::size_t text = 60;

  RoutineState(Vector start, Vector l, Vector u, const LbfgsbSettings& settings)
      : n(static_cast<int>(start.size())),
        memory(settings.memory),
        x(std::move(start)),
        lower(std::move(l)),
        upper(std::move(u)),
        gradient(Vector::Zero(n)),
        kinds(n),
        wa(workspace(static_cast<std::size_t>(n), static_cast<std::size_t>(memory))),
        iwa(std::size_t(3) * n),
        factr(settings.relative_reduction / std::numeric_limits<double>::epsilon()),
        pgtol(settings.projected_gradient * settings.first_step) {
    for (int i = 0; i < n; ++i) {
      const bool below = std::isfinite(lower[i]), above = std::isfinite(upper[i]);
      kinds[i] = below ? (above ? 2 : 1) : (above ? 3 : 0);
    }
    set_task("START");
  }

  static std::size_t workspace(std::size_t n, std::size_t m) {
    return 2 * m * n + 5 * n + 11 * m * m + 8 * m;  // from the routine's source
  }
  void set_task(std::string_view command) {
    std::fill_n(task, text, ' ');
    std::copy(command.begin(), command.end(), task);
  }
  bool task_is(std::string_view command) const { return std::string_view(task, command.size()) == command; }
  std::string message() const {
    std::string_view words(task, text);
    return std::string(words.substr(0, words.find_last_not_of(' ') + 1));
  }
  void advance() {
    const int silent = -1;
    induce_setulb(&n, &memory, x.data(), lower.data(), upper.data(), kinds.data(), &f, gradient.data(),
                  &factr, &pgtol, wa.data(), iwa.data(), task, &silent, csave, lsave, isave, dsave, text,
                  text);
  }

  void archive(Archive& a);

  int n, memory;
  Vector x, lower, upper, gradient;
  std::vector<int> kinds;
  std::vector<double> wa;
  std::vector<int> iwa;
  double factr, pgtol, f = 0;
  char task[text], csave[text] = {};
  int lsave[4] = {}, isave[44] = {};
  double dsave[29] = {};

 private:
  bool can_resume(const RoutineState& fresh) const;
};

template <class Number, std::size_t size>
void archive_array(Archive& a, const std::string& name, Number (&array)[size]) {
  std::vector<Number> values(array, array + size);
  a(name, values);
  if (values.size() != size) a.reject(name, "has the wrong length");
  std::copy(values.begin(), values.end(), array);
}

void archive_text(Archive& a, const std::string& name, char (&text)[RoutineState::text]) {
  std::vector<int> values(text, text + RoutineState::text);
  a(name, values);
  if (values.size() != RoutineState::text) a.reject(name, "has the wrong length");
  std::transform(values.begin(), values.end(), text, [](int c) { return static_cast<char>(c); });
}

// The routine does not check its state; a state from a file must not make it access memory out of bounds.
void RoutineState::archive(Archive& a) {
  RoutineState fresh = *this;
  if (a.loading()) fresh.advance();  // lays out wa
  a.sized("x", x, n);
  a.sized("gradient", gradient, n);
  a("f", f);
  a("wa", wa);
  a("iwa", iwa);
  archive_text(a, "task", task);
  archive_text(a, "csave", csave);
  archive_array(a, "lsave", lsave);
  archive_array(a, "isave", isave);
  std::vector<double> numbers(dsave, dsave + std::size(dsave));
  a("dsave", numbers);
  if (numbers.size() != std::size(dsave)) a.reject("dsave", "has the wrong length");
  std::copy(numbers.begin(), numbers.end(), dsave);
  if (a.loading() && !can_resume(fresh))
    a.reject("isave", "is not the state of an optimizer of this problem");
}

// From the routine's source: isave(1..16) is the layout of wa; isave(27..29) are head, number and tail of the
// correction pairs; isave(31) is their total number so far; isave(38..41) are the number of free variables, the
// number of active ones, the start of the leaving ones and the end of the entering ones; lsave(2..3) is the kind
// of bounds; iwa holds all variables, free ones first, their states, and those that enter (from the front) and
// leave (from the back).
bool RoutineState::can_resume(const RoutineState& fresh) const {
  const auto within = [](int value, int least, int most) { return value >= least && value <= most; };
  if (!task_is("NEW_X") || wa.size() != fresh.wa.size() || iwa.size() != fresh.iwa.size()) return false;
  if (!std::equal(isave, isave + 16, fresh.isave)) return false;
  if (!within(isave[26], 1, memory) || !within(isave[28], 0, memory)) return false;
  if (!within(isave[30], 0, 1 << 30) || isave[27] != std::min(isave[30], memory)) return false;
  if (lsave[1] != fresh.lsave[1] || lsave[2] != fresh.lsave[2]) return false;
  const int free = isave[37], active = isave[38], leaving = isave[39], entering = isave[40];
  if (!within(free, 0, n) || !within(active, 0, n) || !within(leaving, 1, n + 1) || !within(entering, 0, n))
    return false;
  for (int i = 0; i < n; ++i) {
    const int least = i < entering || i + 1 >= leaving ? 1 : 0;  // the others are not used
    if (!within(iwa[i], 1, n) || !within(iwa[n + i], -1, 3) || !within(iwa[2 * n + i], least, n))
      return false;
  }
  return true;
}

}  // namespace

Optimum maximize_lbfgsb(const Objective& objective, const Vector& start, const Vector& lower,
                        const Vector& upper, const LbfgsbSettings& settings) {
  // The routine's first step has length at most 1, so it works on variables in units of the requested length.
  const double unit = settings.first_step;
  RoutineState state(start.cwiseMax(lower).cwiseMin(upper) / unit, lower / unit, upper / unit, settings);
  Optimum best;
  best.x = state.x * unit;
  best.value = -std::numeric_limits<double>::infinity();
  const Keeper::Part part(settings.keeper, "optimizer", [&](Archive& a) {
    a.part("routine", state);
    a.sized("best", best.x, start.size());
    a("value", best.value);
    a("evaluations", best.evaluations);
    a("iterations", best.iterations);
  });
  for (bool not_finite = false;;) {
    state.advance();
    if (state.task_is("FG")) {
      if (best.evaluations >= settings.max_evaluations) {
        best.message = "evaluation budget spent";
        break;
      }
      if (best.evaluations > 0 && settings.must_stop && settings.must_stop()) {
        best.message = "stopped by the caller";
        break;
      }
      const double value = objective(state.x * unit, state.gradient);
      ++best.evaluations;
      not_finite = !std::isfinite(value) || !state.gradient.allFinite();
      if (!not_finite) {
        state.f = -value;
        state.gradient *= -unit;
        if (value > best.value) {
          best.value = value;
          best.x = state.x * unit;
        }
      } else if (best.evaluations == 1) {
        best.message = "the objective is not finite at the start";
        break;
      } else {  // far worse than the best point, so that the line search backtracks
        state.f = -best.value + 10 * (1 + std::abs(best.value));
        state.gradient.setZero();
      }
    } else if (state.task_is("NEW_X")) {
      if (not_finite) {  // the line search gave up there without progress
        best.message = "the line search ended where the objective is not finite";
        best.stuck = true;
        break;
      }
      ++best.iterations;
      if (settings.on_iteration && !settings.on_iteration(state.x * unit, -state.f)) {
        best.message = "stopped by the caller";
        break;
      }
      if (best.iterations >= settings.max_iterations) {
        best.message = "iteration budget spent";
        break;
      }
    } else {
      best.message = state.message();
      best.converged = state.task_is("CONVERGENCE");
      best.stuck = state.task_is("ABNORMAL");
      break;
    }
  }
  return best;
}

}  // namespace induce
