// The message that sets a worker up: a plan with its options, waivers and sizes.
#include "message_wire.h"

#include <stdlib.h>

// A field that is added must travel too: who changes one of these comes here.
_Static_assert(sizeof(struct hone_time_policy) == 64, "wire_policy knows every field");
_Static_assert(sizeof(struct hone_evaluate_options) == 128, "wire_options does, too");

static void wire_policy(struct hone_wire *wire, struct hone_time_policy *policy)
{
    hone_wire_u32(wire, &policy->min_samples);
    hone_wire_u32(wire, &policy->max_samples);
    hone_wire_f64(wire, &policy->target_rel_ci);
    hone_wire_f64(wire, &policy->budget_ms);
    hone_wire_f64(wire, &policy->energy_ms);
    hone_wire_bool(wire, &policy->warm_cache);
    hone_wire_bool(wire, &policy->sustained);
    hone_wire_bool(wire, &policy->brief);
    hone_wire_f64(wire, &policy->sustained_s);
    hone_wire_f64(wire, &policy->rival_us);
    hone_wire_f64(wire, &policy->rival_margin);
}

static void wire_options(struct hone_wire *wire, struct hone_evaluate_options *options)
{
    hone_wire_u32(wire, &options->flags);
    options->objective = (enum hone_objective)hone_wire_enum(wire, options->objective,
                                                             HONE_OBJECTIVE_COUNT - 1);
    wire_policy(wire, &options->policy);
    hone_wire_u64(wire, &options->data_seed);
    hone_wire_f64(wire, &options->deadline_s);
    options->lookahead = hone_wire_size(wire, options->lookahead);
    if (!wire->reading) return;
    options->first = NULL; // both are the evaluator's of the other process
    options->drawn = NULL;
    options->drawn_sizes = 0;
}

// Wires the reference at the tuned size, where there is one of its own.
static void wire_tuned(struct hone_wire *wire, struct hone_plan *plan)
{
    struct hone_job *job = &plan->tuned.reference;
    const bool has_first = plan->verify_count && !plan->alone;
    bool has_job = !wire->reading && job->source;
    hone_wire_chars(wire, plan->tuned.where, sizeof plan->tuned.where);
    hone_wire_chars(wire, plan->no_tuned, sizeof plan->no_tuned);
    hone_wire_bool(wire, &has_job);
    if (has_job && !wire->failed)
        hone_wire_job(wire, job, has_first ? &plan->verify_at[0].reference : NULL);
}

static void wire_waiver(struct hone_wire *wire, struct hone_waiver *waiver)
{
    waiver->finding =
        (enum hone_finding)hone_wire_enum(wire, waiver->finding, HONE_FINDING_COUNT - 1);
    hone_wire_text(wire, &waiver->file);
    hone_wire_u32(wire, &waiver->line);
    hone_wire_text(wire, &waiver->buffer);
    hone_wire_text(wire, &waiver->reason);
    if (!waiver->file == !waiver->buffer || !waiver->reason) wire->failed = true;
}

static void wire_waivers(struct hone_wire *wire, struct hone_plan *plan)
{
    struct hone_waiver *waivers = NULL;
    plan->waiver_count =
        hone_wire_enum(wire, (unsigned)plan->waiver_count, HONE_WAIVER_MAX);
    if (wire->reading)
        plan->waivers = waivers =
            hone_wire_room(wire, &plan->waiver_count, sizeof *waivers);
    for (size_t i = 0; i < plan->waiver_count; i++) {
        struct hone_waiver sent = plan->waivers[i];
        wire_waiver(wire, wire->reading ? &waivers[i] : &sent);
    }
}

// A source text that is the first one's travels once. Without a reference there are no
// jobs.
static void wire_sizes(struct hone_wire *wire, struct hone_plan *plan)
{
    hone_wire_bool(wire, &plan->at_tuned);
    hone_wire_bool(wire, &plan->alone);
    hone_wire_count(wire, &plan->verify_count, plan->alone ? 1 : 64);
    plan->named = hone_wire_size(wire, plan->named);
    if (wire->reading)
        plan->verify_at =
            hone_wire_own(wire, &plan->verify_count, sizeof *plan->verify_at);
    for (size_t i = 0; i < plan->verify_count && !wire->failed; i++) {
        struct hone_plan_size sent = plan->verify_at[i];
        struct hone_plan_size *at = wire->reading ? &plan->verify_at[i] : &sent;
        if (!plan->alone)
            hone_wire_job(wire, &at->reference, i ? &plan->verify_at[0].reference : NULL);
        hone_wire_chars(wire, at->where, sizeof at->where);
    }
}

static void wire_plan(struct hone_wire *wire, struct hone_plan *plan)
{
    wire_options(wire, &plan->options);
    wire_waivers(wire, plan);
    hone_wire_u64(wire, &plan->l2_set_aside);
    wire_sizes(wire, plan);
    wire_tuned(wire, plan);
}

void hone_wire_setup(struct hone_wire *wire, struct hone_message *message)
{
    struct hone_setup *setup = &message->setup;
    hone_wire_bool(wire, &setup->lock);
    hone_wire_bool(wire, &setup->wait);
    if (wire->reading) setup->plan = hone_wire_keep(wire, calloc(1, sizeof *setup->plan));
    if (setup->plan)
        wire_plan(wire, setup->plan);
    else
        wire->failed = true;
}
