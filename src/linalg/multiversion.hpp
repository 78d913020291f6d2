// INDUCE_MULTIVERSION compiles a function once per processor generation and selects a version at load time.
// One binary then uses AVX-512 or AVX2 with FMA where available.
//
// The selection uses indirect functions (ELF and glibc). It runs before a sanitizer's runtime is initialized,
// so sanitized builds get the default version, as do other compilers and processors.
#pragma once

#include <cstddef>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12 && defined(__ELF__) && \
    defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define INDUCE_MULTIVERSION __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define INDUCE_MULTIVERSION
#endif

// For small functions that must be inlined into every version of the loops that call them.
#if defined(__GNUC__)
#define INDUCE_ALWAYS_INLINE [[gnu::always_inline]] inline
#define INDUCE_INLINE_LAMBDA __attribute__((always_inline))
#else
#define INDUCE_ALWAYS_INLINE inline
#define INDUCE_INLINE_LAMBDA
#endif
