// Printing a header, part by part in the order in which it stands in the file.
#include <string.h>

#include "base/hash.h"
#include "c_expr.h"
#include "expr/c_helpers.h"
#include "wrap.h"

enum { CONFIGS_DEFAULT = 8 };

bool hone_emit_has_launch(const struct hone_record_info *info)
{
    for (size_t i = 0; i < 3; i++)
        if (info->grid[i] || info->block[i]) return true;
    return info->shared != NULL;
}

static void print_config_type(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_put(
        out, plan,
        "/* What the kernel is compiled with. */\ntypedef struct $n_config {\n");
    hone_emit_fields(out, plan->params, plan->info->param_count);
    for (size_t i = 0; i < plan->device_field_count; i++)
        hone_strbuf_printf(
            out, "    long long device_%s; /* of the device it was tuned on */\n",
            plan->device_fields[i]);
    if (plan->block_field)
        hone_strbuf_printf(out, "    unsigned %s[3]%s%s; /* of its launch */\n",
                           plan->block_field, plan->shared_field ? ", " : "",
                           plan->shared_field ? plan->shared_field : "");
    else if (plan->shared_field)
        hone_strbuf_printf(out, "    unsigned %s; /* of its launch */\n",
                           plan->shared_field);
    hone_emit_put(out, plan, "} $n_config;\n");
}

bool hone_emit_is_usual(const char *field)
{
    static const char *const usual[] = {"cc_major", "cc_minor",     "sm_count",
                                        "l2_bytes", "memory_bytes", "max_shared_bytes"};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strcmp(usual[i], field) == 0) return true;
    return false;
}

bool hone_emit_is_single(const struct emit_plan *plan)
{
    return plan->device_count == 1 && plan->row_count == 1;
}

static void print_gpu_type(struct hone_strbuf *out, const struct emit_plan *plan)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_emit_put(
        out, plan,
        "/* A GPU: $n_gpu_of makes one, set what is known better. 0 is unknown");
    for (size_t i = 0; i < plan->gpu_field_count; i++)
        hone_strbuf_printf(out, "%s%s",
                           i ? ", "
                             : ", and is 0 to constraints and launches that read it (",
                           plan->gpu_fields[i]);
    hone_strbuf_printf(out, "%s; max_ is with opt-in. */\n",
                       plan->gpu_field_count ? ")" : "");
    hone_emit_put(&text, plan,
                  "typedef struct $n_gpu {\n"
                  "    int cc_major, cc_minor, sm_count;\n"
                  "    long long l2_bytes, memory_bytes, max_shared_bytes;\n");
    for (size_t i = 0; i < plan->gpu_field_count; i++)
        if (!hone_emit_is_usual(plan->gpu_fields[i]))
            hone_strbuf_printf(&text, "    long long %s;\n", plan->gpu_fields[i]);
    hone_emit_put(&text, plan, "} $n_gpu;\n");
    hone_emit_struct(out, &text);
}

// A device of the journals; of several rows also its groups of them.
static void print_device_type(struct hone_strbuf *out, const struct emit_plan *plan)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_emit_put(&text, plan,
                  "typedef struct {\n    const char *name;\n    $n_gpu gpu;\n");
    if (!hone_emit_is_single(plan))
        hone_strbuf_add(&text, "    int first, count; /* groups of rows */\n");
    hone_emit_put(&text, plan, "    const char *provenance;\n} $n_device;\n");
    hone_emit_struct(out, &text);
}

// What was tuned, and the number of the configuration that serves it.
static void print_row_type(struct hone_strbuf *out, const struct emit_plan *plan)
{
    struct hone_strbuf problem = HONE_STRBUF_INIT, row = HONE_STRBUF_INIT;
    if (hone_emit_is_asked(plan)) {
        hone_emit_put(&problem, plan, "typedef struct {\n");
        hone_emit_fields(&problem, plan->problem, plan->info->problem_count);
        hone_emit_put(&problem, plan, "} $n_problem;\n");
        hone_emit_struct(out, &problem);
    }
    hone_emit_put(&row, plan, "typedef struct {\n    int device, config;\n");
    if (hone_emit_is_asked(plan)) hone_emit_put(&row, plan, "    $n_problem problem;\n");
    if (plan->groups[0].points.sizes && !hone_emit_is_single(plan))
        hone_strbuf_printf(&row, "    int lg[%zu]; /* of the sizes */\n",
                           plan->groups[0].points.sizes);
    hone_emit_put(&row, plan,
                  plan->times == HONE_TIME_PREDICTED ? "    double predicted_us;\n"
                                                     : "    double time_us;\n");
    hone_emit_put(&row, plan, "} $n_row;\n");
    hone_emit_struct(out, &row);
}

