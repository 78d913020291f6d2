# Flags that turn errors of memory into an end of the program, and leave less to aim at (SECURITY.md). They cost no
# measurable time; scripts/hardened checks that built files have them. Sanitizers have checks of their own.
if(NOT INDUCE_HARDENING OR INDUCE_SANITIZE OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux"
   OR NOT CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  return()
endif()
add_compile_options(-fstack-protector-strong)
if(NOT CMAKE_CXX_FLAGS MATCHES "_FORTIFY_SOURCE")  # distributions choose a level; it needs an optimised build
  add_compile_options($<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE>
                      $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-D_FORTIFY_SOURCE=2>)
endif()
add_link_options(-Wl,-z,relro,-z,now)
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)  # without it CMake compiles for PIE and leaves the link to the compiler's default
