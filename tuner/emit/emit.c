// Printing a header, part by part in the order in which it stands in the file.
#include <string.h>

#include "base/hash.h"
#include "c_expr.h"
#include "emit_launch.h"
#include "emit_sections.h"
#include "emit_text.h"
#include "expr/c_helpers.h"
#include "failed.h"
#include "launcher.h"
#include "wrap.h"

enum { CONFIGS_DEFAULT = 8 };

bool hone_emit_has_launch(const struct hone_record_info *info)
{
    for (size_t i = 0; i < 3; i++)
        if (info->grid[i] || info->block[i]) return true;
    return info->shared != NULL;
}

bool hone_emit_is_single(const struct emit_plan *plan)
{
    return plan->device_count == 1 && plan->row_count == 1;
}

static void print_data(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_types(out, plan);
    hone_emit_table(out, plan);
}

void hone_emit_untuned_macro(struct hone_strbuf *out, const struct emit_plan *plan)
{
    if (plan->times == HONE_TIME_NONE)
        hone_emit_put(out, plan,
                      "/* No row was measured. */\n#define $N_NOT_TUNED 1\n\n");
}

static enum hone_status print_functions(struct hone_strbuf *out, struct emit_plan *plan)
{
    // a payload tells what its launch takes
    if (!plan->payload || plan->shape != HONE_SHAPE_TABLE) hone_emit_signature(out, plan);
    hone_strbuf_add_bytes(out, plan->geometry.data, plan->geometry.len);
    hone_strbuf_add(out, plan->geometry.len ? "\n" : "");
    hone_emit_envelope(out, plan);
    hone_emit_selection(out, plan);
    hone_emit_untuned_macro(out, plan);
    return plan->shape == HONE_SHAPE_TABLE ? hone_emit_payload(out, plan) : HONE_OK;
}

/* The two files of a header, without their frames. */
struct texts {
    struct hone_strbuf data, code; // of the table
    struct hone_strbuf more;       // of the second file
};

static enum hone_status print_texts(struct texts *texts, struct emit_plan *plan,
                                    bool second)
{
    print_data(&texts->data, plan);
    enum hone_status status = print_functions(&texts->code, plan);
    if (second) {
        hone_emit_runtime(&texts->more, plan);
        if (status == HONE_OK) status = hone_emit_payload(&texts->more, plan);
    }
    if (status == HONE_OK &&
        (texts->data.failed || texts->code.failed || texts->more.failed))
        status = hone_emit_no_memory(plan);
    return status;
}

// Code with the arithmetic that it calls ahead of it, but for what stands there already.
static enum hone_status add_code(struct hone_strbuf *out, const struct emit_plan *plan,
                                 const char *code, const char *there)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    const size_t before = text.len;
    enum hone_status status =
        hone_expr_print_c_needed(&text, code, there, plan->name, plan->err);
    if (text.len > before) hone_strbuf_add(&text, "\n");
    if (status == HONE_OK)
        status = hone_expr_rename_c_helpers(&text, code, plan->name, plan->err);
    hone_emit_wrap(out, text.data);
    out->failed |= text.failed;
    hone_strbuf_fini(&text);
    return status;
}

// The names that both frames have.
static void add_frame_slots(struct emit_slots *slots, const struct emit_plan *plan,
                            unsigned mark)
{
    hone_strbuf_add(hone_emit_slot(slots, "HEADER_NAME"), plan->name);
    hone_strbuf_printf(hone_emit_slot(slots, "EMITTED_KERNEL"), "HONE_EMITTED_%s",
                       plan->name);
    hone_strbuf_printf(hone_emit_slot(slots, "MARK"), "0x%08xu", mark);
}

static enum hone_status print_table(struct hone_strbuf *out, const struct emit_plan *plan,
                                    const struct texts *texts, unsigned mark)
{
    struct hone_strbuf head = HONE_STRBUF_INIT;
    enum hone_status status = hone_emit_head_comment(&head, plan);
    hone_emit_wrap(out, head.data);
    out->failed |= head.failed;
    hone_strbuf_fini(&head);
    struct emit_slots slots = {.count = 0};
    add_frame_slots(&slots, plan, mark);
    struct hone_strbuf *text = hone_emit_slot(&slots, "TABLE_TEXT");
    hone_emit_wrap(text, texts->data.data);
    if (status == HONE_OK) status = add_code(text, plan, texts->code.data, NULL);
    hone_emit_join(text);
    hone_emit_lines(out, plan, hone_text_frame, "", &slots);
    return status;
}

static enum hone_status print_second(struct hone_strbuf *out,
                                     const struct emit_plan *plan,
                                     const struct texts *texts, unsigned mark)
{
    struct emit_slots slots = {.count = 0};
    struct hone_strbuf includes = HONE_STRBUF_INIT;
    hone_emit_second_comment(out, plan);
    add_frame_slots(&slots, plan, mark);
    hone_strbuf_printf(hone_emit_slot(&slots, "EMITTED_RUNTIME"),
                       "HONE_EMITTED_%s_runtime", plan->name);
    struct hone_strbuf *text = hone_emit_slot(&slots, "RUNTIME_TEXT");
    hone_emit_payload_includes(&includes, plan);
    hone_emit_wrap(text, includes.data);
    text->failed |= includes.failed;
    hone_strbuf_fini(&includes);
    enum hone_status status = add_code(text, plan, texts->more.data, texts->code.data);
    hone_emit_join(text);
    hone_emit_lines(out, plan, hone_text_runtime_frame, "", &slots);
    return status;
}

