/* Questions of a program about the space, such as {"query":"valid","configs":[..]}. */
#ifndef HONE_PARTNER_QUERY_H
#define HONE_PARTNER_QUERY_H

#include "hone/search.h"

struct json_t;

/* *answer is the message to send. EINPUT for a question that is none. choices is room for
 * one value number a parameter. */
enum hone_status hone_query_answer(struct json_t **answer, struct hone_search *search,
                                   const struct json_t *query, uint16_t *choices,
                                   struct hone_error *err);

#endif
