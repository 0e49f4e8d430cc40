#include "expr/value_text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_text.h"
#include "number.h"

bool hone_value_fit(struct hone_value *value, enum hone_type type)
{
    struct hone_value fitting = {.type = type};
    if (value->type == type) return true;
    if (type == HONE_FLOAT && !hone_value_to_double(*value, &fitting.f)) return false;
    if (type == HONE_INT && !hone_value_to_int(*value, &fitting.i)) return false;
    if (type == HONE_BOOL || type == HONE_STRING) return false;
    *value = fitting;
    return true;
}

// Neither blanks nor hexadecimal digits, "inf" or "nan", which strtod would take.
static bool parse_number(struct hone_value *out, const char *text)
{
    char *end = NULL;
    if (text[strspn(text, "0123456789+-.eE")] != '\0') return false;
    errno = 0;
    *out = (struct hone_value){.type = HONE_INT, .i = strtoll(text, &end, 10)};
    if (end != text && !*end && !errno) return true;
    *out = (struct hone_value){.type = HONE_FLOAT, .f = hone_strtod(text, &end)};
    return end != text && !*end && isfinite(out->f);
}

static bool parse_bool(struct hone_value *out, const char *text)
{
    out->b = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
    return out->b || strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
}

bool hone_value_parse(struct hone_value *out, enum hone_type type, const char *text)
{
    struct hone_value value = {.type = type, .s = text};
    bool is_value = true;
    if (type == HONE_BOOL) is_value = parse_bool(&value, text);
    if (type == HONE_INT || type == HONE_FLOAT)
        is_value = parse_number(&value, text) && hone_value_fit(&value, type);
    if (is_value) *out = value;
    return is_value;
}

const char *hone_value_in_full(char number[HONE_NUMBER_TEXT], struct hone_value value)
{
    if (value.type == HONE_STRING) return value.s;
    hone_value_print(number, HONE_NUMBER_TEXT, value);
    return number;
}

bool hone_value_is(struct hone_value value, const char *text)
{
    struct hone_value meant;
    return hone_value_parse(&meant, value.type, text) && hone_value_same(meant, value);
}
