// Which problems have no row, and the lines that say so.
#include "failed.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/sink.h"
#include "emit_sections.h"

// Journals may have one size as 2 and as 2.0.
static int compare_sizes(struct hone_value a, struct hone_value b)
{
    const bool real = a.type == HONE_FLOAT || b.type == HONE_FLOAT;
    const enum hone_type type = real ? HONE_FLOAT : HONE_INT;
    return hone_emit_compare_values(hone_emit_as_type(a, type),
                                    hone_emit_as_type(b, type));
}

static int compare_problems(const struct hone_record_info *a,
                            const struct hone_record_info *b)
{
    int order = hone_emit_compare_devices(a, b);
    for (size_t i = 0; i < a->problem_count && !order; i++)
        order = compare_sizes(a->problem[i].value, b->problem[i].value);
    return order;
}

// The order of the journals does not show, nor does the one whose spelling is taken.
static int compare_failed(const void *left, const void *right)
{
    const struct hone_record_info *a = ((const struct emit_failed *)left)->info,
                                  *b = ((const struct emit_failed *)right)->info;
    int order = compare_problems(a, b);
    for (size_t i = 0; i < a->problem_count && !order; i++)
        order = hone_emit_compare_values(a->problem[i].value, b->problem[i].value);
    return order;
}

static bool has_row(const struct emit_plan *plan, const struct hone_record_info *info)
{
    for (size_t i = 0; i < plan->row_count; i++)
        if (compare_problems(plan->rows[i].info, info) == 0) return true;
    return false;
}

static void merge(struct emit_plan *plan)
{
    size_t kept = 0;
    for (size_t i = 0; i < plan->failed_count; i++) {
        const struct emit_failed now = plan->failed[i];
        if (kept && compare_problems(plan->failed[kept - 1].info, now.info) == 0)
            plan->failed[kept - 1].evaluated += now.evaluated;
        else
            plan->failed[kept++] = now;
    }
    plan->failed_count = kept;
}

enum hone_status hone_emit_find_failed(struct emit_plan *plan,
                                       const struct hone_recording *const *recordings,
                                       size_t count)
{
    plan->failed = hone_arena_array(&plan->arena, count, sizeof *plan->failed);
    if (!plan->failed) return hone_emit_no_memory(plan);
    for (size_t i = 0; i < count; i++) {
        const struct hone_record_info *info = hone_recording_info(recordings[i]);
        uint64_t trials = hone_recording_count(recordings[i]);
        if (info->evaluated > trials) trials = info->evaluated; // the fastest are kept
        if (!trials || has_row(plan, info)) continue;
        plan->failed[plan->failed_count++] =
            (struct emit_failed){.info = info, .evaluated = trials};
    }
    if (plan->failed_count)
        qsort(plan->failed, plan->failed_count, sizeof *plan->failed, compare_failed);
    merge(plan);
    return HONE_OK;
}

void hone_emit_failed_comment(struct hone_strbuf *out, const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->failed_count; i++) {
        const struct emit_failed *failed = &plan->failed[i];
        struct hone_strbuf line = HONE_STRBUF_INIT;
        hone_strbuf_add(&line, "No row: ");
        hone_emit_add_problem(&line, plan, failed->info, false);
        hone_strbuf_printf(
            &line, "%son %s: none of %" PRIu64 " configurations tried is valid",
            hone_emit_is_asked(plan) ? " " : "",
            hone_device_text(failed->info->device_name), failed->evaluated);
        hone_strbuf_add(out, " * ");
        hone_sink_comment(out, line.data);
        hone_strbuf_add(out, "\n");
        out->failed |= line.failed;
        hone_strbuf_fini(&line);
    }
}
