// Where a configuration may run besides where it was measured: the constraints of the
// space that read the problem or the device, and may fail there.
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "base/arch.h"
#include "c_names.h"
#include "emit_launch.h"

static const char *function_name(struct emit_plan *plan,
                                 const struct hone_record_constraint *where)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_add(&text, "a Lua function of ");
    for (size_t i = 0; i < where->var_count; i++)
        hone_strbuf_printf(&text, "%s%s", i ? ", " : "", where->vars[i]);
    const char *name = text.failed ? NULL : hone_arena_strdup(&plan->arena, text.data);
    hone_strbuf_fini(&text);
    return name;
}

static bool is_relevant(const struct emit_plan *plan,
                        const struct hone_record_constraint *where)
{
    if (where->text) return hone_emit_reads_outside(plan, where->text);
    for (size_t i = 0; i < where->var_count; i++)
        if (hone_emit_is_outside(plan, where->vars[i])) return true;
    return false;
}

static bool all_have_limits(const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->row_count; i++)
        if (!plan->rows[i].info->limits) return false;
    return true;
}

// The limits that follow from the compute capability, or are the same for all. They are
// the least of one that is not known; it may itself be any, so that it is no such fact.
static bool is_fact(const char *name)
{
    static const char *const others[] = {"device.cc_major",
                                         "device.cc_minor",
                                         "device.sm_count",
                                         "device.l2_bytes",
                                         "device.memory_bytes",
                                         "device.sm_clock_khz",
                                         "device.memory_bandwidth_mbs"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i], name) == 0) return false;
    return strncmp(name, "device.", 7) == 0;
}

// Nothing that differs between problems, or between GPUs of a compute capability, but for
// derived values.
static bool names_facts(const struct emit_plan *plan, const struct emit_formula *formula)
{
    for (size_t i = 0; i < hone_expr_var_count(formula->expr); i++) {
        const struct emit_name name = formula->names[i];
        if (name.kind == EMIT_CONSTANT && !plan->problem[name.number].fixed) return false;
        if (name.kind == EMIT_OTHER && !is_fact(hone_expr_var(formula->expr, i)))
            return false;
    }
    return true;
}

// What it reads of derived values was visited before.
static enum hone_status reads_facts(void *context, size_t i)
{
    const struct emit_walk *walk = context;
    const struct emit_plan *plan = walk->plan;
    return names_facts(plan, &plan->derived[i].formula) ? HONE_OK : HONE_EINPUT;
}

static bool is_of_facts(struct emit_walk *walk, const struct emit_formula *formula)
{
    const struct emit_plan *plan = walk->plan;
    if (!formula->expr || !names_facts(plan, formula)) return false;
    for (size_t i = 0; i < hone_expr_var_count(formula->expr); i++) {
        const struct emit_name name = formula->names[i];
        if (name.kind == EMIT_DERIVED &&
            (!plan->derived[name.number].is_sound ||
             hone_emit_walk(walk, name.number, reads_facts, walk) != HONE_OK))
            return false;
    }
    return true;
}

static bool holds_on(struct emit_query *q, const struct emit_formula *formula,
                     const struct hone_limits *gpu)
{
    q->gpu = gpu;
    for (size_t i = 0; i < q->plan->config_count; i++) {
        struct hone_value value = {0};
        hone_emit_query_config(q, &q->plan->configs[i]);
        if (!hone_emit_evaluate(q, formula, &value) || !hone_value_true(value))
            return false;
    }
    return true;
}

// On each device of the journals, each compute capability, and one that is not known.
static bool holds_on_all(struct emit_query *q, const struct emit_formula *formula)
{
    bool holds = true;
    for (size_t d = 0; d < q->plan->device_count && holds; d++)
        holds = holds_on(q, formula, q->plan->devices[d].info->limits);
    for (size_t i = 0; holds && (!i || hone_arch_at(i - 1)); i++) {
        struct hone_limits gpu = {0};
        const int cc = i ? hone_arch_at(i - 1)->cc : 0;
        hone_universal_limits(&gpu);
        hone_arch_limits(&gpu, cc / 10, cc % 10);
        holds = holds_on(q, formula, &gpu);
    }
    return holds;
}

/* What a constraint is of one configuration, on any GPU and problem. */
struct residue {
    bool holds;
    struct hone_strbuf text; // what decides, as C; empty: not known
};

static void residue_read(struct residue *out, struct hone_c_form *form, bool is_whole)
{
    const struct hone_c_summary *known = hone_c_form_summary(form);
    struct hone_expr_c_range range;
    enum hone_type type;
    out->holds = known->is_known && hone_value_true(known->value);
    if (!known->is_known && is_whole &&
        hone_c_form_print(form, &out->text, &type, &range, NULL) != HONE_OK)
        hone_strbuf_clear(&out->text);
}

// Derived values are not looked into.
static void residue_of(struct residue *out, struct emit_plan *plan,
                       const struct emit_formula *formula,
                       const struct emit_config *config)
{
    *out = (struct residue){false, HONE_STRBUF_INIT};
    const size_t count = formula->expr ? hone_expr_var_count(formula->expr) : 0;
    struct hone_value *values = calloc(count + 1, sizeof *values);
    struct hone_expr_c_var *vars = calloc(count + 1, sizeof *vars);
    struct hone_c_form *form = NULL;
    bool is_whole = true;
    for (size_t i = 0; i < count && values && vars; i++) {
        const struct emit_name name = formula->names[i];
        if (name.kind == EMIT_PARAM) values[i] = hone_emit_value_of(config, name.number);
        vars[i] =
            hone_emit_known_of(plan, &values[i], name, hone_expr_var(formula->expr, i));
        vars[i].text = hone_expr_var(formula->expr, i);
        is_whole = is_whole && !vars[i].guard;
    }
    if (values && vars && formula->expr &&
        hone_c_form_new(&form, formula->expr, vars, NULL) == HONE_OK)
        residue_read(out, form, is_whole);
    hone_c_form_free(form);
    free(vars);
    free(values);
}

