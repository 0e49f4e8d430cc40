#include "base/identifier.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 255 };

// Lua 5.4 manual 3.1, C17 6.4.1, C++20 lex.key with the alternative tokens. Sorted. Those
// of C that begin with an underscore are left out: such names are the compiler's anyway.
static const char *const keywords[] = {
    "alignas",      "alignof",   "and",
    "and_eq",       "asm",       "auto",
    "bitand",       "bitor",     "bool",
    "break",        "case",      "catch",
    "char",         "char16_t",  "char32_t",
    "char8_t",      "class",     "co_await",
    "co_return",    "co_yield",  "compl",
    "concept",      "const",     "const_cast",
    "consteval",    "constexpr", "constinit",
    "continue",     "decltype",  "default",
    "delete",       "do",        "double",
    "dynamic_cast", "else",      "elseif",
    "end",          "enum",      "explicit",
    "export",       "extern",    "false",
    "float",        "for",       "friend",
    "function",     "goto",      "if",
    "in",           "inline",    "int",
    "local",        "long",      "mutable",
    "namespace",    "new",       "nil",
    "noexcept",     "not",       "not_eq",
    "nullptr",      "operator",  "or",
    "or_eq",        "private",   "protected",
    "public",       "register",  "reinterpret_cast",
    "repeat",       "requires",  "restrict",
    "return",       "short",     "signed",
    "sizeof",       "static",    "static_assert",
    "static_cast",  "struct",    "switch",
    "template",     "then",      "this",
    "thread_local", "throw",     "true",
    "try",          "typedef",   "typeid",
    "typename",     "union",     "unsigned",
    "until",        "using",     "virtual",
    "void",         "volatile",  "wchar_t",
    "while",        "xor",       "xor_eq",
};

const char *hone_identifier_end(const char *text)
{
    if (!hone_is_name_start(*text)) return NULL;
    while (hone_is_name_part(*text))
        text++;
    return text;
}

static int identifier_compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool hone_identifier_is_keyword(const char *name)
{
    return bsearch(&name, keywords, sizeof keywords / sizeof *keywords, sizeof *keywords,
                   identifier_compare) != NULL;
}

const char *hone_identifier_fault(const char *name)
{
    const char *end = hone_identifier_end(name);
    const bool reserved =
        name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
    if (!end || *end || reserved) return "cannot be a name in C";
    return end - name > NAME_MOST ? "is longer than 255 bytes" : NULL;
}
