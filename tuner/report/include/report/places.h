/* Who measured the trials of a journal, in JSON. */
#ifndef HONE_REPORT_PLACES_H
#define HONE_REPORT_PLACES_H

#include "hone/record.h"

struct json_t;

/* Add the machines and GPUs to the document of a recording, as "places", where its trials
 * tell of them. ENOMEM. */
enum hone_status hone_places_add(struct json_t *root,
                                 const struct hone_recording *recording,
                                 struct hone_error *err);

#endif
