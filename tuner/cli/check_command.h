/* hone check, between its files: check.c runs it, check_report.c says what was found. */
#ifndef HONE_CLI_CHECK_COMMAND_H
#define HONE_CLI_CHECK_COMMAND_H

#include <stdio.h>

#include "tuning/verification.h"

void check_print_text(const struct hone_verification *v, FILE *file);

/* What the template lacks, by the default configuration, which was verified; EDEVICE when
 * it lacks something. */
enum hone_status check_lint(const struct hone_verification *v, bool json,
                            struct hone_error *err);

#endif
