// The choice as the header makes it, step by step the same, with the tuner's own
// evaluation of expressions.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"

// Configurations that may be chosen: those that were valid. Beyond so many nobody looks,
// nor once so many expressions were evaluated for one header.
enum { TRIALS_MOST = 20000, STEPS_MOST = 5000000 };

static bool is_zero_nowhere(struct emit_query *q, const struct emit_row *row,
                            const struct emit_formula *formula, uint16_t *choices)
{
    const struct hone_space *space = hone_recording_space(row->recording);
    const size_t count = hone_recording_count(row->recording);
    const struct emit_config config = {.origin = row, .choices = choices};
    for (size_t i = 0; i < count; i++) {
        const struct hone_trial *trial = hone_recording_trial(row->recording, i);
        struct hone_value value = {0};
        if (trial->outcome != HONE_VALID) continue;
        if (q->plan->zero_steps + q->steps > STEPS_MOST) return false;
        hone_space_choices(space, trial->index, choices);
        hone_emit_query_config(q, &config);
        if (!hone_emit_evaluate(q, formula, &value) || value.type != HONE_INT ||
            value.i == 0)
            return false;
    }
    return true;
}

static bool is_zero_in_no_row(struct emit_query *q, const struct emit_formula *formula,
                              uint16_t *choices)
{
    const struct emit_plan *plan = q->plan;
    for (size_t r = 0; r < plan->row_count; r++)
        for (size_t m = 0; m < plan->rows[r].journals; m++)
            if (!is_zero_nowhere(q, &plan->rows[r].members[m], formula, choices))
                return false;
    return true;
}

static size_t count_trials(const struct emit_plan *plan)
{
    size_t trials = 0;
    for (size_t r = 0; r < plan->row_count; r++)
        for (size_t m = 0; m < plan->rows[r].journals; m++)
            trials += hone_recording_count(plan->rows[r].members[m].recording);
    return trials;
}

bool hone_emit_never_zero(struct emit_plan *plan, const char *text)
{
    static const struct hone_limits unknown;
    const struct hone_record_info *info = plan->info;
    if (count_trials(plan) > TRIALS_MOST || hone_emit_reads_outside(plan, text))
        return false;
    struct hone_value *problem = calloc(info->problem_count + 1, sizeof *problem);
    uint16_t *choices = calloc(info->param_count + 1, sizeof *choices);
    struct emit_formula formula = {0};
    struct emit_query q = {.plan = plan, .gpu = &unknown, .problem = problem};
    for (size_t i = 0; problem && i < info->problem_count; i++)
        problem[i] = info->problem[i].value;
    const bool never = problem && choices &&
                       hone_emit_formula_init(&formula, plan, text) &&
                       is_zero_in_no_row(&q, &formula, choices);
    plan->zero_steps += q.steps;
    hone_emit_query_fini(&q);
    hone_emit_formula_fini(&formula);
    free(choices);
    free(problem);
    return never;
}

// What is no integer, or has no value at all, is outside of all limits.
static int64_t number_of(struct emit_query *q, const char *text, int64_t absent)
{
    struct hone_value value = {0};
    int64_t number;
    if (!text) return absent;
    if (!hone_emit_evaluate_text(q, text, &value)) return -1;
    return hone_value_to_int(value, &number) ? number : -1;
}

static void read_extent(struct emit_query *q, const char *const texts[3],
                        const int64_t most[3], uint64_t volume, uint32_t extent[3])
{
    uint64_t product = 1;
    for (size_t i = 0; i < 3; i++) {
        const int64_t number = number_of(q, texts[i], 1);
        extent[i] = number >= 1 && number <= most[i] ? (uint32_t)number : 0;
        product *= extent[i];
    }
    if (product == 0 || product > volume) memset(extent, 0, 3 * sizeof *extent);
}

static struct emit_launch launch_of(struct emit_query *q)
{
    const struct hone_record_info *info = q->plan->info;
    struct emit_launch launch;
    read_extent(q, info->grid, hone_emit_grid_most, UINT64_MAX, launch.grid);
    read_extent(q, info->block, hone_emit_block_most, 1024, launch.block);
    read_extent(q, info->cluster, hone_emit_cluster_most, HONE_CLUSTER_MOST,
                launch.cluster);
    const int64_t shared = number_of(q, info->shared, 0);
    launch.shared = shared < 0 || shared > INT32_MAX ? UINT32_MAX : (uint32_t)shared;
    return launch;
}

struct emit_launch hone_emit_launch_of(const struct emit_plan *plan, size_t config,
                                       const struct hone_limits *gpu,
                                       const struct hone_value *problem)
{
    struct emit_query q = {.plan = plan, .gpu = gpu, .problem = problem};
    hone_emit_query_config(&q, &plan->configs[config]);
    const struct emit_launch launch = launch_of(&q);
    hone_emit_query_fini(&q);
    return launch;
}

static bool fits(struct emit_query *q, size_t number)
{
    const struct emit_plan *plan = q->plan;
    hone_emit_query_config(q, &plan->configs[number]);
    for (size_t i = 0; i < plan->fit_count; i++) {
        struct hone_value value = {0};
        if (!plan->fits[i].c) return false;
        if (!hone_emit_evaluate_text(q, plan->fits[i].text, &value) ||
            !hone_value_true(value))
            return false;
    }
    if (!hone_emit_has_launch(plan->info)) return true;
    const struct emit_launch launch = launch_of(q);
    const int64_t most = q->gpu->max_shared_bytes;
    const int64_t shared = (int64_t)launch.shared + hone_emit_static_shared(q->config);
    return launch.grid[0] && launch.block[0] && launch.shared != UINT32_MAX &&
           (!most || shared <= most) && hone_emit_can_launch(plan->info, &launch, q->gpu);
}

