/* Asking a program of Slurm. */
#ifndef HONE_CAMPAIGN_SLURM_PROGRAM_H
#define HONE_CAMPAIGN_SLURM_PROGRAM_H

#include "hone/status.h"

typedef enum hone_status hone_slurm_line_fn(void *context, const char *line,
                                            struct hone_error *err);

/* Run it to its end; line, which may be NULL, gets each line that it prints. EUNSUPPORTED
 * where it is missing, fails or does not answer. */
enum hone_status hone_slurm_ask(const char *const *argv, hone_slurm_line_fn *line,
                                void *context, struct hone_error *err);

#endif
