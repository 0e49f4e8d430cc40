/* From journals to a header that was written, and which sizes it serves. */
#ifndef HONE_CLI_WRITTEN_HEADER_H
#define HONE_CLI_WRITTEN_HEADER_H

#include <stdio.h>

#include "args/header_args.h"

/* EUSAGE where a file of the header cannot be written, a header and JSON would both go to
 * standard output, or arguments exclude each other. Ask ahead of all work. */
enum hone_status cli_header_check(const char *path, const struct hone_header_args *args,
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
                                  const struct hone_header_args *args,
                                  const struct hone_script_args *script,
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
