#include "pool_message.h"

#include <stdlib.h>
#include <string.h>

#include "hone/version.h"
#include "message_wire.h"

// One more whenever a message is written otherwise than before: two builds of one version
// of hone may differ in it, and would take each other's bytes for what they are not.
#define FORM "3"

const char hone_message_version[] = HONE_VERSION "+" FORM;
_Static_assert(sizeof hone_message_version <= sizeof((struct hone_hello *)0)->version,
               "a hello has room for it");

// A field that is added must travel too: who changes one of these comes here.
_Static_assert(sizeof(struct hone_time_policy) == 64, "wire_policy knows every field");
_Static_assert(sizeof(struct hone_evaluate_options) == 128, "wire_options does, too");
_Static_assert(sizeof(struct hone_trial) == 240, "and wire_trial, without line, place");
_Static_assert(sizeof(struct hone_trial_notes) == 4240, "and wire_notes");

// --- the plan ---

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
    uint64_t lookahead = options->lookahead;
    unsigned objective = options->objective;
    hone_wire_u32(wire, &options->flags);
    hone_wire_choice(wire, &objective, HONE_OBJECTIVE_COUNT - 1);
    options->objective = (enum hone_objective)objective;
    wire_policy(wire, &options->policy);
    hone_wire_u64(wire, &options->data_seed);
    hone_wire_f64(wire, &options->deadline_s);
    hone_wire_u64(wire, &lookahead);
    options->lookahead = (size_t)lookahead;
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
    unsigned finding = waiver->finding;
    hone_wire_choice(wire, &finding, HONE_FINDING_COUNT - 1);
    waiver->finding = (enum hone_finding)finding;
    hone_wire_text(wire, &waiver->file);
    hone_wire_u32(wire, &waiver->line);
    hone_wire_text(wire, &waiver->buffer);
    hone_wire_text(wire, &waiver->reason);
    if (!waiver->file == !waiver->buffer || !waiver->reason) wire->failed = true;
}

static void wire_waivers(struct hone_wire *wire, struct hone_plan *plan)
{
    unsigned count = (unsigned)plan->waiver_count;
    struct hone_waiver *waivers = NULL;
    hone_wire_choice(wire, &count, HONE_WAIVER_MAX);
    if (wire->reading) {
        waivers = hone_arena_array(wire->arena, count, sizeof *waivers);
        plan->waivers = hone_wire_keep(wire, waivers);
        plan->waiver_count = waivers ? count : 0;
    }
    for (size_t i = 0; i < plan->waiver_count; i++) {
        struct hone_waiver sent = plan->waivers[i];
        wire_waiver(wire, wire->reading ? &waivers[i] : &sent);
    }
}

