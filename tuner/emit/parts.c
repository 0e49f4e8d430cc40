// Text of headers that stands in files of C, in tuner/emit/text: read at emission, with
// the names of the header.
#include <string.h>

#include "base/ascii.h"
#include "base/one_of.h"
#include "emit_internal.h"

static bool is_of_name(char c)
{
    return hone_is_alnum(c) || c == '_';
}

// A word of the text: names that begin with kernel_ or KERNEL_ are the header's own, and
// so is its file's.
static void add_word(struct hone_strbuf *out, const struct emit_plan *plan,
                     const char *word, size_t len)
{
    static const char lower[] = "kernel", upper[] = "KERNEL";
    enum { LEN = sizeof lower - 1 };
    const bool is_own =
        len >= LEN && (word[LEN] == '_' || (len == LEN && word[LEN] == '.'));
    const char *prefix = !is_own                          ? NULL
                         : strncmp(word, lower, LEN) == 0 ? plan->name
                         : strncmp(word, upper, LEN) == 0 ? plan->upper
                                                          : NULL;
    if (prefix) hone_strbuf_add(out, prefix);
    hone_strbuf_add_bytes(out, word + (prefix ? LEN : 0), len - (prefix ? LEN : 0));
}

static void add_names(struct hone_strbuf *out, const struct emit_plan *plan,
                      const char *text, size_t len)
{
    for (size_t i = 0; i < len;) {
        size_t end = i;
        while (end < len && is_of_name(text[end]))
            end++;
        if (end > i)
            add_word(out, plan, text + i, end - i);
        else
            hone_strbuf_add_bytes(out, text + end++, 1);
        i = end;
    }
}

// Whether a line goes on in the next one, which is aligned with something in it: names of
// another length would leave it askew, so that hone_emit_wrap breaks them anew.
static bool goes_on(const char *line, size_t len, const char *next)
{
    const bool is_comment = strncmp(line, "/*", 2) == 0 || *line == '*' ||
                            (len > 1 && strncmp(line + len - 2, "*/", 2) == 0);
    if (!len || *line == '#' || is_comment) return false;
    if (!*next || *next == '\n' || *next == '#' || strncmp(next, "/*", 2) == 0)
        return false;
    return hone_one_of(line[len - 1], ",(=+-?&|") || hone_one_of(*next, "?:+|&");
}

// words: some, each followed by a blank; word: the first of a text.
static bool has_word(const char *words, const char *word)
{
    const size_t len = strcspn(word, " ");
    for (; *words; words += strcspn(words, " ") + 1)
        if (strncmp(words, word, len + 1) == 0) return true;
    return false;
}

struct reading {
    struct hone_strbuf *out;
    const struct emit_plan *plan;
    const char *words;
    bool skips;    // what is not needed
    bool goes_on;  // the line that was written last
    bool is_blank; // it
};

static void read_part_line(struct reading *r, const char *line, size_t len,
                           const char *next)
{
    static const char only[] = "/* only: ", end[] = "/* end */";
    const size_t indent = strspn(line, " ");
    const char *begin = line + indent;
    if (strncmp(begin, only, sizeof only - 1) == 0) {
        r->skips = !has_word(r->words, begin + sizeof only - 1);
    } else if (strncmp(begin, end, sizeof end - 1) == 0) {
        r->skips = false;
    } else if (!r->skips && !(r->is_blank && !len)) {
        const size_t from = r->goes_on ? indent : 0;
        hone_strbuf_add(r->out, r->goes_on ? " " : "");
        add_names(r->out, r->plan, line + from, len - from);
        r->goes_on = goes_on(begin, len - indent, next + strspn(next, " "));
        hone_strbuf_add(r->out, r->goes_on ? "" : "\n");
        r->is_blank = len == 0;
    }
}

void hone_emit_part(struct hone_strbuf *out, const struct emit_plan *plan,
                    const unsigned char *file, const char *words)
{
    static const char begin[] = "/* text */\n", end[] = "/* end of text */";
    struct reading r = {.out = out, .plan = plan, .words = words};
    const char *line = strstr((const char *)file, begin) + sizeof begin - 1;
    while (strncmp(line, end, sizeof end - 1) != 0) {
        const size_t len = strcspn(line, "\n");
        read_part_line(&r, line, len, line + len + 1);
        line += len + 1;
    }
    hone_strbuf_add(out, r.is_blank ? "" : "\n");
}
