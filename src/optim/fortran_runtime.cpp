// Replacement of the Fortran runtime for L-BFGS-B (cmake/lbfgsb.cmake): string comparison, which the routine
// depends on; a clock that stays at 0, as only timing reports read it; and output functions that do nothing.
#include <algorithm>
#include <cstddef>
#include <string_view>

// As in Fortran, the shorter string is padded with blanks.
extern "C" int induce_gfortran_compare_string(std::size_t length_a, const char* a, std::size_t length_b,
                                              const char* b) {
  const std::string_view left(a, length_a), right(b, length_b);
  for (std::size_t i = 0; i < std::max(length_a, length_b); ++i) {
    const auto x = static_cast<unsigned char>(i < length_a ? left[i] : ' ');
    const auto y = static_cast<unsigned char>(i < length_b ? right[i] : ' ');
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

extern "C" void induce_gfortran_cpu_time_4(float* seconds) { *seconds = 0; }

extern "C" void induce_gfortran_st_write(void*) {}
extern "C" void induce_gfortran_st_write_done(void*) {}
extern "C" void induce_gfortran_transfer_array_write(void*, void*, int, std::size_t) {}
extern "C" void induce_gfortran_transfer_character_write(void*, void*, std::size_t) {}
extern "C" void induce_gfortran_transfer_integer_write(void*, void*, int) {}
extern "C" void induce_gfortran_transfer_real_write(void*, void*, int) {}
