/*
 * A slow disk for a process that loads this before the C library (LD_PRELOAD): fsync and fdatasync take longer by what the
 * file SLOW_SYNC_FILE says, in microseconds as text, and each one that is slowed down adds a byte to SLOW_SYNC_COUNT.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void wait_for_disk(void) {
  int before = errno;
  const char *file = getenv("SLOW_SYNC_FILE");
  const char *count = getenv("SLOW_SYNC_COUNT");
  char text[32] = {0};
  int from = file == NULL ? -1 : open(file, O_RDONLY | O_CLOEXEC);
  if (from >= 0) {
    ssize_t length = read(from, text, sizeof text - 1);
    close(from);
    long micros = length > 0 ? atol(text) : 0;
    if (micros > 0) {
      int to = count == NULL ? -1 : open(count, O_WRONLY | O_APPEND | O_CLOEXEC);
      if (to >= 0) {
        if (write(to, ".", 1) != 1) errno = 0;
        close(to);
      }
      struct timespec rest = {micros / 1000000, (micros % 1000000) * 1000};
      while (nanosleep(&rest, &rest) != 0 && errno == EINTR) continue;
    }
  }
  errno = before;
}

int fsync(int fd) {
  static int (*real)(int);
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  wait_for_disk();
  return real(fd);
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  wait_for_disk();
  return real(fd);
}
