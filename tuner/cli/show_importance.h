/* hone show --importance. */
#ifndef HONE_CLI_SHOW_IMPORTANCE_H
#define HONE_CLI_SHOW_IMPORTANCE_H

#include "hone/record.h"

struct json_t;

/* Print a table, the parameter that matters most first. */
enum hone_status cli_show_importance(const struct hone_recording *recording,
                                     struct hone_error *err);

/* The same as a member of root. */
enum hone_status cli_add_importance(struct json_t *root,
                                    const struct hone_recording *recording,
                                    struct hone_error *err);

#endif
