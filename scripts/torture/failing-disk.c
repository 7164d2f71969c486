/*
 * LD_PRELOAD: makes calls that read or write files below TORTURE_DIR fail with EIO. TORTURE_RATES names a file that
 * contains two numbers: how many of 65536 write calls fail, and how many of 65536 read calls. The file is mapped into
 * memory, so that the rates can be changed while a process runs.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* The failure rates of write calls and of read calls. */
enum { WRITING, READING };
static volatile uint32_t *rates;
static const char *dir;
static __thread uint64_t state;

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("TORTURE_RATES");
  dir = getenv("TORTURE_DIR");
  int fd = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void *at = mmap(NULL, 2 * sizeof *rates, PROT_READ, MAP_SHARED, fd, 0);
  if (at != MAP_FAILED) rates = at;
  close(fd);
}

static int fails(int kind) {
  if (!rates || rates[kind] == 0) return 0;
  if (!state) state = (uint64_t)getpid() * 0x9e3779b97f4a7c15ull + (uintptr_t)&state;
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (uint32_t)(state >> 48) < rates[kind];
}

static int below(const char *path) { return dir && path && strncmp(path, dir, strlen(dir)) == 0; }

static int fd_below(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, sizeof path - 1);
  if (n < 0) return 0;
  path[n] = 0;
  return below(path);
}

#define BROKEN_WITH(kind, where, result) if (fails(kind) && (where)) { errno = EIO; return result; }
#define BROKEN(where) BROKEN_WITH(WRITING, where, -1)
#define UNREADABLE(where) BROKEN_WITH(READING, where, -1)
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
  BROKEN_WITH(flags & (O_WRONLY | O_RDWR) ? WRITING : READING, below(path), -1)
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

ssize_t read(int fd, void *data, size_t n) {
  REAL(ssize_t, "read", int, void *, size_t);
  UNREADABLE(fd_below(fd))
  return real(fd, data, n);
}
ssize_t pread64(int fd, void *data, size_t n, off64_t at) {
  REAL(ssize_t, "pread64", int, void *, size_t, off64_t);
  UNREADABLE(fd_below(fd))
  return real(fd, data, n, at);
}
int access(const char *path, int how) {
  REAL(int, "access", const char *, int);
  UNREADABLE(below(path))
  return real(path, how);
}
int stat64(const char *path, struct stat64 *found) {
  REAL(int, "stat64", const char *, struct stat64 *);
  UNREADABLE(below(path))
  return real(path, found);
}
int lstat64(const char *path, struct stat64 *found) {
  REAL(int, "lstat64", const char *, struct stat64 *);
  UNREADABLE(below(path))
  return real(path, found);
}
DIR *opendir(const char *path) {
  REAL(DIR *, "opendir", const char *);
  BROKEN_WITH(READING, below(path), NULL)
  return real(path);
}
int scandir64(const char *path, struct dirent64 ***list, int (*filter)(const struct dirent64 *),
              int (*compare)(const struct dirent64 **, const struct dirent64 **)) {
  REAL(int, "scandir64", const char *, struct dirent64 ***, int (*)(const struct dirent64 *),
       int (*)(const struct dirent64 **, const struct dirent64 **));
  UNREADABLE(below(path))
  return real(path, list, filter, compare);
}
/* libuv calls statx this way. */
long syscall(long number, ...) {
  long a[6];
  va_list more;
  va_start(more, number);
  for (int i = 0; i < 6; i += 1) a[i] = va_arg(more, long);
  va_end(more);
  REAL(long, "syscall", long, ...);
  UNREADABLE(number == SYS_statx && below((const char *)a[1]))
  return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
