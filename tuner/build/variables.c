// The variables that a module declares for all its threads, read from its PTX: by what
// name a program finds one, and which there are when it finds none. NVRTC writes each on
// a line of its own, which begins with its linkage or its space.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/suggest.h"
#include "hone/build.h"
#include "hone/strbuf.h"

struct variable {
    const char *name; // in the PTX
    size_t len;
    const char *plain; // its own name, without namespaces
    size_t plain_len;
};

// The last identifier of a mangled name, "_ZN1a1bE" or "_ZL1b" (Itanium C++ ABI, 5.1);
// any other name is its own.
static void find_plain(struct variable *v)
{
    const char *p = v->name, *end = v->name + v->len;
    v->plain = v->name;
    v->plain_len = v->len;
    if (v->len < 4 || strncmp(p, "_Z", 2) != 0) return;
    p += p[2] == 'N' ? 3 : 2;
    while (p < end && *p != 'E') {
        char *after;
        if (*p == 'L') p++;
        if (p == end || !hone_is_digit(*p)) return;
        const unsigned long len = strtoul(p, &after, 10);
        if (after >= end || len == 0 || len > (size_t)(end - after)) return;
        v->plain = after;
        v->plain_len = len;
        p = after + len;
    }
}

static bool begins(const char *line, const char *word)
{
    const size_t len = strlen(word);
    return strncmp(line, word, len) == 0 && line[len] == ' ';
}

// The linkage of a declaration, and what comes behind it.
static const char *skip_linkage(const char *line)
{
    static const char *const linkages[] = {".visible", ".weak", ".common"};
    for (size_t i = 0; i < sizeof linkages / sizeof *linkages; i++)
        if (begins(line, linkages[i])) return line + strlen(linkages[i]) + 1;
    return line;
}

// The name stands before the extent, the initial value or the end of the declaration.
// What the compiler made up has a '$' in its name.
static bool read_declaration(const char *line, struct variable *out)
{
    line = skip_linkage(line);
    if (!begins(line, ".const") && !begins(line, ".global")) return false;
    const char *end = line + strcspn(line, "[=;\n");
    while (end > line && end[-1] == ' ')
        end--;
    const char *name = end;
    while (name > line && name[-1] != ' ')
        name--;
    *out = (struct variable){.name = name, .len = (size_t)(end - name)};
    find_plain(out);
    return out->len > 0 && *name != '.' && !memchr(name, '$', out->len);
}

// The next variable of the text at *at, which moves behind it.
static bool next_variable(const char **at, struct variable *out)
{
    while (**at) {
        const char *line = *at;
        *at += strcspn(line, "\n");
        *at += **at == '\n';
        if (read_declaration(line, out)) return true;
    }
    return false;
}

static bool is_text(const char *text, size_t len, const char *name)
{
    return strlen(name) == len && memcmp(text, name, len) == 0;
}

// What there is in a name's place.
static enum hone_status no_variable(const char *ptx, const char *name,
                                    struct hone_error *err)
{
    enum { LISTED = 16, LEN = 64 };
    char names[LISTED][LEN];
    const char *list[LISTED];
    size_t count = 0;
    struct variable v;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    for (const char *at = ptx; count < LISTED && next_variable(&at, &v); count++) {
        snprintf(names[count], LEN, "%.*s", (int)v.plain_len, v.plain);
        list[count] = names[count];
        hone_strbuf_printf(&text, "%s%s", count ? ", " : "; it has ", names[count]);
    }
    const char *near = hone_suggest(name, list, count);
    if (near) hone_strbuf_printf(&text, "; did you mean '%s'?", near);
    hone_fail(err, HONE_ENOTFOUND, "the module has no variable '%s'%s", name,
              text.failed ? ""
              : count     ? text.data
                          : ", nor any other");
    hone_strbuf_fini(&text);
    return HONE_ENOTFOUND;
}

enum hone_status hone_build_variable(const struct hone_build *build, const char *name,
                                     char out[HONE_VARIABLE_MAX], struct hone_error *err)
{
    struct variable v, found = {0};
    size_t same = 0;
    const char *ptx = build->ptx ? build->ptx : "";
    for (const char *at = ptx; next_variable(&at, &v);) {
        const bool exact = is_text(v.name, v.len, name);
        if (!exact && !is_text(v.plain, v.plain_len, name)) continue;
        found = v;
        same = exact ? 1 : same + 1;
        if (exact) break;
    }
    if (same == 0) return no_variable(ptx, name, err);
    if (same > 1)
        return hone_fail(err, HONE_EINPUT,
                         "%zu namespaces of the module have a variable '%s'; name one as "
                         "its PTX does, such as '%.*s'",
                         same, name, (int)found.len, found.name);
    if (found.len >= HONE_VARIABLE_MAX)
        return hone_fail(err, HONE_EINPUT, "the name of variable '%s' is too long", name);
    memcpy(out, found.name, found.len);
    out[found.len] = '\0';
    return HONE_OK;
}
