/* Space definitions in a few words: one call a line, value lists as text ("16 32 64"). */
#ifndef HONE_TESTS_SPACE_DEF_H
#define HONE_TESTS_SPACE_DEF_H

#include <stdlib.h>
#include <string.h>

#include "hone/space.h"

enum { DEF_PARAMS = 32, DEF_VALUES = 160, DEF_LINES = 16 };

struct space_def {
    struct hone_space_def def;
    struct hone_param params[DEF_PARAMS];
    struct hone_value values[DEF_PARAMS][DEF_VALUES];
    struct hone_constant constants[DEF_LINES];
    struct hone_derived derived[DEF_LINES];
    struct hone_constraint constraints[DEF_LINES];
};

/* The definition, ready for hone_space_new. */
static inline const struct hone_space_def *space_def_get(struct space_def *d)
{
    d->def.source = "space.lua";
    d->def.line = 1;
    d->def.params = d->params;
    d->def.constants = d->constants;
    d->def.derived = d->derived;
    d->def.constraints = d->constraints;
    return &d->def;
}

static inline void space_def_values(struct space_def *d, const char *name,
                                    const struct hone_value *values, size_t count)
{
    size_t p = d->def.param_count++;
    if (count) memcpy(d->values[p], values, count * sizeof *values);
    d->params[p] =
        (struct hone_param){.name = name, .values = d->values[p], .count = count};
}

/* list: integers with blanks between. */
static inline void space_def_ints(struct space_def *d, const char *name, const char *list)
{
    struct hone_value values[DEF_VALUES];
    size_t count = 0;
    for (char *end; count < DEF_VALUES; list = end) {
        long long value = strtoll(list, &end, 10);
        if (end == list) break;
        values[count++] = (struct hone_value){.type = HONE_INT, .i = value};
    }
    space_def_values(d, name, values, count);
}

static inline void space_def_constant(struct space_def *d, const char *name,
                                      int64_t value)
{
    d->constants[d->def.constant_count++] =
        (struct hone_constant){.name = name, .value = {.type = HONE_INT, .i = value}};
}

/* Lines of derived values are 10, 11, .., of constraints 20, 21, .. */
static inline void space_def_derive(struct space_def *d, const char *name,
                                    const char *text)
{
    size_t i = d->def.derived_count++;
    d->derived[i] =
        (struct hone_derived){.name = name, .text = text, .line = 10 + (int)i};
}

static inline void space_def_where(struct space_def *d, const char *text)
{
    size_t i = d->def.constraint_count++;
    d->constraints[i] = (struct hone_constraint){.text = text, .line = 20 + (int)i};
}

#endif
