#include "measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <limits>
#include <vector>

#include <induce/fit.hpp>

#include "core/gradient.hpp"
#include "read/source.hpp"
#include "train/kmeans.hpp"
#include "linalg/random.hpp"
#include "read/raw_table.hpp"
#include "read/read.hpp"
#include "linalg/blas.hpp"
#include "shard/near_shards.hpp"
#include "shard/remote_site_rows.hpp"
#include "train/row_sums.hpp"

namespace induce::bench {
namespace {

// Of this process, on all cores.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

template <class Work>
void keep_best(double& best, const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  best = best == 0 ? seconds : std::min(best, seconds);
}

// With terms: a main effect of every column, and pairs of columns that follow each other, on grids of 16 x 16.
std::shared_ptr<const Kernel> kernel_for(const BenchSize& size, const RowMatrix& X) {
  KernelSetting setting{.d = X.cols(), .noise = true};
  if (size.knots == 0) return make_kernel("se", setting);
  constexpr Index pair_knots = 16, most_rows = 20000;
  for (Index f = 0; f < X.cols(); ++f) {
    Axis axis{.first = f, .count = 1, .value = f, .knots = {}, .ranks = {}};
    std::vector<std::pair<double, double>> values;
    for (Index i = 0; i < std::min(X.rows(), most_rows); ++i) values.emplace_back(X(i, f), 1);
    place_knots(axis, values, static_cast<Index>(size.knots));
    setting.axes.push_back(axis);
    place_knots(axis, values, pair_knots);
    setting.pair_axes.push_back(axis);
  }
  std::string name = "se+mains";
  for (std::size_t p = 0; p < size.pairs; ++p)
    name += (p ? "," : "+pairs:") + std::to_string(p) + '*' + std::to_string(p + 1);
  return make_kernel(name, setting);
}

struct SyntheticData {
  explicit SyntheticData(const BenchSize& size) : X(size.rows, size.features), y(size.rows) {
    Random random(1);
    for (double& x : X.reshaped()) x = random.normal();
    kernel = kernel_for(size, X);
    for (Index i = 0; i < y.size(); ++i)
      y[i] = X.row(i).squaredNorm() + random.normal() > static_cast<double>(X.cols()) ? 1 : -1;
    Matrix& Z = prior.Z;
    Z.resize(static_cast<Index>(size.inducing), X.cols());
    for (Index j = 0; j < Z.rows(); ++j) Z.row(j) = X.row(j % X.rows());
    for (double& z : Z.reshaped()) z += 0.01 * random.normal();
    prior.theta = kernel->start();
  }
  TableView view() const {
    return {X.data(), static_cast<std::size_t>(X.rows()), static_cast<std::size_t>(X.cols())};
  }

