// The functions of a header that choose: which device, which row, which configuration.
// Their text is tuner/emit/text/select.h; here it gets what goes by the problem.
#include <assert.h>
#include <inttypes.h>

#include "emit_launch.h"
#include "emit_sections.h"
#include "emit_text.h"
#include "tables.h"

bool hone_emit_has_trees(const struct emit_plan *plan)
{
    return plan->groups[0].points.sizes && plan->tables->node_count;
}

bool hone_emit_has_models(const struct emit_plan *plan)
{
    return plan->tables->model_count;
}

static bool is_number(const struct emit_plan *plan, size_t i)
{
    return !plan->problem[i].fixed && !hone_emit_is_choice(plan, i);
}

/* --- of several rows --- */

// "M < row->M || (M == row->M && N < row->N)". Empty: there are no numbers.
static void add_before(struct hone_strbuf *out, const struct emit_plan *plan)
{
    size_t count = 0, at = 0, open = 0;
    const char *last = "";
    for (size_t i = 0; i < plan->info->problem_count; i++)
        count += is_number(plan, i);
    for (size_t i = 0; i < plan->info->problem_count; i++) {
        if (!is_number(plan, i)) continue;
        const bool is_inner = at && at + 1 < count;
        if (at) hone_strbuf_printf(out, " || (%s == row->%s && ", last, last);
        last = plan->problem[i].name;
        hone_strbuf_printf(out, "%s%s < row->%s", is_inner ? "(" : "", last, last);
        open += (at ? 1u : 0u) + (is_inner ? 1u : 0u);
        at++;
    }
    for (size_t i = 0; i < open; i++)
        hone_strbuf_add(out, ")");
}

static void add_is_row_found(struct hone_strbuf *out, const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->info->problem_count; i++) {
        const char *name = plan->problem[i].name;
        if (!is_number(plan, i)) continue;
        hone_strbuf_printf(out, "%s%s == row->%s", out->len ? " && " : "", name, name);
    }
}

static void add_other_choice(struct hone_strbuf *out, const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->info->problem_count; i++) {
        const char *name = plan->problem[i].name;
        if (!hone_emit_is_choice(plan, i)) continue;
        hone_strbuf_add(out, out->len ? " || " : "");
        hone_strbuf_printf(out,
                           plan->problem[i].type == HONE_STRING
                               ? "hone2_cmp_str(group->%s, %s) != 0"
                               : "group->%s != %s",
                           name, name);
    }
}

// Numbers that are no sizes are not looked at.
static void add_logarithms(struct emit_slots *slots, const struct emit_plan *plan)
{
    struct hone_strbuf *out = hone_emit_slot(slots, "LOGARITHMS");
    struct hone_strbuf *sum = hone_emit_slot(slots, "SUM");
    size_t at = 0;
    for (size_t i = 0; i < plan->info->problem_count; i++) {
        const char *name = plan->problem[i].name;
        if (is_number(plan, i) && !hone_emit_is_size(plan, i))
            hone_strbuf_printf(out, "    (void)%s;\n", name);
        if (!hone_emit_is_size(plan, i)) continue;
        hone_strbuf_printf(out, "    lg[%zu] = %s_lg(%s);\n", at, plan->name, name);
        hone_strbuf_printf(sum, "%slg[%zu]", at ? " + " : "", at);
        at++;
    }
    hone_strbuf_printf(hone_emit_slot(slots, "SIZES"), "%zu", at);
    hone_strbuf_printf(hone_emit_slot(slots, "SIZES_MOST"), "%zu", at);
}

static void print_several(struct hone_strbuf *out, const struct emit_plan *plan)
{
    struct emit_slots slots = {.count = 0};
    struct hone_strbuf *before = hone_emit_slot(&slots, "IS_BEFORE_ROW");
    struct hone_strbuf *other = hone_emit_slot(&slots, "IS_OTHER_CHOICE");
    struct hone_strbuf words = HONE_STRBUF_INIT;
    add_before(before, plan);
    add_is_row_found(hone_emit_slot(&slots, "IS_THE_ROW"), plan);
    add_other_choice(other, plan);
    add_logarithms(&slots, plan);
    hone_emit_fit_params(hone_emit_slot(&slots, "FIT_PARAMS"), plan);
    hone_emit_fit_args(hone_emit_slot(&slots, "FIT_ARGS"), plan);
    hone_strbuf_printf(
        &words, "devices %s%s%s%s%s", hone_emit_has_trees(plan) ? "trees " : "",
        hone_emit_has_models(plan) ? "models " : "", before->len ? "numbers " : "",
        other->len ? "choices " : "", plan->groups[0].points.sizes ? "sizes " : "");
    hone_emit_part(out, plan, hone_text_size, "");
    hone_emit_part(out, plan, hone_text_choose, words.data);
    hone_emit_part_with(out, plan, hone_text_select, words.data, &slots);
    out->failed |= words.failed;
    hone_strbuf_fini(&words);
}

/* --- of one row --- */

static void add_is_row(struct hone_strbuf *out, const struct emit_plan *plan)
{
    const struct hone_record_info *info = plan->rows[0].info;
    const char *before = "";
    for (size_t i = 0; i < info->problem_count; i++) {
        const struct emit_field *field = &plan->problem[i];
        if (field->fixed) continue;
        hone_strbuf_printf(out, "%s%s == ", before, field->name);
        hone_emit_literal(out, field, info->problem[i].value);
        before = " && ";
    }
    hone_strbuf_add(out, hone_emit_is_asked(plan) ? "" : "1");
}

// A GPU of the row's family gets the row's configuration. There are at most two, as one
// row keeps one beside the default.
static void print_one(struct hone_strbuf *out, const struct emit_plan *plan)
{
    struct emit_slots slots = {.count = 0};
    const struct hone_limits *gpu = &plan->tables->devices[0].gpu;
    assert(plan->config_count <= 2 && plan->rows[0].config == 0);
    hone_emit_fit_args(hone_emit_slot(&slots, "FIT_ARGS"), plan);
    hone_strbuf_printf(hone_emit_slot(&slots, "ROW_MAJOR"), "%" PRId64, gpu->cc_major);
    hone_strbuf_printf(hone_emit_slot(&slots, "ROW_MINOR"), "%" PRId64, gpu->cc_minor);
    hone_strbuf_printf(hone_emit_slot(&slots, "ROW_SMS"), "%" PRId64, gpu->sm_count);
    add_is_row(hone_emit_slot(&slots, "IS_ROW"), plan);
    hone_emit_part_with(out, plan,
                        gpu->cc_major ? hone_text_select_one : hone_text_select_default,
                        "", &slots);
}

void hone_emit_selection(struct hone_strbuf *out, const struct emit_plan *plan)
{
    const bool is_one = hone_emit_is_single(plan);
    hone_emit_part(out, plan, hone_text_tiers, "");
    hone_emit_join(out);
    if (!is_one) print_several(out, plan);
    hone_emit_print_gpu_of(out, plan);
    if (is_one) print_one(out, plan);
    hone_emit_join(out);
    hone_emit_part(out, plan, hone_text_select_by, "");
}
