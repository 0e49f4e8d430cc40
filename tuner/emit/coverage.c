// Which sizes have no configuration in the table: the tuner's own choice is asked, as the
// header makes the same, on the GPUs that an image of the payload is for.
#include "emit/coverage.h"

#include <stdio.h>
#include <string.h>

#include "dispatch.h"
#include "expr/value_text.h"
#include "launcher.h"
#include "tables.h"

enum { BASES_MOST = 16, HUGE_SIZE = 1 << 30 };

// A GPU of each kind that the table may lack.
static const int others[][2] = {{7, 0}, {7, 5}, {8, 0},  {8, 6},
                                {8, 9}, {9, 0}, {10, 0}, {12, 0}};
enum { OTHERS = sizeof others / sizeof *others };

struct answer {
    size_t gap;          // of its kind
    const char *problem; // NULL: no device lacks a configuration
    bool *lacks;         // [out->device_count]
};

struct survey {
    const struct emit_plan *plan;
    struct hone_coverage *out;
    struct hone_limits *gpus;   // [out->device_count]
    struct hone_value *problem; // asked
    struct answer *answers;     // [out->asked]
};

// --- devices ---

static bool has_capability(const struct emit_plan *plan, const int cc[2])
{
    for (size_t d = 0; d < plan->device_count; d++) {
        const struct hone_limits *limits = plan->devices[d].info->limits;
        if (limits && limits->cc_major == cc[0] && limits->cc_minor == cc[1]) return true;
    }
    return false;
}

static bool add_device(struct survey *s, const char *name, struct hone_limits limits)
{
    struct hone_coverage *out = s->out;
    if (hone_emit_has_images(s->plan) && !hone_emit_has_image_for(s->plan, &limits)) {
        out->without_image[out->without_image_count++] = name;
        return name != NULL;
    }
    s->gpus[out->device_count] = limits;
    out->devices[out->device_count++] = name;
    return name != NULL;
}

static bool add_devices(struct survey *s)
{
    const struct emit_plan *plan = s->plan;
    struct hone_arena *arena = &s->out->arena;
    const int sms = (int)plan->tables->least.sm_count;
    for (size_t d = 0; d < plan->device_count; d++) {
        const struct hone_record_info *info = plan->devices[d].info;
        const char *name = info->device_name ? info->device_name : "a device";
        if (info->limits && !add_device(s, hone_arena_strdup(arena, name), *info->limits))
            return false;
    }
    for (size_t i = 0; i < OTHERS; i++) {
        if (has_capability(plan, others[i])) continue;
        const char *name = hone_arena_printf(arena, "compute capability %d.%d",
                                             others[i][0], others[i][1]);
        if (!add_device(s, name, hone_emit_gpu_of(plan, others[i][0], others[i][1], sms)))
            return false;
    }
    return true;
}

// --- gaps ---

static const char *problem_text(const struct survey *s)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    const struct hone_record_info *info = s->plan->info;
    for (size_t i = 0; i < info->problem_count; i++) {
        char number[HONE_NUMBER_TEXT];
        hone_strbuf_printf(&text, "%s%s=%s", i ? " " : "", info->problem[i].name,
                           hone_value_in_full(number, s->problem[i]));
    }
    const char *kept =
        text.failed ? NULL : hone_arena_strdup(&s->out->arena, text.len ? text.data : "");
    hone_strbuf_fini(&text);
    return kept;
}

static size_t gap_of(struct survey *s, const char *what)
{
    struct hone_coverage *out = s->out;
    for (size_t i = 0; i < out->gap_count; i++)
        if (strcmp(out->gaps[i].what, what) == 0) return i;
    out->gaps[out->gap_count++] = (struct hone_coverage_gap){
        .what = hone_arena_strdup(&out->arena, what),
        .problem = "",
        .devices = hone_arena_array(&out->arena, out->device_count + 1, sizeof(char *)),
        .missing = hone_arena_array(&out->arena, out->device_count + 1, sizeof(size_t))};
    const struct hone_coverage_gap *gap = &out->gaps[out->gap_count - 1];
    return gap->what && gap->devices && gap->missing ? out->gap_count - 1 : SIZE_MAX;
}

static bool is_served(const struct survey *s, const struct hone_limits *gpu)
{
    enum emit_tier tier;
    return hone_emit_dispatch(s->plan, gpu, s->problem, &tier) != SIZE_MAX;
}

