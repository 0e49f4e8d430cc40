#include "tuning/probe.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/grow.h"

/* --- what is to run --- */

enum hone_status hone_probe_add(struct hone_probe_list *list, uint64_t index,
                                struct hone_error *err)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->indices[i] == index) return HONE_OK;
    if (!HONE_GROW(&list->indices, &list->cap, list->count + 1, 16))
        return hone_no_memory(err, "for configurations to run");
    list->indices[list->count++] = index;
    return HONE_OK;
}

enum hone_status hone_probe_add_default(struct hone_probe_list *list, uint64_t *index,
                                        struct hone_error *err)
{
    const struct hone_workbench *bench = &list->target->bench;
    *index = bench->has_default ? bench->default_index : 0;
    return hone_probe_add(list, *index, err);
}

enum hone_status hone_probe_add_neighbours(struct hone_probe_list *list, uint64_t index,
                                           size_t most, struct hone_error *err)
{
    const struct hone_space *space = list->target->space;
    uint64_t *found = calloc(most + 1, sizeof *found);
    if (!found) return hone_no_memory(err, "for neighbours");
    size_t count = hone_space_neighbours(space, index, HONE_ADJACENT, found, most);
    enum hone_status status = HONE_OK;
    if (count > most) count = most;
    for (size_t i = 0; status == HONE_OK && i < count; i++)
        status = hone_probe_add(list, found[i], err);
    free(found);
    return status;
}

/* --- running --- */

static enum hone_status keep_trials(struct hone_journal *journal,
                                    const struct hone_target *target, size_t *finished,
                                    struct hone_error *err)
{
    enum { AT_ONCE = 16 };
    struct hone_trial trials[AT_ONCE];
    size_t count = 0;
    enum hone_status status =
        target->evaluator->fns->wait(target->evaluator, trials, AT_ONCE, &count, err);
    *finished += count;
    for (size_t i = 0; status == HONE_OK && i < count; i++)
        status = hone_journal_append_of(journal, &trials[i], target->space, err);
    return status;
}

static enum hone_status run_list(struct hone_journal *journal,
                                 const struct hone_probe_list *list,
                                 const volatile sig_atomic_t *cancel,
                                 struct hone_error *err)
{
    struct hone_evaluator *evaluator = list->target->evaluator;
    const size_t room = evaluator->fns->capacity(evaluator);
    enum hone_status status = HONE_OK;
    size_t submitted = 0, finished = 0;
    while (status == HONE_OK && finished < list->count) {
        if (cancel && *cancel)
            status = hone_fail(err, HONE_ECANCELLED, "interrupted");
        else if (submitted < list->count && submitted - finished < room)
            status = evaluator->fns->submit(evaluator, list->indices[submitted++], err);
        else
            status = keep_trials(journal, list->target, &finished, err);
    }
    return status;
}

// The journal is a file of its own, which is gone when it has been read.
static enum hone_status record_list(struct hone_recording **out,
                                    const struct hone_probe_list *list,
                                    const volatile sig_atomic_t *cancel,
                                    struct hone_error *err)
{
    char *path = NULL;
    struct hone_journal *journal = NULL;
    enum hone_status status = hone_file_temporary(&path, err);
    if (status == HONE_OK)
        status = hone_journal_create(&journal, path, &list->target->info, 0, err);
    if (status == HONE_OK) status = run_list(journal, list, cancel, err);
    const bool made = journal != NULL;
    const enum hone_status closed = hone_journal_close(journal, err);
    if (status == HONE_OK) status = closed;
    if (status == HONE_OK) status = hone_recording_load(out, path, err);
    if (made) unlink(path);
    free(path);
    return status;
}

enum hone_status hone_probe_run(struct hone_recording **out,
                                const struct hone_probe_options *probe,
                                struct hone_error *err)
{
    struct hone_tuning_options options = *probe->tuning;
    struct hone_target target;
    struct hone_probe_list list = {.target = &target};
    *out = NULL;
    options.no_verify = true;
    options.no_race = true;
    enum hone_status status =
        hone_target_open(&target, &options, probe->sizes, probe->shared, err);
    if (status == HONE_OK) status = probe->choose(probe->context, &list, err);
    if (status == HONE_OK) status = record_list(out, &list, options.cancel, err);
    free(list.indices);
    hone_target_close(&target);
    return status;
}
