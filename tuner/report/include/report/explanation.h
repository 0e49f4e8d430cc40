/* An explanation in plain words and as JSON. The words name their section of
 * docs/causes.md by hone_cause_section and hone_limit_section. */
#ifndef HONE_REPORT_EXPLANATION_H
#define HONE_REPORT_EXPLANATION_H

#include "hone/strbuf.h"
#include "insight/explanation.h"
#include "tuning/explaining.h"

struct json_t;

/* Append which of the roles of its warps limits it; nothing where they have none. */
void hone_roles_words(struct hone_strbuf *out, const struct hone_explained *explained);

/* Append what limits the configuration, in one or two sentences. */
void hone_limit_words(struct hone_strbuf *out, const struct hone_explained *explained);

/* Append how a cause shows, with its figures, in a sentence or two. */
void hone_cause_words(struct hone_strbuf *out, const struct hone_found_cause *cause,
                      const struct hone_explained *explained);

/* Append where it is on the roofline; nothing where the script tells no work. */
void hone_roofline_words(struct hone_strbuf *out, const struct hone_explained *explained);

/* "predicted" or "measured": how a trial's time is known. */
const char *hone_how_known(const struct hone_trial *trial);

/* shapes: NULL where they were not asked for. */
struct json_t *hone_explanation_json(const struct hone_explanation *explanation,
                                     const struct hone_shapes *shapes);

#endif