static void print_group_type(struct hone_strbuf *out, const struct emit_plan *plan)
{
    if (hone_emit_is_single(plan)) return;
    hone_emit_put(
        out, plan,
        "/* Rows that one rule serves; tree: its first node; -1: the nearest row serves; "
        "below: a model,\n * -2 less its place. */\n"
        "typedef struct $n_group {\n");
    for (size_t i = 0; i < plan->info->problem_count; i++)
        if (hone_emit_is_choice(plan, i))
            hone_strbuf_printf(out, "    %s%s;\n", hone_emit_type_text(&plan->problem[i]),
                               plan->problem[i].name);
    hone_emit_put(
        out, plan,
        "    int first, count, tree;\n"
        "    int configs, config_count; /* in $n_preferences, the best first */\n"
        "} $n_group;\n");
}

// Fields and arguments have the names of the script, which a user's macro may have too.
static void print_macro_check(struct hone_strbuf *out, const struct emit_plan *plan)
{
    const struct hone_record_info *info = plan->info;
    const char *before = "#if ";
    for (size_t i = 0; i < info->param_count + info->problem_count; i++) {
        const struct emit_field *field = i < info->param_count
                                             ? &plan->params[i]
                                             : &plan->problem[i - info->param_count];
        if (field->fixed) continue;
        hone_strbuf_printf(out, "%sdefined(%s)", before, field->name);
        before = " || ";
    }
    for (size_t i = 0; hone_emit_computed(plan, i); i++, before = " || ")
        hone_strbuf_printf(out, "%sdefined(%s)", before, hone_emit_computed(plan, i));
    if (*before == '#') return;
    hone_emit_put(out, plan,
                  "\n#error \"$n: include this header before its parameters or sizes are "
                  "macros\"\n#endif\n\n");
}

static void print_data(struct hone_strbuf *out, const struct emit_plan *plan)
{
    print_macro_check(out, plan);
    if (plan->shape == HONE_SHAPE_TABLE) hone_emit_payload_includes(out, plan);
    print_config_type(out, plan);
    print_gpu_type(out, plan);
    print_device_type(out, plan);
    print_row_type(out, plan);
    print_group_type(out, plan);
    hone_strbuf_add(out, "\n");
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
    if (plan->geometry.len)
        hone_emit_put(
            out, plan,
            "/* The launch; its shared memory is dynamic. Where CUDA would refuse: grid "
            "and block 0, bytes ~0. */\n");
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

// The guard tells the text: of two headers with one name and different texts the second
// would be passed over in silence.
static enum hone_status print_table(struct hone_strbuf *out, const struct emit_plan *plan,
                                    const struct texts *texts, unsigned mark)
{
    struct hone_strbuf head = HONE_STRBUF_INIT;
    hone_emit_head_comment(&head, plan);
    hone_emit_wrap(out, head.data);
    out->failed |= head.failed;
    hone_strbuf_fini(&head);
    hone_emit_put(out, plan, "#ifndef HONE_EMITTED_$n\n#define HONE_EMITTED_$n ");
    hone_strbuf_printf(out, "0x%08xu\n", mark);
    hone_emit_wrap(out, texts->data.data);
    enum hone_status status = add_code(out, plan, texts->code.data, NULL);
    hone_emit_put(out, plan, "#elif HONE_EMITTED_$n != ");
    hone_strbuf_printf(out, "0x%08xu\n", mark);
    hone_emit_put(out, plan,
                  "#error \"two headers $n that differ: emit one of them with --name\"\n"
                  "#endif\n");
    return status;
}

static enum hone_status print_second(struct hone_strbuf *out,
                                     const struct emit_plan *plan,
                                     const struct texts *texts, unsigned mark)
{
    hone_emit_second_comment(out, plan);
    hone_emit_put(out, plan,
                  "#ifndef HONE_EMITTED_$n\n"
                  "#error \"$n: include its table ahead of this file\"\n"
                  "#elif HONE_EMITTED_$n != ");
    hone_strbuf_printf(out, "0x%08xu\n", mark);
    hone_emit_put(out, plan,
                  "#error \"$n: this file is of another table, emit both anew\"\n"
                  "#elif !defined(HONE_EMITTED_$n_runtime)\n"
                  "#define HONE_EMITTED_$n_runtime 1\n\n");
    struct hone_strbuf includes = HONE_STRBUF_INIT;
    hone_emit_payload_includes(&includes, plan);
    hone_emit_wrap(out, includes.data);
    out->failed |= includes.failed;
    hone_strbuf_fini(&includes);
    enum hone_status status = add_code(out, plan, texts->more.data, texts->code.data);
    hone_strbuf_add(out, "#endif\n");
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
