/* Part of the parser: which files a command may replace. */
#ifndef HONE_OPTIONS_OUTPUTS_H
#define HONE_OPTIONS_OUTPUTS_H

#include "hone/status.h"

struct hone_command;

/* EUSAGE where an option that writes a file names one that an operand or another option
 * of files names, too. */
enum hone_status hone_outputs_check(const struct hone_command *command, const void *args,
                                    struct hone_error *err);

#endif
