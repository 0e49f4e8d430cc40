// The message of a trial: its figures and what it says.
#include "message_wire.h"

// A field that is added must travel too: who changes one of these comes here.
_Static_assert(sizeof(struct hone_trial) == 240, "wire_trial, without line and place");
_Static_assert(sizeof(struct hone_trial_notes) == 4432, "and wire_notes");

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
    found->finding =
        (enum hone_finding)hone_wire_enum(wire, found->finding, HONE_FINDING_COUNT - 1);
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
    hone_wire_u64(wire, &trial->index);
    trial->outcome =
        (enum hone_outcome)hone_wire_enum(wire, trial->outcome, HONE_OUTCOME_COUNT - 1);
    trial->kind =
        (enum hone_time_kind)hone_wire_enum(wire, trial->kind, HONE_TIME_KIND_COUNT - 1);
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

void hone_wire_result(struct hone_wire *wire, struct hone_message *message)
{
    hone_wire_u64(wire, &message->id);
    wire_trial(wire, &message->result.trial);
    hone_wire_bool(wire, &message->result.last);
}
