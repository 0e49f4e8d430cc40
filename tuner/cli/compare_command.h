/* hone compare, between its files: compare_measure.c measures a row again,
 * compare_print.c tells, compare.c runs it. */
#ifndef HONE_CLI_COMPARE_COMMAND_H
#define HONE_CLI_COMPARE_COMMAND_H

#include "emit/shipped.h"
#include "script_args.h"
#include "tuning/target.h"

enum verdict {
    VERDICT_SAME,
    VERDICT_FASTER,
    VERDICT_SLOWER,
    VERDICT_AMBIGUOUS,
    VERDICT_FAILED, /* the configuration does not build, run or agree any more */
    VERDICT_SKIPPED /* of another device */
};
const char *verdict_name(enum verdict verdict);

/* How long a row takes now to what it took: with 95 % interval. */
struct compared_ratio {
    double ratio, low, high;
};

/* SAME: the interval lies within 1 +- tolerance; FASTER, SLOWER: it lies outside;
 * AMBIGUOUS: it holds an edge of that, so more samples are needed to tell. */
enum verdict verdict_of(struct compared_ratio ratio, double tolerance);

struct compared_row {
    const struct hone_shipped_row *shipped;
    char problem[160];
    enum verdict verdict;
    double time_us; /* now */
    struct compared_ratio ratio;
    char reason[HONE_REASON_MAX];     /* of FAILED, SKIPPED and some AMBIGUOUS */
    char compared[HONE_COMPARED_MAX]; /* as in struct hone_trial */
    size_t neighbours; /* valid configurations that it was measured against */
    bool overtaken;    /* one of them is faster now, beyond the noise */
    char rival[256];   /* that one */
    struct compared_ratio rival_ratio; /* its time to the row's, in the same rounds */
};

struct compare_args {
    struct cli_words words;
    struct cli_script_args script;
    struct cli_build_args build;
    const char *kernel; /* the script */
    const char *clock, *isolate, *junit, *tolerance;
    uint64_t neighbours, seed;
    bool strict, json;
};

struct compare {
    const struct compare_args *args;
    double tolerance;
    struct hone_shipped shipped;
    struct compared_row *rows; /* [shipped.count] */
    char changes[512];         /* "driver 550.54 -> 580.95; ..."; "" for nothing */
    const char *device;        /* what is there now; in shipped's arena */
    bool clock_differs;
};

/* Measure a row on the device: itself, its neighbours and the author's default. A status
 * is the failure of the whole; what a configuration does wrong is a verdict. */
enum hone_status compare_measure(struct compare *compare, struct compared_row *row,
                                 struct hone_error *err);

void compare_print_text(const struct compare *compare);
enum hone_status compare_print_json(const struct compare *compare,
                                    struct hone_error *err);
enum hone_status compare_write_junit(const struct compare *compare, const char *path,
                                     struct hone_error *err);
/* The row counts as a failure. */
bool compare_fails(const struct compare *compare, const struct compared_row *row);

#endif
