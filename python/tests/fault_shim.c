/* Makes one call of the C library fail. LD_PRELOAD puts these functions before those of the library.

   FAULT_KIND   open, read, write, sync, name, size, close, memory or thread; empty: no fault, calls are only counted
   FAULT_AT     the call that fails, from 1
   FAULT_LAST   1: all later calls of the kind fail too, as on a disk that stays full
   FAULT_ERROR  the value of errno; short: the call reads or writes half of the bytes
   FAULT_REPORT a file that gets the number of calls of each kind, and of blocks and descriptors not given back

   Not seen: what the C library and the loader call inside themselves, so standard output, folders that are listed and
   mapped memory. Not counted: memory before the program opens its first file, because static objects are made without
   a handler; memory and threads of OpenBLAS, which ends the process if it gets none; writes to standard error, whose
   faults leave no message to examine. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { OPEN, READ, WRITE, SYNC, NAME, SIZE, CLOSE, MEMORY, THREAD, KINDS };
static const char* const names[KINDS] = {"open", "read", "write", "sync", "name", "size", "close", "memory", "thread"};

static atomic_long calls[KINDS], blocks, descriptors;
static atomic_bool armed, has_opened;
static int chosen = -1, error_number;
static long at;
static bool lasting, shortens;
static uintptr_t blas_begin, blas_end;

static bool fails(enum kind kind) {
  if (!armed) return false;
  const long call = atomic_fetch_add(&calls[kind], 1) + 1;
  if ((int)kind != chosen || !(call == at || (lasting && call > at))) return false;
  if (!shortens) errno = error_number;
  return true;
}

static int find_blas(struct dl_phdr_info* info, size_t size, void* unused) {
  (void)size, (void)unused;
  if (!strstr(info->dlpi_name, "openblas")) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    blas_begin = info->dlpi_addr + part->p_vaddr;
    blas_end = blas_begin + part->p_memsz;
  }
  return 1;
}

static bool of_blas(const void* caller) { return (uintptr_t)caller >= blas_begin && (uintptr_t)caller < blas_end; }

__attribute__((constructor)) static void begin(void) {
  const char *kind = getenv("FAULT_KIND"), *how = getenv("FAULT_ERROR"), *call = getenv("FAULT_AT");
  for (int i = 0; kind && i < KINDS; ++i)
    if (strcmp(kind, names[i]) == 0) chosen = i;
  at = call ? atol(call) : 0;
  lasting = getenv("FAULT_LAST") != NULL;
  shortens = how && strcmp(how, "short") == 0;
  error_number = how ? atoi(how) : 0;
  dl_iterate_phdr(find_blas, NULL);
  armed = true;
}

__attribute__((destructor)) static void end(void) {
  armed = false;
  const char* path = getenv("FAULT_REPORT");
  char line[64];
  const int file = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
  if (file < 0) return;
  for (int i = 0; i < KINDS; ++i)
    syscall(SYS_write, file, line, snprintf(line, sizeof line, "%s %ld\n", names[i], (long)calls[i]));
  const long kept = blocks, open_files = descriptors;
  syscall(SYS_write, file, line, snprintf(line, sizeof line, "blocks %ld\ndescriptors %ld\n", kept, open_files));
}

/* Files */

static int opened(int folder, const char* path, int flags, mode_t mode) {
  if (armed) has_opened = true;
  if (fails(OPEN)) return -1;
  const int file = (int)syscall(SYS_openat, folder, path, flags, mode);
  if (file >= 0 && armed) ++descriptors;
  return file;
}

#define MODE(flags)                                        \
  mode_t mode = 0;                                         \
  if ((flags) & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) {  \
    va_list rest;                                          \
    va_start(rest, flags);                                 \
    mode = va_arg(rest, mode_t);                           \
    va_end(rest);                                          \
  }