// A source text that is the first one's travels once. Without a reference there are no
// jobs.
static void wire_sizes(struct hone_wire *wire, struct hone_plan *plan)
{
    uint64_t named = plan->named;
    hone_wire_bool(wire, &plan->at_tuned);
    hone_wire_bool(wire, &plan->alone);
    hone_wire_count(wire, &plan->verify_count, plan->alone ? 1 : 64);
    hone_wire_u64(wire, &named);
    plan->named = (size_t)named;
    if (wire->reading) {
        plan->verify_at =
            hone_wire_keep(wire, calloc(plan->verify_count + 1, sizeof *plan->verify_at));
        if (!plan->verify_at) plan->verify_count = 0;
    }
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

static void wire_setup(struct hone_wire *wire, struct hone_message *message)
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

static void wire_whole_job(struct hone_wire *wire, struct hone_message *message)
{
    hone_wire_u64(wire, &message->id);
    if (wire->reading) {
        message->job = hone_wire_keep(wire, calloc(1, sizeof *message->job));
        if (message->job) message->job->trial = hone_trial_make(0, HONE_VALID);
    }
    if (message->job)
        hone_wire_candidate(wire, message->job);
    else
        wire->failed = true;
}

// --- what the worker says ---

static void wire_hello(struct hone_wire *wire, struct hone_message *message)
{
    struct hone_hello *hello = &message->hello;
    unsigned clock = hello->clock;
    hone_wire_chars(wire, hello->version, sizeof hello->version);
    // What another version says behind it is of no form that is known here.
    if (wire->reading && strcmp(hello->version, hone_message_version) != 0) {
        wire->at = wire->end;
        return;
    }
    hone_wire_chars(wire, hello->host, sizeof hello->host);
    hone_wire_chars(wire, hello->job, sizeof hello->job);
    hone_wire_u32(wire, &hello->process);
    hone_wire_chars(wire, hello->id, sizeof hello->id);
    hone_wire_chars(wire, hello->uuid, sizeof hello->uuid);
    hone_wire_chars(wire, hello->driver, sizeof hello->driver);
    hone_wire_choice(wire, &clock, HONE_CLOCK_EMULATED);
    hello->clock = (enum hone_clock)clock;
    hone_wire_bool(wire, &hello->counts_energy);
    hone_wire_chars(wire, hello->limits.name, sizeof hello->limits.name);
    hone_wire_chars(wire, hello->limits.arch, sizeof hello->limits.arch);
#define WIRE_LIMIT(field) hone_wire_i64(wire, &hello->limits.field);
    HONE_LIMITS_LIST(WIRE_LIMIT)
#undef WIRE_LIMIT
}

static void wire_ready(struct hone_wire *wire, struct hone_message *message)
{
    hone_wire_chars(wire, message->ready.nvrtc, sizeof message->ready.nvrtc);
    hone_wire_u32(wire, &message->ready.capacity);
    hone_wire_chars(wire, message->ready.clock_note, sizeof message->ready.clock_note);
    if (!message->ready.capacity) wire->failed = true;
}

static void wire_resources(struct hone_wire *wire, struct hone_resources *resources)
{
    hone_wire_i32(wire, &resources->registers);
    hone_wire_i32(wire, &resources->spill_store_bytes);
    hone_wire_i32(wire, &resources->spill_load_bytes);
    hone_wire_i32(wire, &resources->stack_bytes);
    hone_wire_i32(wire, &resources->static_shared_bytes);
    hone_wire_i32(wire, &resources->dynamic_shared_bytes);
    hone_wire_i32(wire, &resources->blocks_per_sm);
    hone_wire_bool(wire, &resources->estimated);
}

static void wire_final(struct hone_wire *wire, struct hone_final *final)
{
    hone_wire_u32(wire, &final->rank);
    hone_wire_u32(wire, &final->rounds);
    hone_wire_f64(wire, &final->ratio);
    hone_wire_f64(wire, &final->low);
    hone_wire_f64(wire, &final->high);
}

void hone_wire_found(struct hone_wire *wire, struct hone_found *found)
{
    unsigned finding = found->finding;
    hone_wire_choice(wire, &finding, HONE_FINDING_COUNT - 1);
    found->finding = (enum hone_finding)finding;
    hone_wire_u32(wire, &found->line);
    hone_wire_chars(wire, found->file, sizeof found->file);
    hone_wire_chars(wire, found->buffer, sizeof found->buffer);
}

static void wire_counters(struct hone_wire *wire, struct hone_counted *counters)
{
    unsigned count = 0;
    while (!wire->reading && counters[count].name)
        count++;
    hone_wire_choice(wire, &count, HONE_COUNTED_MAX);
    for (unsigned i = 0; i < count; i++) {
        hone_wire_text(wire, &counters[i].name);
        hone_wire_text(wire, &counters[i].unit);
        hone_wire_f64(wire, &counters[i].value);
        if (!counters[i].name || !counters[i].unit) wire->failed = true;
    }
    counters[count] = (struct hone_counted){0};
}

static void wire_notes(struct hone_wire *wire, struct hone_trial *trial,
                       struct hone_trial_notes *notes)
{
    hone_wire_found(wire, &notes->found);
    for (size_t i = 0; i < HONE_WAIVER_MAX; i++)
        hone_wire_u32(wire, &notes->waived[i]);
    hone_wire_u64(wire, &trial->outputs);
    hone_wire_choice(wire, &trial->metric_count, HONE_METRIC_MAX);
    for (size_t i = 0; i < trial->metric_count; i++) {
        hone_wire_text(wire, &notes->metrics[i].name);
        hone_wire_f64(wire, &notes->metrics[i].value);
        if (!notes->metrics[i].name) wire->failed = true;
    }
    wire_counters(wire, notes->counters);
    hone_wire_chars(wire, notes->fidelity, sizeof notes->fidelity);
    hone_wire_chars(wire, notes->reason, sizeof notes->reason);
    hone_wire_chars(wire, notes->compared, sizeof notes->compared);
}

// What a received trial says is the message's.
static void wire_said(struct hone_wire *wire, struct hone_trial *trial)
{
    if (!wire->reading) {
        struct hone_trial_notes sent;
        hone_trial_note(trial, &sent);
        wire_notes(wire, trial, &sent);
        return;
    }
    struct hone_trial_notes *notes =
        hone_wire_keep(wire, hone_arena_alloc(wire->arena, sizeof *notes));
    if (!notes) return;
    wire_notes(wire, trial, notes);
    hone_trial_refer(trial, notes);
}

static void wire_trial(struct hone_wire *wire, struct hone_trial *trial)
{
    unsigned outcome = trial->outcome, kind = trial->kind;
    hone_wire_u64(wire, &trial->index);
    hone_wire_choice(wire, &outcome, HONE_OUTCOME_COUNT - 1);
    trial->outcome = (enum hone_outcome)outcome;
    hone_wire_choice(wire, &kind, HONE_TIME_KIND_COUNT - 1);
    trial->kind = (enum hone_time_kind)kind;
    hone_wire_u32(wire, &trial->samples);
    hone_wire_f64(wire, &trial->time_us);
    hone_wire_f64(wire, &trial->predicted_us);
    hone_wire_f64(wire, &trial->energy_j);
    hone_wire_f64(wire, &trial->cost);
    hone_wire_f64(wire, &trial->rel_std);
    hone_wire_f64(wire, &trial->build_ms);
    hone_wire_f64(wire, &trial->evaluate_ms);
    hone_wire_f64(wire, &trial->drift);
    wire_resources(wire, &trial->resources);
    wire_final(wire, &trial->final);
    wire_said(wire, trial);
}

static void wire_result(struct hone_wire *wire, struct hone_message *message)
{
    hone_wire_u64(wire, &message->id);
    wire_trial(wire, &message->result.trial);
    hone_wire_bool(wire, &message->result.last);
}

static void wire_log(struct hone_wire *wire, struct hone_message *message)
{
    hone_wire_choice(wire, &message->log.level, 3);
    hone_wire_text(wire, &message->log.line);
    if (!message->log.line) wire->failed = true;
}

static void wire_failed(struct hone_wire *wire, struct hone_message *message)
{
    struct hone_error *error = &message->failed.error;
    unsigned status = message->failed.status;
    hone_wire_choice(wire, &status, HONE_ECANCELLED);
    message->failed.status = error->code = (enum hone_status)status;
    hone_wire_i32(wire, &error->line);
    hone_wire_chars(wire, error->source, sizeof error->source);
    hone_wire_chars(wire, error->text, sizeof error->text);
    hone_wire_bool(wire, &message->failed.reference_wrong);
    if (status == HONE_OK) wire->failed = true;
}

// --- small ones ---

static void wire_id(struct hone_wire *wire, struct hone_message *message)
{
    hone_wire_u64(wire, &message->id);
}

static void wire_measure(struct hone_wire *wire, struct hone_message *message)
{
    hone_wire_u64(wire, &message->id);
    hone_wire_f64(wire, &message->deadline_s);
    if (!(message->deadline_s >= 0)) wire->failed = true;
}

void hone_wire_candidates(struct hone_wire *wire, struct hone_candidate **candidates,
                          size_t *count)
{
    hone_wire_count(wire, count, 64);
    if (wire->reading) {
        *candidates = hone_wire_keep(wire, calloc(*count + 1, sizeof **candidates));
        if (!*candidates) *count = 0;
    }
    for (size_t i = 0; i < *count && !wire->failed; i++) {
        if (wire->reading) (*candidates)[i].trial = hone_trial_make(0, HONE_VALID);
        hone_wire_candidate(wire, &(*candidates)[i]);
    }
}

static void wire_contest(struct hone_wire *wire, struct hone_message *message)
{
    hone_wire_u32(wire, &message->contest.rounds);
    hone_wire_u64(wire, &message->contest.seed);
    hone_wire_bool(wire, &message->contest.verify);
    hone_wire_bool(wire, &message->contest.sustained);
    hone_wire_f64(wire, &message->contest.deadline_s);
    wire->failed |= !(message->contest.deadline_s >= 0);
    hone_wire_f64(wire, &message->contest.turn_s);
    wire->failed |= !(message->contest.turn_s >= 0);
    hone_wire_candidates(wire, &message->contest.candidates, &message->contest.count);
    // Their samples have to fit into the answer.
    const uint64_t samples = (uint64_t)message->contest.count * message->contest.rounds;
    wire->failed |= samples * sizeof(double) > HONE_FRAME_SMALL / 2;
}

static void wire_samples(struct hone_wire *wire, struct hone_message *message)
{
    size_t *count = &message->samples.count;
    hone_wire_bool(wire, &message->samples.last);
    hone_wire_count(wire, count, 8);
    double *values = NULL;
    if (wire->reading) {
        values = hone_arena_array(wire->arena, *count, sizeof *values);
        message->samples.values = hone_wire_keep(wire, values);
        if (!values) *count = 0;
    }
    for (size_t i = 0; i < *count; i++) {
        double value = wire->reading ? 0 : message->samples.values[i];
        hone_wire_f64(wire, &value);
        if (wire->reading) values[i] = value;
    }
}

static void wire_nothing(struct hone_wire *wire, struct hone_message *message)
{
    (void)wire, (void)message;
}

static const struct {
    const char *name;
    void (*wire)(struct hone_wire *wire, struct hone_message *message);
    size_t most; // bytes
} kinds[HONE_MESSAGE_TYPES] = {
    [HONE_MESSAGE_HELLO] = {"hello", wire_hello, HONE_FRAME_SMALL},
    [HONE_MESSAGE_SETUP] = {"setup", wire_setup, HONE_FRAME_MAX},
    [HONE_MESSAGE_READY] = {"ready", wire_ready, HONE_FRAME_SMALL},
    [HONE_MESSAGE_JOB] = {"job", wire_whole_job, HONE_FRAME_MAX},
    [HONE_MESSAGE_BUILT] = {"built", wire_id, HONE_FRAME_SMALL},
    [HONE_MESSAGE_MEASURE] = {"measure", wire_measure, HONE_FRAME_SMALL},
    [HONE_MESSAGE_TRIAL] = {"trial", wire_result, HONE_FRAME_SMALL},
    [HONE_MESSAGE_CONTEST] = {"contest", wire_contest, HONE_FRAME_MAX},
    [HONE_MESSAGE_SAMPLES] = {"samples", wire_samples, HONE_FRAME_SMALL},
    [HONE_MESSAGE_CONFIRM] = {"confirm", hone_wire_confirm, HONE_FRAME_MAX},
    [HONE_MESSAGE_CONFIRMED] = {"confirmed", hone_wire_confirmed, HONE_FRAME_SMALL},
    [HONE_MESSAGE_LOG] = {"log", wire_log, HONE_FRAME_SMALL},
    [HONE_MESSAGE_ALIVE] = {"alive", wire_nothing, HONE_FRAME_SMALL},
    [HONE_MESSAGE_FAILED] = {"failed", wire_failed, HONE_FRAME_SMALL},
    [HONE_MESSAGE_SHUTDOWN] = {"shutdown", wire_nothing, HONE_FRAME_SMALL},
};

const char *hone_message_name(enum hone_message_type type)
{
    return kinds[type].name;
}

enum hone_status hone_message_write(struct hone_strbuf *out,
                                    const struct hone_message *message,
                                    struct hone_error *err)
{
    struct hone_strbuf data = HONE_STRBUF_INIT;
    struct hone_message sent = *message; // the functions of both directions take no const
    struct hone_wire wire = {.out = &data};
    kinds[message->type].wire(&wire, &sent);
    const size_t size = data.len;
    const char *name = kinds[message->type].name;
    enum hone_status status = HONE_OK;
    if (data.failed)
        status = hone_no_memory(err, "for a message '%s'", name);
    else if (size > kinds[message->type].most || wire.failed)
        status = hone_fail(err, HONE_ELIMIT, "a message '%s' of %zu bytes, %zu may be",
                           name, size, kinds[message->type].most);
    else
        hone_frame_write(out, (uint8_t)message->type, data.data, size);
    hone_strbuf_fini(&data);
    if (out->failed) status = hone_no_memory(err, "for a message");
    return status;
}

enum hone_status hone_message_read(struct hone_message *out,
                                   const struct hone_frame *frame, struct hone_error *err)
{
    *out = (struct hone_message){0};
    if (!frame->type || frame->type >= HONE_MESSAGE_TYPES)
        return hone_fail(err, HONE_EINPUT, "a message of unknown type %d", frame->type);
    out->type = (enum hone_message_type)frame->type;
    struct hone_wire wire = {.reading = true,
                             .failed = frame->size > kinds[out->type].most,
                             .at = frame->data,
                             .end = frame->data + frame->size,
                             .arena = &out->arena};
    if (!wire.failed) kinds[out->type].wire(&wire, out);
    if (!wire.failed && wire.at == wire.end) return HONE_OK;
    enum hone_status status;
    if (wire.no_memory)
        status = hone_no_memory(err, "for a message '%s'", kinds[out->type].name);
    else
        status = hone_fail(err, HONE_EINPUT, "a message '%s' of %zu bytes that is none",
                           kinds[out->type].name, frame->size);
    hone_message_fini(out);
    return status;
}

static void free_candidates(struct hone_candidate *candidates, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hone_candidate_fini(&candidates[i], NULL);
    free(candidates);
}

// Received jobs own their source text and borrow the rest from the arena.
static void free_jobs(struct hone_message *message)
{
    if (message->type == HONE_MESSAGE_SETUP && message->setup.plan) {
        hone_plan_fini(message->setup.plan);
        free(message->setup.plan);
    }
    if (message->type == HONE_MESSAGE_JOB && message->job) {
        hone_candidate_fini(message->job, NULL);
        free(message->job);
    }
    if (message->type == HONE_MESSAGE_CONTEST)
        free_candidates(message->contest.candidates, message->contest.count);
    if (message->type == HONE_MESSAGE_CONFIRM)
        free_candidates(message->confirm.candidates, message->confirm.count);
}

void hone_message_fini(struct hone_message *message)
{
    free_jobs(message);
    hone_arena_fini(&message->arena);
    *message = (struct hone_message){0};
}
