// Where a configuration may run besides where it was measured: the constraints of the
// space that read the problem or the device, threads and shared memory of its launch.
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "base/arch.h"
#include "c_names.h"
#include "emit_launch.h"
#include "emit_sections.h"
#include "emit_text.h"

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

int32_t hone_emit_static_shared(const struct emit_config *config)
{
    uint64_t index;
    const struct hone_recording *recording = config->origin->recording;
    if (hone_space_index(hone_recording_space(recording), config->choices, &index) !=
        HONE_OK)
        return 0;
    const struct hone_trial *trial = hone_recording_find(recording, index);
    const int32_t bytes = trial ? trial->resources.static_shared_bytes : 0;
    return bytes > 0 ? bytes : 0;
}

bool hone_emit_asks_shared(const struct emit_plan *plan)
{
    if (!hone_emit_has_launch(plan->info)) return false;
    if (!hone_emit_is_shared_settled(plan)) return true;
    for (size_t i = 0; i < plan->config_count; i++) {
        const uint32_t bytes = hone_emit_settled_launch(plan, i).shared;
        if ((int64_t)bytes + hone_emit_static_shared(&plan->configs[i]) >
            HONE_SHARED_ALWAYS)
            return true;
    }
    return false;
}

// CUDA may not take a block of the table.
static bool asks_block(const struct emit_plan *plan)
{
    if (!hone_emit_is_block_settled(plan)) return true;
    for (size_t i = 0; i < plan->config_count; i++)
        if (!hone_emit_settled_launch(plan, i).block[0]) return true;
    return false;
}

// Whether the GPU may be unable to launch what CUDA takes.
static bool asks_gpu_to_launch(const struct emit_plan *plan)
{
    return hone_emit_asks_shared(plan) || hone_emit_has_cluster(plan->info) ||
           (plan->info->launch_flags & HONE_LAUNCH_DEPENDENT);
}

// Where a check, or a launch, needs them.
static bool print_static_shared(struct hone_strbuf *out, const struct emit_plan *plan)
{
    bool any = false;
    for (size_t i = 0; i < plan->config_count; i++)
        any |= hone_emit_static_shared(&plan->configs[i]) > 0;
    if (!plan->payload && (!any || !hone_emit_asks_shared(plan))) return false;
    struct emit_slots slots = {.count = 0};
    struct hone_strbuf *bytes = hone_emit_slot(&slots, "STATIC_SHARED");
    for (size_t i = 0; i < plan->config_count; i++)
        hone_strbuf_printf(bytes, "%s%du", i ? ", " : "",
                           hone_emit_static_shared(&plan->configs[i]));
    hone_emit_part_with(out, plan, hone_text_static_shared, "", &slots);
    return true;
}

// A constraint without a C form ends the function: what follows it would not be reached.
// Sizes and arguments stand in one line.
static void print_constraints(struct emit_slots *slots, const struct emit_plan *plan)
{
    struct hone_strbuf *out = hone_emit_slot(slots, "CONSTRAINTS");
    for (size_t i = 0; i < plan->fit_count && plan->fits[i].fails; i++) {
        const struct emit_fit *fit = &plan->fits[i];
        const bool is_argument = fit->of != EMIT_FIT_TRUTH;
        const bool goes_on = is_argument && i && plan->fits[i - 1].of != EMIT_FIT_TRUTH;
        const bool is_last = i + 1 == plan->fit_count || !plan->fits[i + 1].fails;
        hone_emit_need(plan, fit->needs);
        hone_strbuf_printf(out, goes_on ? " || %s" : "    if (%s", fit->fails);
        if (!is_argument || is_last) hone_strbuf_add(out, ") return 0;\n");
    }
    hone_emit_print_needed(hone_emit_slot(slots, "NEEDED_VALUES"), plan);
}

static bool all_have_a_form(const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->fit_count; i++)
        if (!plan->fits[i].fails) return false;
    return true;
}

// Whether its grid and sizes as they are decide, nothing of the configuration.
static bool asks_grid_alone(const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->fit_count; i++) {
        const struct emit_fit *fit = &plan->fits[i];
        if (!fit->fails || fit->needs || fit->reads_config || fit->reads_gpu)
            return false;
    }
    return hone_emit_has_launch(plan->info) && !plan->device_field_count &&
           !asks_block(plan) && !asks_gpu_to_launch(plan);
}

// Whether anything of the GPU decides.
static bool asks_gpu(const struct emit_plan *plan)
{
    bool asks = plan->device_field_count;
    for (size_t i = 0; i < plan->fit_count && plan->fits[i].fails; i++)
        asks |= plan->fits[i].reads_gpu;
    return asks || (all_have_a_form(plan) && asks_gpu_to_launch(plan));
}

