/* hone bench: what its files share. */
#ifndef HONE_CLI_BENCH_H
#define HONE_CLI_BENCH_H

#include "cli.h"
#include "score/summary.h"
#include "tuning/named_strategy.h"
#include "tuning/warm_files.h"

struct bench_space {
    char *name; /* of the file, without folder and ending */
    struct hone_landscape landscape;
    const char *apart; /* why it stays out of the means; NULL when it does not */
    uint64_t *start;   /* where every run begins */
    size_t start_count;
    struct hone_expectation *expectation; /* and what it goes by; or NULL */
    struct hone_figures *figures;         /* [strategies] */
};

struct bench {
    const struct hone_strategy_fns **strategies;
    size_t strategy_count;
    struct hone_named_strategy *named; /* what strategies borrow from */
    size_t named_count;
    struct bench_space *spaces;
    size_t space_count, scored;          /* scored: not apart */
    struct hone_summary *summaries;      /* [strategies]; of the scored spaces */
    struct hone_difference *differences; /* [strategies][strategies], row minus column */
    size_t repeats;
    uint64_t seed;
    enum hone_on_error on_error;
    struct hone_warm_files warm;
};

/* Fill the start and the expectation of a space from the recordings of --warm, for runs
 * of that many evaluations; without any, none. */
enum hone_status bench_warm_start(const struct bench *bench, struct bench_space *space,
                                  const struct hone_recording *target, uint64_t budget,
                                  struct hone_error *err);

void bench_print_text(const struct bench *bench);
enum hone_status bench_print_json(const struct bench *bench, struct hone_error *err);
enum hone_status bench_write_plot(const struct bench *bench, const char *path,
                                  struct hone_error *err);

#endif
