// Equality and order of values, exact between integers and floats (Lua 5.4 manual 3.4.4).
#include <string.h>

#include "number.h"
#include "operate.h"

bool hone_equal(const struct hone_value *a, const struct hone_value *b)
{
    if (a->type == b->type) return hone_value_same(*a, *b);
    if (a->type == HONE_INT && b->type == HONE_FLOAT)
        return hone_compare_int_float(a->i, b->f) == 0;
    if (a->type == HONE_FLOAT && b->type == HONE_INT)
        return hone_compare_int_float(b->i, a->f) == 0;
    return false;
}

static bool less_number(const struct hone_value *a, const struct hone_value *b,
                        bool or_equal)
{
    if (a->type == HONE_INT && b->type == HONE_INT)
        return or_equal ? a->i <= b->i : a->i < b->i;
    if (a->type == HONE_FLOAT && b->type == HONE_FLOAT)
        return or_equal ? a->f <= b->f : a->f < b->f;
    int order = a->type == HONE_INT ? hone_compare_int_float(a->i, b->f)
                                    : -hone_compare_int_float(b->i, a->f);
    return order == -1 || (or_equal && order == 0);
}

enum expr_fault hone_less(bool *out, const struct hone_value *a,
                          const struct hone_value *b, bool or_equal)
{
    if (hone_is_number(a) && hone_is_number(b)) {
        *out = less_number(a, b, or_equal);
    } else if (a->type == HONE_STRING && b->type == HONE_STRING) {
        int order = strcmp(a->s, b->s);
        *out = order < 0 || (or_equal && order == 0);
    } else {
        return FAULT_COMPARE;
    }
    return FAULT_NONE;
}
