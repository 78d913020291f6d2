// What a C++ user writes: fit a small made-up table, save, load, predict; exit 0 if the rule was learned.
#include <cmath>
#include <cstdio>
#include <vector>

#include <induce/fit.hpp>

int main() {
  const std::size_t n = 200;
  std::vector<double> x;
  std::vector<int> y;
  for (std::size_t i = 0; i < n; ++i) {
    x.push_back(std::sin(1.7 * static_cast<double>(i)));
    x.push_back(std::cos(2.3 * static_cast<double>(i)));
    y.push_back(x[2 * i] * x[2 * i + 1] > 0 ? 1 : 0);
  }
  const induce::TableView table{x.data(), n, 2};
  induce::Options options;
  options.inducing = 15;
  const induce::Fit fit = induce::fit(table, y, options);
  fit.model.save("consumer.safetensors");
  const induce::Prediction p = induce::Model::load("consumer.safetensors").predict(table);
  int right = 0;
  for (std::size_t i = 0; i < n; ++i) right += (p.probability[i] > 0.5) == (y[i] == 1);
  std::printf("%d of %zu right\n", right, n);
  return right > 170 ? 0 : 1;
}
