/* hone show --watch: a running journal on a terminal, drawn again as it grows. */
#ifndef HONE_CLI_WATCH_H
#define HONE_CLI_WATCH_H

#include <stdint.h>

#include "hone/status.h"

/* Until nobody writes to the journal any more or Ctrl-C, which is a way to end it and no
 * failure. A journal that is not there yet is waited for. budget: evaluations of the run,
 * for the time left; 0: not known. Where standard output is no terminal one picture is
 * printed; ENOTFOUND without a journal then. */
enum hone_status cli_watch(const char *path, uint64_t budget, struct hone_error *err);

#endif
