// Where a configuration may run, as the function of a header that checks it: the
// conditions of the plan, and what CUDA and a GPU take of a launch.
#include "base/arch.h"
#include "c_expr.h"
#include "emit_launch.h"
#include "emit_sections.h"
#include "emit_text.h"

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
