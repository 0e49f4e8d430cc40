// Plans of counters: each name is asked for first, since a list with one that the chip
// lacks is refused as a whole, without a word which one it was.
#include <stdlib.h>

#include "cupti_host.h"
#include "device/counters.h"

// A struct of CUPTI's begins with its size: up to the end of the last field that it has.
#define SIZE_UP_TO(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))

struct planner {
    const struct hone_cupti_host *cupti;
    struct hone_cupti_host_object *object; // of the chip
};

static enum hone_status call_failed(const char *call, int result, struct hone_error *err)
{
    return hone_fail(err, HONE_EDEVICE, "CUPTI: %s failed (%d)", call, result);
}

static bool has_name(const struct planner *planner, const char *name)
{
    struct hone_cupti_host_properties p = {
        .size = SIZE_UP_TO(struct hone_cupti_host_properties, metric_type),
        .object = planner->object,
        .name = name};
    return planner->cupti->properties(&p) == 0;
}

static void choose_counters(struct hone_counter_plan *out, const struct planner *planner,
                            bool light)
{
    const struct hone_counter *counter;
    for (size_t i = 0; (counter = hone_counter_at(i)); i++) {
        if (light && !counter->light) continue;
        for (size_t k = 0; k < HONE_COUNTER_CANDIDATES && counter->cupti[k]; k++) {
            if (!has_name(planner, counter->cupti[k])) continue;
            out->counters[out->count++] =
                (struct hone_planned_counter){counter, counter->cupti[k]};
            break;
        }
    }
}

static enum hone_status add_names(const struct hone_counter_plan *plan,
                                  const struct planner *planner, struct hone_error *err)
{
    const char **names = calloc(plan->count + 1, sizeof *names);
    if (!names) return hone_no_memory(err, "for counters");
    for (size_t i = 0; i < plan->count; i++)
        names[i] = plan->counters[i].cupti;
    struct hone_cupti_host_add p = {.size = SIZE_UP_TO(struct hone_cupti_host_add, count),
                                    .object = planner->object,
                                    .names = names,
                                    .count = plan->count};
    const int result = planner->cupti->add_metrics(&p);
    free(names);
    return result ? call_failed("ConfigAddMetrics", result, err) : HONE_OK;
}

static enum hone_status make_image(struct hone_counter_plan *out,
                                   const struct planner *planner, struct hone_error *err)
{
    struct hone_cupti_host_image_size size = {
        .size = SIZE_UP_TO(struct hone_cupti_host_image_size, bytes),
        .object = planner->object};
    int result = planner->cupti->image_size(&size);
    if (result) return call_failed("GetConfigImageSize", result, err);
    out->image_bytes = size.bytes;
    out->image = calloc(1, size.bytes + 1);
    if (!out->image) return hone_no_memory(err, "for a plan of counters");
    struct hone_cupti_host_image image = {
        .size = SIZE_UP_TO(struct hone_cupti_host_image, image),
        .object = planner->object,
        .bytes = size.bytes,
        .image = out->image};
    result = planner->cupti->image(&image);
    if (result) return call_failed("GetConfigImage", result, err);
    struct hone_cupti_host_passes passes = {
        .size = SIZE_UP_TO(struct hone_cupti_host_passes, passes),
        .bytes = size.bytes,
        .image = out->image};
    result = planner->cupti->passes(&passes);
    if (result) return call_failed("GetNumOfPasses", result, err);
    out->passes = passes.passes;
    return HONE_OK;
}

static size_t count_counters(void)
{
    size_t count = 0;
    while (hone_counter_at(count))
        count++;
    return count;
}

enum hone_status hone_counter_plan_make(struct hone_counter_plan *out, const char *chip,
                                        bool light, struct hone_error *err)
{
    struct planner planner = {0};
    *out = (struct hone_counter_plan){0};
    enum hone_status status = hone_cupti_host_open(&planner.cupti, err);
    if (status != HONE_OK) return status;
    out->counters = calloc(count_counters() + 1, sizeof *out->counters);
    if (!out->counters) return hone_no_memory(err, "for counters");
    struct hone_cupti_host_initialize init = {
        .size = SIZE_UP_TO(struct hone_cupti_host_initialize, object), .chip = chip};
    const int result = planner.cupti->initialize(&init);
    if (result)
        return hone_fail(err, HONE_ENOTFOUND, "CUPTI knows no chip '%s' (%d)", chip,
                         result);
    planner.object = init.object;
    choose_counters(out, &planner, light);
    status = add_names(out, &planner, err);
    if (status == HONE_OK) status = make_image(out, &planner, err);
    struct hone_cupti_host_deinitialize end = {
        .size = SIZE_UP_TO(struct hone_cupti_host_deinitialize, object),
        .object = planner.object};
    planner.cupti->deinitialize(&end);
    return status;
}

void hone_counter_plan_fini(struct hone_counter_plan *plan)
{
    free(plan->counters);
    free(plan->image);
    *plan = (struct hone_counter_plan){0};
}
