// Reads as much of a mangled name as messages need: there is a demangler in the runtime
// library of C++, which a program in C does not have.
#include "base/mangled_name.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"

static const struct {
    char letter;
    const char *words;
} plain[] = {{'b', "bool"},          {'c', "char"},      {'a', "signed char"},
             {'h', "unsigned char"}, {'s', "short"},     {'t', "unsigned short"},
             {'i', "int"},           {'j', "unsigned"},  {'l', "long"},
             {'m', "unsigned long"}, {'x', "long long"}, {'y', "unsigned long long"},
             {'f', "float"},         {'d', "double"},    {'v', "void"}};

// "3fir": a length, then as many letters. Namespaces without a name get one of these.
static const char *add_source_name(struct hone_strbuf *out, const char *at)
{
    char *begin;
    const unsigned long len = strtoul(at, &begin, 10);
    if (!hone_is_digit(*at) || !len || len > strlen(begin)) return NULL;
    if (strncmp(begin, "_GLOBAL__N", 10) == 0 || strncmp(begin, "_INTERNAL", 9) == 0)
        hone_strbuf_add(out, "(anonymous)");
    else
        hone_strbuf_add_bytes(out, begin, len);
    return begin + len;
}

// "Li256E", of any plain type; 'n' is a minus.
static const char *add_number(struct hone_strbuf *out, const char *at)
{
    if (*at != 'L' || !hone_is_lower(at[1])) return NULL;
    const char *digits = at + 2 + (at[2] == 'n');
    const size_t len = strspn(digits, "0123456789");
    if (!len || digits[len] != 'E') return NULL;
    if (at[1] == 'b')
        hone_strbuf_add(out, *digits == '0' ? "false" : "true");
    else
        hone_strbuf_printf(out, "%s%.*s", at[2] == 'n' ? "-" : "", (int)len, digits);
    return digits + len + 1;
}

static const char *add_argument(struct hone_strbuf *out, const char *at)
{
    if (*at == 'L') return add_number(out, at);
    if (hone_is_digit(*at)) return add_source_name(out, at);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        if (plain[i].letter != *at) continue;
        hone_strbuf_add(out, plain[i].words);
        return at + 1;
    }
    return NULL;
}

// "IfLi8EE" as "<float, 8>". What follows arguments that are not understood is not found:
// NULL, behind "<...>".
static const char *add_arguments(struct hone_strbuf *out, const char *at)
{
    struct hone_strbuf list = HONE_STRBUF_INIT;
    for (at++; at && *at != 'E';) {
        if (list.len) hone_strbuf_add(&list, ", ");
        at = add_argument(&list, at);
    }
    hone_strbuf_printf(out, "<%s>", at ? list.data : "...");
    hone_strbuf_fini(&list);
    return at ? at + 1 : NULL;
}

static bool add_nested(struct hone_strbuf *out, const char *at)
{
    bool any = false;
    at += strspn(at, "rVK");
    while (*at != 'E') {
        if (any) hone_strbuf_add(out, "::");
        at = add_source_name(out, at);
        if (!at) return false;
        any = true;
        if (*at == 'I') at = add_arguments(out, at);
        if (!at) return true; // "<...>" ends what is told
    }
    return any;
}

bool hone_mangled_name(struct hone_strbuf *out, const char *mangled)
{
    struct hone_strbuf name = HONE_STRBUF_INIT;
    bool read = strncmp(mangled, "_Z", 2) == 0;
    const char *at = mangled + 2;
    if (read && *at == 'N') {
        read = add_nested(&name, at + 1);
    } else if (read) {
        at = add_source_name(&name, at + (*at == 'L'));
        read = at != NULL;
        if (read && *at == 'I') add_arguments(&name, at);
    }
    if (read) hone_strbuf_add_bytes(out, name.data, name.len);
    hone_strbuf_fini(&name);
    return read;
}