/* --- one device --- */

static bool serves(const struct emit_query *q, const struct emit_group *group)
{
    const struct hone_record_info *info = q->plan->rows[group->first].info;
    for (size_t i = 0; i < info->problem_count; i++)
        if (hone_emit_is_choice(q->plan, i) &&
            hone_emit_compare_values(info->problem[i].value, q->problem[i]) != 0)
            return false;
    return true;
}

static bool is_row(const struct emit_query *q, const struct emit_row *row)
{
    for (size_t i = 0; i < row->info->problem_count; i++)
        if (!q->plan->problem[i].fixed &&
            hone_emit_compare_values(row->info->problem[i].value, q->problem[i]) != 0)
            return false;
    return true;
}

static size_t by_rule(const struct emit_query *q, const struct emit_group *group)
{
    const struct emit_points *points = &group->points;
    int lg[EMIT_CONSTANTS_MOST];
    size_t at = 0;
    for (size_t i = 0; i < q->plan->info->problem_count; i++)
        if (hone_emit_is_size(q->plan, i)) lg[at++] = hone_emit_lg(q->problem[i].i);
    if (group->rule.nodes)
        return hone_emit_tree_choose(group->rule.nodes, lg, points->sizes);
    if (group->rule.model) return hone_emit_model_choose(&group->rule, lg, points->sizes);
    return q->plan->rows[group->first + hone_emit_nearest(points, NULL, lg)].config;
}

static size_t of_group(struct emit_query *q, const struct emit_group *group, bool same,
                       bool *exact)
{
    for (size_t r = group->first; r < group->first + group->count; r++) {
        const struct emit_row *row = &q->plan->rows[r];
        *exact = is_row(q, row) && (same || fits(q, row->config));
        if (*exact) return row->config;
    }
    const size_t ruled = by_rule(q, group);
    if (fits(q, ruled)) return ruled;
    for (size_t i = 0; i < group->config_count; i++)
        if (fits(q, group->configs[i])) return group->configs[i];
    return SIZE_MAX;
}

static size_t of_device(struct emit_query *q, const struct emit_device *device, bool same,
                        bool *exact)
{
    *exact = false;
    for (size_t g = device->first; g < device->first + device->count; g++)
        if (serves(q, &q->plan->groups[g]))
            return of_group(q, &q->plan->groups[g], same, exact);
    return SIZE_MAX;
}

/* --- which device --- */

struct hone_limits hone_emit_least_gpu(const struct emit_plan *plan)
{
    static const struct hone_limits unknown;
    struct hone_limits least = unknown;
    for (size_t d = 0; d < plan->device_count; d++) {
        const struct hone_limits *limits = plan->devices[d].info->limits;
        if (!limits) limits = &unknown;
        if (!d) least = *limits;
#define LEAST(field)                                                                     \
    if (limits->field < least.field) least.field = limits->field;
        HONE_LIMITS_LIST(LEAST)
#undef LEAST
    }
    return least;
}

struct hone_limits hone_emit_gpu_of(const struct emit_plan *plan, int cc_major,
                                    int cc_minor, int sm_count)
{
    struct hone_limits gpu = hone_emit_least_gpu(plan);
    bool found = false;
    for (size_t d = 0; d < plan->device_count; d++) {
        const struct hone_limits *limits = plan->devices[d].info->limits;
        if (!limits || limits->cc_major != cc_major || limits->cc_minor != cc_minor)
            continue;
        if (found && (gpu.sm_count == sm_count || limits->sm_count != sm_count)) continue;
        gpu = *limits;
        found = true;
    }
    if (!found) hone_arch_limits(&gpu, cc_major, cc_minor);
    gpu.cc_major = cc_major;
    gpu.cc_minor = cc_minor;
    gpu.sm_count = sm_count;
    return gpu;
}

// What no device's rule gives: the default, else whatever of the table may run.
static size_t of_table(struct emit_query *q)
{
    if (fits(q, q->plan->default_config)) return q->plan->default_config;
    for (size_t i = 0; i < q->plan->config_count; i++)
        if (fits(q, i)) return i;
    return SIZE_MAX;
}

static size_t choose(struct emit_query *q, enum emit_tier *tier)
{
    const struct emit_plan *plan = q->plan;
    int64_t last = -1;
    for (;;) {
        int64_t least = INT64_MAX;
        size_t best = 0;
        for (size_t d = 0; d < plan->device_count; d++) {
            const int64_t key =
                hone_emit_distance(plan->devices[d].info->limits, q->gpu, d);
            if (key <= last || key >= least) continue;
            least = key;
            best = d;
        }
        if (least == INT64_MAX) break;
        last = least;
        bool exact;
        const size_t level = (size_t)(least >> 48);
        const size_t config = of_device(q, &plan->devices[best], level == 0, &exact);
        if (config == SIZE_MAX) continue;
        *tier = level ? EMIT_SAME_DEVICE + (enum emit_tier)level
                      : (exact ? EMIT_EXACT : EMIT_SAME_DEVICE);
        return config;
    }
    const size_t config = of_table(q);
    *tier = config == SIZE_MAX ? EMIT_NONE : EMIT_DEFAULT;
    return config;
}

size_t hone_emit_dispatch(const struct emit_plan *plan, const struct hone_limits *gpu,
                          const struct hone_value *problem, enum emit_tier *tier)
{
    struct emit_query q = {.plan = plan, .gpu = gpu, .problem = problem};
    const size_t config = choose(&q, tier);
    hone_emit_query_fini(&q);
    return config;
}