void hone_emit_fit_params(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_put(out, plan, asks_gpu(plan) ? "const $n_gpu *gpu" : "");
    hone_emit_problem_params(out, plan, asks_gpu(plan) ? ", " : "");
}

void hone_emit_fit_args(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_strbuf_add(out, asks_gpu(plan) ? "gpu" : "");
    hone_emit_problem_args(out, plan, asks_gpu(plan) ? ", " : "");
}

// The configuration's fields of a device are those of the one at hand.
static void add_here(struct emit_slots *slots, const struct emit_plan *plan)
{
    struct hone_strbuf *fields = hone_emit_slot(slots, "FIELDS_OF_HERE");
    hone_emit_put(hone_emit_slot(slots, "CONFIG_HERE"), plan,
                  plan->device_field_count ? "here" : "$n_configs[number]");
    for (size_t i = 0; i < plan->device_field_count; i++)
        hone_strbuf_printf(fields, "    here.device_%s = gpu->%s;\n",
                           plan->device_fields[i], plan->device_fields[i]);
}

// A launch reads all arguments.
static void add_locals(struct emit_slots *slots, const struct emit_plan *plan,
                       bool launch)
{
    struct hone_strbuf *unused = hone_emit_slot(slots, "UNUSED_SIZES");
    hone_strbuf_printf(hone_emit_slot(slots, "CHECKED_LOCALS"), "grid[3]%s%s%s",
                       asks_block(plan) ? ", block[3]" : "",
                       hone_emit_has_cluster(plan->info) ? ", cluster[3]" : "",
                       hone_emit_asks_shared(plan) ? ", shared" : "");
    for (size_t i = 0; i < plan->info->problem_count && !launch; i++)
        if (!plan->problem[i].fixed)
            hone_strbuf_printf(unused, "    (void)%s;\n", plan->problem[i].name);
}

// Bytes that are a field of each configuration are some.
static bool may_lack_bytes(const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->config_count; i++)
        if (!plan->shared_field || hone_emit_settled_launch(plan, i).shared == UINT32_MAX)
            return true;
    return false;
}

// What of text/fits.h a launch, or none, is asked for.
static void add_fit_words(struct hone_strbuf *words, const struct emit_plan *plan,
                          bool launch)
{
    const bool has_config = launch || plan->fit_count || plan->device_field_count;
    const struct {
        const char *word;
        bool asked;
    } all[] = {
        {"gpu ", asks_gpu(plan)},
        {"sizes ", !asks_gpu(plan)},
        {"here ", plan->device_field_count},
        {"launch ", launch},
        {"config ", has_config},
        {"unused_config ", has_config && !launch},
        {"unused_number ", !has_config},
        {"block ", launch && asks_block(plan)},
        {"shared ", launch && hone_emit_asks_shared(plan)},
        {"bytes ", launch && hone_emit_asks_shared(plan) && may_lack_bytes(plan)},
        {"cluster ", launch && hone_emit_has_cluster(plan->info)},
        {"dependent ", launch && (plan->info->launch_flags & HONE_LAUNCH_DEPENDENT)},
        {"open ", all_have_a_form(plan)},
        {"no_form ", !all_have_a_form(plan)}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        hone_strbuf_add(words, all[i].asked ? all[i].word : "");
}

void hone_emit_envelope(struct hone_strbuf *out, const struct emit_plan *plan)
{
    const bool has_launch = hone_emit_has_launch(plan->info);
    const bool launch = all_have_a_form(plan) && has_launch;
    const bool has_static = has_launch && print_static_shared(out, plan);
    struct emit_slots slots = {.count = 0};
    struct hone_strbuf words = HONE_STRBUF_INIT;
    print_constraints(&slots, plan);
    if (asks_grid_alone(plan)) {
        hone_emit_part_with(out, plan, hone_text_fits_grid, "", &slots);
        return;
    }
    add_here(&slots, plan);
    add_locals(&slots, plan, launch);
    hone_emit_fit_params(hone_emit_slot(&slots, "FIT_PARAMS"), plan);
    hone_emit_put(hone_emit_slot(&slots, "SHARED_IN_ALL"), plan,
                  has_static ? "(long long)shared + $n_static_shared[number]"
                             : "(long long)shared");
    hone_strbuf_printf(hone_emit_slot(&slots, "LEAST_CC"), "%d", HONE_CLUSTER_MAJOR);
    add_fit_words(&words, plan, launch);
    hone_emit_part_with(out, plan, hone_text_fits, words.data, &slots);
    out->failed |= words.failed;
    hone_strbuf_fini(&words);
}
