/* The parts of the protocol's messages: what a program is told, and how it names
 * configurations. */
#ifndef HONE_PARTNER_MESSAGE_H
#define HONE_PARTNER_MESSAGE_H

#include "hone/record.h"
#include "hone/search.h"

struct json_t;

/* The first line: the space, and what info tells (NULL: nothing). seed is the program's
 * own. */
enum hone_status hone_message_hello(struct json_t **out, const struct hone_search *search,
                                    const struct hone_record_info *info, uint64_t seed,
                                    struct hone_error *err);

/* Values in parameter order. choices is room for one value number a parameter, here and
 * below. */
struct json_t *hone_message_config(const struct hone_space *space, uint64_t index,
                                   uint16_t *choices);

/* {"index":..,"config":[..],"outcome":..,"cost":..,"reason":..} */
struct json_t *hone_message_trial(const struct hone_space *space,
                                  const struct hone_trial *trial, uint16_t *choices);

/* A configuration as a program names it: an index, values in parameter order, or values
 * by name. EINPUT says what is wrong with it, ENOTFOUND that the constraints forbid it;
 * choices then holds it. */
enum hone_status hone_message_read_config(const struct hone_space *space,
                                          const struct json_t *json, uint16_t *choices,
                                          uint64_t *index, struct hone_error *err);

#endif
