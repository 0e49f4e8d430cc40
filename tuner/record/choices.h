/* From the JSON values of a configuration to value numbers, by binary search: journals
 * have tens of thousands of lines, and a parameter may have thousands of values. */
#ifndef HONE_RECORD_CHOICES_H
#define HONE_RECORD_CHOICES_H

#include <jansson.h>

#include "base/arena.h"
#include "hone/space.h"

struct hone_choice_key {
    struct hone_value value; /* canonical */
    uint16_t choice;
};

struct hone_choice_table {
    const struct hone_param *params;
    size_t param_count;
    struct hone_choice_key **keys; /* [param], sorted */
};

/* A float with an integer value as that integer, anything else as it is. */
struct hone_value hone_choice_canonical(struct hone_value value);

/* Everything lives in the arena; params are borrowed. EINPUT for a value that stands
 * twice. */
enum hone_status hone_choice_table_init(struct hone_choice_table *table,
                                        const struct hone_param *params, size_t count,
                                        struct hone_arena *arena, struct hone_error *err);

/* Read a "config" array: 1 and 1.0 count as equal. EINPUT says what does not fit. */
enum hone_status hone_choice_table_read(const struct hone_choice_table *table,
                                        const json_t *config, uint16_t *choices,
                                        struct hone_error *err);

#endif
