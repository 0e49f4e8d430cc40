/* What a verification found, for machines: JSON, and SARIF for code review. */
#ifndef HONE_REPORT_VERIFICATION_H
#define HONE_REPORT_VERIFICATION_H

#include "tuning/verification.h"

struct json_t;

struct json_t *hone_verification_json(const struct hone_verification *v);

/* What the template lacks, by the default configuration. */
struct json_t *hone_template_lint_json(const struct hone_verification *v,
                                       const struct hone_lapses *lapses);

/* Append findings and waivers as SARIF 2.1.0. */
enum hone_status hone_verification_sarif(struct hone_strbuf *out,
                                         const struct hone_verification *v,
                                         struct hone_error *err);

#endif
