/* Strategies by name: those of the registry, Lua files, and other programs. */
#ifndef HONE_TUNING_NAMED_STRATEGY_H
#define HONE_TUNING_NAMED_STRATEGY_H

#include "hone/script.h"
#include "hone/search.h"
#include "partner/partner.h"

struct hone_named_strategy {
    const struct hone_strategy_fns *fns;
    struct hone_strategy_fns *made; /* of the registry, with settings, or NULL */
    struct hone_script *script;     /* that fns borrows from, or NULL */
    struct hone_partner *partner;   /* that fns borrows from, or NULL */
};

/* How a program is named: exec:COMMAND. */
#define HONE_STRATEGY_EXEC "exec:"

/* Is name that of a Lua file, rather than of the registry or a program? */
bool hone_named_strategy_is_file(const char *name);

/* What is known of a name before anything is opened: EUSAGE for one that is neither a
 * file nor a program and that the registry does not have with these settings. */
enum hone_status hone_named_strategy_check(const char *name, struct hone_error *err);

/* name is one of `hone strategies`, with settings or without, a file that ends with .lua,
 * or exec:COMMAND, which then has timeout_s seconds, above 0, for each answer. After a
 * failure there is nothing to release. */
enum hone_status hone_named_strategy_find(struct hone_named_strategy *out,
                                          const char *name, double timeout_s,
                                          struct hone_error *err);
/* What the searches that start from now on are about; borrowed. */
void hone_named_strategy_describe(const struct hone_named_strategy *strategy,
                                  const struct hone_record_info *info);
void hone_named_strategy_fini(struct hone_named_strategy *strategy);

#endif
