/* Kinds of options that several commands have: what they mean is known on lower floors.
 */
#ifndef HONE_CLI_COMMON_KINDS_H
#define HONE_CLI_COMMON_KINDS_H

#include "options/kinds.h"

struct cli_budget {
    uint64_t evaluations; /* 0: not given */
    double seconds;       /* 0: not given */
};

/* The field is a struct cli_budget: a count of evaluations, or a time. */
extern const struct hone_option_kind cli_budget_kind;

/* Fields are the enums of these names, clock NONE for auto, color that of
 * terminal/styled.h. */
extern const struct hone_option_kind cli_wish_kind, cli_clock_kind, cli_objective_kind,
    cli_on_error_kind, cli_color_kind;

/* Fields are const char *: a device is any text, completed by what there may be, and a
 * strategy one of the registry that parses, a Lua file or exec:COMMAND. */
extern const struct hone_option_kind cli_device_kind, cli_strategy_kind;

#endif
