// Finding the valid combinations, component by component, and what each constraint does.
#include <math.h>
#include <stdlib.h>

#include "components.h"
#include "sample.h"
#include "space_internal.h"

// A few seconds; what the search of a component may take where constraints prune late.
static const uint64_t steps_max = 500000000;
// The same for one constraint alone, which is for information only, and for all of them.
static const uint64_t steps_max_alone = 10000000, steps_max_alone_all = 500000000;
// Tuples for which a predicate is called to count what it rejects alone.
static const uint64_t tuples_max_alone = 65536;

// Checks without parameters hold everywhere or nowhere. *rejecting is the first that does
// not hold, or NULL.
static enum hone_status test_constants(const struct hone_space *space,
                                       const struct hone_check *checks, size_t count,
                                       struct hone_rule *tally,
                                       const struct hone_check **rejecting,
                                       struct hone_error *err)
{
    struct hone_tester tester;
    *rejecting = NULL;
    enum hone_status status = hone_tester_init(&tester, space, tally, err);
    if (status != HONE_OK) return status;
    for (size_t i = 0; i < count && status == HONE_OK && !*rejecting; i++) {
        if (checks[i].scope_count > 0) continue;
        enum hone_space_verdict verdict = HONE_REJECTS;
        status = hone_check_evaluate(&tester, &checks[i], &verdict, err);
        if (verdict == HONE_REJECTS) *rejecting = &checks[i];
    }
    hone_tester_fini(&tester);
    return status;
}

static struct hone_walk walk_of(const struct hone_component *component)
{
    return (struct hone_walk){.params = component->params,
                              .param_count = component->param_count,
                              .checks = component->checks,
                              .check_count = component->check_count};
}

// --- counting for some checks ---

static enum hone_status count_product(const struct hone_space *space,
                                      const struct hone_components *components,
                                      bool first_only, double *count)
{
    enum hone_status status = HONE_OK;
    *count = 1;
    for (size_t i = 0; i < components->count && status == HONE_OK && *count > 0; i++) {
        const struct hone_component *component = &components->items[i];
        double tuples = component->cartesian;
        struct hone_walk job = walk_of(component);
        job.first_only = first_only;
        job.max_steps = steps_max_alone_all / space->rule_count;
        if (job.max_steps > steps_max_alone) job.max_steps = steps_max_alone;
        if (job.check_count) status = hone_walk(space, &job, &tuples, NULL);
        *count *= tuples;
    }
    return status;
}

// How many combinations pass; with first_only, whether any does.
static enum hone_status count_passing(const struct hone_space *space,
                                      const struct hone_check *checks, size_t check_count,
                                      bool first_only, double *count)
{
    const struct hone_check *rejecting;
    *count = 0;
    enum hone_status status =
        test_constants(space, checks, check_count, NULL, &rejecting, NULL);
    if (status != HONE_OK || rejecting) return status;
    struct hone_components components;
    if (!hone_components_init(&components, space, checks, check_count))
        return HONE_ENOMEM;
    status = count_product(space, &components, first_only, count);
    hone_components_fini(&components);
    return status;
}

double hone_space_count_alone(const struct hone_space *space,
                              const struct hone_rule *rule)
{
    double count;
    if (count_passing(space, space->checks + rule->first_check, rule->check_count, false,
                      &count) != HONE_OK)
        return (double)NAN;
    return space->cartesian - count;
}

// --- an empty space ---

// Names the constraint that leaves nothing of what those before it allow.
static enum hone_status fail_empty(const struct hone_space *space, struct hone_error *err)
{
    size_t culprit = 0;
    for (; culprit + 1 < space->rule_count; culprit++) {
        const struct hone_rule *last = &space->rules[culprit];
        double count = 0;
        if (count_passing(space, space->checks, last->first_check + last->check_count,
                          true, &count) == HONE_OK &&
            count == 0)
            break;
    }
    const struct hone_rule *rule = &space->rules[culprit];
    char what[HONE_RULE_NAME];
    hone_rule_name(rule, what);
    bool failed = rule->info.failed > 0;
    return hone_fail_at(err, HONE_EINPUT, space->source, rule->info.line,
                        "no configuration is valid: %s rejects all that are left%s%s%s",
                        what, failed ? " (" : "", rule->info.first_failure,
                        failed ? ")" : "");
}

// --- enumeration ---

// What constraints remove there is not known.
static void forget_removed(struct hone_space *space,
                           const struct hone_component *component)
{
    for (size_t i = 0; i < component->check_count; i++)
        space->rules[component->checks[i]->rule].info.removed = (double)NAN;
}

