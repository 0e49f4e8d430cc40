/* Tables for people: a column is as wide as the widest text in it looks on a terminal,
 * whatever names others chose. Two blanks between columns. */
#ifndef HONE_CLI_COLUMNS_H
#define HONE_CLI_COLUMNS_H

#include <stdio.h>

#include "base/strbuf.h"
#include "color.h"

struct cli_cell;

/* A letter a column: 'l' begins at its left, 'r' ends at its right. */
struct cli_table {
    const char *columns;
    struct cli_cell *cells; /* row by row */
    size_t count, cap;
    struct hone_strbuf text;
};

/* Add the text of the next cell; a row is full with its last column. When memory runs out
 * rows are left out. */
void cli_table_add(struct cli_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The rest of the row is this text, whose width does not count. */
void cli_table_add_rest(struct cli_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The colour of the cell that was added last. */
void cli_table_style(struct cli_table *table, enum cli_style style);

/* Print the full rows, each behind indent, and release the table. */
void cli_table_print(struct cli_table *table, FILE *file, const char *indent);

/* Columns that text takes on a terminal, as the guard of terminal.h writes it there. */
size_t cli_text_width(const char *text);

/* As much of text as fits in so many columns, added to out; returns the columns taken. */
size_t cli_text_cut(struct hone_strbuf *out, const char *text, size_t columns);

#endif
