#include "report/standings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/json_out.h"
#include "report/values.h"

static int by_cost(const void *a, const void *b)
{
    const struct hone_trial *x = *(const struct hone_trial *const *)a;
    const struct hone_trial *y = *(const struct hone_trial *const *)b;
    const double cx = hone_trial_cost(x), cy = hone_trial_cost(y);
    if (cx != cy) return cx < cy ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static enum hone_status find_valid(struct hone_standings *r,
                                   const struct hone_recording *recording,
                                   struct hone_error *err)
{
    const size_t n = hone_recording_count(recording);
    r->trials = calloc(n + 1, sizeof *r->trials);
    if (!r->trials) return hone_no_memory(err, "for %zu trials", n);
    for (size_t i = 0; i < n; i++) {
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        r->outcomes[trial->outcome]++;
        if (isfinite(hone_trial_cost(trial))) r->trials[r->count++] = trial;
    }
    qsort(r->trials, r->count, sizeof *r->trials, by_cost);
    return HONE_OK;
}

static int by_rank(const void *a, const void *b)
{
    const struct hone_trial *x = *(const struct hone_trial *const *)a;
    const struct hone_trial *y = *(const struct hone_trial *const *)b;
    return (x->final.rank > y->final.rank) - (x->final.rank < y->final.rank);
}

static int by_time(const void *a, const void *b)
{
    const struct hone_trial *x = *(const struct hone_trial *const *)a;
    const struct hone_trial *y = *(const struct hone_trial *const *)b;
    if (x->time_us != y->time_us) return x->time_us < y->time_us ? -1 : 1;
    return (x->energy_j > y->energy_j) - (x->energy_j < y->energy_j);
}

// The trials that no other beats in time and in energy, fastest first: after sorting by
// time each that needs less energy than all before it. Empty without energies.
static enum hone_status find_pareto(struct hone_standings *r, struct hone_error *err)
{
    r->pareto = calloc(r->count + 1, sizeof *r->pareto);
    if (!r->pareto) return hone_no_memory(err, "for %zu trials", r->count);
    size_t n = 0;
    for (size_t i = 0; i < r->count; i++)
        if (r->trials[i]->energy_j > 0) r->pareto[n++] = r->trials[i];
    qsort(r->pareto, n, sizeof *r->pareto, by_time);
    for (size_t i = 0; i < n; i++)
        if (!r->pareto_count ||
            r->pareto[i]->energy_j < r->pareto[r->pareto_count - 1]->energy_j)
            r->pareto[r->pareto_count++] = r->pareto[i];
    return HONE_OK;
}

// The finals that the journal ends with.
static enum hone_status find_finals(struct hone_standings *r,
                                    const struct hone_recording *recording,
                                    struct hone_error *err)
{
    const size_t count = hone_recording_count(recording);
    size_t first = count;
    if (!hone_recording_winner(recording)) return HONE_OK;
    while (first && hone_recording_trial(recording, first - 1)->final.rank)
        if (hone_recording_trial(recording, --first)->final.rank == 1) break;
    r->finals = calloc(count - first + 1, sizeof *r->finals);
    if (!r->finals) return hone_no_memory(err, "for %zu trials", count - first);
    while (first < count)
        r->finals[r->final_count++] = hone_recording_trial(recording, first++);
    qsort(r->finals, r->final_count, sizeof *r->finals, by_rank);
    return HONE_OK;
}

enum hone_status hone_standings_make(struct hone_standings *out,
                                     const struct hone_recording *recording,
                                     struct hone_error *err)
{
    *out = (struct hone_standings){0};
    enum hone_status status = find_valid(out, recording, err);
    if (status == HONE_OK) status = find_pareto(out, err);
    return status == HONE_OK ? find_finals(out, recording, err) : status;
}

void hone_standings_fini(struct hone_standings *standings)
{
    free(standings->trials);
    free(standings->pareto);
    free(standings->finals);
}

void hone_best_kind_text(char *buf, size_t size, const struct hone_standings *r,
                         const struct hone_record_info *info)
{
    const char *kind =
        hone_time_kind_measured(r->count ? r->trials[0]->kind : HONE_TIME_NONE);
    buf[0] = '\0';
    if (*kind)
        snprintf(buf, size, " (%s%s%.*s)", kind, info->l2 ? ", L2 " : "",
                 info->l2 ? (int)strcspn(info->l2, ",") : 0, info->l2 ? info->l2 : "");
}

struct json_t *hone_standings_json(const struct hone_standings *r,
                                   const struct hone_recording *recording, size_t top)
{
    const struct hone_record_info *info = hone_recording_info(recording);
    struct json_t *root = hone_json_object(), *best = hone_json_array();
    struct json_t *pareto = r->pareto_count ? hone_json_array() : NULL;
    struct json_t *problem = hone_json_object();
    hone_json_text(root, "journal", hone_recording_path(recording));
    hone_json_text(root, "kernel", info->kernel);
    hone_json_text(root, "device", info->device_name);
    hone_json_text(root, "clock", info->clock);
    hone_json_text(root, "objective", info->objective);
    if (info->l2) hone_json_text(root, "l2", info->l2);
    if (info->verified) hone_json_text(root, "verified", info->verified);
    hone_json_bool(root, "complete", info->complete);
    for (size_t i = 0; i < info->problem_count; i++)
        hone_json_value(problem, info->problem[i].name, info->problem[i].value);
    hone_json_child(root, "problem", problem);
    hone_json_integer(root, "trials", (int64_t)hone_recording_count(recording));
    hone_json_child(root, "outcomes", hone_outcomes_json(r->outcomes));
    for (size_t i = 0; i < r->count && i < top; i++)
        hone_json_append(best,
                         hone_trial_json(hone_recording_space(recording), r->trials[i]));
    hone_json_child(root, "best", best);
    for (size_t i = 0; i < r->pareto_count; i++)
        hone_json_append(pareto,
                         hone_trial_json(hone_recording_space(recording), r->pareto[i]));
    if (pareto) hone_json_child(root, "pareto", pareto);
    return root;
}
