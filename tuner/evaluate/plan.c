#include "evaluate/plan.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/log.h"
#include "relaunch.h"
#include "render/argument_order.h"

static void plan_describe(const struct hone_plan *plan, struct hone_plan_size *size,
                          const struct hone_problem *problem)
{
    hone_problem_describe(size->where, sizeof size->where,
                          hone_kernel_get_def(plan->kernel), problem);
}

// A formula alone would be blamed for a size that verify names or draws.
static enum hone_status name_size(const struct hone_plan *plan, size_t i,
                                  enum hone_status status, const struct hone_error *why,
                                  struct hone_error *err)
{
    if (status == HONE_OK || plan->at_tuned) return hone_error_pass(err, status, why);
    return hone_fail_at(err, status, why->source, why->line, "%s, at %s%s", why->text,
                        plan->verify_at[i].where,
                        i < plan->sizes.named ? "" : ", a drawn size");
}

static enum hone_status add_verify_size(struct hone_plan *plan, size_t i,
                                        struct hone_error *err)
{
    struct hone_plan_size *size = &plan->verify_at[i];
    const struct hone_problem *problem = plan->at_tuned ? NULL : &plan->sizes.problems[i];
    struct hone_error why = {0};
    plan_describe(plan, size, problem);
    if (plan->alone) return HONE_OK;
    const enum hone_status status =
        hone_kernel_reference_job(&size->reference, plan->kernel, problem, &why);
    return name_size(plan, i, status, &why, err);
}

static enum hone_status add_verify_sizes(struct hone_plan *plan, struct hone_error *err)
{
    plan->at_tuned = plan->sizes.count == 0;
    const size_t count = plan->at_tuned ? 1 : plan->sizes.count;
    plan->named = plan->at_tuned ? 1 : plan->sizes.named;
    plan->verify_at = calloc(count, sizeof *plan->verify_at);
    if (!plan->verify_at) return hone_no_memory(err, "to verify");
    for (size_t i = 0; i < count; i++) {
        const enum hone_status status = add_verify_size(plan, i, err);
        if (status != HONE_OK) return status;
        plan->verify_count++;
    }
    return HONE_OK;
}

// One that cannot be resolved at the tuned size is no reason not to run at all.
static void add_tuned(struct hone_plan *plan)
{
    struct hone_job *reference = &plan->tuned.reference;
    struct hone_error why = {0};
    plan_describe(plan, &plan->tuned, NULL);
    if (hone_plan_judges_tuned(plan)) return;
    if (hone_kernel_reference_job(reference, plan->kernel, NULL, &why) == HONE_OK) return;
    *reference = (struct hone_job){0};
    snprintf(plan->no_tuned, sizeof plan->no_tuned, "%.*s", HONE_COMPARED_MAX - 1,
             why.text);
}

// Before anything fails for it.
static void warn_of_order(const struct hone_kernel *kernel)
{
    const struct hone_kernel_def *def = hone_kernel_get_def(kernel);
    struct hone_swap swap;
    for (int reference = 0; reference < 2; reference++) {
        if (reference && !def->reference.template_path) continue;
        if (hone_arguments_swapped(&swap, kernel, reference))
            hone_log(HONE_LOG_WARNING, "%s:%d: %s", def->source, swap.line, swap.text);
    }
}

enum hone_status hone_plan_init(struct hone_plan *plan, const struct hone_kernel *kernel,
                                const struct hone_evaluate_options *options,
                                struct hone_error *err)
{
    const struct hone_kernel_def *def = hone_kernel_get_def(kernel);
    *plan = (struct hone_plan){.kernel = kernel,
                               .options = *options,
                               .waivers = def->waivers,
                               .l2_set_aside = def->l2_set_aside,
                               .waiver_count = def->waiver_count};
    plan->options.first = NULL; // they need not outlive the evaluator's opening
    plan->options.drawn = NULL;
    if (!(options->flags & HONE_EVALUATE_QUIET)) warn_of_order(kernel);
    if (options->flags & HONE_EVALUATE_NO_VERIFY) return HONE_OK;
    enum hone_status status = hone_sizes_init(&plan->sizes, kernel, options, err);
    if (status != HONE_OK) return status;
    plan->alone = !def->reference.template_path;
    if (plan->alone && !(options->flags & HONE_EVALUATE_QUIET))
        hone_log(HONE_LOG_WARNING, "kernel '%s' has no reference: values are not judged",
                 def->name);
    status = add_verify_sizes(plan, err);
    if (status == HONE_OK)
        add_tuned(plan);
    else
        hone_plan_fini(plan);
    return status;
}