static enum hone_status ask(struct survey *s, const char *what)
{
    struct hone_coverage *out = s->out;
    struct answer *answer = &s->answers[out->asked++];
    *answer = (struct answer){
        .gap = gap_of(s, what),
        .lacks = hone_arena_array(&out->arena, out->device_count + 1, sizeof(bool))};
    if (answer->gap == SIZE_MAX || !answer->lacks) return hone_emit_no_memory(s->plan);
    for (size_t d = 0; d < out->device_count; d++) {
        answer->lacks[d] = !is_served(s, &s->gpus[d]);
        if (!answer->lacks[d] || answer->problem) continue;
        answer->problem = problem_text(s);
        if (!answer->problem) return hone_emit_no_memory(s->plan);
    }
    return HONE_OK;
}

// Has the device no configuration for any size?
static bool has_none(const struct survey *s, size_t device)
{
    for (size_t i = 0; i < s->out->asked; i++)
        if (!s->answers[i].lacks[device]) return false;
    return s->out->asked > 0;
}

static void add_answer(const struct survey *s, const struct answer *answer,
                       const bool *without)
{
    struct hone_coverage *out = s->out;
    struct hone_coverage_gap *gap = &out->gaps[answer->gap];
    bool any = false;
    gap->asked++;
    for (size_t d = 0; d < out->device_count; d++) {
        if (without[d] || !answer->lacks[d]) continue;
        if (!gap->missing[d]++) gap->devices[gap->device_count++] = out->devices[d];
        any = true;
    }
    if (any && !gap->problems) gap->problem = answer->problem;
    gap->problems += any;
}

// Kinds of which all that was asked has a configuration are none.
static void drop_served(struct hone_coverage *out)
{
    size_t kept = 0;
    for (size_t i = 0; i < out->gap_count; i++)
        if (out->gaps[i].problems) out->gaps[kept++] = out->gaps[i];
    out->gap_count = kept;
}

// Devices without any configuration are told by themselves, so no gap is of them.
static enum hone_status tell_gaps(struct survey *s)
{
    struct hone_coverage *out = s->out;
    const size_t count = out->device_count + 1;
    bool *without = hone_arena_array(&out->arena, count, sizeof *without);
    out->without = hone_arena_array(&out->arena, count, sizeof *out->without);
    if (!without || !out->without) return hone_emit_no_memory(s->plan);
    for (size_t d = 0; d < out->device_count; d++) {
        without[d] = has_none(s, d);
        if (without[d]) out->without[out->without_count++] = out->devices[d];
    }
    for (size_t i = 0; i < out->asked; i++)
        add_answer(s, &s->answers[i], without);
    drop_served(out);
    return HONE_OK;
}

// --- sizes ---

static enum hone_status ask_with(struct survey *s, size_t i, int64_t size,
                                 const char *word)
{
    char what[160];
    const struct hone_value own = s->problem[i];
    if (own.i == size) return HONE_OK;
    snprintf(what, sizeof what, "%.100s %s", s->plan->info->problem[i].name, word);
    s->problem[i].i = size;
    enum hone_status status = ask(s, what);
    s->problem[i] = own;
    return status;
}

static enum hone_status ask_around(struct survey *s)
{
    enum hone_status status = ask(s, "tuned sizes");
    for (size_t i = 0; i < s->plan->info->problem_count && status == HONE_OK; i++) {
        const int64_t own = s->problem[i].i;
        if (!hone_emit_is_size(s->plan, i)) continue;
        if (own > 2 && own % 2 == 0) status = ask_with(s, i, own - 1, "odd");
        if (status == HONE_OK) status = ask_with(s, i, 1, "tiny");
        if (status == HONE_OK) status = ask_with(s, i, HUGE_SIZE, "huge");
    }
    return status;
}

static bool are_same_sizes(const struct emit_row *a, const struct emit_row *b)
{
    for (size_t i = 0; i < a->info->problem_count; i++)
        if (hone_emit_compare_values(a->problem[i].value, b->problem[i].value) != 0)
            return false;
    return true;
}

