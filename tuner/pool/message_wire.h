/* The messages of a pool in parts: message.c has the table of all, message_job.c what is
 * said of jobs, message_confirm.c of results at the tuned size. Each function writes or
 * reads, as wire.h says. */
#ifndef HONE_POOL_MESSAGE_WIRE_H
#define HONE_POOL_MESSAGE_WIRE_H

#include "pool_message.h"

/* first: the job whose arguments it may share; NULL: none. */
void hone_wire_job(struct hone_wire *wire, struct hone_job *job,
                   const struct hone_job *first);
void hone_wire_candidate(struct hone_wire *wire, struct hone_candidate *candidate);
/* An array of candidates; what is read is the message's. */
void hone_wire_candidates(struct hone_wire *wire, struct hone_candidate **candidates,
                          size_t *count);

void hone_wire_found(struct hone_wire *wire, struct hone_found *found);

void hone_wire_confirm(struct hone_wire *wire, struct hone_message *message);
void hone_wire_confirmed(struct hone_wire *wire, struct hone_message *message);

#endif
