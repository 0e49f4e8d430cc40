/* The messages of a pool in parts: message.c has the table of all, message_confirm.c
 * those about results at the tuned size. Each function writes or reads, as wire.h says.
 * */
#ifndef HONE_MESSAGE_WIRE_H
#define HONE_MESSAGE_WIRE_H

#include "message.h"

/* An array of candidates; what is read is the message's. */
void hone_wire_candidates(struct hone_wire *wire, struct hone_candidate **candidates,
                          size_t *count);

void hone_wire_found(struct hone_wire *wire, struct hone_found *found);

void hone_wire_confirm(struct hone_wire *wire, struct hone_message *message);
void hone_wire_confirmed(struct hone_wire *wire, struct hone_message *message);

#endif
