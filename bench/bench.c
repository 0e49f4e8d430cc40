// hone_bench: start-up, space construction, replay, ask and compile rates of this
// machine. Medians, minimum, maximum.
#include "bench.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/sort.h"
#include "hone/version.h"

enum { RUNS_MAX = 101 };

const char *bench_program_path;
const char *bench_shared = HONE_SOURCE_DIR "/../shared";

static struct {
    char *const *names; // parts of the names of lines that are wanted
    int count;          // 0: all
    bool list;          // say what there is, run nothing
} wanted;

static const char usage[] =
    "usage: hone_bench [-l] [-s FOLDER] [NAME...]\n"
    "Measures this machine: all lines, or those with one of the NAMEs in their name.\n"
    "  -l         list the names\n"
    "  -s FOLDER  where recorded/ and spaces/ are [../shared beside the source]\n";

static bool is_wanted(const char *name)
{
    for (int i = 0; i < wanted.count; i++)
        if (strstr(name, wanted.names[i])) return true;
    return !wanted.count;
}

void bench_run(const struct bench_line *line, bench_step *step, void *context)
{
    double figures[RUNS_MAX];
    int count = 0;
    if (!is_wanted(line->name)) return;
    if (wanted.list) {
        puts(line->name);
        return;
    }
    step(context);
    for (int i = 0; i < line->runs && i < RUNS_MAX; i++) {
        double seconds = step(context);
        if (seconds < 0) {
            bench_skip(line->name, "failed");
            return;
        }
        figures[count++] =
            line->per_second ? line->scale / seconds : line->scale * seconds;
    }
    hone_sort_doubles(figures, (size_t)count);
    printf("%-36s %12.4g  (%.4g .. %.4g)  %s, n=%d\n", line->name, figures[count / 2],
           figures[0], figures[count - 1], line->unit, count);
    fflush(stdout);
}

void bench_skip(const char *name, const char *why)
{
    if (is_wanted(name)) printf("%-36s skipped: %s\n", name, why);
}

static void print_machine(void)
{
    struct utsname system;
    char cpu[256] = "unknown CPU", line[256], date[32];
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "model name : %255[^\n]", cpu) == 1) break;
    if (file) fclose(file);
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    uname(&system);
    printf("hone %s, %s, %ld cores of %s, %s %s\n\n", HONE_VERSION, date,
           sysconf(_SC_NPROCESSORS_ONLN), cpu, system.sysname, system.machine);
}

static bool read_arguments(int argc, char **argv)
{
    for (int option; (option = getopt(argc, argv, "ls:")) != -1;) {
        if (option == 'l')
            wanted.list = true;
        else if (option == 's')
            bench_shared = optarg;
        else
            return false;
    }
    wanted.names = argv + optind;
    wanted.count = argc - optind;
    return true;
}

int main(int argc, char **argv)
{
    if (!read_arguments(argc, argv)) {
        fputs(usage, stderr);
        return 2;
    }
    char *folder = hone_path_folder(argv[0]);
    char *program = folder ? hone_path_join(folder, "hone") : NULL;
    if (!program) return 1;
    bench_program_path = program;
    if (!wanted.list) print_machine();
    bench_program();
    bench_space();
    bench_replay();
    bench_ask();
    bench_build();
    free(program);
    free(folder);
    return 0;
}
