/* What the commands that search take from their options on strategies. */
#ifndef HONE_CLI_STRATEGY_ARGS_H
#define HONE_CLI_STRATEGY_ARGS_H

#include "hone/search.h"

/* The value of --on-strategy-error: "random" or "stop"; NULL is fallback. */
enum hone_status cli_strategy_on_error(enum hone_on_error *out, const char *text,
                                       enum hone_on_error fallback,
                                       struct hone_error *err);

/* EUSAGE unless --strategy-timeout leaves the strategy name, where it is a program, a
 * second at least. */
enum hone_status cli_strategy_timeout(const char *name, uint64_t timeout,
                                      struct hone_error *err);

#endif
