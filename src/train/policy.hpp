// What the default fit decides by: the constants of its stages and their growth, with their reasons and what was measured without
// them (docs/fit.md has the fit on one page, docs/decisions.md the records). Others are still beside what they rule: which trial is
// taken (decide.cpp), folds (cross_validation.cpp, row_splits.cpp), terms (grow_terms.cpp, term_list.cpp), rounds of sites
// (profiled_bound.cpp), which rows inputs explain (grow_inputs.cpp).
#pragma once

#include "linalg/types.hpp"

namespace induce::detail::policy {

// One exchange rate. A doubling of the work of a fit must gain `worth` units (tolerance_unit) at effort 1, and that many more for
// each `long_work` operations, some 15 seconds; a doubling by more inducing inputs or values of terms `worth_of_size` of it, because
// it can be doubled again. It is divided by Options::effort. All tolerances are this one.
constexpr double worth = 0.015, long_work = 5e11, worth_of_size = 0.5;
// A gain, in nats over all rows, that is never worth a doubling of the work: below it L-BFGS is about noise.
constexpr double no_gain = 0.3;
// Candidates that compete may be so many times as careless: what is chosen goes on.
constexpr double care_of_trials = 2;

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
// Where new inputs are drawn from.
constexpr Index fewest_rows_to_draw = 2000, rows_per_input = 5;

// Nats that the features must gain over the base rate, in all: odds of 100 to 1, which labels without signal reach in less than one
// table of a hundred.
constexpr double evidence = 4.60517018598809;
// From so many rows, times latent functions, on a small table has a stage of half of the rows that all its sides share
// (cross_validation.hpp).
constexpr Index rows_in_common = 1000;

// Rows outside the largest class; with fewer there is nothing to choose by.
constexpr Index fewest_outside = 12;
// Of a time limit: what the choice may take; passes that a stage needs to be worth its start, and what they may take.
constexpr double share_of_choice = 0.3, few_passes = 8, hopeless = 0.7;
// Passes of the report after training, for which the limit leaves time.
constexpr double passes_of_report = 3;

}  // namespace induce::detail::policy
