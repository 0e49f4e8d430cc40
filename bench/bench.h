/* What the benchmarks share: a measured step, its median, one line of output. */
#ifndef HONE_BENCH_H
#define HONE_BENCH_H

#include <stddef.h>

/* One run of what is measured; returns how many seconds count, negative on failure. */
typedef double bench_step(void *context);

/* Runs step once untimed and runs times; prints a line with median, minimum and maximum
 * of scale / seconds (per_second) or scale * seconds, in unit. Nothing for a line that
 * the command line does not ask for. */
struct bench_line {
    const char *name, *unit;
    int runs;
    double scale;
    int per_second;
};
void bench_run(const struct bench_line *line, bench_step *step, void *context);

void bench_skip(const char *name, const char *why);

/* Paths from the command line: build folder, and the folder with recorded/ and spaces/.
 */
extern const char *bench_program_path, *bench_shared;

void bench_program(void);
void bench_space(void);
void bench_replay(void);
void bench_ask(void);
void bench_build(void);

#endif
