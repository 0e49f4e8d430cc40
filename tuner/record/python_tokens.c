// The tokens of Python expressions, and the first failure of their parser, which ends it.
#include "python_parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/c_text.h"
#include "base/identifier.h"
#include "base/one_of.h"

void hone_python_fail(struct hone_python_parser *p, enum hone_status status,
                      const char *format, ...)
{
    char what[200];
    va_list args;
    if (p->status != HONE_OK) return;
    va_start(args, format);
    hone_vsnprintf(what, sizeof what, format, args);
    va_end(args);
    p->status =
        hone_fail(p->err, status, "column %d: %s", (int)(p->at - p->text) + 1, what);
}

void hone_python_skip_space(struct hone_python_parser *p)
{
    while (hone_one_of(*p->at, " \t\r\n"))
        p->at++;
}

bool hone_python_accept(struct hone_python_parser *p, const char *token)
{
    const size_t length = strlen(token);
    hone_python_skip_space(p);
    if (p->status != HONE_OK || strncmp(p->at, token, length) != 0) return false;
    if (hone_is_name_part(*token) && hone_is_name_part(p->at[length])) return false;
    p->at += length;
    return true;
}

void hone_python_expect(struct hone_python_parser *p, const char *token)
{
    if (!hone_python_accept(p, token))
        hone_python_fail(p, HONE_EINPUT, "'%s' expected", token);
}

bool hone_python_at_end(struct hone_python_parser *p)
{
    hone_python_skip_space(p);
    return !*p->at;
}

const char *hone_python_read_name(struct hone_python_parser *p)
{
    hone_python_skip_space(p);
    const char *end = hone_identifier_end(p->at);
    if (!end) return NULL;
    char *name = hone_arena_alloc(p->arena, (size_t)(end - p->at) + 1);
    if (!name) {
        hone_python_fail(p, HONE_ENOMEM, "out of memory");
        return NULL;
    }
    memcpy(name, p->at, (size_t)(end - p->at));
    p->at = end;
    return name;
}

// --- kinds ---
