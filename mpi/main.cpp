// The command line in an MPI job: rank 0 runs the command, the others serve it with their part of the rows.
#include <algorithm>
#include <csignal>
#include <exception>
#include <string>

#include <malloc.h>
#include <mpi.h>

#include "linalg/blas.hpp"
#include "mpi_carrier.hpp"
#include "notice.hpp"
#include "program.hpp"
#include "machine/workers.hpp"
#include "shard/shard.hpp"
#include "shards.hpp"
#include "vector_kernels.hpp"

namespace {

// What a rank does for the others. Ranks that share a machine share its cores.
struct Rank {
  const induce::detail::blas::SingleThreadedBlas single{};
  induce::detail::Workers workers{
      std::max(1, induce::detail::available_cores() / induce::detail::ranks_here())};
  induce::detail::Shard shard{workers};
};

}  // namespace

int main(int argc, char** argv) {
  induce::cli::use_vector_kernels(argv);
  // Messages of some megabytes come and go. If the system took their pages back each time, filling new ones with zeros would
  // cost more than the messages.
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 256 << 20);
  int provided = 0, number = 0, status = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  try {
    Rank rank;
    const auto answer = [&](std::string_view request) { return rank.shard.answer(request); };
    if (number == 0) {
      induce::detail::MpiCarrier carrier(answer);
      induce::cli::use_shards({&carrier, "ranks"});
      status = induce::cli::run_program(argc, argv);
    } else {
      // Rank 0 stops the fit when the job is told to end, and needs the others for that.
      for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
      induce::detail::serve(answer);
    }
  } catch (const std::exception& error) {  // the others cannot go on without this rank
    induce::cli::notice("induce: rank " + std::to_string(number) + ": " + error.what() + "\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return status;
}
