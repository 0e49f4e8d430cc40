/* How configurations, outcomes and times look on a terminal. */
#ifndef HONE_CLI_PRINT_H
#define HONE_CLI_PRINT_H

#include "hone/evaluate.h"
#include <stdio.h>

#include "base/strbuf.h"
#include "color.h"
#include "hone/space.h"
#include "hone/trial.h"

struct json_t;

/* "BK=16 BM=128 ...": parameters with more than one value only. */
void cli_config_text(struct hone_strbuf *out, const struct hone_space *space,
                     uint64_t index);
/* The same as an object, all parameters. */
struct json_t *cli_config_json(const struct hone_space *space, uint64_t index);

/* "553.6 us" or "553.6 us (predicted)"; the outcome's name for what is not valid. */
void cli_cost_text(char *buf, size_t size, const struct hone_trial *trial);
struct json_t *cli_trial_json(const struct hone_space *space,
                              const struct hone_trial *trial);

/* Good for valid ones, bad for failures. */
enum hone_style cli_outcome_style(enum hone_outcome outcome);

/* "180 valid, 15 rejected, 5 build_failed": what is not zero, else "none". */
void cli_print_outcomes(FILE *file, const size_t outcomes[HONE_OUTCOME_COUNT]);
struct json_t *cli_outcomes_json(const size_t outcomes[HONE_OUTCOME_COUNT]);

/* At how many sizes kernels are verified, where some were drawn. */
void cli_print_sizes(FILE *file, const struct hone_size_counts *sizes, uint64_t seed);
struct json_t *cli_sizes_json(const struct hone_size_counts *sizes, uint64_t seed);

/* A line for each waiver that let something pass in some configurations, with their
 * number. */
void cli_print_waivers(FILE *file, const struct hone_waiver *waivers, size_t count,
                       const size_t configurations[HONE_WAIVER_MAX]);
struct json_t *cli_waivers_json(const struct hone_waiver *waivers, size_t count,
                                const size_t configurations[HONE_WAIVER_MAX]);

/* 12345678 as "12,345,678"; large ones as "6.80e+23". */
void cli_count_text(char *buf, size_t size, double count);

#endif
