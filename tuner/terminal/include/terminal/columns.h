/* Tables for people: a column is as wide as the widest text in it looks on a terminal,
 * whatever names others chose. Two blanks between columns. */
#ifndef HONE_TERMINAL_COLUMNS_H
#define HONE_TERMINAL_COLUMNS_H

#include "terminal/styled.h"

struct hone_cell;

struct hone_columns {
    const char
        *sides; /* a letter a column: 'l' begins at its left, 'r' ends at its right */
    struct hone_cell *cells; /* row by row */
    size_t count, cap;
    struct hone_strbuf text;
};

/* Add the text of the next cell; a row is full with its last column. When memory runs out
 * rows are left out. */
void hone_columns_add(struct hone_columns *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same of several cells, texts as they are; NULL behind the last one, which the macro
 * adds. */
void hone_columns_add_texts(struct hone_columns *table, const char *const *texts);
#define HONE_COLUMNS_ADD_TEXTS(table, ...)                                               \
    hone_columns_add_texts(table, (const char *const[]){__VA_ARGS__, NULL})

/* A number of so many significant digits, as hone_plain; "-" for NAN, an unknown one. */
void hone_columns_add_number(struct hone_columns *table, double number, int digits);

/* The rest of the row is this text, whose width does not count. */
void hone_columns_add_rest(struct hone_columns *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The colour of the cell that was added last. */
void hone_columns_style(struct hone_columns *table, enum hone_style style);

/* Add the full rows, each behind indent, and release the table. */
void hone_columns_text(struct hone_styled *out, struct hone_columns *table,
                       const char *indent);

#endif
