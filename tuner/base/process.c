#define _POSIX_C_SOURCE 200809L // kill
#include "process.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/c_text.h"

// "12 (name) S 1 ..." of stat: the name may hold anything, its last bracket ends it.
uint64_t hone_process_start(long id)
{
    char path[64], text[1024];
    unsigned long long start;
    snprintf(path, sizeof path, "/proc/%ld/stat", id);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    const size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    const char *rest = strrchr(text, ')');
    const bool found =
        rest && sscanf(rest + 1,
                       " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d "
                       "%*d %*d %*d %*d %llu",
                       &start) == 1;
    return found ? start : 0;
}

bool hone_process_is(long id, uint64_t start)
{
    if (id <= 0 || (kill((pid_t)id, 0) != 0 && errno == ESRCH)) return false;
    const uint64_t now = hone_process_start(id);
    return !now || !start || now == start;
}

static void read_command(char *buf, size_t size, long id)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/cmdline", id);
    FILE *file = fopen(path, "re");
    size_t n = file ? fread(buf, 1, size - 1, file) : 0;
    if (file) fclose(file);
    while (n && !buf[n - 1])
        n--;
    for (size_t i = 0; i < n; i++)
        if (!buf[i])
            buf[i] = ' ';
        else if (hone_is_control(buf[i]))
            buf[i] = '?';
    buf[n] = '\0';
}

static double uptime(void)
{
    char line[64];
    FILE *file = fopen("/proc/uptime", "re");
    const double seconds =
        file && fgets(line, sizeof line, file) ? hone_strtod(line, NULL) : 0;
    if (file) fclose(file);
    return seconds;
}

void hone_process_text(char *buf, size_t size, long id)
{
    char command[128];
    read_command(command, sizeof command, id);
    const double begun = (double)hone_process_start(id) / (double)sysconf(_SC_CLK_TCK);
    const double age = uptime() - begun;
    int n = snprintf(buf, size, "process %ld", id);
    if (command[0]) n += snprintf(buf + n, size - (size_t)n, " (%s)", command);
    if (begun > 0 && age >= 0 && (size_t)n < size)
        hone_snprintf(buf + n, size - (size_t)n, ", %.0f s old", age);
}

void hone_process_each(bool (*visit)(void *context, long id), void *context)
{
    DIR *entries = opendir("/proc");
    const struct dirent *entry;
    if (!entries) return;
    while ((entry = readdir(entries))) {
        char *end = NULL;
        const long id = strtol(entry->d_name, &end, 10);
        if (id > 0 && !*end && !visit(context, id)) break;
    }
    closedir(entries);
}
