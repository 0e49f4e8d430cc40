// Values: truth, conversions, identity, text.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/c_text.h"
#include "hone/expr.h"
#include "number.h"

bool hone_value_true(struct hone_value value)
{
    return value.type != HONE_BOOL || value.b;
}

bool hone_value_to_int(struct hone_value value, int64_t *out)
{
    if (value.type == HONE_FLOAT) return hone_float_to_int(value.f, out);
    if (value.type != HONE_INT) return false;
    *out = value.i;
    return true;
}

bool hone_value_to_double(struct hone_value value, double *out)
{
    if (value.type != HONE_INT && value.type != HONE_FLOAT) return false;
    *out = value.type == HONE_INT ? (double)value.i : value.f;
    return true;
}

bool hone_value_same(struct hone_value a, struct hone_value b)
{
    if (a.type != b.type) return false;
    switch (a.type) {
    case HONE_INT:
        return a.i == b.i;
    case HONE_FLOAT:
        return a.f == b.f;
    case HONE_BOOL:
        return a.b == b.b;
    case HONE_STRING:
        return strcmp(a.s, b.s) == 0;
    }
    return false;
}

// Lua's 14 digits where they read back the same, else as many as it takes; always with a
// mark of a float (2.0, 1e+20).
static int print_float(char *buf, size_t size, double f)
{
    if (isnan(f)) return snprintf(buf, size, "nan");
    char text[40];
    int len = 0;
    for (int digits = 14; digits <= 17; digits++) {
        len = hone_snprintf(text, sizeof text, "%.*g", digits, f);
        if (hone_strtod(text, NULL) == f) break;
    }
    bool looks_whole = text[strspn(text, "-0123456789")] == '\0';
    return snprintf(buf, size, "%.*s%s", len, text, looks_whole ? ".0" : "");
}

static int print(char *buf, size_t size, struct hone_value value)
{
    switch (value.type) {
    case HONE_INT:
        return snprintf(buf, size, "%lld", (long long)value.i);
    case HONE_FLOAT:
        return print_float(buf, size, value.f);
    case HONE_BOOL:
        return snprintf(buf, size, "%s", value.b ? "true" : "false");
    case HONE_STRING:
        return snprintf(buf, size, "%s", value.s);
    }
    return 0;
}

size_t hone_value_print(char *buf, size_t size, struct hone_value value)
{
    int len = print(buf, size, value);
    if (size == 0 || len < 0) return 0;
    return (size_t)len < size ? (size_t)len : size - 1;
}
