// The command line in an MPI job: rank 0 runs the command, the others serve it with their part of the rows.
#include <algorithm>
#include <string>

#include <mpi.h>

#include "mpi_carrier.hpp"
#include "program.hpp"
#include "rows/workers.hpp"
#include "shard/shard.hpp"
#include "shards.hpp"
#include "vector_kernels.hpp"

int main(int argc, char** argv) {
  induce::cli::use_vector_kernels(argv);
  int provided = 0, rank = 0, status = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  {
    // Ranks that share a machine share its cores.
    induce::Workers workers(std::max(1, induce::available_cores() / induce::ranks_here()));
    induce::Shard shard(workers);
    const auto answer = [&](std::string_view request) { return shard.answer(request); };
    if (rank == 0) {
      induce::MpiCarrier carrier(answer);
      induce::cli::use_shards({&carrier, &shard, "ranks"});
      status = induce::cli::run_program(argc, argv);
    } else {
      induce::serve(answer);
    }
  }
  MPI_Finalize();
  return status;
}