int open(const char* path, int flags, ...) {
  MODE(flags)
  return opened(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  MODE(flags)
  return opened(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  MODE(flags)
  return opened(folder, path, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...) {
  MODE(flags)
  return opened(folder, path, flags, mode);
}

FILE* fopen64(const char* path, const char* mode) {
  static FILE* (*next)(const char*, const char*);
  if (!next) next = (FILE * (*)(const char*, const char*)) dlsym(RTLD_NEXT, "fopen64");
  return fails(OPEN) ? NULL : next(path, mode);
}
FILE* fopen(const char* path, const char* mode) { return fopen64(path, mode); }

/* The file is closed also where the call reports an error. */
int close(int file) {
  const bool failed = fails(CLOSE);
  const int status = (int)syscall(SYS_close, file);
  if (status == 0 && armed) --descriptors;
  if (failed) errno = error_number;
  return failed ? -1 : status;
}

#define LIMIT(kind, count)                 \
  if ((count) > 0 && fails(kind)) {        \
    if (!shortens) return -1;              \
    (count) -= (count) / 2;               \
  }
ssize_t read(int file, void* to, size_t count) {
  LIMIT(READ, count)
  return syscall(SYS_read, file, to, count);
}
ssize_t pread(int file, void* to, size_t count, off_t where) {
  LIMIT(READ, count)
  return syscall(SYS_pread64, file, to, count, where);
}
ssize_t pread64(int file, void* to, size_t count, off_t where) { return pread(file, to, count, where); }
ssize_t write(int file, const void* from, size_t count) {
  if (file != STDERR_FILENO) LIMIT(WRITE, count)
  return syscall(SYS_write, file, from, count);
}
ssize_t pwrite(int file, const void* from, size_t count, off_t where) {
  LIMIT(WRITE, count)
  return syscall(SYS_pwrite64, file, from, count, where);
}
ssize_t pwrite64(int file, const void* from, size_t count, off_t where) { return pwrite(file, from, count, where); }

int fsync(int file) { return fails(SYNC) ? -1 : (int)syscall(SYS_fsync, file); }
int fdatasync(int file) { return fails(SYNC) ? -1 : (int)syscall(SYS_fdatasync, file); }
int ftruncate(int file, off_t size) { return fails(SIZE) ? -1 : (int)syscall(SYS_ftruncate, file, size); }
int ftruncate64(int file, off_t size) { return ftruncate(file, size); }
int rename(const char* from, const char* to) {
  return fails(NAME) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  return fails(NAME) ? -1 : (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

/* Threads */

int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*run)(void*), void* with) {
  typedef int Create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static Create* next;
  if (!next) next = (Create*)dlsym(RTLD_NEXT, "pthread_create");
  if (!of_blas(__builtin_return_address(0)) && fails(THREAD)) return error_number;
  return next(thread, how, run, with);
}

/* Memory. The next functions have names of their own, because dlsym may allocate. */

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void*, size_t);
extern void *__libc_memalign(size_t, size_t), __libc_free(void*);

static void* counted(void* block) {
  if (block && armed) ++blocks;
  return block;
}
static bool no_memory(const void* caller) {
  if (!has_opened || of_blas(caller) || !fails(MEMORY)) return false;
  errno = ENOMEM;
  return true;
}
#define CALLER __builtin_return_address(0)

void* malloc(size_t size) { return no_memory(CALLER) ? NULL : counted(__libc_malloc(size)); }
void* calloc(size_t count, size_t size) { return no_memory(CALLER) ? NULL : counted(__libc_calloc(count, size)); }
void* realloc(void* block, size_t size) {
  if (size > 0 && no_memory(CALLER)) return NULL;
  void* moved = __libc_realloc(block, size);
  return block ? moved : counted(moved);
}
void* aligned_alloc(size_t alignment, size_t size) {
  return no_memory(CALLER) ? NULL : counted(__libc_memalign(alignment, size));
}
void* memalign(size_t alignment, size_t size) {
  return no_memory(CALLER) ? NULL : counted(__libc_memalign(alignment, size));
}
int posix_memalign(void** block, size_t alignment, size_t size) {
  if (no_memory(CALLER)) return ENOMEM;
  *block = counted(__libc_memalign(alignment, size));
  return *block ? 0 : ENOMEM;
}
void free(void* block) {
  if (block && armed) --blocks;
  __libc_free(block);
}
