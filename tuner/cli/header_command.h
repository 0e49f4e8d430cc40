/* What the commands that write headers share: options, and from journals to a file. */
#ifndef HONE_CLI_HEADER_COMMAND_H
#define HONE_CLI_HEADER_COMMAND_H

#include "payload.h"

/* What each of them takes. Its argument struct begins with these three, so that one table
 * serves all. */
struct cli_header_args {
    const char *name;
    uint64_t max_configs;
    struct cli_payload_args payload;
    bool accept_predicted;
};

struct cli_header_command {
    struct hone_words words;
    struct cli_script_args script;
    struct cli_header_args header;
};

extern const struct hone_option cli_header_options[];

/* What hone_emit wants of them; payload is borrowed. */
struct hone_emit_options cli_emit_options(const struct cli_header_args *args,
                                          const struct hone_template_payload *payload);

/* Emit the recordings to path ("-": stdout). */
enum hone_status cli_header_write(const char *path,
                                  const struct hone_recording *const *recordings,
                                  size_t count, const struct hone_emit_options *options,
                                  struct hone_error *err);

#endif
