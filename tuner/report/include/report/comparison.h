/* What a comparison found: lines for people, JSON, and JUnit for those who watch
 * builds. */
#ifndef HONE_REPORT_COMPARISON_H
#define HONE_REPORT_COMPARISON_H

#include "hone/strbuf.h"
#include "tuning/comparison.h"

struct json_t;

bool hone_compared_row_measured(const struct hone_compared_row *row);

/* "664.32 us -> 668.1 us, ratio 1.006 (0.998 to 1.014)"; nothing where nothing was
 * measured. */
void hone_compared_times_text(struct hone_strbuf *out,
                              const struct hone_compared_row *row);

/* Why it failed, and what is faster now; nothing for most. */
void hone_compared_note_text(struct hone_strbuf *out,
                             const struct hone_compared_row *row);

struct json_t *hone_comparison_json(const struct hone_comparison *found);

/* Append JUnit XML; path: of the header or journal. */
void hone_comparison_junit(struct hone_strbuf *out, const struct hone_comparison *found,
                           const char *path, bool strict);

#endif
