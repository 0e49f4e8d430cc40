// What all evaluators share.
#include "evaluate/evaluator.h"

#include <stdlib.h>

#include "space/trial_keep.h"

enum hone_status hone_evaluator_make(struct hone_evaluator **out,
                                     const struct hone_evaluator_fns *fns,
                                     struct hone_error *err)
{
    struct hone_evaluator *evaluator = calloc(1, sizeof *evaluator);
    if (evaluator) evaluator->priv = calloc(1, fns->priv_size);
    if (!evaluator || !evaluator->priv) {
        free(evaluator);
        return hone_no_memory(err, "for evaluator '%s'", fns->name);
    }
    evaluator->fns = fns;
    *out = evaluator;
    return HONE_OK;
}

enum hone_status hone_evaluator_begin(const struct hone_evaluator *evaluator,
                                      uint64_t index, struct hone_error *err)
{
    if (!evaluator->begin) return HONE_OK;
    return evaluator->begin(evaluator->begin_context, index, err);
}

enum hone_status hone_evaluate_one(struct hone_trial *out,
                                   struct hone_evaluator *evaluator, uint64_t index,
                                   struct hone_error *err)
{
    size_t count = 0;
    enum hone_status status = evaluator->fns->submit(evaluator, index, err);
    while (status == HONE_OK && !count)
        status = evaluator->fns->wait(evaluator, out, 1, &count, err);
    return status;
}

enum hone_status hone_evaluator_keep(struct hone_evaluator *evaluator,
                                     struct hone_trial *trial, struct hone_error *err)
{
    struct hone_arena said = {.head = evaluator->said};
    enum hone_status status = hone_trial_keep(trial, &said, err);
    evaluator->said = said.head;
    return status;
}

void hone_evaluator_close(struct hone_evaluator *evaluator)
{
    if (!evaluator) return;
    struct hone_arena said = {.head = evaluator->said};
    evaluator->fns->close(evaluator);
    hone_arena_fini(&said);
    free(evaluator->priv);
    free(evaluator);
}

// Four for each thread: simulated with 16 of them, a GPU that takes 20 ms a configuration
// is then busy for 68 % of the time, as much as the builds allow, with one each for 44 %
// (docs/measurement.md).
enum { AHEAD_PER_THREAD = 4 };

size_t hone_lookahead(size_t wanted, size_t threads, bool measures)
{
    if (wanted) return wanted;
    return (measures ? AHEAD_PER_THREAD : 1) * threads + 1;
}
