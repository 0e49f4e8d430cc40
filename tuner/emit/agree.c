// Do the journals belong together? What rows of one header share must be the same in all
// of them: the kernel and how it is launched, names, constraints, and whether times were
// measured. The first that differs is named, with both sides.
#include <stddef.h>
#include <string.h>

#include "emit_plan.h"

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static const char *or_absent(const char *text)
{
    return text ? text : "absent";
}

/* Two journals: whose first line goes ahead, and another one. */
struct pair {
    const struct emit_plan *plan;
    const struct hone_record_info *first, *second;
    const char *path; // of the second
};

static enum hone_status differ(const struct pair *pair, const char *what,
                               const char *first, const char *second)
{
    return hone_fail_at(
        pair->plan->err, HONE_EINPUT, pair->path, 1,
        "this journal does not go into one header with the others: its %s is %s, "
        "elsewhere %s",
        what, or_absent(second), or_absent(first));
}

static enum hone_status agree_on_text(const struct pair *pair, const char *what,
                                      const char *first, const char *second)
{
    return same_text(first, second) ? HONE_OK : differ(pair, what, first, second);
}

// --- single texts ---

struct shared_text {
    const char *what;
    size_t offset; // in struct hone_record_info
};
#define SHARED(what, field)                                                              \
    {                                                                                    \
        what, offsetof(struct hone_record_info, field)                                   \
    }

static const struct shared_text of_header[] = {
    SHARED("kernel", kernel),
    SHARED("clock", clock),
    SHARED("L2 policy", l2),
    SHARED("objective", objective),
    SHARED("template hash", template_hash),
};
static const struct shared_text of_extents[] = {
    SHARED("grid", grid[0]), SHARED("block", block[0]), SHARED("cluster", cluster[0]),
    SHARED("grid", grid[1]), SHARED("block", block[1]), SHARED("cluster", cluster[1]),
    SHARED("grid", grid[2]), SHARED("block", block[2]), SHARED("cluster", cluster[2]),
};

static const char *text_at(const struct hone_record_info *info, size_t offset)
{
    const char *text;
    memcpy(&text, (const char *)info + offset, sizeof text);
    return text;
}

static enum hone_status agree_on_texts(const struct pair *pair,
                                       const struct shared_text *texts, size_t count)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < count && status == HONE_OK; i++)
        status = agree_on_text(pair, texts[i].what, text_at(pair->first, texts[i].offset),
                               text_at(pair->second, texts[i].offset));
    return status;
}

// --- lists ---

/* An item as a text; NULL behind the last. */
typedef const char *text_of_item(const struct hone_record_info *info, size_t i);

static const char *param_name(const struct hone_record_info *info, size_t i)
{
    return i < info->param_count ? info->params[i].name : NULL;
}

static const char *problem_name(const struct hone_record_info *info, size_t i)
{
    return i < info->problem_count ? info->problem[i].name : NULL;
}

// A name, then its expression.
static const char *derived_part(const struct hone_record_info *info, size_t i)
{
    if (i / 2 >= info->derived_count) return NULL;
    return i % 2 ? info->derived[i / 2].text : info->derived[i / 2].name;
}

static const char *constraint_text(const struct hone_record_info *info, size_t i)
{
    if (i >= info->where_count) return NULL;
    return info->where[i].text ? info->where[i].text : "a Lua function";
}

static enum hone_status agree_on_list(const struct pair *pair, const char *what,
                                      text_of_item *item)
{
    for (size_t i = 0;; i++) {
        const char *first = item(pair->first, i), *second = item(pair->second, i);
        if (!first && !second) return HONE_OK;
        if (!same_text(first, second)) return differ(pair, what, first, second);
    }
}

// --- how it is launched ---

static const char *kind_of_launch(const struct hone_record_info *info)
{
    static const char *const kinds[] = {"plain", "cooperative", "dependent",
                                        "cooperative and dependent"};
    return kinds[info->launch_flags & 3];
}

static enum hone_status agree_on_launch(const struct pair *pair)
{
    const struct hone_record_info *a = pair->first, *b = pair->second;
    enum hone_status status =
        agree_on_texts(pair, of_extents, sizeof of_extents / sizeof *of_extents);
    if (status == HONE_OK && a->launch_flags != b->launch_flags)
        status = differ(pair, "kind of launch", kind_of_launch(a), kind_of_launch(b));
    if (status == HONE_OK) status = agree_on_text(pair, "shared", a->shared, b->shared);
    return status == HONE_OK ? agree_on_list(pair, "derived value", derived_part)
                             : status;
}

static void describe_map(struct hone_strbuf *out, const struct hone_map_def *map)
{
    const struct hone_map_modes *modes = &map->modes;
    hone_strbuf_add(out, " as a tensor map of");
    for (size_t i = 0; i < map->rank; i++)
        hone_strbuf_printf(out, " %s/%s/%s", map->axes[i].size, map->axes[i].box,
                           map->axes[i].stride ? map->axes[i].stride : "packed");
    hone_strbuf_printf(out, " in modes %u %u %u %u", modes->swizzle, modes->interleave,
                       modes->promotion, modes->nan_fill);
}

// "input A f32 [M * K]", and what the kernel gets in its place.
static void describe_arg(struct hone_strbuf *out, const struct hone_record_info *info,
                         size_t i)
{
    if (i >= info->arg_count) return;
    const struct hone_record_arg *arg = &info->args[i];
    hone_strbuf_printf(out, "%s %s %s [%s]", arg->kind, arg->name, or_absent(arg->dtype),
                       or_absent(arg->size));
    if (arg->pointers) hone_strbuf_printf(out, " as %s pointers", arg->pointers);
    if (arg->map) describe_map(out, arg->map);
}

