/* The parser of Python expressions that conditions and lists share. Each part is
 * rewritten as it is read. */
#ifndef HONE_RECORD_PYTHON_PARSE_H
#define HONE_RECORD_PYTHON_PARSE_H

#include "python.h"

enum { HONE_PYTHON_BYTES_MAX = 16384, HONE_PYTHON_NESTING_MAX = 100 };

/* A part that was read: its text needs no brackets round it. */
struct hone_python_part {
    const char *text;
    enum hone_python_kind kind;
};

struct hone_python_parser {
    const char *text; /* of the whole, for columns */
    const char *at;
    struct hone_python_names names;
    struct hone_python_name
        loop; /* one more name; its name is NULL where there is none */
    struct hone_arena *arena;
    int nesting;
    enum hone_status status; /* of the first failure; nothing is read after it */
    struct hone_error *err;
};

/* python_tokens.c: whether symbol or word comes next; it is then read. A word ends where
 * no letter or digit follows. */
bool hone_python_accept(struct hone_python_parser *p, const char *token);
/* The same, and a failure where it does not come. */
void hone_python_expect(struct hone_python_parser *p, const char *token);
/* To what is no blank. */
void hone_python_skip_space(struct hone_python_parser *p);
/* Whether nothing is left. */
bool hone_python_at_end(struct hone_python_parser *p);

/* Fail at the place reached, unless there was a failure before. */
void hone_python_fail(struct hone_python_parser *p, enum hone_status status,
                      const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A name; NULL where none comes. */
const char *hone_python_read_name(struct hone_python_parser *p);

/* One expression, up to a comma, a bracket, 'for', 'if' or the end. Parts are undefined
 * after a failure, but may be passed on. */
struct hone_python_part hone_python_read(struct hone_python_parser *p);

/* As a condition: False, 0 and '' are false. */
const char *hone_python_truth(struct hone_python_parser *p, struct hone_python_part part);

#endif
