// Uses every public header: three classes with names, weights and a category, a callback, measures, explanations, and
// what induce::share writes of a model: a page, C source, plain numbers.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include <induce/columns.hpp>
#include <induce/costs.hpp>
#include <induce/doubt.hpp>
#include <induce/error.hpp>
#include <induce/explain.hpp>
#include <induce/export.hpp>
#include <induce/far_values.hpp>
#include <induce/fit.hpp>
#include <induce/metrics.hpp>
#include <induce/model.hpp>
#include <induce/options.hpp>
#include <induce/page.hpp>
#include <induce/rank.hpp>
#include <induce/report.hpp>
#include <induce/table.hpp>
#include <induce/update.hpp>

int main() try {
  // Wine: acid is a number, its colour a category (0: red, 1: white); the class is a quality.
  const std::size_t n = 240;
  std::vector<double> x, weights;
  std::vector<int> quality;
  for (std::size_t i = 0; i < n; ++i) {
    const double acid = std::sin(1.7 * static_cast<double>(i)), colour = static_cast<double>(i % 2);
    x.insert(x.end(), {acid, colour});
    quality.push_back(acid + 0.5 * colour < -0.2 ? 0 : acid + 0.5 * colour < 0.6 ? 1 : 2);
    weights.push_back(i % 3 == 0 ? 2 : 1);
  }
  const induce::TableView table{x.data(), n, 2};
  const induce::Names names{.classes = {"poor", "fair", "good"},
                            .label = "quality",
                            .features = {"acid", "colour"},
                            .columns = {{}, {induce::ColumnKind::category, {"red", "white"}}}};
  std::vector<induce::Iteration> seen;
  induce::Options options;
  options.max_iter = 20;
  options.on_iteration = [&](const induce::Progress& progress) {
    seen.push_back(progress.now);
    return true;
  };
  const induce::Fit fit = induce::fit(table, quality, options, weights, names);

  const induce::Prediction p = fit.model.predict(table);
  const induce::Metrics metrics = induce::evaluate(p.probabilities, quality, p.classes, weights);
  std::printf("%s after %zu iterations: accuracy %.3f, NLL %.3f\n",
              induce::name_of(fit.report.status).c_str(), seen.size(), metrics.accuracy, metrics.nll);
  const induce::Costs costs =
      induce::costs_from_json(R"({"poor": {"good": 10}})", fit.model.names().classes);  // the others cost 1
  const std::vector<int> decided = induce::least_costly(p.probabilities, p.classes, costs);
  const induce::Doubt doubt = induce::doubt(fit.model, p);
  std::printf("row 0: class %d costs least; p of \"good\" is between %.2f and %.2f; novelty %.2f\n",
              decided[0], doubt.low[2], doubt.high[2], induce::novelty(fit.model, table)[0]);
  for (const induce::RankedRow& row : induce::rank_rows(fit.model, table, {.rows = 2}))
    std::printf("label row %zu next: gain %.4f\n", row.row, row.gain);
  const induce::Update later = induce::update(fit.model, table, quality);  // in earnest: new rows
  std::printf("learned %zu rows: NLL %.3f, expected %.3f; advice: %s\n", later.report.n, later.report.nll,
              later.report.expected_nll, later.report.advice.c_str());
  const induce::Explanation explanation = induce::explain(fit.model, table, weights);
  for (std::size_t f = 0; f < names.features.size(); ++f)
    std::printf("%s: %.0f %% of the variance\n", names.features[f].c_str(),
                100 * explanation.importance[f].total);
  const std::vector<double> strange{40, 1};
  std::printf("%s\n",
              induce::far_values_text(fit.model, fit.model.rows_far_outside({strange.data(), 1, 2})).c_str());

  std::ofstream("wine.html") << induce::html_page(fit.model, {.X = table, .y = quality},
                                                  induce::fit_facts(fit.report, fit.model, quality, weights));
  std::ofstream("wine.h") << induce::c_header(fit.model, n);
  const induce::PlainModel plain = induce::plain_model(fit.model);
  return metrics.accuracy > 0.8 && !seen.empty() && plain.functions.size() == 3 ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& error) {
  std::fprintf(stderr, "share: %s\n", error.what());
  return EXIT_FAILURE;
}
