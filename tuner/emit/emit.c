// Printing a header, part by part in the order in which it stands in the file.
#include "internal.h"

static void print_types(struct hone_strbuf *out, const struct emit_plan *plan)
{
    const struct hone_record_info *info = plan->info;
    emit_put(out, plan,
             "/* What the kernel is compiled with. */\ntypedef struct $n_config {\n");
    for (size_t i = 0; i < info->param_count; i++)
        hone_strbuf_printf(out, "    %s%s;\n", emit_type_text(&plan->params[i]),
                           plan->params[i].name);
    for (size_t i = 0; i < plan->device_field_count; i++)
        hone_strbuf_printf(
            out, "    long long device_%s; /* of the device it was tuned on */\n",
            plan->device_fields[i]);
    emit_put(out, plan, "} $n_config;\n\n");
    if (!info->problem_count) return;
    emit_put(out, plan, "typedef struct $n_problem {\n");
    for (size_t i = 0; i < info->problem_count; i++)
        hone_strbuf_printf(out, "    %s%s;\n", emit_type_text(&plan->problem[i]),
                           plan->problem[i].name);
    emit_put(out, plan, "} $n_problem;\n\n");
}

static void print_row_type(struct hone_strbuf *out, const struct emit_plan *plan)
{
    emit_put(
        out, plan,
        "typedef struct $n_row {\n"
        "    const char *device;\n"
        "    int cc_major, cc_minor, sm_count; /* 0 where the journal lacks them */\n");
    if (plan->info->problem_count) emit_put(out, plan, "    $n_problem problem;\n");
    emit_put(out, plan,
             plan->predicted ? "    double predicted_us;\n" : "    double time_us;\n");
    emit_put(out, plan,
             "    $n_config config;\n"
             "    const char *defines;    /* compiler options */\n"
             "    const char *provenance; /* where the row comes from */\n"
             "} $n_row;\n\n");
}

static void print_same_problem(struct hone_strbuf *out, const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->info->problem_count; i++) {
        const char *name = plan->problem[i].name;
        if (plan->problem[i].fixed) continue;
        if (plan->problem[i].type == HONE_STRING)
            hone_strbuf_printf(out, " && hone_cmp_str(row->problem.%s, %s) == 0", name,
                               name);
        else
            hone_strbuf_printf(out, " && row->problem.%s == %s", name, name);
    }
}

static void print_select(struct hone_strbuf *out, const struct emit_plan *plan)
{
    emit_put(
        out, plan,
        "/* What answered: a row of this device and problem; one of the same compute\n"
        " * capability; none, so the default. */\n"
        "enum { $N_EXACT, $N_SAME_ARCH, $N_DEFAULT };\n\n"
        "/* The configuration for a device and problem; *tier says what answered (it may "
        "be\n"
        " * a null pointer). */\n"
        "static inline const $n_config *\n"
        "$n_select(int cc_major, int cc_minor, int sm_count");
    emit_problem_params(out, plan, ", ");
    emit_put(out, plan,
             ", int *tier)\n"
             "{\n"
             "    int i, best = -1, best_rank = 0;\n"
             "    for (i = 0; i < $N_ROWS; i++) {\n"
             "        const $n_row *row = &$n_rows[i];\n"
             "        int rank = 0;\n"
             "        if (row->cc_major == cc_major && row->cc_minor == cc_minor)\n"
             "            rank = row->sm_count == sm_count ? 2 : 1;\n"
             "        if (rank == 2");
    print_same_problem(out, plan);
    emit_put(out, plan,
             ")\n"
             "            rank = 3;\n"
             "        if (rank > best_rank) {\n"
             "            best = i;\n"
             "            best_rank = rank;\n"
             "        }\n"
             "    }\n"
             "    if (tier)\n"
             "        *tier = best_rank == 3 ? $N_EXACT : best_rank ? $N_SAME_ARCH : "
             "$N_DEFAULT;\n"
             "    return best < 0 ? &$n_default_config : &$n_rows[best].config;\n"
             "}\n\n");
}

static bool needs_helpers(const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->info->problem_count; i++)
        if (plan->problem[i].type == HONE_STRING) return true;
    return plan->geometry.len > 0;
}

static enum hone_status print(struct hone_strbuf *out, const struct emit_plan *plan)
{
    emit_head_comment(out, plan);
    emit_put(out, plan, "#ifndef HONE_EMITTED_$n\n#define HONE_EMITTED_$n\n\n");
    print_types(out, plan);
    print_row_type(out, plan);
    emit_table(out, plan);
    if (needs_helpers(plan)) {
        enum hone_status status = hone_expr_print_c_helpers(out, plan->err);
        if (status) return status;
        hone_strbuf_add(out, "\n");
    }
    print_select(out, plan);
    if (plan->geometry.len)
        hone_strbuf_add(out,
                        "/* The launch: blocks, threads, dynamic shared memory. */\n");
    hone_strbuf_add_bytes(out, plan->geometry.data, plan->geometry.len);
    emit_macros(out, plan);
    hone_strbuf_add(out, "#endif\n");
    return out->failed ? emit_no_memory(plan) : HONE_OK;
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

enum hone_status hone_emit(struct hone_strbuf *out,
                           const struct hone_recording *const *recordings, size_t count,
                           const struct hone_emit_options *options,
                           struct hone_error *err)
{
    struct emit_plan plan = {.geometry = HONE_STRBUF_INIT, .err = err};
    const struct hone_recording **parts = split(&plan, recordings, &count);
    enum hone_status status =
        parts ? emit_make_rows(&plan, parts, count, options->accept_predicted)
              : emit_no_memory(&plan);
    if (!status) status = emit_make_names(&plan, options->name);
    if (!status) status = emit_make_types(&plan, parts, count);
    if (!status) status = emit_make_geometry(&plan);
    if (!status) status = print(out, &plan);
    hone_strbuf_fini(&plan.geometry);
    hone_arena_fini(&plan.arena);
    return status;
}