void hone_plan_fini(struct hone_plan *plan)
{
    for (size_t i = 0; i < plan->verify_count; i++)
        hone_job_fini(&plan->verify_at[i].reference);
    free(plan->verify_at);
    hone_job_fini(&plan->tuned.reference);
    hone_sizes_fini(&plan->sizes);
    *plan = (struct hone_plan){0};
}

// A candidate's first job is at the tuned size.
const struct hone_variant *hone_plan_variant(const struct hone_plan *plan,
                                             const struct hone_candidate *candidate,
                                             size_t i)
{
    return &candidate->variants[plan->at_tuned ? 0 : i + 1];
}

bool hone_plan_judges_tuned(const struct hone_plan *plan)
{
    return plan->at_tuned && !plan->alone;
}

bool hone_plan_is_plain(const struct hone_plan *plan,
                        const struct hone_candidate *candidate, size_t i)
{
    enum { CHECKED = 2 };
    if (i < plan->named) return false;
    const uint64_t parts[] = {plan->options.data_seed, candidate->trial.index};
    size_t suiting = 0, before = 0;
    for (size_t k = plan->named; k + 1 < candidate->count; k++) {
        const bool suits = !candidate->variants[k + 1].skipped;
        suiting += suits;
        before += suits && k < i;
    }
    if (!suiting) return true;
    const size_t first = (size_t)(hone_hash64(parts, sizeof parts) % suiting);
    return (before + suiting - first) % suiting >= CHECKED;
}

// At each size in every order, and without a reference once before; two relaunches at
// each or a number for all; some to explain a fault, for as long as one launch may take;
// one before timing, two of inouts, and one after it. Short kernels alone are timed more
// often than they have to be.
size_t hone_plan_launches(const struct hone_plan *plan)
{
    enum { EACH = HONE_ORDER_COUNT + 1 + 2, EXPLAINED = HONE_ORDER_COUNT + 1, ROUND = 4 };
    enum { COUNTED = 2 * 64 }; // passes, with an L2 emptied before each
    const size_t timed = ROUND + 2 * (size_t)plan->options.policy.min_samples;
    const bool verifies = !(plan->options.flags & HONE_EVALUATE_NO_VERIFY);
    const bool times = !(plan->options.flags & HONE_EVALUATE_NO_TIME);
    if (plan->options.flags & HONE_EVALUATE_COUNT) return COUNTED;
    return (verifies ? EACH * plan->verify_count + HONE_RELAUNCHES + EXPLAINED : 0) +
           (times ? timed : 0) + 1;
}

void hone_plan_arch(char out[HONE_ARCH_TEXT], const struct hone_plan *plan,
                    const struct hone_device *device)
{
    enum { UNTIMED = HONE_EVALUATE_ESTIMATE | HONE_EVALUATE_NO_TIME };
    if (device->fns->estimate && (plan->options.flags & UNTIMED) == UNTIMED)
        hone_build_virtual_arch(out, device->limits.arch);
    else
        snprintf(out, HONE_ARCH_TEXT, "%s", device->limits.arch);
}

enum hone_status hone_plan_candidate(const struct hone_plan *plan, uint64_t index,
                                     struct hone_candidate *out, struct hone_error *err)
{
    return hone_candidate_init(out, plan->kernel, index, &plan->sizes, err);
}
