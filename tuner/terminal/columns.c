#include "terminal/columns.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/one_of.h"
#include "base/quantity.h"

struct hone_cell {
    size_t at; /* in the table's text */
    bool rest;
    enum hone_style style;
};

static bool add_cell(struct hone_columns *table, bool rest)
{
    if (!HONE_GROW(&table->cells, &table->cap, table->count + 1, 32)) return false;
    table->cells[table->count++] =
        (struct hone_cell){.at = table->text.len, .rest = rest};
    return true;
}

// A line of a table has no line ends.
static void add_text(struct hone_columns *table, const char *format, va_list args)
{
    struct hone_strbuf *text = &table->text;
    const size_t begin = text->len;
    if (!text->data) *text = (struct hone_strbuf)HONE_STRBUF_INIT;
    hone_strbuf_vprintf(text, format, args);
    for (size_t i = begin; i < text->len; i++)
        if (hone_one_of(text->data[i], "\n\r\t")) text->data[i] = ' ';
    hone_strbuf_add_bytes(text, "", 1);
}

void hone_columns_add(struct hone_columns *table, const char *format, ...)
{
    va_list args;
    if (table->text.failed || !add_cell(table, false)) return;
    va_start(args, format);
    add_text(table, format, args);
    va_end(args);
}

void hone_columns_add_texts(struct hone_columns *table, const char *const *texts)
{
    for (; *texts; texts++)
        hone_columns_add(table, "%s", *texts);
}

void hone_columns_add_number(struct hone_columns *table, double number, int digits)
{
    hone_columns_add(table, "%s", isnan(number) ? "-" : hone_plain(number, digits).text);
}

void hone_columns_add_rest(struct hone_columns *table, const char *format, ...)
{
    const size_t columns = strlen(table->sides);
    va_list args;
    if (table->text.failed || !add_cell(table, true)) return;
    va_start(args, format);
    add_text(table, format, args);
    va_end(args);
    while (table->count % columns && add_cell(table, true))
        table->cells[table->count - 1].at = table->text.len - 1; // nothing
}

void hone_columns_style(struct hone_columns *table, enum hone_style style)
{
    if (table->count) table->cells[table->count - 1].style = style;
}

static size_t column_width(const struct hone_columns *table, size_t columns,
                           size_t column)
{
    size_t most = 0;
    for (size_t i = column; i < table->count; i += columns) {
        const struct hone_cell *cell = &table->cells[i];
        const size_t width =
            cell->rest ? 0 : hone_text_width(table->text.data + cell->at);
        if (width > most) most = width;
    }
    return most;
}

// Blanks are owed until there is something to the right of them.
static void add_row(struct hone_styled *out, const struct hone_columns *table,
                    const struct hone_cell *row, const size_t *widths)
{
    size_t owed = 0;
    for (size_t i = 0; table->sides[i]; i++) {
        const char *text = table->text.data + row[i].at;
        const size_t width = hone_text_width(text);
        const size_t blanks = row[i].rest || width > widths[i] ? 0 : widths[i] - width;
        if (table->sides[i] == 'r' && !row[i].rest) owed += blanks;
        if (*text) {
            if (owed) hone_styled_add(out, HONE_STYLE_PLAIN, "%*s", (int)owed, "");
            hone_styled_add(out, row[i].style, "%s", text);
            owed = 0;
        }
        if (table->sides[i] == 'l') owed += blanks;
        owed += 2;
        if (row[i].rest) break;
    }
    hone_styled_add(out, HONE_STYLE_PLAIN, "\n");
}

void hone_columns_text(struct hone_styled *out, struct hone_columns *table,
                       const char *indent)
{
    const size_t columns = strlen(table->sides);
    size_t *widths = calloc(columns, sizeof *widths);
    for (size_t i = 0; i < columns && widths; i++)
        widths[i] = column_width(table, columns, i);
    const size_t count = widths && !table->text.failed ? table->count : 0;
    for (size_t i = 0; i + columns <= count; i += columns) {
        hone_styled_add(out, HONE_STYLE_PLAIN, "%s", indent);
        add_row(out, table, &table->cells[i], widths);
    }
    if (table->text.data) hone_strbuf_fini(&table->text);
    free(table->cells);
    free(widths);
    *table = (struct hone_columns){.sides = table->sides};
}
