/* What the commands share: which options all have, and how a run ends. Only this floor
 * prints: results to stdout, everything else to stderr. */
#ifndef HONE_CLI_CLI_H
#define HONE_CLI_CLI_H

#include "options/command.h"

/* Exit codes, documented in `hone help`. */
enum {
    CLI_DONE = 0,
    CLI_FAILED = 1,
    CLI_WRONG_USE = 2,
    CLI_SIGNALLED = 128 /* and the number of the signal, as shells have it */
};

/* The tables of a command's options: its own, then what every command takes. */
#define CLI_OPTIONS(...)                                                                 \
    (const struct hone_option *const[])                                                  \
    {                                                                                    \
        __VA_ARGS__, cli_common_options, NULL                                            \
    }
extern const struct hone_option cli_common_options[];

/* The arguments and the table of commands that list things, as text or as JSON. */
struct cli_json_command {
    struct hone_words words;
    bool json;
};
extern const struct hone_option cli_json_options[];

/* One file a command. */
extern const struct hone_command cli_tune, cli_emit, cli_space, cli_check, cli_show,
    cli_import, cli_export, cli_devices, cli_strategies, cli_bench, cli_new, cli_worker,
    cli_compare, cli_header, cli_cache, cli_version, cli_kernels, cli_report, cli_explain,
    cli_diff, cli_counters, cli_campaign;

/* Message of err on stderr, and the exit code of status. */
int cli_finish(enum hone_status status, const struct hone_error *err);

/* Ends the program that a signal of this number interrupted, as hone_interrupt_catch
 * wants it. */
void cli_end_interrupted(int number);

/* Start a thread that ends the program with a message and CLI_WRONG_USE when one call
 * into a script has used over HONE_SCRIPT_OVERDUE_S of processor time: libhone bounds
 * what scripts may do and does not end its host, this is for where a bound is missing.
 * Journals keep what was measured: they are written line by line. Once, at the start. */
void cli_watchdog_start(void);

#endif
