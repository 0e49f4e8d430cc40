/* Several strategies to compare, each once. */
#ifndef HONE_TUNING_STRATEGY_LIST_H
#define HONE_TUNING_STRATEGY_LIST_H

#include "tuning/named_strategy.h"

struct hone_strategy_list {
    const struct hone_strategy_fns **items;
    size_t count;
    struct hone_named_strategy *named; /* what items borrow from */
    size_t named_count;
};

/* Those of texts, each "A,B" or "exec:COMMAND", whose command has the rest; all of the
 * registry without any. EUSAGE for one that is named twice. Release it after a failure
 * too. */
enum hone_status hone_strategy_list_make(struct hone_strategy_list *out,
                                         const char *const *texts, size_t count,
                                         double timeout_s, struct hone_error *err);
void hone_strategy_list_fini(struct hone_strategy_list *list); /* zeros are fine */

/* Tell those that are programs what they search next. */
void hone_strategy_list_describe(const struct hone_strategy_list *list,
                                 const struct hone_record_info *info);

#endif
