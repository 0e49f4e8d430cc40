/* Which sections of docs/troubleshooting.md are about what a run found. */
#ifndef HONE_REPORT_SECTIONS_H
#define HONE_REPORT_SECTIONS_H

#include <stdbool.h>

#include "hone/strbuf.h"
#include "hone/trial.h"

/* {0} to begin with. */
struct hone_sections {
    bool outcomes[HONE_OUTCOME_COUNT], findings[HONE_FINDING_COUNT];
};

/* The section of the trial's finding, else that of its outcome; a valid one needs none.
 */
void hone_sections_add(struct hone_sections *sections, const struct hone_trial *trial);

/* "PAGE#race, #build_failed", in the order of the page; nothing where none was added. */
void hone_sections_text(struct hone_strbuf *out, const struct hone_sections *sections,
                        const char *page);

#endif
