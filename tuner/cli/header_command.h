/* What the commands that write headers share: options, and from journals to a file. */
#ifndef HONE_CLI_HEADER_COMMAND_H
#define HONE_CLI_HEADER_COMMAND_H

#include <stdio.h>

#include "script_args.h"
#include "tuning/made_header.h"

/* What each of them takes. Its argument struct begins with these three, so that one table
 * serves all. */
struct cli_header_args {
    const char *name;
    uint64_t max_configs;
    enum hone_payload_kind payload;
    struct hone_texts archs; /* of the payload */
    bool accept_predicted;
    enum hone_emit_shape shape;
};

struct cli_header_command {
    struct hone_words words;
    struct cli_script_args script;
    struct cli_header_args header;
};

extern const struct hone_option cli_header_options[];

/* EUSAGE where path cannot be written, or a header and JSON would both go to standard
 * output. */
enum hone_status cli_header_check(const char *path, bool json, struct hone_error *err);

/* Make the header of options, completed by what the arguments say, and write it to path
 * ("-": standard output). coverage is that of hone_header_make. */
enum hone_status cli_header_write(struct hone_coverage *coverage, const char *path,
                                  const struct cli_header_args *args,
                                  const struct cli_script_args *script,
                                  const struct hone_header_options *options,
                                  struct hone_error *err);

/* Which sizes a written header has nothing for: a line, and one for each gap. */
void cli_print_coverage(FILE *file, const struct hone_coverage *coverage);

/* The same beside a header at path. One on standard output is alone there, and nothing is
 * said where there is no gap. */
void cli_print_coverage_beside(const char *path, const struct hone_coverage *coverage);

#endif
