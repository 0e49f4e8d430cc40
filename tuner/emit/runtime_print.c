// What a user asks for by including NAME_runtime.h: configurations forced by the
// environment, a call or a file, and a note of the problems that no row serves. The text
// stands in text/runtime*.h; here is what goes by the parameters and sizes of a header.
#include <string.h>

#include "base/sink.h"
#include "emit_sections.h"
#include "emit_text.h"

static const char *sizes_word(const struct emit_plan *plan)
{
    return hone_emit_is_asked(plan) ? "sizes " : "";
}

static void print_state(struct hone_strbuf *out, const struct emit_plan *plan)
{
    struct emit_slots slots = {.count = 0};
    hone_strbuf_printf(hone_emit_slot(&slots, "ASKS_MOST"), "%zu",
                       plan->info->problem_count + 1);
    hone_emit_part_with(out, plan, hone_text_runtime_state, sizes_word(plan), &slots);
}

// "row's value is the problem's", with what stands before the field.
static void print_same(struct hone_strbuf *out, const struct emit_plan *plan, size_t i,
                       const char *place)
{
    const char *name = plan->problem[i].name;
    if (plan->problem[i].type == HONE_STRING)
        hone_strbuf_printf(out, "strcmp(%s%s, %s) == 0", place, name, name);
    else
        hone_strbuf_printf(out, "%s%s == %s", place, name, name);
}

static void print_same_config(struct hone_strbuf *out, const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->info->param_count; i++) {
        const char *name = plan->params[i].name;
        const bool text = plan->params[i].type == HONE_STRING;
        if (i) hone_strbuf_add(out, " &&\n            ");
        hone_strbuf_printf(out,
                           text ? "strcmp(%s_configs[i].%s, found->%s) == 0"
                                : "%s_configs[i].%s == found->%s",
                           plan->name, name, name);
    }
}

static void print_override(struct hone_strbuf *out, const struct emit_plan *plan)
{
    struct emit_slots slots = {.count = 0};
    struct hone_strbuf *params = hone_emit_slot(&slots, "PROBLEM_PARAMS_ALONE");
    hone_emit_problem_params(params, plan, "");
    if (!hone_emit_is_asked(plan)) hone_strbuf_add(params, "void");
    struct hone_strbuf *others = hone_emit_slot(&slots, "PASS_OTHERS");
    for (size_t i = 0; i < plan->info->problem_count; i++) {
        if (plan->problem[i].fixed) continue;
        hone_strbuf_printf(others, "        if (forced->asks[%zu] && !(", i);
        print_same(others, plan, i, "forced->problem.");
        hone_strbuf_add(others, ")) continue;\n");
    }
    print_same_config(hone_emit_slot(&slots, "IS_FORCED_CONFIG"), plan);
    hone_emit_part_with(out, plan, hone_text_runtime_override, "", &slots);
}

// Each size as it is compared, kept and written.
static void add_sizes(struct emit_slots *slots, const struct emit_plan *plan)
{
    struct hone_strbuf *is_seen = hone_emit_slot(slots, "IS_SEEN");
    struct hone_strbuf *pass = hone_emit_slot(slots, "PASS_NANS");
    struct hone_strbuf *keep = hone_emit_slot(slots, "KEEP_SEEN");
    struct hone_strbuf *write = hone_emit_slot(slots, "WRITE_SIZES");
    for (size_t i = 0, n = 0; i < plan->info->problem_count; i++) {
        const char *name = plan->problem[i].name;
        if (plan->problem[i].fixed) continue;
        hone_strbuf_add(is_seen, n ? " && " : "");
        print_same(is_seen, plan, i, "seen->");
        if (plan->problem[i].type == HONE_FLOAT)
            hone_strbuf_printf(
                pass, "    if (!(%s - %s == 0)) fresh = 0; /* no list holds it */\n",
                name, name);
        hone_strbuf_printf(keep, "        seen->%s = %s;\n", name, name);
        hone_emit_runtime_value(write, plan, i, n++ ? "," : "{");
    }
}

static void print_missed(struct hone_strbuf *out, const struct emit_plan *plan)
{
    struct emit_slots slots = {.count = 0};
    add_sizes(&slots, plan);
    hone_emit_part_with(out, plan, hone_text_runtime_missed, sizes_word(plan), &slots);
}

void hone_emit_runtime(struct hone_strbuf *out, const struct emit_plan *plan)
{
    print_state(out, plan);
    hone_emit_part(out, plan, hone_text_runtime_lock, "");
    hone_emit_runtime_set(out, plan);
    hone_emit_part(out, plan, hone_text_runtime, "");
    hone_emit_part(out, plan, hone_text_runtime_hook, "");
    print_override(out, plan);
    hone_emit_runtime_writers(out, plan);
    print_missed(out, plan);
    hone_emit_part(out, plan, hone_text_runtime_select, "");
}
