// The types of a function in the name that C++ compilers give it (Itanium C++ ABI, 5.1):
// "_Z5scalePfi" is scale(float *, int).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/one_of.h"
#include "c_type.h"

static const char *skip_name(const char *at)
{
    char *end;
    const unsigned long len = strtoul(at, &end, 10);
    return len && len <= strlen(end) ? end + len : NULL;
}

// A literal of a plain type, as "Li256E".
static const char *skip_literal(const char *at)
{
    at++;
    if (!hone_is_lower(*at)) return NULL;
    at += 1 + (at[1] == 'n');
    at += strspn(at, "0123456789");
    return *at == 'E' ? at + 1 : NULL;
}

// A type that stands for an earlier one or for a template's: "S_", "S0_", "T_".
static const char *skip_substitution(const char *at)
{
    const char *p = at + 1;
    while (hone_is_digit(*p) || hone_is_upper(*p))
        p++;
    return *p == '_' ? p + 1 : NULL;
}

// Behind the 'E' that ends what begins at text with 'I' or 'N'.
static const char *skip_nested(const char *at)
{
    int depth = 0;
    do {
        if (hone_is_digit(*at))
            at = skip_name(at);
        else if (*at == 'L')
            at = at[1] && hone_is_digit(at[1]) ? at + 1 : skip_literal(at);
        else if ((*at == 'S' || *at == 'T') && skip_substitution(at))
            at = skip_substitution(at);
        else if (!hone_is_alpha(*at))
            return NULL;
        else {
            depth += hone_one_of(*at, "INXJF");
            depth -= *at == 'E';
            at++;
        }
    } while (at && depth > 0);
    return at;
}

static const char *skip_function_name(const char *at, bool *returns)
{
    if (*at == 'N') {
        const char *end = skip_nested(at);
        *returns = end && end[-2] == 'E';
        return end;
    }
    if (*at == 'L') at++;
    at = hone_is_digit(*at) ? skip_name(at) : NULL;
    if (!at || *at != 'I') return at;
    *returns = true; // of a template
    return skip_nested(at);
}

static const struct {
    char letter;
    const char *words;
} plain[] = {{'v', "void"},
             {'b', "bool"},
             {'c', "char"},
             {'a', "signed char"},
             {'h', "unsigned char"},
             {'s', "short"},
             {'t', "unsigned short"},
             {'i', "int"},
             {'j', "unsigned int"},
             {'l', "long"},
             {'m', "unsigned long"},
             {'x', "long long"},
             {'y', "unsigned long long"},
             {'f', "float"},
             {'d', "double"}};

static void add_words(struct hone_c_type *type, const char *words)
{
    while (*words) {
        const size_t len = strcspn(words, " ");
        hone_c_type_word(type, words, len);
        words += len;
        words += *words == ' ';
    }
}

static void set_text(struct hone_declared_param *param, const char *words, size_t len)
{
    static const char stars[] = " ********";
    const int count = param->pointers ? 1 + (int)(param->pointers & 7) : 0;
    snprintf(param->text, sizeof param->text, "%.*s%.*s", (int)(len < 48 ? len : 48),
             words, count, stars);
}

static const char *read_base(struct hone_declared_param *param, const char *at)
{
    struct hone_c_type type = {0};
    const char *words = "?", *end = NULL;
    size_t len = 1;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (plain[i].letter == *at) words = plain[i].words, end = at + 1;
    if (end) {
        add_words(&type, words);
        len = strlen(words);
    } else if (hone_is_digit(*at)) {
        end = skip_name(at);
        if (!end) return NULL;
        words = at + strspn(at, "0123456789");
        len = (size_t)(end - words);
        hone_c_type_word(&type, words, len);
        if (*end == 'I') type.unknown = true, end = skip_nested(end);
    } else if (*at == 'S' || *at == 'T') {
        end = skip_substitution(at);
    } else if (*at == 'N') {
        end = skip_nested(at);
    }
    set_text(param, words, len);
    hone_c_type_tell(&type, &param->type, &param->dtype);
    return end;
}

static const char *read_type(struct hone_declared_param *param, const char *at)
{
    *param = (struct hone_declared_param){0};
    bool reference = false;
    for (;; at++) {
        if (*at == 'P') param->pointers++;
        if (*at == 'R' || *at == 'O') reference = true;
        if (!hone_one_of(*at, "PROKVr")) break;
    }
    at = read_base(param, at);
    if (reference) param->type = HONE_DECLARED_UNKNOWN;
    return at;
}

bool hone_declaration_of_mangled(struct hone_declaration *out, const char *mangled)
{
    bool returns = false;
    struct hone_declared_param ignored;
    out->count = 0;
    out->varies = false;
    if (strncmp(mangled, "_Z", 2) != 0) return false;
    const char *at = skip_function_name(mangled + 2, &returns);
    if (at && returns) at = read_type(&ignored, at);
    while (at && *at) {
        if (out->count == HONE_DECLARED_MAX) return false;
        at = read_type(&out->params[out->count++], at);
    }
    const bool none = at && out->count == 1 && !out->params[0].pointers &&
                      out->params[0].type == HONE_DECLARED_VOID;
    if (none) out->count = 0;
    return at != NULL;
}
