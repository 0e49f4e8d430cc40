/* What a tuning found, as JSON, and what its summaries share. */
#ifndef HONE_REPORT_TUNING_H
#define HONE_REPORT_TUNING_H

#include "emit/coverage.h"
#include "hone/strbuf.h"
#include "hone/tuning.h"
#include "tuning/winners.h"

struct json_t;

struct hone_tuning_report {
    const struct hone_tuning *tuning;
    const struct hone_session_result *result; /* of its single problem */
    const struct hone_recording *recording;   /* NULL: results were not verified */
    const char *header, *second;              /* paths; NULL: none was written */
    const struct hone_coverage *coverage;     /* of the header */
};

/* The document of a single problem, or of several. */
struct json_t *hone_tuning_json(const struct hone_tuning_report *report);

/* How often each configuration won. */
struct json_t *hone_winners_json(const struct hone_winners *winners);

/* The best of a tuning is one of the winners. */
enum hone_status hone_winners_count(struct hone_winners *winners,
                                    const struct hone_tuning *tuning,
                                    const struct hone_trial *best,
                                    struct hone_error *err);

/* The result of one of several problems, which must be there, and its best configuration
 * as text. */
void hone_tuning_result_of(const struct hone_session_result **result,
                           struct hone_strbuf *best, const struct hone_tuning *tuning,
                           size_t number);

/* A script is known to have none; a recording does not tell. */
bool hone_tuning_lacks_reference(const struct hone_tuning_facts *facts);

/* At how many sizes its configurations were verified. */
struct hone_size_counts hone_tuning_sizes(const struct hone_tuning_facts *facts);

#endif
