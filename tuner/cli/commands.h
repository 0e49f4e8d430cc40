/* One file a command. */
#ifndef HONE_CLI_COMMANDS_H
#define HONE_CLI_COMMANDS_H

#include "cli.h"

extern const struct hone_command cli_tune, cli_emit, cli_space, cli_check, cli_show,
    cli_import, cli_export, cli_devices, cli_strategies, cli_bench, cli_new, cli_worker,
    cli_compare, cli_header, cli_cache, cli_version, cli_kernels;

#endif
