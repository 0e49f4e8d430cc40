/* Strategies as the command line names them: those of the registry, Lua files, and other
 * programs. */
#ifndef HONE_CLI_STRATEGY_NAME_H
#define HONE_CLI_STRATEGY_NAME_H

#include "hone/script.h"
#include "hone/search.h"
#include "partner/partner.h"

struct cli_strategy {
    const struct hone_strategy_fns *fns;
    struct hone_strategy_fns *made; /* of the registry, with settings, or NULL */
    struct hone_script *script;     /* that fns borrows from, or NULL */
    struct hone_partner *partner;   /* that fns borrows from, or NULL */
};

/* How a program is named: exec:COMMAND. */
#define CLI_STRATEGY_EXEC "exec:"

/* name is one of `hone strategies`, with settings or without, a file that ends with .lua,
 * or exec:COMMAND, which then has timeout seconds for each answer. */
enum hone_status cli_strategy_find(struct cli_strategy *out, const char *name,
                                   uint64_t timeout, struct hone_error *err);
/* What the searches that start from now on are about; borrowed. */
void cli_strategy_describe(const struct cli_strategy *strategy,
                           const struct hone_record_info *info);
/* The value of --on-strategy-error: "random" or "stop"; NULL is fallback. */
enum hone_status cli_strategy_on_error(enum hone_on_error *out, const char *text,
                                       enum hone_on_error fallback,
                                       struct hone_error *err);
void cli_strategy_fini(struct cli_strategy *strategy);

#endif
