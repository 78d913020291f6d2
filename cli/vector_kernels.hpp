// Makes BLAS use what the processor can do.
#pragma once

namespace induce::cli {

// To be called first in main(): may restart the program.
void use_vector_kernels(char** argv);

}  // namespace induce::cli
