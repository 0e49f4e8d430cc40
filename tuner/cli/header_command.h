/* What the commands that write headers share: options, and from journals to a file. */
#ifndef HONE_CLI_HEADER_COMMAND_H
#define HONE_CLI_HEADER_COMMAND_H

#include <stdio.h>

#include "script_args.h"
#include "tuning/made_header.h"

/* What each of them takes. Its argument struct begins as struct cli_header_command, so
 * that one table serves all. */
struct cli_header_args {
    const char *name;
    uint64_t max_configs;
    double max_regret;
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

/* EUSAGE where a file of the header cannot be written, a header and JSON would both go to
 * standard output, or arguments exclude each other. Ask ahead of all work. */
enum hone_status cli_header_check(const char *path, const struct cli_header_args *args,
                                  bool json, struct hone_error *err);

/* What was written beside the path that the user named. */
struct cli_written_header {
    char *second;                  /* path of the second file; NULL: there is none */
    struct hone_coverage coverage; /* of struct hone_made_header */
};

/* Make the header of options, completed by what the arguments say, and write it to path
 * ("-": standard output), and its second file. Release out, {0} before, with
 * cli_written_header_fini, after a failure too. */
enum hone_status cli_header_write(struct cli_written_header *out, const char *path,
                                  const struct cli_header_args *args,
                                  const struct cli_script_args *script,
                                  const struct hone_header_options *options,
                                  struct hone_error *err);
void cli_written_header_fini(struct cli_written_header *written);

/* Which sizes a written header has nothing for: a line, and one for each gap. Nothing is
 * said where no device was asked about. */
void cli_print_coverage(FILE *file, const struct hone_coverage *coverage);

/* The same beside a header at path. One on standard output is alone there, and nothing is
 * said where there is no gap. */
void cli_print_coverage_beside(const char *path, const struct hone_coverage *coverage);

#endif
