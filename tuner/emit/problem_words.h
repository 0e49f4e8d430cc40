/* A problem as a comment of a header tells it, "M = 64, T = f32", and read back from
 * there: one rule for both ways. */
#ifndef HONE_EMIT_PROBLEM_WORDS_H
#define HONE_EMIT_PROBLEM_WORDS_H

#include "base/arena.h"
#include "hone/expr.h"
#include "hone/strbuf.h"

/* Append "NAME = VALUE". A text that would not be read back as it is (it is empty, has
 * a comma, a quote, '=', a blank at an end, or what a comment cannot hold) stands in
 * quotes, bytes that cannot stand there as %XX, their value in hexadecimal. */
void hone_problem_words_add(struct hone_strbuf *out, const char *name,
                            struct hone_value value);

/* The constants of such a list as "NAME=TEXT" of the arena, NULL behind the last; what
 * has no '=' is none. Lists of older versions are read too: texts in single quotes, or in
 * none. NULL: no memory. */
const char **hone_problem_words_read(struct hone_arena *arena, const char *list);

#endif
