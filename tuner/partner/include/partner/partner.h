/* Strategies that another program runs: it is started for each search and spoken to in
 * JSON lines over its standard input and output. The protocol: docs/strategies.md. */
#ifndef HONE_PARTNER_PARTNER_H
#define HONE_PARTNER_PARTNER_H

#include "hone/record.h"
#include "hone/search.h"

struct hone_partner;

/* command is split into words, no shell is started. A program that gives no proposal
 * within patience seconds is taken for hung. EUSAGE for a command that cannot be
 * split. */
enum hone_status hone_partner_new(struct hone_partner **out, const char *command,
                                  double patience, struct hone_error *err);
void hone_partner_free(struct hone_partner *partner);

/* What the program is told of kernel, problem and device in searches that start from now
 * on; borrowed, NULL for nothing. */
void hone_partner_describe(struct hone_partner *partner,
                           const struct hone_record_info *info);

/* Borrowed from the partner; several searches may use it at once, also from several
 * threads, each with a program of its own. A program that cannot be started fails
 * hone_search_new; one that dies, hangs or talks nonsense is reported by
 * hone_search_complain with the line of its output. */
const struct hone_strategy_fns *hone_partner_strategy(const struct hone_partner *partner);

#endif
