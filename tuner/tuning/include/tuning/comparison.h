/* Shipped configurations measured again: are they still as fast, and still the best near
 * by? For the day that driver, toolkit or template change. */
#ifndef HONE_TUNING_COMPARISON_H
#define HONE_TUNING_COMPARISON_H

#include "emit/shipped.h"
#include "hone/tuning.h"

enum hone_verdict {
    HONE_VERDICT_SAME,
    HONE_VERDICT_FASTER,
    HONE_VERDICT_SLOWER,
    HONE_VERDICT_AMBIGUOUS,
    HONE_VERDICT_FAILED, /* the configuration does not build, run or agree any more */
    HONE_VERDICT_SKIPPED /* of another device */
};
const char *hone_verdict_name(enum hone_verdict verdict);

/* How long a row takes now to what it took: with 95 % interval. */
struct hone_compared_ratio {
    double ratio, low, high;
};

/* SAME: the interval lies within 1 +- tolerance; FASTER, SLOWER: it lies outside;
 * AMBIGUOUS: it holds an edge of that, so more samples are needed to tell. */
enum hone_verdict hone_verdict_of(struct hone_compared_ratio ratio, double tolerance);

struct hone_compared_row {
    const struct hone_shipped_row *shipped;
    char problem[160];
    enum hone_verdict verdict;
    double time_us; /* now */
    struct hone_compared_ratio ratio;
    char reason[HONE_REASON_MAX];     /* of FAILED, SKIPPED and some AMBIGUOUS */
    char compared[HONE_COMPARED_MAX]; /* as in struct hone_trial */
    size_t neighbours; /* valid configurations that it was measured against */
    bool overtaken;    /* one of them is faster now, beyond the noise */
    char rival[256];   /* that one */
    struct hone_compared_ratio rival_ratio; /* in the same rounds, to the row's time */
};

struct hone_comparison_options {
    /* How a row is measured: script, device, clock, isolate and the like; the sizes of a
     * row come after set. seed is of the input data and of the finals. */
    struct hone_tuning_options tuning;
    double tolerance;    /* difference that does not matter: 0.03 */
    uint64_t neighbours; /* configurations next to each row to measure */
};

struct hone_comparison {
    const struct hone_comparison_options *options; /* borrowed */
    struct hone_shipped shipped;
    struct hone_compared_row *rows; /* [shipped.count] */
    char changes[512];              /* "driver 550.54 -> 580.95; ..."; "" for nothing */
    const char *device;             /* what is there now; in shipped's arena */
    bool clock_differs;
};

/* Measure each row of the header or journal at path: itself, its neighbours in the space
 * and the author's default, then the finals between them. A status is the failure of the
 * whole, EINPUT where no row is of the device; what a configuration does wrong is a
 * verdict. Release it also after a failure. */
enum hone_status hone_comparison_run(struct hone_comparison *out, const char *path,
                                     const struct hone_comparison_options *options,
                                     struct hone_error *err);

/* A row that is slower or failed is a failure, strictly also one that is ambiguous or
 * overtaken. */
bool hone_comparison_fails(const struct hone_compared_row *row, bool strict);
size_t hone_comparison_failures(const struct hone_comparison *comparison, bool strict);
void hone_comparison_fini(struct hone_comparison *comparison); /* zeros are fine */

#endif
