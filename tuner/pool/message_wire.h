/* The messages of a pool in parts: message.c has the table of all, message_setup.c the
 * plan, message_job.c what is said of jobs, message_trial.c of trials, message_confirm.c
 * of results at the tuned size. Each function writes or reads, as wire.h says. */
#ifndef HONE_POOL_MESSAGE_WIRE_H
#define HONE_POOL_MESSAGE_WIRE_H

#include "pool_message.h"

/* An enumeration of 0 .. last, or a size: gives what was sent or read. */
static inline unsigned hone_wire_enum(struct hone_wire *wire, unsigned value,
                                      unsigned last)
{
    hone_wire_choice(wire, &value, last);
    return value;
}
static inline size_t hone_wire_size(struct hone_wire *wire, size_t size)
{
    uint64_t value = size;
    hone_wire_u64(wire, &value);
    return (size_t)value;
}

/* A reader's room for *count zeroed elements of size bytes: in the arena, or from malloc
 * for what the message owns. Without memory NULL, and a count of 0. */
void *hone_wire_room(struct hone_wire *wire, size_t *count, size_t size);
void *hone_wire_own(struct hone_wire *wire, size_t *count, size_t size);

/* first: the job whose arguments it may share; NULL: none. */
void hone_wire_job(struct hone_wire *wire, struct hone_job *job,
                   const struct hone_job *first);
void hone_wire_candidate(struct hone_wire *wire, struct hone_candidate *candidate);
/* An array of candidates; what is read is the message's. */
void hone_wire_candidates(struct hone_wire *wire, struct hone_candidate **candidates,
                          size_t *count);

void hone_wire_found(struct hone_wire *wire, struct hone_found *found);

/* Messages as a whole. */
void hone_wire_setup(struct hone_wire *wire, struct hone_message *message);
void hone_wire_result(struct hone_wire *wire, struct hone_message *message);
void hone_wire_confirm(struct hone_wire *wire, struct hone_message *message);
void hone_wire_confirmed(struct hone_wire *wire, struct hone_message *message);

#endif
