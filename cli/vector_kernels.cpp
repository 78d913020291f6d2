#include "vector_kernels.hpp"

#include <cstdlib>
#include <string_view>

#include <unistd.h>

extern "C" char* openblas_get_corename();

namespace induce::cli {

// An OpenBLAS that is older than the processor does not recognise it and uses kernels of 2004, several times slower than
// what the processor can do. It chooses when it is loaded, by this variable if set: hence the restart.
void use_vector_kernels([[maybe_unused]] char** argv) {
#if defined(__x86_64__)
  const bool capable = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (!capable || std::getenv("OPENBLAS_CORETYPE") || std::string_view(openblas_get_corename()) != "Prescott")
    return;
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
  ::setenv("OPENBLAS_CORETYPE", wide ? "SkylakeX" : "Haswell", 1);
  ::execv("/proc/self/exe", argv);  // if that fails, the program is only slower
#endif
}

}  // namespace induce::cli
