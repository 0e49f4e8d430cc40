/* Where commands put what they make: a file, or standard output by "-" or another name.
 */
#ifndef HONE_CLI_OUTPUT_H
#define HONE_CLI_OUTPUT_H

#include "hone/status.h"
#include "hone/strbuf.h"
#include "report/warnings.h"

/* All of text to path, as hone_output_write does, where it was made: status is OK.
 * Returns status, or what came of writing; text that lacks memory is ENOMEM. Releases
 * text. */
enum hone_status cli_output_write(const char *path, struct hone_strbuf *text,
                                  enum hone_status status, struct hone_error *err);

struct json_t;

/* What the run warned of is kept here as well as printed; each once. */
extern struct hone_warnings cli_warnings;

/* Print a document of a script, taken, with the warnings that there were. */
enum hone_status cli_print_json(struct json_t *root, struct hone_error *err);

/* At the end of the program: everything is written and standard output is closed. Returns
 * code, or CLI_FAILED with a message where that fails. Where nobody reads it any more the
 * program ends as by SIGPIPE, without a word. */
int cli_output_close(int code);

#endif
