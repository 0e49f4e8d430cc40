/* What --payload puts into a header: the script's template, or what is built of it. */
#ifndef HONE_CLI_PAYLOAD_H
#define HONE_CLI_PAYLOAD_H

#include "script_args.h"
#include "tuning/template_payload.h"

struct cli_payload_args {
    enum hone_payload_kind kind;
    struct hone_texts archs;
};

/* script, with path NULL where no script is known. Close it
 * also after a failure (hone_template_payload_close). */
enum hone_status cli_payload_open(struct hone_template_payload *out,
                                  const struct cli_payload_args *args, const char *path,
                                  const struct cli_script_args *script,
                                  const struct cli_build_args *build,
                                  struct hone_error *err);

#endif
