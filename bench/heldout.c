// Splits of a journal's problems: a header's plan of some, its choices for the others
// against the best that is known there.
#include "heldout.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "dispatch.h"
#include "hone/rng.h"

struct split {
    const struct hone_recording *all;
    size_t *order; // of the problems; the first `fitted` are fitted
    size_t count, fitted;
};

static enum hone_status copy_part(struct hone_journal *journal,
                                  const struct hone_recording *part,
                                  struct hone_error *err)
{
    const size_t params = hone_recording_info(part)->param_count;
    uint16_t *choices = calloc(params, sizeof *choices);
    enum hone_status status = choices ? HONE_OK : hone_no_memory(err, "for a benchmark");
    for (size_t i = 0; i < hone_recording_count(part) && status == HONE_OK; i++) {
        const struct hone_trial *trial = hone_recording_trial(part, i);
        hone_space_choices(hone_recording_space(part), trial->index, choices);
        status = hone_journal_append(journal, trial, choices, err);
    }
    free(choices);
    return status;
}

static enum hone_status write_fitted(const struct split *split,
                                     const struct hone_record_problem *problems,
                                     const char *path, struct hone_error *err)
{
    struct hone_record_info info =
        *hone_recording_info(hone_recording_problem(split->all, split->order[0]));
    struct hone_journal *journal = NULL;
    info.problems = problems;
    info.problems_count = split->fitted;
    enum hone_status status = hone_journal_create(&journal, path, &info, 0, err);
    for (size_t i = 0; i < split->fitted && status == HONE_OK; i++) {
        hone_journal_set_problem(journal, i);
        status =
            copy_part(journal, hone_recording_problem(split->all, split->order[i]), err);
    }
    const enum hone_status closed = hone_journal_close(journal, err);
    return status != HONE_OK ? status : closed;
}

static enum hone_status fit(struct hone_recording **out, const struct split *split,
                            struct hone_error *err)
{
    const struct hone_record_info *info = hone_recording_info(split->all);
    const size_t names = info->problem_count;
    struct hone_record_problem *problems = calloc(split->fitted, sizeof *problems);
    struct hone_value *values = calloc(split->fitted * names, sizeof *values);
    char *path = NULL;
    enum hone_status status = hone_file_temporary(&path, err);
    if (status == HONE_OK && (!problems || !values))
        status = hone_no_memory(err, "for a benchmark");
    if (status != HONE_OK) goto out;
    for (size_t i = 0; i < split->fitted; i++) {
        const struct hone_record_info *own =
            hone_recording_info(hone_recording_problem(split->all, split->order[i]));
        for (size_t k = 0; k < names; k++)
            values[i * names + k] = own->problem[k].value;
        problems[i] = (struct hone_record_problem){values + i * names, 1};
    }
    status = write_fitted(split, problems, path, err);
    if (status == HONE_OK) status = hone_recording_load(out, path, err);
    unlink(path);
out:
    free(path);
    free(values);
    free(problems);
    return status;
}

// What a configuration costs on a problem over the best known there.
static double regret_of(const struct emit_plan *plan, const struct hone_recording *part,
                        size_t config)
{
    struct emit_row row = {.recording = part, .journals = 1, .members = &row};
    double least = (double)INFINITY;
    for (size_t i = 0; i < hone_recording_count(part); i++)
        least = fmin(least, hone_emit_cost(plan, hone_recording_trial(part, i)));
    return hone_emit_cost_of(plan, &row, &plan->configs[config]) / least - 1;
}

static enum hone_status ask(const struct emit_plan *plan,
                            const struct hone_recording *part, double *regret,
                            struct hone_error *err)
{
    const struct hone_record_info *info = hone_recording_info(part);
    struct hone_value *problem = calloc(info->problem_count, sizeof *problem);
    enum emit_tier tier;
    if (!problem) return hone_no_memory(err, "for a benchmark");
    for (size_t i = 0; i < info->problem_count; i++)
        problem[i] = info->problem[i].value;
    const size_t config = hone_emit_dispatch(plan, info->limits, problem, &tier);
    free(problem);
    if (config != SIZE_MAX) *regret = regret_of(plan, part, config);
    return config != SIZE_MAX && isfinite(*regret)
               ? HONE_OK
               : hone_fail(err, HONE_EINPUT,
                           "%s: a configuration is not known everywhere",
                           hone_recording_path(part));
}

static enum hone_status ask_others(struct heldout *out, const struct emit_plan *plan,
                                   const struct split *split, struct hone_error *err)
{
    const struct emit_estimate *e = &plan->groups[0].unseen;
    const size_t others = split->count - split->fitted;
    double met = 0, lone = 0;
    for (size_t i = split->fitted; i < split->count; i++) {
        const struct hone_recording *part =
            hone_recording_problem(split->all, split->order[i]);
        double regret = 0;
        enum hone_status status = ask(plan, part, &regret, err);
        if (status != HONE_OK) return status;
        met += regret / (double)others;
        lone += regret_of(plan, part, plan->groups[0].configs[0]) / (double)others;
    }
    out->splits++;
    out->inside += e->low <= met && met <= e->high;
    out->announced += e->mean;
    out->low += e->low;
    out->high += e->high;
    out->met += met;
    out->lone += lone;
    return HONE_OK;
}

static enum hone_status try_split(struct heldout *out, const struct split *split,
                                  struct hone_error *err)
{
    struct hone_recording *fitted = NULL;
    struct emit_plan plan = {.geometry = HONE_STRBUF_INIT, .err = err};
    const struct hone_emit_options options = {.accept_predicted = true};
    enum hone_status status = fit(&fitted, split, err);
    const struct hone_recording *const list[] = {fitted};
    if (status == HONE_OK) status = hone_emit_make_plan(&plan, list, 1, &options);
    if (status == HONE_OK) status = ask_others(out, &plan, split, err);
    hone_emit_plan_fini(&plan);
    hone_recording_free(fitted);
    return status;
}

static void shuffle(struct split *split, struct hone_rng *rng)
{
    for (size_t i = split->count; i-- > 1;) {
        const size_t k = (size_t)hone_rng_below(rng, i + 1), kept = split->order[i];
        split->order[i] = split->order[k];
        split->order[k] = kept;
    }
}

enum hone_status heldout_measure(struct heldout *out,
                                 const struct hone_recording *recording, size_t fitted,
                                 size_t splits, struct hone_error *err)
{
    struct split split = {.all = recording,
                          .count = hone_recording_problem_count(recording),
                          .fitted = fitted};
    struct hone_rng rng;
    enum hone_status status = HONE_OK;
    *out = (struct heldout){.fitted = fitted, .asked = split.count - fitted};
    if (split.count < fitted + 2)
        return hone_fail(err, HONE_EINPUT, "%s: %zu problems, %zu are wanted",
                         hone_recording_path(recording), split.count, fitted + 2);
    split.order = calloc(split.count, sizeof *split.order);
    if (!split.order) return hone_no_memory(err, "for a benchmark");
    for (size_t i = 0; i < split.count; i++)
        split.order[i] = i;
    hone_rng_seed(&rng, 1);
    for (size_t i = 0; i < splits && status == HONE_OK; i++) {
        shuffle(&split, &rng);
        status = try_split(out, &split, err);
    }
    free(split.order);
    double *const means[] = {&out->announced, &out->low, &out->high, &out->met,
                             &out->lone};
    for (size_t i = 0; i < sizeof means / sizeof *means; i++)
        *means[i] /= (double)out->splits;
    return status;
}
