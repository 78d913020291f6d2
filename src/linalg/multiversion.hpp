// INDUCE_MULTIVERSION before a function compiles it once per processor generation and picks the right
// copy when the program is loaded. One binary then uses AVX-512 or AVX2 with FMA where they exist.
//
// The choice needs an indirect function (ELF and glibc). It runs before a sanitizer's runtime is up, so
// sanitized builds take the plain copy, as do other compilers and processors.
#pragma once

#include <cstddef>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12 && defined(__ELF__) && \
    defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define INDUCE_MULTIVERSION __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define INDUCE_MULTIVERSION
#endif

// A small function that is to become part of every copy of the loops around it.
#if defined(__GNUC__)
#define INDUCE_ALWAYS_INLINE [[gnu::always_inline]] inline
#else
#define INDUCE_ALWAYS_INLINE inline
#endif
