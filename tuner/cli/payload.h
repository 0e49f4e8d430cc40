/* What --payload puts into a header: the script's template, or what is built of it. */
#ifndef HONE_CLI_PAYLOAD_H
#define HONE_CLI_PAYLOAD_H

#include "hone/emit.h"
#include "script_args.h"

struct cli_payload_args {
    const char *kind; /* "none", "source", "ptx", "cubin" */
    struct cli_list archs;
};

struct cli_payload {
    struct hone_payload payload; /* for hone_emit; kind NONE: there is none */
    struct hone_workbench bench;
};

/* EUSAGE for an unknown kind. script, with path NULL where no script is known. Close it
 * also after a failure. */
enum hone_status cli_payload_open(struct cli_payload *out,
                                  const struct cli_payload_args *args, const char *path,
                                  const struct cli_script_args *script,
                                  const struct cli_build_args *build,
                                  struct hone_error *err);
void cli_payload_close(struct cli_payload *payload);

#endif
