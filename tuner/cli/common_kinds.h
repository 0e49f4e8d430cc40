/* Kinds of options that several commands have: what they mean is known on lower floors.
 */
#ifndef HONE_CLI_COMMON_KINDS_H
#define HONE_CLI_COMMON_KINDS_H

#include "kinds.h"

/* Fields are the enums of these names, clock NONE for auto, color that of color.h. */
extern const struct cli_kind cli_wish_kind, cli_clock_kind, cli_objective_kind,
    cli_on_error_kind, cli_color_kind;

/* Fields are const char *: a device is any text, completed by what there may be, and a
 * strategy one of the registry that parses, a Lua file or exec:COMMAND. */
extern const struct cli_kind cli_device_kind, cli_strategy_kind;

#endif