  RowMatrix X;
  Vector y;
  std::shared_ptr<const Kernel> kernel;
  Prior prior;
};

// About 40 MB.
std::string mixed_csv() {
  constexpr int rows = 400000;
  Random random(1);
  const auto next = [&](std::uint64_t count) { return std::to_string(random.below(count)); };
  std::string text = "customer,since,city,street,price,amount,member,note,grade,class\n";
  for (int i = 0; i < rows; ++i)
    text += "customer " + std::to_string(i) + ",2023-01-" + std::to_string(10 + i % 20) + ",city " +
            next(3000) + ",street of some length " + next(50) + "," + next(1000000) + ".25," +
            (i % 10 ? next(100) : "NA") + (i % 3 ? ",true," : ",false,") +
            (i % 7 ? "a few words" : "other words") + "," + next(5) + "," + (i % 2 ? "yes" : "no") + "\n";
  return text;
}

// The reference for the peak flop rate.
void multiply_all(const Matrix& A, const std::vector<double>& V, Index n, std::vector<double>& T) {
  blas::multiply(A, V.data(), n, T.data());
}

}  // namespace

PassTimes measure_pass(const BenchSize& size) {
  const SyntheticData data(size);
  const Index n = data.X.rows(), m = data.prior.Z.rows();
  Workers workers(size.threads);
  const auto rule = make_site_rule("jj", likelihood("logistic"));
  Sites sites(n);
  sites.w.setConstant(0.2);
  const Targets targets(data.y);
  sites.t = data.y / 2;
  Collapsed collapsed;
  Vector mean, S2;
  PassTimes times;
  Matrix A = Matrix::Identity(m, m) + Matrix::Constant(m, m, 0.1 / static_cast<double>(m));
  std::vector<double> V(size.only_pass ? 0 : m * n, 0.5), T(V.size(), 0.5);

  for (int repeat = 0; repeat < size.repeats; ++repeat) {
    {
      Pass pass(data.X, m, workers, std::size_t{512} << 20);  // the default of a fit
      times.kept = pass.kept_bytes();
      pass.first_half(make_frame(data.kernel, data.prior), sites);  // warm up pages and caches
      const double before = processor_seconds();
      keep_best(times.pass, [&] {
        const Frame frame = make_frame(data.kernel, data.prior);
        collapse(frame, pass.first_half(frame, sites), collapsed, 0, &workers);
        const Gradient gradient = fixed_site_gradient(pass, frame, {&collapsed, 1}, sites, mean, S2);
        refresh_sites(*rule, targets, mean, S2, workers, sites);
        if (!std::isfinite(gradient.mean))
          throw std::logic_error("the benchmark produced a gradient that is not finite");
      });
      const double processor = processor_seconds() - before;
      times.processor = repeat == 0 ? processor : std::min(times.processor, processor);
      const Frame frame = make_frame(data.kernel, data.prior);
      collapse(frame, pass.first_half(frame, sites), collapsed, 0, &workers);
      keep_best(times.stage1, [&] {
        for (int round = 0; round < 3; ++round) {
          pass.marginals(frame, collapsed.q, mean, S2);
          refresh_sites(*rule, targets, mean, S2, workers, sites);
          collapse(frame, pass.first_half(frame, sites), collapsed, 0, &workers);
        }
      });
    }
    if (size.only_pass) continue;
    blas::set_threads(workers.size());
    Matrix Q(m, m);
    keep_best(times.blas, [&] {
      blas::solve_lower(A, V.data(), n);
      blas::add_outer_lower(V.data(), m, n, Q.data());
      blas::multiply(A, V.data(), n, T.data());
      blas::solve_lower_transposed(A, T.data(), n);
    });
    keep_best(times.gemm, [&] { multiply_all(A, V, n, T); });
    std::fill(V.begin(), V.end(), 0.5);
  }
  return times;
}

ClassTimes measure_classes(const BenchSize& size) {
  const SyntheticData data(size);
  const Index n = data.X.rows(), m = data.prior.Z.rows(), C = static_cast<Index>(size.classes);
  Workers workers(size.threads);
  struct Round {  // of two classes or of many
    const Likelihood& likelihood;
    Prior prior;
    Targets targets;
    Sites sites;
    std::vector<Collapsed> collapsed;
    Vector mean, S2;
  };
  const Likelihood &logistic = likelihood("logistic"), &softmax = likelihood("softmax", size.classes);
  Round two{logistic, data.prior, Targets(data.y), Sites(n), std::vector<Collapsed>(1), {}, {}};
  Round many{softmax, data.prior, Targets(data.y), Sites(n, C), std::vector<Collapsed>(size.classes), {}, {}};
  many.prior.classes.resize(size.classes);
  for (Index i = 0; i < n; ++i) many.targets.y[i] = static_cast<double>(i % C);
  for (Round* round : {&two, &many}) {
    const Index functions = round->prior.functions();
    round->mean = Vector::Zero(n * functions);
    round->S2 = Vector::Ones(n * functions);
    refresh_sites(*make_site_rule("newton", round->likelihood), round->targets, round->mean, round->S2,
                  workers, round->sites);
  }
  Pass pass(data.X, m, workers, std::size_t{512} << 20);
  const auto run = [&](Round& round) {
    const auto rule = make_site_rule("newton", round.likelihood);
    const Frame frame = make_frame(data.kernel, round.prior);
    Sums& sums = pass.first_half(frame, round.sites);
    workers.run(frame.functions(),
                [&](Index c, int /*worker*/) { collapse(frame, sums, round.collapsed[c], c); });
    fixed_site_gradient(pass, frame, round.collapsed, round.sites, round.mean, round.S2);
    refresh_sites(*rule, round.targets, round.mean, round.S2, workers, round.sites);
  };
  ClassTimes times;
  for (int repeat = 0; repeat < size.repeats; ++repeat) {
    keep_best(times.two, [&] { run(two); });
    keep_best(times.many, [&] { run(many); });
    keep_best(times.expectations, [&] {
      refresh_sites(*make_site_rule("newton", softmax), many.targets, many.mean, many.S2, workers,
                    many.sites);
    });
  }
  return times;
}

namespace {

// The largest complete subtrees of leaves [first, end).
long subtrees(Index first, Index end) {
  long count = 0;
  for (; first < end; ++count) {
    Index size = 1;
    while (first % (2 * size) == 0 && first + 2 * size <= end) size *= 2;
    first += size;
  }
  return count;
}

}  // namespace

ShardCosts measure_shards(const BenchSize& size) {
  const SyntheticData data(size);
  const Targets targets(data.y);
  const Likelihood& logistic = likelihood("logistic");
  const KernelSetting setting{.d = data.X.cols(), .noise = true};
  const StageNeeds needs{data.prior.Z.rows(), logistic, "newton", setting, 0};
  Workers workers(size.threads);
  NearShards near(size.shards);
  Shards shards(near, workers);
  LocalOwner here(workers);
  const Vector m = Vector::Zero(1), S2 = Vector::Ones(1);
  Collapsed collapsed;
  const auto pass = [&](SiteRows& rows, const SiteSet& sites) {
    const Frame frame = make_frame(data.kernel, data.prior);
    collapse(frame, rows.first_half(frame, sites), collapsed);
    fixed_site_gradient(frame, {&collapsed, 1},
                        *rows.second_half(frame, collapsed.q, sites, {.adjoint = true}).adjoint);
  };
  ShardCosts costs;
  const std::unique_ptr<SiteRows> near_rows = here.site_rows(data.X, targets, needs),
                                  far_rows = shards.site_rows(data.X, targets, needs);
  const SiteSet near_sites = near_rows->sites_at(m, S2, {}), far_sites = far_rows->sites_at(m, S2, {});
  for (int repeat = 0; repeat < size.repeats; ++repeat) {
    keep_best(costs.one_process, [&] { pass(*near_rows, near_sites); });
    const Traffic before = shards.traffic();
    keep_best(costs.shards, [&] { pass(*far_rows, far_sites); });
    costs.sent = shards.traffic().sent - before.sent;
    costs.received = shards.traffic().received - before.received;
  }
  const SumTree tree{Leaves::of(data.X.rows()).total};
  costs.leaves = tree.leaves;
  costs.levels = tree.levels();
  for (int shard = 0; shard < size.shards; ++shard)
    costs.most_sums = std::max(costs.most_sums, subtrees(share_of(shard, size.shards, tree.leaves),
                                                         share_of(shard + 1, size.shards, tree.leaves)));
  return costs;
}

PredictTimes measure_predict(const BenchSize& size) {
  SyntheticData data(size);
  const Index n = data.X.rows(), m = data.prior.Z.rows();
  std::vector<int> labels(std::min<std::size_t>(size.rows, 2000 + size.inducing));
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = data.y[static_cast<Index>(i)] > 0;
  labels[0] = 1 - labels[1];
  Options options;
  options.method = Method::vi_jj;
  options.inducing = size.inducing;
  options.max_iter = 1;
  const Model model = fit({data.X.data(), labels.size(), size.features}, labels, options).model;
  Matrix A = Matrix::Identity(m, m);
  std::vector<double> V(m * n, 0.5), T(m * n);
  PredictTimes times;
  for (int repeat = 0; repeat < size.repeats; ++repeat) {
    keep_best(times.all, [&] { model.predict(data.view(), size.threads); });
    blas::set_threads(size.threads > 0 ? size.threads : available_cores());
    keep_best(times.gemm, [&] { multiply_all(A, V, n, T); });
    constexpr int calls = 1000;
    keep_best(times.one, [&] {
      for (int call = 0; call < calls; ++call) model.predict({data.X.data(), 1, size.features}, 1);
    });
  }
  times.one /= 1000;
  return times;
}

double measure_kmeans(const BenchSize& size) {
  const SyntheticData data(size);
  double seconds = 0;
  Workers workers(size.threads);
  for (int repeat = 0; repeat < size.repeats; ++repeat)
    keep_best(seconds, [&] { kmeans(data.X, data.prior.Z.rows(), workers, {.seed = 1}); });
  return seconds;
}

FitTimes measure_fit(const BenchSize& size) {
  const SyntheticData data(size);
  std::vector<int> labels(size.rows);
  for (std::size_t i = 0; i < size.rows; ++i) labels[i] = data.y[static_cast<Index>(i)] > 0;
  Options options;
  options.method = Method::vi_jj;
  options.inducing = size.inducing;
  options.max_iter = 1;
  options.threads = size.threads;
  const Report report = fit(data.view(), labels, options).report;
  return {report.seconds, static_cast<double>(sizeof(double) * data.X.size()),
          static_cast<double>(report.kept_bytes), report.passes};
}

namespace {

std::size_t unpacked_size(const std::string& path) {
  const std::unique_ptr<ByteStream> stream = open_source(path);
  std::string window(1 << 20, '\0');
  std::size_t size = 0;
  while (const std::size_t count = stream->read(window.data(), window.size())) size += count;
  return size;
}

}  // namespace

ReadTimes measure_read(const std::string& path, int threads, int repeats) {
  ReadOptions how;
  how.threads = threads;
  ReadTimes times;
  const std::string mixed = path.empty() ? mixed_csv() : "";
  times.unpacked_bytes = static_cast<double>(path.empty() ? mixed.size() : unpacked_size(path));
  for (int repeat = 0; repeat < repeats; ++repeat) {
    keep_best(times.seconds, [&] {
      const Dataset data = path.empty() ? parse_dataset(mixed, "mixed", how) : read_dataset(path, how);
      times.rows = static_cast<std::size_t>(data.X.rows());
      times.features = static_cast<std::size_t>(data.X.cols());
    });
    keep_best(times.chunked, [&] {
      const std::string folder = std::filesystem::temp_directory_path().string();
      const Source source = path.empty() ? Source("mixed", mixed) : Source(path);
      RawTable table(plan_reading({source}, how), RawRows(folder));
      if (table.shape.sparse) return;
      constexpr std::size_t together = 4096;
      std::vector<double> x(together * table.shape.features);
      while (table.next(together, x.data(), nullptr, nullptr) > 0) {
      }
    });
  }
  return times;
}

}  // namespace induce::bench
