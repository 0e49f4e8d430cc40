// Plans of counters: each name is asked for first, since a list with one that the chip
// lacks is refused as a whole, without a word which one it was.
#include "counter_plan.h"

#include <stdlib.h>

static enum hone_status call_failed(const char *call, int result, struct hone_error *err)
{
    return hone_fail(err, HONE_EDEVICE, "CUPTI: %s failed (%d)", call, result);
}

static bool has_name(const struct hone_counter_planner *planner, const char *name)
{
    struct hone_cupti_host_properties p = {
        .size = HONE_CUPTI_SIZE(struct hone_cupti_host_properties, metric_type),
        .object = planner->object,
        .name = name};
    return planner->cupti->properties(&p) == 0;
}

static void choose_counters(struct hone_counter_plan *out,
                            const struct hone_counter_planner *planner, bool light)
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
                                  const struct hone_counter_planner *planner,
                                  struct hone_error *err)
{
    const char **names = calloc(plan->count + 1, sizeof *names);
    if (!names) return hone_no_memory(err, "for counters");
    for (size_t i = 0; i < plan->count; i++)
        names[i] = plan->counters[i].cupti;
    struct hone_cupti_host_add p = {
        .size = HONE_CUPTI_SIZE(struct hone_cupti_host_add, count),
        .object = planner->object,
        .names = names,
        .count = plan->count};
    const int result = planner->cupti->add_metrics(&p);
    free(names);
    return result ? call_failed("ConfigAddMetrics", result, err) : HONE_OK;
}

static enum hone_status make_image(struct hone_counter_plan *out,
                                   const struct hone_counter_planner *planner,
                                   struct hone_error *err)
{
    struct hone_cupti_host_image_size size = {
        .size = HONE_CUPTI_SIZE(struct hone_cupti_host_image_size, bytes),
        .object = planner->object};
    int result = planner->cupti->image_size(&size);
    if (result) return call_failed("GetConfigImageSize", result, err);
    out->image_bytes = size.bytes;
    out->image = calloc(1, size.bytes + 1);
    if (!out->image) return hone_no_memory(err, "for a plan of counters");
    struct hone_cupti_host_image image = {
        .size = HONE_CUPTI_SIZE(struct hone_cupti_host_image, image),
        .object = planner->object,
        .bytes = size.bytes,
        .image = out->image};
    result = planner->cupti->image(&image);
    if (result) return call_failed("GetConfigImage", result, err);
    struct hone_cupti_host_passes passes = {
        .size = HONE_CUPTI_SIZE(struct hone_cupti_host_passes, passes),
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

static enum hone_status know_chip(struct hone_counter_planner *planner, const char *chip,
                                  const uint8_t *available, struct hone_error *err)
{
    struct hone_cupti_host_initialize init = {
        .size = HONE_CUPTI_SIZE(struct hone_cupti_host_initialize, object),
        .chip = chip,
        .availability = available};
    const int result = planner->cupti->initialize(&init);
    if (result)
        return hone_fail(err, HONE_ENOTFOUND, "CUPTI knows no chip '%s' (%d)", chip,
                         result);
    planner->object = init.object;
    return HONE_OK;
}

enum hone_status hone_counter_plan_begin(struct hone_counter_plan *out,
                                         struct hone_counter_planner *planner,
                                         const char *chip, bool light,
                                         const uint8_t *available, struct hone_error *err)
{
    *out = (struct hone_counter_plan){0};
    *planner = (struct hone_counter_planner){0};
    enum hone_status status = hone_cupti_host_open(&planner->cupti, err);
    if (status != HONE_OK) return status;
    out->counters = calloc(count_counters() + 1, sizeof *out->counters);
    if (!out->counters) return hone_no_memory(err, "for counters");
    status = know_chip(planner, chip, available, err);
    if (status != HONE_OK) return status;
    choose_counters(out, planner, light);
    status = add_names(out, planner, err);
    return status == HONE_OK ? make_image(out, planner, err) : status;
}

void hone_counter_planner_end(struct hone_counter_planner *planner)
{
    struct hone_cupti_host_deinitialize end = {
        .size = HONE_CUPTI_SIZE(struct hone_cupti_host_deinitialize, object),
        .object = planner->object};
    if (planner->object) planner->cupti->deinitialize(&end);
    *planner = (struct hone_counter_planner){0};
}

enum hone_status hone_counter_plan_make(struct hone_counter_plan *out, const char *chip,
                                        bool light, struct hone_error *err)
{
    struct hone_counter_planner planner;
    const enum hone_status status =
        hone_counter_plan_begin(out, &planner, chip, light, NULL, err);
    hone_counter_planner_end(&planner);
    return status;
}

void hone_counter_plan_fini(struct hone_counter_plan *plan)
{
    free(plan->counters);
    free(plan->image);
    *plan = (struct hone_counter_plan){0};
}