static enum hone_status ask_rows(struct survey *s)
{
    const struct emit_plan *plan = s->plan;
    const struct emit_row *asked[BASES_MOST];
    size_t most = BASES_MOST;
    if (plan->row_count < most) most = plan->row_count;
    enum hone_status status = HONE_OK;
    size_t count = 0;
    for (size_t n = 0; n < most && status == HONE_OK; n++) {
        const struct emit_row *row = &plan->rows[n * plan->row_count / most];
        size_t before = 0;
        while (before < count && !are_same_sizes(asked[before], row))
            before++;
        if (before < count) continue;
        asked[count++] = row;
        for (size_t i = 0; i < plan->info->problem_count; i++)
            s->problem[i] = row->problem[i].value;
        status = ask_around(s);
    }
    return status;
}

// What the first run drew to verify at.
static enum hone_status ask_drawn(struct survey *s)
{
    const struct hone_record_info *info = s->plan->info;
    enum hone_status status = HONE_OK;
    for (size_t n = 0; n < info->drawn_sizes && status == HONE_OK; n++) {
        for (size_t i = 0; i < info->problem_count; i++)
            s->problem[i] = info->drawn[n * info->problem_count + i];
        status = ask(s, "sizes drawn to verify");
    }
    return status;
}

static bool set_named(struct survey *s, const struct hone_coverage_named *named,
                      const struct hone_value *values)
{
    const struct hone_record_info *info = s->plan->info;
    for (size_t i = 0; i < info->problem_count; i++) {
        size_t n = 0;
        while (n < named->name_count &&
               strcmp(named->names[n].name, info->problem[i].name) != 0)
            n++;
        if (n == named->name_count) return false;
        s->problem[i] = values[n];
    }
    return true;
}

static enum hone_status ask_named(struct survey *s,
                                  const struct hone_coverage_named *named)
{
    enum hone_status status = HONE_OK;
    for (size_t n = 0; named && n < named->count && status == HONE_OK; n++)
        if (set_named(s, named, named->sizes[n])) status = ask(s, named->what);
    return status;
}

enum hone_status hone_emit_survey(struct hone_coverage *out, const struct emit_plan *plan,
                                  const struct hone_coverage_named *named)
{
    const size_t sizes = plan->info->problem_count, devices = plan->device_count + OTHERS;
    const size_t answers = BASES_MOST * (3 * sizes + 1) + plan->info->drawn_sizes +
                           (named ? named->count : 0);
    struct survey s = {.plan = plan, .out = out};
    out->devices = hone_arena_array(&out->arena, devices, sizeof *out->devices);
    out->without_image = hone_arena_array(&out->arena, devices, sizeof *out->devices);
    out->gaps = hone_arena_array(&out->arena, 3 * sizes + 3, sizeof *out->gaps);
    s.gpus = hone_arena_array(&out->arena, devices, sizeof *s.gpus);
    s.problem = hone_arena_array(&out->arena, sizes + 1, sizeof *s.problem);
    s.answers = hone_arena_array(&out->arena, answers, sizeof *s.answers);
    if (!out->devices || !out->without_image || !out->gaps || !s.gpus || !s.problem ||
        !s.answers || !add_devices(&s))
        return hone_emit_no_memory(plan);
    enum hone_status status = ask_rows(&s);
    if (status == HONE_OK) status = ask_drawn(&s);
    if (status == HONE_OK) status = ask_named(&s, named);
    return status == HONE_OK ? tell_gaps(&s) : status;
}

enum hone_status hone_coverage_make(struct hone_coverage *out,
                                    const struct hone_recording *const *recordings,
                                    size_t count, const struct hone_emit_options *options,
                                    const struct hone_coverage_named *named,
                                    struct hone_error *err)
{
    *out = (struct hone_coverage){0};
    struct emit_plan plan = {.geometry = HONE_STRBUF_INIT, .err = err};
    enum hone_status status = hone_emit_make_plan(&plan, recordings, count, options);
    if (status == HONE_OK) status = hone_emit_survey(out, &plan, named);
    hone_emit_plan_fini(&plan);
    return status;
}

void hone_coverage_fini(struct hone_coverage *coverage)
{
    hone_arena_fini(&coverage->arena);
    *coverage = (struct hone_coverage){0};
}

size_t hone_coverage_missed(const struct hone_coverage *coverage)
{
    size_t missed = 0;
    for (size_t i = 0; i < coverage->gap_count; i++)
        missed += coverage->gaps[i].problems;
    return missed;
}