// What a payload is launched with is one for all journals.
static enum hone_status agree_on_args(const struct pair *pair)
{
    const struct hone_record_info *a = pair->first, *b = pair->second;
    enum hone_status status = HONE_OK;
    for (size_t i = 0; (i < a->arg_count || i < b->arg_count) && status == HONE_OK; i++) {
        struct hone_strbuf x = HONE_STRBUF_INIT, y = HONE_STRBUF_INIT;
        describe_arg(&x, a, i);
        describe_arg(&y, b, i);
        if (x.failed || y.failed)
            status = hone_emit_no_memory(pair->plan);
        else if (strcmp(x.data, y.data) != 0)
            status = differ(pair, "argument", *x.data ? x.data : NULL,
                            *y.data ? y.data : NULL);
        hone_strbuf_fini(&x);
        hone_strbuf_fini(&y);
    }
    return status;
}

static enum hone_status agree_on_kernel(const struct pair *pair)
{
    enum hone_status status =
        agree_on_texts(pair, of_header, sizeof of_header / sizeof *of_header);
    if (status == HONE_OK) status = agree_on_list(pair, "parameter", param_name);
    if (status == HONE_OK) status = agree_on_list(pair, "problem", problem_name);
    if (status == HONE_OK && pair->plan->payload) status = agree_on_args(pair);
    return status == HONE_OK ? agree_on_launch(pair) : status;
}

// --- what journals of earlier versions lack ---

// Constraints: those of the others hold then.
static enum hone_status agree_on_where(struct emit_plan *plan, const struct pair *pair)
{
    if (!pair->second->where_count) return HONE_OK;
    if (!plan->where) plan->where = pair->second;
    struct pair known = *pair;
    known.first = plan->where;
    return agree_on_list(&known, "constraint", constraint_text);
}

// Likewise what the template is compiled with besides a configuration, in any order.
static enum hone_status agree_on_defines(struct emit_plan *plan, const struct pair *pair)
{
    const struct hone_record_info *b = pair->second;
    if (!b->defines) return HONE_OK;
    if (!plan->defines) plan->defines = b;
    const struct hone_record_info *a = plan->defines;
    for (size_t i = 0; i < a->define_count; i++)
        if (!hone_emit_has_define(b, a->defines[i]))
            return differ(pair, "define", a->defines[i], NULL);
    for (size_t i = 0; i < b->define_count; i++)
        if (!hone_emit_has_define(a, b->defines[i]))
            return differ(pair, "define", NULL, b->defines[i]);
    return HONE_OK;
}

// --- measured or predicted ---

// A recording is of measurements, for which BURST stands, as soon as one trial was
// measured; NONE while nothing is valid.
static enum hone_time_kind times_of(const struct hone_recording *recording)
{
    enum hone_time_kind times = HONE_TIME_NONE;
    for (size_t i = 0; i < hone_recording_count(recording); i++) {
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        if (trial->outcome != HONE_VALID) continue;
        if (trial->kind != HONE_TIME_PREDICTED) return HONE_TIME_BURST;
        times = HONE_TIME_PREDICTED;
    }
    return times;
}

static enum hone_status agree_on_times(struct emit_plan *plan,
                                       const struct hone_recording *const *recordings,
                                       size_t count, bool accept_predicted)
{
    size_t measured = 0;
    const struct hone_recording *one = NULL;
    for (size_t i = 0; i < count; i++) {
        const enum hone_time_kind times = times_of(recordings[i]);
        if (times == HONE_TIME_PREDICTED) one = recordings[i];
        measured += times == HONE_TIME_BURST;
    }
    plan->times = one ? HONE_TIME_PREDICTED : HONE_TIME_BURST;
    if (one && measured)
        return hone_fail_at(
            plan->err, HONE_EINPUT, hone_recording_path(one), 1,
            "this journal holds predictions, others measurements: a header holds one "
            "kind");
    if (one && !accept_predicted)
        return hone_fail_at(
            plan->err, HONE_EUSAGE, hone_recording_path(one), 1,
            "this journal holds predictions, not measurements: a header is made of "
            "them with --accept-predicted only");
    return HONE_OK;
}

static struct pair pair_of(const struct emit_plan *plan,
                           const struct hone_recording *const *recordings, size_t i)
{
    return (struct pair){.plan = plan,
                         .first = hone_recording_info(recordings[0]),
                         .second = hone_recording_info(recordings[i]),
                         .path = hone_recording_path(recordings[i])};
}

enum hone_status hone_emit_check_journals(struct emit_plan *plan,
                                          const struct hone_recording *const *recordings,
                                          size_t count, bool accept_predicted)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 1; i < count && status == HONE_OK; i++) {
        const struct pair pair = pair_of(plan, recordings, i);
        status = agree_on_kernel(&pair);
    }
    for (size_t i = 0; i < count && status == HONE_OK; i++) {
        const struct pair pair = pair_of(plan, recordings, i);
        status = agree_on_where(plan, &pair);
    }
    for (size_t i = 0; i < count && status == HONE_OK; i++) {
        const struct pair pair = pair_of(plan, recordings, i);
        status = agree_on_defines(plan, &pair);
    }
    if (status != HONE_OK) return status;
    return agree_on_times(plan, recordings, count, accept_predicted);
}