static unsigned mark_of(struct hone_strbuf *out, const struct texts *texts)
{
    struct hone_strbuf all = HONE_STRBUF_INIT;
    hone_strbuf_printf(&all, "%s%s", texts->data.data, texts->code.data);
    const unsigned mark = (unsigned)hone_hash64(all.data, all.len);
    out->failed |= all.failed;
    hone_strbuf_fini(&all);
    return mark;
}

static enum hone_status print(struct hone_strbuf *out, struct emit_plan *plan,
                              bool second)
{
    struct texts texts = {HONE_STRBUF_INIT, HONE_STRBUF_INIT, HONE_STRBUF_INIT};
    enum hone_status status = print_texts(&texts, plan, second);
    if (status == HONE_OK)
        status = (second ? print_second : print_table)(out, plan, &texts,
                                                       mark_of(out, &texts));
    if (status == HONE_OK && out->failed) status = hone_emit_no_memory(plan);
    hone_strbuf_fini(&texts.data);
    hone_strbuf_fini(&texts.code);
    hone_strbuf_fini(&texts.more);
    return status;
}

// Journals of several problems fall into one recording a problem.
static const struct hone_recording **split(struct emit_plan *plan,
                                           const struct hone_recording *const *recordings,
                                           size_t *count)
{
    size_t parts = 0, made = 0;
    for (size_t i = 0; i < *count; i++)
        parts += hone_recording_problem_count(recordings[i]);
    const struct hone_recording **list =
        hone_arena_array(&plan->arena, parts, sizeof *list);
    for (size_t i = 0; list && i < *count; i++)
        for (size_t p = 0; p < hone_recording_problem_count(recordings[i]); p++)
            list[made++] = hone_recording_problem(recordings[i], p);
    *count = parts;
    return list;
}

// Nothing was measured for a header of defaults: no figure of it is printed.
static void forget_times(struct emit_plan *plan)
{
    if (!hone_emit_is_untuned(plan->info)) return;
    plan->times = HONE_TIME_NONE;
    for (size_t i = 0; i < plan->row_count; i++)
        plan->rows[i].time = 0;
}

enum hone_status hone_emit_make_plan(struct emit_plan *plan,
                                     const struct hone_recording *const *recordings,
                                     size_t count,
                                     const struct hone_emit_options *options)
{
    const struct hone_recording **parts = split(plan, recordings, &count);
    if (options->payload && options->payload->kind != HONE_PAYLOAD_NONE)
        plan->payload = options->payload;
    plan->shape = options->shape;
    plan->max_regret = options->max_regret;
    if (plan->shape == HONE_SHAPE_MACROS) plan->payload = NULL;
    const size_t most = options->max_configs ? options->max_configs : CONFIGS_DEFAULT;
    enum hone_status status =
        parts ? hone_emit_make_rows(plan, parts, count, options->accept_predicted)
              : hone_emit_no_memory(plan);
    if (status == HONE_OK) status = hone_emit_find_failed(plan, parts, count);
    if (status == HONE_OK) status = hone_emit_index_names(plan);
    if (status == HONE_OK) status = hone_emit_make_names(plan, options->name);
    if (status == HONE_OK) status = hone_emit_make_types(plan, parts, count);
    if (status == HONE_OK) status = hone_emit_make_derived(plan);
    if (status == HONE_OK) status = hone_emit_make_geometry(plan);
    if (status == HONE_OK) status = hone_emit_check_payload(plan);
    if (status == HONE_OK) status = hone_emit_make_groups(plan, most);
    if (status == HONE_OK) status = hone_emit_make_envelope(plan);
    if (status == HONE_OK) status = hone_emit_make_tables(plan);
    if (status == HONE_OK) forget_times(plan);
    return status;
}

void hone_emit_plan_fini(struct emit_plan *plan)
{
    hone_emit_close_printer(plan);
    hone_emit_derived_fini(plan);
    hone_name_index_fini(&plan->taken);
    hone_strbuf_fini(&plan->geometry);
    hone_arena_fini(&plan->arena);
}

enum hone_status hone_emit(struct hone_strbuf *out,
                           const struct hone_recording *const *recordings, size_t count,
                           const struct hone_emit_options *options,
                           struct hone_error *err)
{
    struct emit_plan plan = {.geometry = HONE_STRBUF_INIT, .err = err};
    enum hone_status status = hone_emit_make_plan(&plan, recordings, count, options);
    if (status == HONE_OK && plan.shape == HONE_SHAPE_MACROS)
        hone_emit_macro_rows(out, &plan);
    else if (status == HONE_OK)
        status = print(out, &plan, plan.shape == HONE_SHAPE_RUNTIME && options->second);
    if (status == HONE_OK && out->failed) status = hone_emit_no_memory(&plan);
    hone_emit_plan_fini(&plan);
    return status;
}
