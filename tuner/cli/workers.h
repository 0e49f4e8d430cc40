/* The workers of a command: one of this program for each device, and those that the user
 * starts elsewhere. */
#ifndef HONE_CLI_WORKERS_H
#define HONE_CLI_WORKERS_H

#include "hone/pool.h"
#include "script_args.h"

struct cli_worker_args {
    const char *device; /* one, or several with commas between */
    const struct cli_build_args *build;
    const struct cli_list *workers; /* commands; with device "auto" those alone */
    enum hone_clock clock;          /* wished for */
    bool no_wait;
    struct hone_pool_deadlines deadlines;
};

/* On failure too *out is to be closed. */
enum hone_status cli_workers_open(struct hone_pool **out,
                                  const struct cli_worker_args *args,
                                  struct hone_error *err);

/* What --clock says; EUSAGE. */
enum hone_status cli_parse_clock(enum hone_clock *out, const char *text,
                                 struct hone_error *err);

#endif
