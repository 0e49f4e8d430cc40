/* Words that '##' could paste to __has_include: a compiler would look for a file that
 * nothing here has seen. */
#ifndef HONE_RENDER_PASTING_H
#define HONE_RENDER_PASTING_H

#include "render/sources.h"
#include "render/template.h"

/* What the files that were read hold of such words, and which macros paste: into out,
 * whose names the caller frees. EINPUT with file and line where those are enough to make
 * a question; ENOMEM. */
enum hone_status hone_pasting_find(struct hone_pasting *out, struct hone_files *files,
                                   struct hone_error *err);

/* The same with a text that a script gives as the value of a macro. */
void hone_pasting_add_value(struct hone_pasting *pasting, const char *text);
/* Can they be pasted to a question? */
bool hone_pasting_asks(const struct hone_pasting *pasting);

/* Does the text hold the word that asks for a file? */
bool hone_pasting_is_question(const char *text);

#endif
