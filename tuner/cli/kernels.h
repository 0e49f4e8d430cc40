/* Kernels that come with the program: found by name where it is installed. */
#ifndef HONE_CLI_KERNELS_H
#define HONE_CLI_KERNELS_H

#include "cli.h"

/* Let the first operand be the path of an installed kernel where it is the name of one:
 * no file of this name is here. words borrows the path from then on. ENOTFOUND with a
 * suggestion, of this command, for what is neither and close to one. */
enum hone_status cli_kernels_resolve(struct hone_words *words, const char *command,
                                     struct hone_error *err);

#endif
