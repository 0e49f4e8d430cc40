#ifndef _GNU_SOURCE
#define _GNU_SOURCE // wcwidth
#endif
#include "columns.h"

#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/grow.h"
#include "base/one_of.h"
#include "base/sink.h"

struct cli_cell {
    size_t at; /* in the table's text */
    bool rest;
    enum cli_style style;
};

static bool add_cell(struct cli_table *table, bool rest)
{
    if (!HONE_GROW(&table->cells, &table->cap, table->count + 1, 32)) return false;
    table->cells[table->count++] = (struct cli_cell){.at = table->text.len, .rest = rest};
    return true;
}

// A line of a table has no line ends.
static void add_text(struct cli_table *table, const char *format, va_list args)
{
    struct hone_strbuf *text = &table->text;
    const size_t begin = text->len;
    if (!text->data) *text = (struct hone_strbuf)HONE_STRBUF_INIT;
    hone_strbuf_vprintf(text, format, args);
    for (size_t i = begin; i < text->len; i++)
        if (hone_one_of(text->data[i], "\n\r\t")) text->data[i] = ' ';
    hone_strbuf_add_bytes(text, "", 1);
}

void cli_table_add(struct cli_table *table, const char *format, ...)
{
    va_list args;
    if (table->text.failed || !add_cell(table, false)) return;
    va_start(args, format);
    add_text(table, format, args);
    va_end(args);
}

void cli_table_add_rest(struct cli_table *table, const char *format, ...)
{
    const size_t columns = strlen(table->columns);
    va_list args;
    if (table->text.failed || !add_cell(table, true)) return;
    va_start(args, format);
    add_text(table, format, args);
    va_end(args);
    while (table->count % columns && add_cell(table, true))
        table->cells[table->count - 1].at = table->text.len - 1; // nothing
}

void cli_table_style(struct cli_table *table, enum cli_style style)
{
    if (table->count) table->cells[table->count - 1].style = style;
}

// In a locale of UTF-8, which the program itself does not have: numbers would change.
static int code_width(uint32_t code)
{
    static locale_t utf8;
    static bool asked;
    if (code < 0x80) return 1;
    if (!asked) utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    asked = true;
    if (!utf8) return 1;
    const locale_t before = uselocale(utf8);
    const int width = wcwidth((wchar_t)code);
    uselocale(before);
    return width < 0 ? 1 : width;
}

size_t cli_text_cut(struct hone_strbuf *out, const char *text, size_t columns)
{
    struct hone_strbuf seen = HONE_STRBUF_INIT;
    size_t width = 0, length, i;
    hone_sink_visible(&seen, text, strlen(text));
    for (i = 0; i < seen.len; i += length) {
        const uint32_t code = hone_utf8_next(seen.data + i, seen.len - i, &length);
        const size_t next = width + (size_t)code_width(code);
        if (next > columns) break;
        width = next;
    }
    hone_strbuf_add_bytes(out, seen.data, i);
    hone_strbuf_fini(&seen);
    return width;
}

size_t cli_text_width(const char *text)
{
    struct hone_strbuf all = HONE_STRBUF_INIT;
    const size_t width = cli_text_cut(&all, text, SIZE_MAX);
    hone_strbuf_fini(&all);
    return width;
}

static size_t column_width(const struct cli_table *table, size_t columns, size_t column)
{
    size_t most = 0;
    for (size_t i = column; i < table->count; i += columns) {
        const struct cli_cell *cell = &table->cells[i];
        const size_t width = cell->rest ? 0 : cli_text_width(table->text.data + cell->at);
        if (width > most) most = width;
    }
    return most;
}

// Blanks are owed until there is something to the right of them.
static void print_row(const struct cli_table *table, const struct cli_cell *row,
                      const size_t *widths, FILE *file)
{
    size_t owed = 0;
    for (size_t i = 0; table->columns[i]; i++) {
        const char *text = table->text.data + row[i].at;
        const size_t width = cli_text_width(text);
        const size_t blanks = row[i].rest || width > widths[i] ? 0 : widths[i] - width;
        if (table->columns[i] == 'r' && !row[i].rest) owed += blanks;
        if (*text) {
            fprintf(file, "%*s", (int)owed, "");
            cli_print_styled(file, row[i].style, "%s", text);
            owed = 0;
        }
        if (table->columns[i] == 'l') owed += blanks;
        owed += 2;
        if (row[i].rest) break;
    }
    fputc('\n', file);
}

void cli_table_print(struct cli_table *table, FILE *file, const char *indent)
{
    const size_t columns = strlen(table->columns);
    size_t *widths = calloc(columns, sizeof *widths);
    for (size_t i = 0; i < columns && widths; i++)
        widths[i] = column_width(table, columns, i);
    const size_t count = widths && !table->text.failed ? table->count : 0;
    for (size_t i = 0; i + columns <= count; i += columns) {
        fputs(indent, file);
        print_row(table, &table->cells[i], widths, file);
    }
    if (table->text.data) hone_strbuf_fini(&table->text);
    free(table->cells);
    free(widths);
    *table = (struct cli_table){.columns = table->columns};
}
