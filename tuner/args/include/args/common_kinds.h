/* Kinds of options that several commands have: what they mean is known on lower floors.
 */
#ifndef HONE_ARGS_COMMON_KINDS_H
#define HONE_ARGS_COMMON_KINDS_H

#include "options/kinds.h"

struct hone_budget_args {
    uint64_t evaluations; /* 0: not given */
    double seconds;       /* 0: not given */
};

/* The field is a struct hone_budget_args: a count of evaluations, or a time. */
extern const struct hone_option_kind hone_kind_budget;

/* Fields are the enums of these names, clock NONE for auto, color that of
 * terminal/styled.h. */
extern const struct hone_option_kind hone_kind_wish, hone_kind_clock, hone_kind_objective,
    hone_kind_on_error, hone_kind_color, hone_kind_format;

/* Fields are const char *: a device is any text, completed by what there may be, and a
 * strategy one of the registry that parses, a Lua file or exec:COMMAND. */
extern const struct hone_option_kind hone_kind_device, hone_kind_strategy;

/* A stage of compiler or emulator that can be dumped: const char *; refused where there
 * is none of that name. */
extern const struct hone_option_kind hone_kind_stage;

#endif
