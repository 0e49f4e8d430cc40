// The printing functions write a statement as one line, whatever its length; here lines
// get the width that a reader's page has.
#include "wrap.h"

#include <stdbool.h>
#include <string.h>

#include "hone/strbuf.h"

/* Where a line is broken: what stands from `from` on goes to the next one. */
struct place {
    size_t to, from;
    const char *closing;
    bool found;
};

/* --- comments --- */

// Length of an index in brackets; 0: a bracket that no index has, as in a text.
static size_t index_length(const char *line)
{
    size_t i = 0, depth = 0;
    if (*line != '[') return 0;
    while (line[i] && line[i] != ']' && line[i] != '"' && (line[i] != ',' || depth)) {
        depth += line[i] == '(';
        depth -= line[i] == ')' && depth;
        i++;
    }
    return i < EMIT_COLUMNS * 2 / 3 && line[i] == ']' ? i : 0;
}

// Rather behind a comma than in the middle of what it ends; an index stays whole.
static struct place place_in_comment(const char *line, size_t most)
{
    struct place place = {.closing = ""};
    size_t i = 2;
    while (line[i] == ' ' || line[i] == '*')
        i++;
    for (; line[i] != 0; i++) {
        if (i > most && place.found) break;
        i += index_length(line + i);
        const bool single = line[i] == ' ' && line[i - 1] != ' ' && line[i + 1] != ' ';
        const bool in_list = place.found && place.to > EMIT_COLUMNS * 3 / 4 &&
                             line[place.to - 1] == ',' && line[i - 1] != ',';
        if (!single || !line[i + 1] || in_list || strcmp(line + i, " */") == 0) continue;
        place.to = i;
        place.from = i + 1;
        place.found = true;
    }
    return place;
}

/* --- code --- */

enum { OF_TEXT = 1000, OF_DEPTH = 100, MARGIN_MOST = 8 };

// How little a line likes to end ahead of the operator at its blank; -1: not at all.
static int operator_cost(const char *blank)
{
    static const struct {
        const char *symbol;
        int cost;
    } known[] = {{" && ", 1}, {" || ", 0}, {" ? ", 0},  {" : ", 0},  {" == ", 5},
                 {" != ", 5}, {" < ", 5},  {" <= ", 5}, {" > ", 5},  {" >= ", 5},
                 {" + ", 10}, {" - ", 10}, {" * ", 20}, {" / ", 20}, {" % ", 20},
                 {" | ", 8},  {" & ", 8},  {" ^ ", 8}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(blank, known[i].symbol, strlen(known[i].symbol)) == 0)
            return known[i].cost;
    return -1;
}

static int blank_cost(const char *line, size_t i)
{
    const char before = line[i - 1];
    if (before == ',' || before == ';') return 0;
    if (before == '=' && i > 1 && line[i - 2] == ' ') return 2;
    return operator_cost(line + i);
}

struct scan {
    int depth;
    char quote; // of the literal that is open, or 0
};

// Step over a character, and over the one that a backslash hides.
static size_t scan_step(struct scan *scan, const char *line, size_t i)
{
    const char c = line[i];
    if (scan->quote) {
        if (c == '\\' && line[i + 1]) return i + 2;
        if (c == scan->quote) scan->quote = 0;
    } else if (c == '"' || c == '\'') {
        scan->quote = c;
    } else {
        scan->depth += (c == '(' || c == '[' || c == '{');
        scan->depth -= (c == ')' || c == ']' || c == '}');
    }
    return i + 1;
}

// Code behind a comment's begin stays as it is.
static bool begins_comment(const struct scan *scan, const char *at)
{
    return !scan->quote && at[0] == '/' && at[1] == '*';
}

// Take the blank at i where nothing better is known.
static void consider(struct place *place, int *least, const struct scan *scan,
                     const char *line, size_t i)
{
    const bool in_text = scan->quote == '"';
    const int cost = in_text ? OF_TEXT : scan->quote ? -1 : blank_cost(line, i);
    const int all = cost + OF_DEPTH * scan->depth; // below 0 behind an older bracket
    if (cost < 0 || (place->found && all > *least)) return;
    *least = all;
    place->found = true;
    place->to = in_text ? i + 1 : i;
    place->from = i + 1;
    place->closing = in_text ? "\"" : "";
}

