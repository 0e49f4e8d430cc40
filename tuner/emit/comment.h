/* What the files of the first comment share. */
#ifndef HONE_EMIT_COMMENT_H
#define HONE_EMIT_COMMENT_H

#include "emit_plan.h"

/* comment.c: the line as one of the comment, which clears it; nothing when there is
 * nothing to say. */
void hone_emit_comment_line(struct hone_strbuf *out, struct hone_strbuf *line,
                            const char *indent);

/* comment_row.c: what is said of row i. */
void hone_emit_row_comment(struct hone_strbuf *out, const struct emit_plan *plan,
                           size_t i);
/* Whether any row has an interval that follows from the spread of two medians. */
bool hone_emit_has_interval(const struct emit_plan *plan);

#endif
