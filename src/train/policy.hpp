// What the default fit decides by: all of its constants, with their reasons and what was measured without them (docs/fit.md has the
// fit on one page, docs/decisions.md the records). What only numerics or time depend on stands beside the code that it rules; priors
// stand with their kernels, what makes features of columns in table/. Two ratios of NLLs without or with another value, "a, b", are
// geometric means over the second halves of eight training tables and over 31 public tables, first fold.
#pragma once

#include "linalg/types.hpp"

namespace induce::detail::policy {

// One exchange rate. A doubling of the work of a fit must gain `worth` units (tolerance_unit) at effort 1, and that many more for
// each `long_work` operations, some 15 seconds; a doubling by more inducing inputs or values of terms `worth_of_size` of it, because
// it can be doubled again. It is divided by Options::effort. All tolerances are this one.
constexpr double worth = 0.015, long_work = 5e11, worth_of_size = 0.5;
// A gain, in nats over all rows, that is never worth a doubling of the work: below it L-BFGS is about noise.
constexpr double no_gain = 0.3;
// Candidates that compete may be so many times as careless: what is chosen goes on. 1: 1.2 times the passes, no gain.
constexpr double care_of_trials = 2;

// Which trial is taken. In standard errors of the difference of held-out losses: what another map must gain, and what terms and a
// rougher kernel may lose. By the bound, a later one must gain so many nats: where an optimizer stops makes nearly as much.
constexpr double clear_difference = 1, least_gain = 0.5;

// Iterations that a stage is judged over (cod-rna with 400 inputs: -7264 after three, -7110).
constexpr std::size_t window = 5;

// The first stage: fewer rows, or fewer inputs, lead to worse starts (ijcnn1: with 50 inputs .0585 and .0476, with 100 .0521 and
// .0461), and rows of a rare class must be among them.
constexpr Index fewest_rows = 2000, first_inducing = 100, fewest_of_a_class = 50;
// Growth from stage to stage.
constexpr Index row_growth = 4, input_growth = 2;
// The most inducing inputs unless the user sets m: the algebra of more takes longer than the rows of most tables.
constexpr std::size_t most_inducing = 1000;
// Passes of a stage, for estimates of what more inputs cost and of the time left.
constexpr double usual_passes = 20;

// Rows where doubt is (doubtful_rows.hpp): parameters may be noisier by 1 part in kept_per_doubt effort, a row counts for at most
// 1/(kept_per_doubt least_doubt) rows, and a sample of more than most_kept of the rows saves too little. Half of ijcnn1: 10 and .01
// keep .21 of the rows, NLL .0400; 5 and .02 .19, .0411; all rows .0406.
constexpr double kept_per_doubt = 10, least_doubt = 0.01, most_kept = 0.6;
constexpr Index fewest_to_thin = 4000;  // fewer take no time

// Below this effort no rougher kernel is tried.
constexpr double effort_of_shapes = 0.5;
// Where new inputs are drawn from. All rows: 1.005.
constexpr Index fewest_rows_to_draw = 2000, rows_per_input = 5;

// Terms (grow_terms.hpp): the precision of the prior of a cell (1: 1.001, 1.001), and the most values: so many times the cube root
// of the rows, and all in all, since algebra takes the cube of them (docs/decisions.md, "Values of terms").
constexpr double cell_precision = 4, values_of_rows = 40, most_values = 1200;
// Rows that are looked at, and columns whose pairs are: those with the largest gains of their own.
constexpr Index most_rows_to_look_at = 50000, most_paired = 48;

// Nats that the features must gain over the base rate, in all: odds of 100 to 1, which labels without signal reach in less than one
// table of a hundred.
constexpr double evidence = 4.60517018598809;
// From so many rows, times latent functions, on a small table has a stage of half of the rows that all its sides share
// (cross_validation.hpp).
constexpr Index rows_in_common = 1000;

// Rows outside the largest class; with fewer there is nothing to choose by, or not one for every fold.
constexpr Index fewest_outside = 12, fewest_to_fold = 4;
// Folds. Few rows need all that they have: a fit of three quarters of 200 rows is clearly worse than the fit that it stands for.
constexpr Index few_rows = 500, folds_of_few = 10, usual_folds = 4;
// Passes that a candidate of a small table goes on for while they would pay: a cold start may gain little in its first iterations.
// 0: .92 of the passes, but one probability in 20 variants of a table moved by .37.
constexpr double patient_passes = 20;
// Rows that judge others, of those that the first stage has; in time, the share of the rows that is latest; of groups, half.
constexpr Index held_out_per_row = 4;
constexpr double latest = 0.2, half = 0.5;
// Of a time limit: what the choice may take, and with the folds; passes that a stage needs to be worth its start, and what they may take.
constexpr double share_of_choice = 0.3, share_of_folds = 0.8, few_passes = 8, hopeless = 0.7;
// Passes of the report after training, for which the limit leaves time.
constexpr double passes_of_report = 3;

}  // namespace induce::detail::policy
