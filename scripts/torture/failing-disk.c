/*
 * LD_PRELOAD: calls that write fail with EIO for files below TORTURE_DIR. TORTURE_RATE names a file that
 * contains a number: how many of 65536 calls fail. The file is mapped into memory, so that the rate can be
 * changed while a process runs.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

static volatile uint32_t *rate;
static const char *dir;
static __thread uint64_t state;

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("TORTURE_RATE");
  dir = getenv("TORTURE_DIR");
  int fd = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void *at = mmap(NULL, sizeof *rate, PROT_READ, MAP_SHARED, fd, 0);
  if (at != MAP_FAILED) rate = at;
  close(fd);
}

static int fails(void) {
  if (!rate || *rate == 0) return 0;
  if (!state) state = (uint64_t)getpid() * 0x9e3779b97f4a7c15ull + (uintptr_t)&state;
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (uint32_t)(state >> 48) < *rate;
}

static int below(const char *path) { return dir && path && strncmp(path, dir, strlen(dir)) == 0; }

static int fd_below(int fd) {
  if (!rate || *rate == 0) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, sizeof path - 1);
  if (n < 0) return 0;
  path[n] = 0;
  return below(path);
}

#define BROKEN(where) if (fails() && (where)) { errno = EIO; return -1; }
#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

ssize_t write(int fd, const void *data, size_t n) {
  REAL(ssize_t, "write", int, const void *, size_t);
  BROKEN(fd_below(fd))
  return real(fd, data, n);
}
ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at) {
  REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
  BROKEN(fd_below(fd))
  return real(fd, data, n, at);
}
int fsync(int fd) {
  REAL(int, "fsync", int);
  BROKEN(fd_below(fd))
  return real(fd);
}
int fdatasync(int fd) {
  REAL(int, "fdatasync", int);
  BROKEN(fd_below(fd))
  return real(fd);
}
int rename(const char *from, const char *to) {
  REAL(int, "rename", const char *, const char *);
  BROKEN(below(to))
  return real(from, to);
}
int link(const char *from, const char *to) {
  REAL(int, "link", const char *, const char *);
  BROKEN(below(to))
  return real(from, to);
}
int mkdir(const char *path, mode_t mode) {
  REAL(int, "mkdir", const char *, mode_t);
  BROKEN(below(path))
  return real(path, mode);
}
static int opens(int (*real)(const char *, int, ...), const char *path, int flags, mode_t mode) {
  BROKEN((flags & (O_WRONLY | O_RDWR)) && below(path))
  return real(path, flags, mode);
}
int open(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = va_arg(more, mode_t);
  va_end(more);
  REAL(int, "open", const char *, int, ...);
  return opens(real, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = va_arg(more, mode_t);
  va_end(more);
  REAL(int, "open64", const char *, int, ...);
  return opens(real, path, flags, mode);
}