static enum hone_status sample_part(struct hone_space *space,
                                    const struct hone_component *component,
                                    const struct hone_walk *job, struct hone_error *err)
{
    struct hone_part *part = &space->parts[space->part_count - 1];
    struct hone_estimate found = {0};
    enum hone_status status = hone_sample_fill(space, job, space->anchor, &found, err);
    if (status == HONE_OK && job->keys->count == 0)
        status = hone_fail_at(err, HONE_ELIMIT, space->source, space->line,
                              "no valid one of %.4g combinations was found at random, "
                              "and they are too many to try: constraints over fewer "
                              "parameters prune earlier",
                              component->cartesian);
    if (status == HONE_OK) status = hone_keys_sort_distinct(job->keys, err);
    if (status != HONE_OK) return status;
    part->is_sampled = true;
    part->tuples = found.tuples;
    part->error = found.error;
    part->count = part->keys.count;
    forget_removed(space, component);
    return HONE_OK;
}

// Fills the part that was added last. weight: combinations of the other parameters for
// which a removed tuple counts.
static enum hone_status fill_part(struct hone_space *space,
                                  const struct hone_component *component, double weight,
                                  struct hone_error *err)
{
    struct hone_part *part = &space->parts[space->part_count - 1];
    struct hone_walk job = walk_of(component);
    job.keys = &part->keys;
    job.tally = space->rules;
    job.weight = weight;
    job.max_count = space->tuples_max;
    job.max_steps = steps_max;
    double count = 0;
    bool sample = false;
    job.gave_up = &sample;
    enum hone_status status =
        hone_sample_is_needed(space, &job, component->cartesian, &sample, err);
    if (status == HONE_OK && sample) return sample_part(space, component, &job, err);
    struct hone_error inner = {0};
    if (status == HONE_OK && hone_walk(space, &job, &count, &inner) != HONE_OK && !sample)
        status = hone_error_pass(err, inner.code, &inner);
    if (status == HONE_OK && sample) {
        part->keys.count = 0;
        return sample_part(space, component, &job, err);
    }
    if (status == HONE_OK && part->keys.count == 0) status = fail_empty(space, err);
    if (status == HONE_OK) status = hone_keys_sort(&part->keys, err);
    part->count = part->keys.count;
    return status;
}

// A combination counts as removed by the first component whose tuple it is that does not
// pass: the parts before are valid, those after are anything.
static enum hone_status fill_parts(struct hone_space *space,
                                   const struct hone_components *components,
                                   struct hone_error *err)
{
    if (!hone_product_reserve(space, components->count))
        return hone_no_memory(err, "for a space");
    enum hone_status status = HONE_OK;
    double weight = space->cartesian;
    for (size_t i = 0; i < components->count && status == HONE_OK; i++) {
        const struct hone_component *component = &components->items[i];
        bool is_free = component->check_count == 0;
        weight /= component->cartesian;
        status = hone_product_add(space, component->params, component->param_count,
                                  is_free, err);
        if (status == HONE_OK && !is_free)
            status = fill_part(space, component, weight, err);
        weight *= (double)space->parts[i].count;
    }
    return status != HONE_OK ? status : hone_product_finish(space, err);
}

static enum hone_status enumerate_fill(struct hone_space *space, struct hone_error *err)
{
    const struct hone_check *rejecting;
    enum hone_status status = test_constants(space, space->checks, space->check_count,
                                             space->rules, &rejecting, err);
    if (status != HONE_OK) return status;
    if (rejecting) return fail_empty(space, err);
    struct hone_components components;
    if (!hone_components_init(&components, space, space->checks, space->check_count))
        return hone_no_memory(err, "for a space");
    status = fill_parts(space, &components, err);
    hone_components_fini(&components);
    return status;
}

// A predicate may be gone when the report is asked for: count now, if it is known for all
// tuples or soon will be.
static void finish_rules(struct hone_space *space)
{
    for (size_t i = 0; i < space->rule_count; i++) {
        struct hone_rule *rule = &space->rules[i];
        if (!rule->holds) continue;
        bool few = space->checks[rule->first_check].tuples <= (double)tuples_max_alone;
        rule->info.alone = few ? hone_space_count_alone(space, rule) : (double)NAN;
        rule->holds = NULL;
        rule->context = NULL;
    }
    for (size_t i = 0; i < space->check_count; i++) {
        struct hone_space_memo *memo = space->checks[i].memo;
        free(memo->verdicts);
        memo->verdicts = NULL;
        memo->is_closed = true;
    }
}

enum hone_status hone_space_enumerate(struct hone_space *space, struct hone_error *err)
{
    enum hone_status status = enumerate_fill(space, err);
    if (status == HONE_OK) finish_rules(space);
    return status;
}
