#include "fake_log.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// The last bytes hold how many of the first ones are used.
enum { LOG_BYTES = 1 << 18, LINES_BYTES = LOG_BYTES - 64 };

void fake_log_open(struct fake_log *log, const char *variable)
{
    const char *path = getenv(variable);
    const int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (fd < 0) return;
    void *map = MAP_FAILED;
    if (ftruncate(fd, LOG_BYTES) == 0)
        map = mmap(NULL, LOG_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map != MAP_FAILED) log->map = map;
    close(fd);
}

void fake_log_add(const struct fake_log *log, const char *line)
{
    const size_t len = strlen(line);
    if (!log->map) return;
    void *used = log->map + LINES_BYTES;
    const size_t at = atomic_fetch_add((atomic_size_t *)used, len);
    if (at + len >= LINES_BYTES) abort();
    memcpy(log->map + at, line, len);
}
