// The messages of comparing results at the tuned size.
#include "message_wire.h"

void hone_wire_confirm(struct hone_wire *wire, struct hone_message *message)
{
    hone_wire_f64(wire, &message->confirm.seconds);
    hone_wire_f64(wire, &message->confirm.deadline_s);
    hone_wire_chars(wire, message->confirm.no_reference,
                    sizeof message->confirm.no_reference);
    if (!(message->confirm.seconds >= 0) || !(message->confirm.deadline_s >= 0))
        wire->failed = true;
    hone_wire_candidates(wire, &message->confirm.candidates, &message->confirm.count);
}

static void wire_verdict(struct hone_wire *wire, struct hone_verdict *verdict)
{
    verdict->outcome =
        (enum hone_outcome)hone_wire_enum(wire, verdict->outcome, HONE_OUTCOME_COUNT - 1);
    hone_wire_found(wire, &verdict->found);
    hone_wire_chars(wire, verdict->compared, sizeof verdict->compared);
    hone_wire_chars(wire, verdict->reason, sizeof verdict->reason);
}

void hone_wire_confirmed(struct hone_wire *wire, struct hone_message *message)
{
    size_t *count = &message->confirmed.count;
    struct hone_verdict **verdicts = &message->confirmed.verdicts;
    hone_wire_bool(wire, &message->confirmed.last);
    hone_wire_bool(wire, &message->confirmed.undecided);
    hone_wire_f64(wire, &message->confirmed.spent_s);
    if (!(message->confirmed.spent_s >= 0)) wire->failed = true;
    hone_wire_chars(wire, message->confirmed.no_reference,
                    sizeof message->confirmed.no_reference);
    hone_wire_count(wire, count, 3);
    if (wire->reading) *verdicts = hone_wire_room(wire, count, sizeof **verdicts);
    for (size_t i = 0; i < *count && !wire->failed; i++)
        wire_verdict(wire, &(*verdicts)[i]);
}
