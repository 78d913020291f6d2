// The measurements of `induce-bench`: the library's code and the same work in plain BLAS, in one run.
#pragma once

#include <cstddef>
#include <string>

namespace induce::detail {}

namespace induce::bench {

using namespace detail;  // measures more than the public headers declare

struct BenchSize {
  std::size_t rows = 100000, inducing = 200, features = 10;
  std::size_t knots = 0, pairs = 0;  // terms besides the joint part: knots of each column, and pairs
  std::size_t classes = 10;          // of measure_classes
  int shards = 64;                   // of measure_shards
  int threads = 0;
  bool only_pass = false;  // skip BLAS on whole arrays, which may not fit in memory
  int repeats = 5;         // the fastest counts; measurements are interleaved so that noise affects all alike
};

// Seconds of the fastest repeat.
struct PassTimes {
  double pass = 0;       // one full training pass
  double processor = 0;  // the same, of all cores: on a loaded machine
  double stage1 = 0;     // three site updates at fixed theta
  double blas = 0;       // trsm, syrk, gemm, trsm on whole m x n arrays, all threads
  double gemm = 0;       // m x m times m x n, all threads: 2 n m^2 flops
  std::size_t kept = 0;  // bytes that the pass keeps in memory
};
PassTimes measure_pass(const BenchSize& size);

// A round of sites with its gradient (half passes, q, the expectations of log p), as in vi-newton.
struct ClassTimes {
  double two = 0, many = 0;  // seconds of the round, with two classes and with many
  double expectations = 0;   // of these, the expectations of log softmax
};
ClassTimes measure_classes(const BenchSize& size);

// A pass over rows in shards, all in this process: what a cluster would send.
struct ShardCosts {
  double one_process = 0, shards = 0;  // seconds; the shards work one after the other, on one thread each
  double sent = 0, received = 0;       // bytes, to and from all shards
  long leaves = 0, levels = 0;         // of the tree of sums
  long most_sums = 0;                  // that a shard answers with
};
ShardCosts measure_shards(const BenchSize& size);

struct PredictTimes {
  double all = 0;  // all rows at once
  double one = 0;  // one row, through Model::predict
  double gemm = 0;
};
PredictTimes measure_predict(const BenchSize& size);

double measure_kmeans(const BenchSize& size);

// One iteration of vi-jj on synthetic data.
struct FitTimes {
  double seconds = 0, data_bytes = 0, kept_bytes = 0;
  long passes = 0;
};
FitTimes measure_fit(const BenchSize& size);

struct ReadTimes {
  double seconds = 0, unpacked_bytes = 0;
  double chunked =
      0;  // seconds for raw rows in a scratch file and final rows from it; 0 if the table stays sparse
  std::size_t rows = 0, features = 0;
};
// An empty path: a table of numbers, categories, dates, ids and gaps, made up in memory.
ReadTimes measure_read(const std::string& path, int threads, int repeats);

}  // namespace induce::bench
