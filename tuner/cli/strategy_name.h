/* Strategies as the command line names them: those of the registry, and Lua files. */
#ifndef HONE_STRATEGY_NAME_H
#define HONE_STRATEGY_NAME_H

#include "hone/search.h"
#include "script.h"

struct cli_strategy {
    const struct hone_strategy_fns *fns;
    struct hone_script *script; /* that fns borrows from; NULL for the registry's */
};

/* name is one of `hone strategies`, or a file that ends with .lua. */
enum hone_status cli_strategy_find(struct cli_strategy *out, const char *name,
                                   struct hone_error *err);
/* The value of --on-strategy-error: "random" or "stop"; NULL is fallback. */
enum hone_status cli_strategy_on_error(enum hone_on_error *out, const char *text,
                                       enum hone_on_error fallback,
                                       struct hone_error *err);
void cli_strategy_fini(struct cli_strategy *strategy);

#endif