// "PREFETCH < 256 or device.cc_major >= 8" of one with PREFETCH behind
// "device.cc_major >= 8".
static bool is_asked_before(struct emit_plan *plan, const struct emit_config *config,
                            const struct residue *own)
{
    bool asked = false;
    for (size_t i = 0; i < plan->fit_count && own->text.len && !asked; i++) {
        struct emit_formula formula;
        struct residue other;
        if (!hone_emit_formula_init(&formula, plan, plan->fits[i].text)) return false;
        residue_of(&other, plan, &formula, config);
        asked = other.text.len && !other.text.failed && !own->text.failed &&
                strcmp(other.text.data, own->text.data) == 0;
        hone_strbuf_fini(&other.text);
        hone_emit_formula_fini(&formula);
    }
    return asked;
}

// "ASYNC == 0 or device.cc_major >= 8" of configurations without ASYNC, or behind a
// constraint that comes to the same.
static bool configs_settle(struct emit_plan *plan, const struct emit_formula *formula)
{
    bool settled = true;
    for (size_t i = 0; i < plan->config_count && settled; i++) {
        struct residue own;
        residue_of(&own, plan, formula, &plan->configs[i]);
        settled = own.holds || is_asked_before(plan, &plan->configs[i], &own);
        hone_strbuf_fini(&own.text);
    }
    return settled;
}

// The values of a row, of which only the fixed ones are read here; NULL: no memory.
static const struct hone_value *problem_of(struct emit_plan *plan)
{
    const struct hone_record_info *info = plan->info;
    struct hone_value *values =
        hone_arena_array(&plan->arena, info->problem_count + 1, sizeof *values);
    for (size_t i = 0; values && i < info->problem_count; i++)
        values[i] = info->problem[i].value;
    return values;
}

// A constraint that no configuration of the table fails on any GPU needs no check.
static bool holds_everywhere(struct emit_plan *plan, const char *text)
{
    struct emit_walk walk;
    struct emit_formula formula = {0};
    struct emit_query q = {.plan = plan, .problem = problem_of(plan)};
    const bool ready = hone_emit_walk_init(&walk, plan) && q.problem && text &&
                       hone_emit_formula_init(&formula, plan, text);
    const bool holds =
        ready && (configs_settle(plan, &formula) ||
                  (is_of_facts(&walk, &formula) && holds_on_all(&q, &formula)));
    hone_emit_query_fini(&q);
    hone_emit_formula_fini(&formula);
    hone_emit_walk_fini(&walk);
    return holds;
}

static enum hone_status add_constraints(struct emit_plan *plan)
{
    const struct hone_record_info *info = plan->where;
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < info->where_count && status == HONE_OK; i++) {
        const struct hone_record_constraint *where = &info->where[i];
        struct emit_fit fit = {.text = where->text};
        if (!is_relevant(plan, where) || holds_everywhere(plan, where->text)) continue;
        fit.name = where->text ? where->text : function_name(plan, where);
        if (!fit.name) return hone_emit_no_memory(plan);
        if (fit.text) status = hone_emit_print_fit(plan, &fit);
        hone_emit_add_fit(plan, &fit);
    }
    return status;
}

static bool has_map(const struct hone_record_info *info)
{
    for (size_t i = 0; i < info->arg_count; i++)
        if (info->args[i].map) return true;
    return false;
}

// "device.cc_major == 9 or 'use another' == ''", or one without a message?
static bool asks_for_maps(const char *text)
{
    static const char name[] = "device.cc_major ";
    if (!text || strncmp(text, name, sizeof name - 1) != 0) return false;
    text += sizeof name - 1;
    if (strncmp(text, "== ", 3) != 0 && strncmp(text, ">= ", 3) != 0) return false;
    char *end;
    const long major = strtol(text + 3, &end, 10);
    return major >= HONE_CLUSTER_MAJOR && (!*end || strncmp(end, " or '", 5) == 0);
}

// Tensor maps are of compute capability 9.0 and newer, whether the script says so or not.
static enum hone_status ask_for_maps(struct emit_plan *plan)
{
    static const char text[] = "device.cc_major >= 9";
    const struct hone_record_info *info = plan->where;
    struct emit_fit fit = {.text = text, .name = text};
    if (!has_map(plan->info)) return HONE_OK;
    for (size_t i = 0; info && i < info->where_count; i++)
        if (asks_for_maps(info->where[i].text)) return HONE_OK;
    const enum hone_status status = hone_emit_print_fit(plan, &fit);
    hone_emit_add_fit(plan, &fit);
    return status;
}

enum hone_status hone_emit_make_envelope(struct emit_plan *plan)
{
    const bool is_told = plan->where && all_have_limits(plan);
    const size_t most =
        (is_told ? plan->where->where_count : 0) + 1 + hone_emit_bounds_most(plan->info);
    plan->fits = hone_arena_array(&plan->arena, most, sizeof *plan->fits);
    if (!plan->fits) return hone_emit_no_memory(plan);
    enum hone_status status = is_told ? add_constraints(plan) : HONE_OK;
    if (status == HONE_OK) status = ask_for_maps(plan);
    return status == HONE_OK ? hone_emit_bound_arguments(plan) : status;
}
