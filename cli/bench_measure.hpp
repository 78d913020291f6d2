// What `induce bench` measures: the library's own code beside the same work in bare BLAS, in one run.
#pragma once

#include <cstddef>
#include <string>

namespace induce::cli {

struct BenchSize {
  std::size_t rows = 100000, inducing = 200, features = 10;
  int threads = 0;
  bool only_pass = false;  // without BLAS on whole arrays, whose memory large sizes do not allow
  // The best of so many; each repeat measures everything in turn, so that noise hits all alike.
  int repeats = 5;
};

// Seconds of the best repeat.
struct PassTimes {
  double pass = 0;       // one full pass, as training makes it
  double stage1 = 0;     // three rounds of sites at fixed theta
  double blas = 0;       // trsm, syrk, gemm, trsm on whole m x n arrays, all threads
  double gemm = 0;       // m x m times m x n, all threads: 2 n m^2 flops
  std::size_t kept = 0;  // bytes the pass kept
};
PassTimes measure_pass(const BenchSize& size);

struct PredictTimes {
  double all = 0;  // all rows at once
  double one = 0;  // one row, through Model::predict
  double gemm = 0;
};
PredictTimes measure_predict(const BenchSize& size);

double measure_kmeans(const BenchSize& size);

// One iteration of vi-jj on made-up rows: seconds, and the memory of the rows themselves.
struct FitTimes {
  double seconds = 0, data_bytes = 0, kept_bytes = 0;
  long passes = 0;
};
FitTimes measure_fit(const BenchSize& size);

struct ReadTimes {
  double seconds = 0, unpacked_bytes = 0;
  std::size_t rows = 0, features = 0;
};
ReadTimes measure_read(const std::string& path, int threads, int repeats);

}  // namespace induce::cli
