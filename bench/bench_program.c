// Start-up: how long the whole program takes to do nothing, and to load a script.
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench.h"

extern char **environ;

static double run_program(void *context)
{
    char *const *argv = context;
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const double start = hone_clock_seconds();
    pid_t child;
    int status = 1;
    if (posix_spawn(&child, argv[0], &quiet, NULL, argv, environ) == 0)
        waitpid(child, &status, 0);
    const double seconds = hone_clock_seconds() - start;
    posix_spawn_file_actions_destroy(&quiet);
    return status == 0 ? seconds : -1;
}

void bench_program(void)
{
    char program[4096], script[] = HONE_SOURCE_DIR "/kernels/sgemm.lua";
    char version[] = "version", strategies[] = "strategies", space[] = "space";
    char device[] = "--device", emu[] = "emu:h200";
    snprintf(program, sizeof program, "%s", bench_program_path);
    char *start[] = {program, version, NULL};
    char *list[] = {program, strategies, NULL};
    char *load[] = {program, space, script, device, emu, NULL};
    struct bench_line line = {.unit = "ms", .runs = 51, .scale = 1e3};
    line.name = "start-up: hone version";
    bench_run(&line, run_program, start);
    line.name = "start-up: hone strategies";
    bench_run(&line, run_program, list);
    line.runs = 11;
    line.name = "hone space kernels/sgemm.lua";
    bench_run(&line, run_program, load);
}
