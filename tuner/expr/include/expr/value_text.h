/* Values as people write them. Text has one meaning wherever it is read: in --set, in
 * lists of problems, in what headers say of their rows. */
#ifndef HONE_EXPR_VALUE_TEXT_H
#define HONE_EXPR_VALUE_TEXT_H

#include "hone/expr.h"

/* Make value one of that type where it is the same number: 4096.0 the integer 4096, 2 the
 * float 2.0. False where it is not; it stays as it was. */
bool hone_value_fit(struct hone_value *value, enum hone_type type);

/* Text as a value of that type: a finite decimal number that fits the type, true, false,
 * 1 or 0, or any text for a string, which is borrowed. False where text is none; *out is
 * as it was. */
bool hone_value_parse(struct hone_value *out, enum hone_type type, const char *text);

/* The whole text of a value as hone_value_print has it, however long: a string's own,
 * borrowed, anything else in number. */
enum { HONE_NUMBER_TEXT = 48 };
const char *hone_value_in_full(char number[HONE_NUMBER_TEXT], struct hone_value value);

/* Whether text stands for value, parsed as one of its type. */
bool hone_value_is(struct hone_value value, const char *text);

#endif
