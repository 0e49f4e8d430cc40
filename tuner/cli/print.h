/* What people read of results: outcomes, sizes, waivers, headers, explanations. */
#ifndef HONE_CLI_PRINT_H
#define HONE_CLI_PRINT_H

#include <stdint.h>
#include <stdio.h>

#include "hone/kernel.h"
#include "record/following.h"
#include "report/explanation.h"
#include "report/sections.h"
#include "report/values.h"
#include "terminal.h"

/* The ending of what there are count of. */
static inline const char *cli_plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* Good for valid ones, bad for failures. */
enum hone_style cli_outcome_style(enum hone_outcome outcome);

/* "180 valid, 15 rejected, 5 build_failed": what is not zero. Printed it is a line, and
 * "none" where all are. */
void cli_add_outcomes(struct hone_styled *out, const size_t outcomes[HONE_OUTCOME_COUNT]);
void cli_print_outcomes(FILE *file, const size_t outcomes[HONE_OUTCOME_COUNT]);

/* Where the reason of a failed build is a name that the script has, but that is no macro
 * of the template: a derived value, or a size that defines does not name. */
void cli_print_no_macro(FILE *file, const struct hone_kernel_def *def,
                        const char *reason);

/* At how many sizes kernels are verified, where some were drawn. */
void cli_print_sizes(FILE *file, const struct hone_size_counts *sizes, uint64_t seed);

/* How many configurations were not run at a size of verify, where there are some, and
 * whether the best is one of them. */
void cli_print_skips(FILE *file, const struct hone_kernel_def *def, size_t size,
                     size_t count, bool best);

/* Where results are wrong: a line for each parameter that the launch depends on and the
 * kernel cannot know, and for each axis of the grid that only one of them minds. */
void cli_print_hidden(FILE *file, const struct hone_kernel *kernel,
                      const size_t outcomes[HONE_OUTCOME_COUNT]);

/* The best so far against done evaluations, as a plot; nothing where there is no room. */
void cli_add_curve(struct hone_strbuf *out, const struct hone_following_step *steps,
                   size_t count, size_t done, int columns, int rows);

/* Under the failure of a build that lacks a header: the folders of this machine's CUDA
 * toolkit that have it. The message of the build has none, as the source's hash would
 * differ from machine to machine. */
void cli_print_missing_header(FILE *file, const char *reason);

/* "  see PAGE#race, #mismatch": the sections of docs/troubleshooting.md about what was
 * found; nothing where there are none. */
void cli_print_sections(FILE *file, const struct hone_sections *sections);

/* A line for each waiver that let something pass in some configurations, with their
 * number. */
void cli_print_waivers(FILE *file, const struct hone_waiver *waivers, size_t count,
                       const size_t configurations[HONE_WAIVER_MAX]);

/* Which sizes a written header has nothing for: a line, and one for each gap. Nothing is
 * said where no device was asked about. */
void cli_print_coverage(FILE *file, const struct hone_coverage *coverage);

/* The same beside a header at path. One on standard output is alone there, and nothing is
 * said where there is no gap. */
void cli_print_coverage_beside(const char *path, const struct hone_coverage *coverage);

/* An explanation. shapes: NULL where they were not asked for. */
void cli_print_explanation(const struct hone_explanation *e,
                           const struct hone_shapes *shapes);

/* hone show --watch: a running journal on a terminal, drawn again as it grows, until
 * nobody writes to it any more or Ctrl-C, which is a way to end it and no failure. A
 * journal that is not there yet is waited for. budget: evaluations of the run, for the
 * time left; 0: not known. Where standard output is no terminal one picture is printed;
 * ENOTFOUND without a journal then. */
enum hone_status cli_watch(const char *path, uint64_t budget, struct hone_error *err);

#endif
