// The configuration for a device or problem that nothing else suits: of what ran on every
// device and failed nowhere, the best on average. With one device there is nothing to
// compare: the author's own is the most modest one that is known to work.
#include <math.h>
#include <stdint.h>

#include "emit_plan.h"

enum { ROWS_MOST = 64 }; // beyond, trials are not tried one by one

// What a configuration reaches, 1 being the best, on average over the rows where it is
// known, each device counting the same. -1 where it failed, or a device lacks it.
static double mean_performance(const struct emit_plan *plan,
                               const struct emit_config *config)
{
    double total = 0;
    for (size_t d = 0; d < plan->device_count; d++) {
        const struct emit_device *device = &plan->devices[d];
        const struct emit_group *last = &plan->groups[device->first + device->count - 1];
        double sum = 0, weights = 0;
        for (size_t r = plan->groups[device->first].first; r < last->first + last->count;
             r++) {
            const struct emit_row *row = &plan->rows[r];
            const double cost = hone_emit_cost_of(plan, row, config);
            if (isinf(cost)) return -1;
            if (isnan(cost)) continue;
            sum += row->weight * fmin(hone_emit_cost(plan, row->best) / cost, 1);
            weights += row->weight;
        }
        if (!(weights > 0)) return -1;
        total += sum / weights;
    }
    return total / (double)plan->device_count;
}

struct best {
    struct emit_config config;
    double performance;
};

static void try_config(const struct emit_plan *plan, struct best *best,
                       const struct emit_config *config)
{
    const double performance = mean_performance(plan, config);
    if (performance <= best->performance + 1e-12) return;
    *best = (struct best){*config, performance};
}

// In the order of the space, so that the order of lines does not show.
static enum hone_status try_member(struct emit_plan *plan, struct best *best,
                                   const struct emit_row *member)
{
    const struct hone_recording *recording = member->recording;
    uint16_t *choices = NULL;
    for (uint64_t i = 0; i < hone_recording_count(recording); i++) {
        if (!isfinite(hone_emit_cost(plan, hone_recording_find(recording, i)))) continue;
        if (!choices || best->config.choices == choices)
            choices =
                hone_arena_array(&plan->arena, plan->info->param_count, sizeof *choices);
        if (!choices) return hone_emit_no_memory(plan);
        hone_space_choices(hone_recording_space(recording), i, choices);
        try_config(plan, best, &(struct emit_config){member, choices});
    }
    return HONE_OK;
}

// What ran on all devices ran on the first: all that was tried there takes part, or the
// header's own configurations where that would be too many.
static enum hone_status find_best_mean(struct emit_plan *plan, struct best *best)
{
    const struct emit_device *device = &plan->devices[0];
    const struct emit_group *last = &plan->groups[device->first + device->count - 1];
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < plan->config_count; i++)
        try_config(plan, best, &plan->configs[i]);
    for (size_t r = 0; plan->row_count <= ROWS_MOST && r < last->first + last->count; r++)
        for (size_t m = 0; m < plan->rows[r].journals && status == HONE_OK; m++)
            status = try_member(plan, best, &plan->rows[r].members[m]);
    return status;
}

static const struct emit_row *find_authors(const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->row_count; i++)
        if (plan->rows[i].baseline) return &plan->rows[i];
    return NULL;
}

enum hone_status hone_emit_make_default(struct emit_plan *plan)
{
    const struct emit_row *authors = find_authors(plan);
    struct best best = {.performance = -0.5};
    enum hone_status status =
        plan->device_count > 1 ? find_best_mean(plan, &best) : HONE_OK;
    if (status != HONE_OK) return status;
    plan->default_of = EMIT_BEST_MEAN;
    if (best.performance < 0 && authors) {
        plan->default_of = EMIT_AUTHORS;
        best.config = (struct emit_config){authors, authors->info->defaults};
    } else if (best.performance < 0) {
        plan->default_of = EMIT_FIRST_ROW;
        best.config = plan->configs[plan->rows[0].config];
    }
    plan->default_performance = best.performance;
    plan->default_config = hone_emit_config_number(plan, &best.config);
    return plan->default_config == SIZE_MAX ? hone_emit_no_memory(plan) : HONE_OK;
}
