#include "base/host_memory.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/c_text.h"

static _Atomic uint64_t claimed, limit_set;

enum hone_status hone_host_memory_parse(uint64_t *out, const char *text, uint64_t total,
                                        struct hone_error *err)
{
    static const char units[] = "KMGT";
    const char *end = text + strspn(text, "0123456789.");
    char *read = NULL;
    double number = hone_strtod(text, &read), bytes = number;
    if (end == text || read != end) number = -1;
    if (number >= 0 && *end == '%') {
        bytes = number / 100 * (double)total;
        end++;
    } else if (number >= 0 && *end && strchr(units, *end)) {
        for (const char *unit = units; unit <= strchr(units, *end); unit++)
            bytes *= 1024;
        end++;
    }
    if (number < 0 || *end || !(bytes < 0x1p63))
        return hone_fail(err, HONE_EUSAGE,
                         "host memory is a share (50%%) or a size (8G), not '%s'", text);
    *out = (uint64_t)bytes;
    return HONE_OK;
}

// ---- what the machine has ----

// The number that a file begins with; UINT64_MAX where it does not ("max"), or is not
// there.
static uint64_t host_memory_read_number(const char *path)
{
    FILE *file = fopen(path, "r");
    unsigned long long number = UINT64_MAX;
    if (!file) return UINT64_MAX;
    if (fscanf(file, "%llu", &number) != 1) number = UINT64_MAX;
    fclose(file);
    return number;
}

// The least limit of the group and of those that it is in.
static uint64_t least_of_groups(const char *root, char *group, const char *name)
{
    uint64_t least = UINT64_MAX;
    for (;;) {
        char path[4400];
        snprintf(path, sizeof path, "%s%s/%s", root, group, name);
        const uint64_t limit = host_memory_read_number(path);
        if (limit < least) least = limit;
        char *slash = strrchr(group, '/');
        if (!slash) return least;
        *slash = '\0';
    }
}

// Lines are "0::/group" of version 2, "9:memory:/group" of version 1.
static uint64_t group_limit(void)
{
    char line[4096];
    uint64_t least = UINT64_MAX;
    FILE *file = fopen("/proc/self/cgroup", "r");
    while (file && fgets(line, sizeof line, file)) {
        char *names = strchr(line, ':'), *group = names ? strchr(names + 1, ':') : NULL;
        if (!group) continue;
        group++;
        group[strcspn(group, "\n")] = '\0';
        uint64_t limit = UINT64_MAX;
        if (strncmp(names, "::", 2) == 0)
            limit = least_of_groups("/sys/fs/cgroup", group, "memory.max");
        else if (strncmp(names, ":memory:", 8) == 0)
            limit =
                least_of_groups("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes");
        if (limit < least) least = limit;
    }
    if (file) fclose(file);
    return least;
}

uint64_t hone_host_memory_total(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
    const uint64_t machine =
        pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_MAX / 2;
    const uint64_t group = group_limit();
    return group < machine ? group : machine;
}

enum hone_status hone_host_memory_set(const char *text, struct hone_error *err)
{
    uint64_t bytes;
    enum hone_status status =
        hone_host_memory_parse(&bytes, text, hone_host_memory_total(), err);
    if (status == HONE_OK && setenv(HONE_HOST_MEMORY, text, 1) != 0)
        status = hone_no_memory(err, "for a setting of the environment");
    return status;
}

// ---- claims ----

void hone_host_memory_limit(uint64_t bytes)
{
    atomic_store(&limit_set, bytes);
}

// Found once; threads that come together find the same.
static enum hone_status find_limit(uint64_t *out, struct hone_error *err)
{
    const char *text = getenv(HONE_HOST_MEMORY);
    enum hone_status status = HONE_OK;
    *out = atomic_load(&limit_set);
    if (*out) return HONE_OK;
    status = hone_host_memory_parse(out, text && *text ? text : "50%",
                                    hone_host_memory_total(), err);
    if (status == HONE_OK) atomic_store(&limit_set, *out ? *out : 1);
    return status;
}

// One of so many parts of the limit may be in use then.
static enum hone_status claim_of(uint64_t parts, uint64_t bytes, const char *what,
                                 struct hone_error *err)
{
    uint64_t limit, before = atomic_load(&claimed);
    enum hone_status status = find_limit(&limit, err);
    if (status != HONE_OK) return status;
    limit /= parts;
    while (before <= limit && bytes <= limit - before)
        if (atomic_compare_exchange_weak(&claimed, &before, before + bytes))
            return HONE_OK;
    const char *set = getenv(HONE_HOST_MEMORY);
    return hone_fail(err, HONE_ELIMIT,
                     "%llu bytes of this machine's memory %s, %llu of %llu are in "
                     "use: " HONE_HOST_MEMORY " (now %s) sets how much may be",
                     (unsigned long long)bytes, what, (unsigned long long)before,
                     (unsigned long long)limit, set ? set : "50%");
}

enum hone_status hone_host_memory_claim(uint64_t bytes, const char *what,
                                        struct hone_error *err)
{
    return claim_of(1, bytes, what, err);
}

enum hone_status hone_host_memory_claim_spare(uint64_t bytes, const char *what,
                                              struct hone_error *err)
{
    enum { PARTS = 4 };
    return claim_of(PARTS, bytes, what, err);
}

void hone_host_memory_release(uint64_t bytes)
{
    atomic_fetch_sub(&claimed, bytes);
}