static bool is_blank(const char *line, size_t i)
{
    return line[i] == ' ' && line[i + 1] && line[i + 1] != '\\';
}

static struct place place_in_code(const char *line, size_t most)
{
    const size_t indent = strspn(line, " ");
    struct place place = {.closing = ""};
    struct scan scan = {0};
    int least = 0;
    size_t i = 0;
    while (line[i] && !begins_comment(&scan, line + i)) {
        const size_t end = scan.quote ? i + 2 : i; // with the quote that is put there
        if (end > most) break;
        if (i > indent + MARGIN_MOST && is_blank(line, i))
            consider(&place, &least, &scan, line, i);
        i = scan_step(&scan, line, i);
    }
    return place;
}

/* --- lines --- */

static bool is_comment(const char *line, bool inside)
{
    return inside || strncmp(line, "/* ", 3) == 0;
}

// One line, without its end, in as many as it takes.
static void wrap_line(struct hone_strbuf *out, struct hone_strbuf *line, bool inside)
{
    const bool comment = is_comment(line->data, inside), macro = line->data[0] == '#';
    const size_t indent = strspn(line->data, " ");
    const size_t most = macro ? EMIT_COLUMNS - 2 : EMIT_COLUMNS;
    while (line->len > EMIT_COLUMNS && !line->failed) {
        const struct place place = comment ? place_in_comment(line->data, EMIT_COLUMNS)
                                           : place_in_code(line->data, most);
        struct hone_strbuf rest = HONE_STRBUF_INIT;
        if (!place.found) break;
        hone_strbuf_add_bytes(out, line->data, place.to);
        hone_strbuf_printf(out, "%s%s\n", place.closing, macro ? " \\" : "");
        if (!comment) hone_strbuf_printf(&rest, "%*s", (int)indent, "");
        hone_strbuf_printf(&rest, "%s%s%s",
                           comment  ? " *     "
                           : indent ? "        "
                                    : "    ",
                           place.closing, line->data + place.from);
        hone_strbuf_clear(line);
        hone_strbuf_add_bytes(line, rest.data, rest.len);
        line->failed |= rest.failed;
        hone_strbuf_fini(&rest);
    }
    hone_strbuf_add_bytes(out, line->data, line->len);
    out->failed |= line->failed;
}

static bool ends_comment(const char *line, bool inside)
{
    const char *begin = inside ? line : strstr(line, "/*");
    return begin && strstr(begin, "*/");
}

// The bracket that opens a function stands behind its parameters where there is room.
static bool joins(struct hone_strbuf *out, const char *line, size_t len)
{
    size_t begin = out->len;
    if (len != 1 || *line != '{' || out->len < 2 || out->failed) return false;
    if (out->data[out->len - 2] != ')') return false;
    while (begin > 1 && out->data[begin - 2] != '\n')
        begin--;
    if (out->len - begin + strlen(" {") >= EMIT_COLUMNS) return false;
    out->data[out->len - 1] = ' ';
    hone_strbuf_add(out, "{");
    return true;
}

void hone_emit_wrap(struct hone_strbuf *out, const char *text)
{
    struct hone_strbuf line = HONE_STRBUF_INIT;
    bool inside = false;
    while (*text) {
        const size_t len = strcspn(text, "\n");
        hone_strbuf_clear(&line);
        hone_strbuf_add_bytes(&line, text, len);
        const bool begins = strncmp(line.data, "/*", 2) == 0;
        const bool ends = (inside || begins) && ends_comment(line.data, inside);
        if (!inside && joins(out, text, len)) {
        } else if (len <= EMIT_COLUMNS)
            hone_strbuf_add_bytes(out, text, len);
        else
            wrap_line(out, &line, inside);
        inside = (inside || begins) && !ends;
        text += len;
        if (*text) hone_strbuf_add(out, "\n");
        text += *text == '\n';
    }
    hone_strbuf_fini(&line);
}
