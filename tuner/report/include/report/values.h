/* Configurations, trials and counts as texts and as JSON, in the words that all reports
 * share. Objects are the caller's (record/json_out.h). */
#ifndef HONE_REPORT_VALUES_H
#define HONE_REPORT_VALUES_H

#include "base/quantity.h"
#include "emit/coverage.h"
#include "hone/evaluate.h"
#include "hone/record.h"
#include "hone/space.h"
#include "hone/strbuf.h"
#include "hone/trial.h"

struct json_t;

/* "BK=16 BM=128 ...": parameters with more than one value only. */
void hone_config_text(struct hone_strbuf *out, const struct hone_space *space,
                      uint64_t index);
/* The same by the value numbers of a journal that need not have a space. */
void hone_choices_text(struct hone_strbuf *out, const struct hone_record_info *info,
                       const uint16_t *choices);
/* The same of a space as an object, all parameters. */
struct json_t *hone_config_json(const struct hone_space *space, uint64_t index);

/* "553.6 us" or "553.6 us (predicted)"; the outcome's name for what is not valid. */
struct hone_cost_text {
    char text[80];
};
struct hone_cost_text hone_cost_text(const struct hone_trial *trial);
struct json_t *hone_trial_json(const struct hone_space *space,
                               const struct hone_trial *trial);

/* 12345678 as "12,345,678"; large ones as "6.80e+23". */
struct hone_plain hone_count_text(double count);

/* A value as scripts write it, what is longer cut. */
struct hone_value_text {
    char text[64];
};
struct hone_value_text hone_value_text(struct hone_value value);

/* All outcomes, zeros too. */
struct json_t *hone_outcomes_json(const size_t outcomes[HONE_OUTCOME_COUNT]);

/* At how many sizes kernels are verified, and by which seed some were drawn. */
struct json_t *hone_sizes_json(const struct hone_size_counts *sizes, uint64_t seed);

/* What each waiver is of, and in how many configurations it let something pass. */
struct json_t *hone_waivers_json(const struct hone_waiver *waivers, size_t count,
                                 const size_t configurations[HONE_WAIVER_MAX]);

/* Add a header's path and its second file's, NULL where there is none, and which sizes it
 * has nothing for, where devices were asked about. */
void hone_add_header_json(struct json_t *root, const char *header, const char *second,
                          const struct hone_coverage *coverage);

#endif
