// Fits synthetic rows, saves and loads the model, and predicts new rows.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include <induce/fit.hpp>

namespace {

struct Rows {
  std::vector<double> x;  // row-major, two features each
  std::vector<int> labels;

  std::size_t size() const { return labels.size(); }
  induce::TableView table() const { return {x.data(), size(), 2}; }
};

// Points in a square; the class is 1 if both features have the same sign.
Rows make_rows(std::size_t n, double shift) {
  Rows rows;
  for (std::size_t i = 0; i < n; ++i) {
    const double a = std::sin(1.7 * static_cast<double>(i) + shift),
                 b = std::cos(2.3 * static_cast<double>(i));
    rows.x.insert(rows.x.end(), {a, b});
    rows.labels.push_back(a * b > 0 ? 1 : 0);
  }
  return rows;
}

}  // namespace

int main() try {
  const Rows train = make_rows(300, 0), fresh = make_rows(200, 1);

  induce::Options options;  // the defaults are good; this only makes the example fast
  options.max_time = 10;
  const induce::Fit fit = induce::fit(train.table(), train.labels, options);
  std::printf("%s: %s, %zu inducing inputs, %.2f s\n", fit.report.method.c_str(), fit.report.message.c_str(),
              fit.report.m, fit.report.seconds);

  fit.model.save("example.model");
  const induce::Model model = induce::Model::load("example.model");
  const induce::Prediction p = model.predict(fresh.table());

  std::size_t right = 0;
  for (std::size_t i = 0; i < fresh.size(); ++i)
    right += (p.probability(i, 1) > 0.5) == (fresh.labels[i] == 1);
  std::printf("%zu of %zu new rows correct\n", right, fresh.size());
  std::printf("row 0: probability of class 1 %.3f, latent mean %.2f, variance %.2f\n", p.probability(0, 1),
              p.mean[0], p.variance[0]);
  return right > 170 ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& error) {
  std::fprintf(stderr, "example: %s\n", error.what());
  return EXIT_FAILURE;
}
