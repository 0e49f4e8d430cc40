// The choice as the header makes it, by the same text, with the tuner's own evaluation of
// expressions.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "dispatch.h"
#include "tables.h"

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

// What the header's functions get of the problem.
static void type_arguments(struct hone_value arguments[EMIT_CONSTANTS_MOST],
                           const struct emit_plan *plan, const struct hone_value *problem)
{
    for (size_t i = 0; i < plan->info->problem_count; i++)
        arguments[i] = hone_emit_as_type(problem[i], plan->problem[i].type);
}

struct emit_launch hone_emit_launch_of(const struct emit_plan *plan, size_t config,
                                       const struct hone_limits *gpu,
                                       const struct hone_value *problem)
{
    struct hone_value arguments[EMIT_CONSTANTS_MOST];
    struct emit_query q = {.plan = plan, .gpu = gpu, .problem = arguments};
    type_arguments(arguments, plan, problem);
    hone_emit_query_config(&q, &plan->configs[config]);
    const struct emit_launch launch = launch_of(&q);
    hone_emit_query_fini(&q);
    return launch;
}

static bool fit_holds(struct emit_query *q, const struct emit_fit *fit)
{
    struct hone_value value = {0};
    int64_t integer;
    if (!fit->fails || !hone_emit_evaluate_text(q, fit->text, &value)) return false;
    if (fit->of == EMIT_FIT_TRUTH) return hone_value_true(value);
    if (fit->of == EMIT_FIT_NUMBER) return value.type <= HONE_FLOAT;
    return hone_value_to_int(value, &integer) && integer >= fit->low &&
           integer <= fit->high && (!fit->unit || integer % fit->unit == 0);
}

static int kernel_fits(int number, struct emit_query *q)
{
    const struct emit_plan *plan = q->plan;
    hone_emit_query_config(q, &plan->configs[number]);
    for (size_t i = 0; i < plan->fit_count; i++)
        if (!fit_holds(q, &plan->fits[i])) return false;
    if (!hone_emit_has_launch(plan->info)) return true;
    const struct emit_launch launch = launch_of(q);
    const int64_t most = q->gpu->max_shared_bytes;
    const int64_t shared = (int64_t)launch.shared + hone_emit_static_shared(q->config);
    return launch.grid[0] && launch.block[0] && launch.shared != UINT32_MAX &&
           (!most || shared <= most) && hone_emit_can_launch(plan->info, &launch, q->gpu);
}

/* --- the choice --- */

static bool is_other_choice(const struct emit_query *q, const struct hone_constant *row)
{
    for (size_t i = 0; i < q->plan->info->problem_count; i++)
        if (hone_emit_is_choice(q->plan, i) &&
            hone_emit_compare_values(row[i].value, q->problem[i]) != 0)
            return true;
    return false;
}

// By the numbers of a problem: -1 where they come before the row's, 0 where they are.
static int compare_with_row(const struct emit_query *q, const struct hone_constant *row)
{
    for (size_t i = 0; i < q->plan->info->problem_count; i++) {
        if (q->plan->problem[i].fixed || hone_emit_is_choice(q->plan, i)) continue;
        const int order = hone_emit_compare_values(q->problem[i], row[i].value);
        if (order) return order;
    }
    return 0;
}

static void take_logarithms(const struct emit_query *q, int lg[EMIT_CONSTANTS_MOST])
{
    size_t at = 0;
    for (size_t i = 0; i < q->plan->info->problem_count; i++)
        if (hone_emit_is_size(q->plan, i)) lg[at++] = hone_emit_lg(q->problem[i].i);
}

static int sizes_of(const struct emit_query *q)
{
    return (int)q->plan->groups[0].points.sizes;
}

// The header's own text, with the plan's tables for its tables and a query for the sizes.
typedef struct hone_limits kernel_gpu;
typedef struct emit_config kernel_config;
typedef struct emit_table_device kernel_device;
typedef struct emit_table_group kernel_group;
typedef const struct hone_constant *kernel_problem;
typedef struct emit_node kernel_node;
#define kernel_configs        q->plan->configs
#define kernel_devices        q->plan->tables->devices
#define kernel_groups         q->plan->tables->groups
#define kernel_rows           q->plan->tables->rows
#define kernel_nodes          q->plan->tables->nodes
#define kernel_models         q->plan->tables->models
#define kernel_preferences    q->plan->tables->preferences
#define KERNEL_CONFIGS        (int)q->plan->config_count
#define KERNEL_DEVICES        (int)q->plan->device_count
#define KERNEL_DEFAULT_CONFIG (int)q->plan->default_config
#define KERNEL_EXACT          EMIT_EXACT
#define KERNEL_SAME_DEVICE    EMIT_SAME_DEVICE
#define KERNEL_SAME_ARCH      EMIT_SAME_ARCH
#define KERNEL_SAME_FAMILY    EMIT_SAME_FAMILY
#define KERNEL_DEFAULT        EMIT_DEFAULT
#define KERNEL_NONE           EMIT_NONE
#define PROBLEM_PARAMS        struct emit_query *q
#define PROBLEM_ARGS          q
#define NUMBER_PARAMS         const struct emit_query *q
#define NUMBER_ARGS           q
#define FIT_PARAMS            struct emit_query *q
#define FIT_ARGS              q
#define SIZES_MOST            EMIT_CONSTANTS_MOST
#define SIZES                 sizes_of(q)
#define SUM                   hone_emit_feature(lg, (size_t)SIZES, 0, EMIT_SUM)
#define LOGARITHMS            take_logarithms(q, lg)
#define IS_OTHER_CHOICE       is_other_choice(q, kernel_rows[group->first].problem)
#define IS_BEFORE_ROW         compare_with_row(q, *row) < 0
#define IS_THE_ROW            compare_with_row(q, *row) == 0
#include "text/select.h"

size_t hone_emit_dispatch(const struct emit_plan *plan, const struct hone_limits *gpu,
                          const struct hone_value *problem, enum emit_tier *tier)
{
    struct hone_value arguments[EMIT_CONSTANTS_MOST];
    struct emit_query query = {.plan = plan, .gpu = gpu, .problem = arguments};
    int answer;
    type_arguments(arguments, plan, problem);
    const struct emit_config *config = kernel_select_for(gpu, &query, &answer);
    hone_emit_query_fini(&query);
    *tier = (enum emit_tier)answer;
    return config ? (size_t)(config - plan->configs) : SIZE_MAX;
}

/* --- what the tables know of a GPU --- */

#undef kernel_devices
#undef KERNEL_DEVICES
#define kernel_devices plan->tables->devices
#define KERNEL_DEVICES (int)plan->device_count
#define LEAST_GPU      plan->tables->least
#define IS_UNKNOWN     !found
#define FACTS_OF_CC    hone_arch_limits(&gpu, cc_major, cc_minor)
#define SHARED_OF_CC   hone_emit_shared_of(cc)
// The text's function has no parameter for its tables.
#define kernel_gpu_of(major, minor, sms)                                                 \
    gpu_of_tables(const struct emit_plan *plan, major, minor, sms)
#include "text/gpu.h"

struct hone_limits hone_emit_gpu_of(const struct emit_plan *plan, int cc_major,
                                    int cc_minor, int sm_count)
{
    return gpu_of_tables(plan, cc_major, cc_minor, sm_count);
}
