/* How much each parameter matters, as JSON and in words. */
#ifndef HONE_REPORT_IMPORTANCE_H
#define HONE_REPORT_IMPORTANCE_H

#include "hone/strbuf.h"
#include "insight/importance.h"

struct json_t;

/* Append what the figures are of and how they were found: "exact, of all 4,201 valid
 * configurations"; why there are none: "not enough trials: 12 are valid, it takes 30". */
void hone_importance_text(struct hone_strbuf *out,
                          const struct hone_importance *importance);

/* recording: what they are of. */
struct json_t *hone_importance_json(const struct hone_importance *importance,
                                    const struct hone_recording *recording);

/* Find them and add them to the document of a recording, as "importance". */
enum hone_status hone_importance_add(struct json_t *root,
                                     const struct hone_recording *recording,
                                     struct hone_error *err);

#endif
