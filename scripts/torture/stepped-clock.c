/*
 * LD_PRELOAD: sets the real-time clock. TORTURE_CLOCK names a file that contains a number of seconds to add
 * to every real time. The file is mapped into memory, so that the clock can be set while a process runs. The
 * monotonic clock and file times stay correct.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *seconds;
static int (*real)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("TORTURE_CLOCK");
  int fd = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
  real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  if (fd < 0) return;
  void *at = mmap(NULL, sizeof *seconds, PROT_READ, MAP_SHARED, fd, 0);
  if (at != MAP_FAILED) seconds = at;
  close(fd);
}

int clock_gettime(clockid_t id, struct timespec *now) {
  /* Constructors of other libraries may ask for the time before `begin` has run. */
  int failed = real ? real(id, now) : (int)syscall(SYS_clock_gettime, id, now);
  if (!failed && seconds && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) now->tv_sec += *seconds;
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec precise;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &precise)) return -1;
  now->tv_sec = precise.tv_sec;
  now->tv_usec = precise.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *out) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
