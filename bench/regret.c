// hone_bench_regret JOURNAL [FITTED [SPLITS]]: the regret that headers of FITTED [half]
// of a journal's problems announce for others, and the one that these meet.
#include <stdio.h>
#include <stdlib.h>

#include "heldout.h"

int main(int argc, char **argv)
{
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    struct heldout h = {0};
    if (argc < 2) {
        fputs("usage: hone_bench_regret JOURNAL [FITTED [SPLITS]]\n", stderr);
        return 2;
    }
    enum hone_status status = hone_recording_load(&recording, argv[1], &err);
    if (status == HONE_OK) {
        const size_t half = hone_recording_problem_count(recording) / 2;
        const size_t fitted = argc > 2 ? strtoul(argv[2], NULL, 10) : half;
        const size_t splits = argc > 3 ? strtoul(argv[3], NULL, 10) : 100;
        status = heldout_measure(&h, recording, fitted, splits, &err);
    }
    if (status == HONE_OK)
        printf("%zu problems fitted, %zu asked, %zu splits: announced %.2f %% (95 %% "
               "interval %.2f %% to %.2f %% on average), met %.2f %%, inside in %zu\n"
               "the single best configuration on average: %.2f %%\n",
               h.fitted, h.asked, h.splits, 100 * h.announced, 100 * h.low, 100 * h.high,
               100 * h.met, h.inside, 100 * h.lone);
    else
        fprintf(stderr, "%s\n", err.text);
    hone_recording_free(recording);
    return status != HONE_OK;
}
