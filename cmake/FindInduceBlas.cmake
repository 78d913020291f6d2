# Finds OpenBLAS (CBLAS and LAPACK) where Debian installs it, or in CMAKE_PREFIX_PATH. Defines the target induce::blas.
find_library(INDUCE_OPENBLAS NAMES openblas PATH_SUFFIXES openblas-pthread openblas-serial openblas-openmp)
find_path(INDUCE_BLAS_INCLUDE_DIR NAMES cblas.h
          PATH_SUFFIXES openblas openblas-pthread x86_64-linux-gnu/openblas-pthread
                        aarch64-linux-gnu/openblas-pthread)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(InduceBlas REQUIRED_VARS INDUCE_OPENBLAS INDUCE_BLAS_INCLUDE_DIR)
if(InduceBlas_FOUND AND NOT TARGET induce::blas)
  add_library(induce::blas INTERFACE IMPORTED)
  set_property(TARGET induce::blas PROPERTY INTERFACE_LINK_LIBRARIES ${INDUCE_OPENBLAS})
endif()
