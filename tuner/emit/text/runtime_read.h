/* A word of an override as a value: lines of a function, of which each parameter and size
 * has its own (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_RUNTIME_READ_H
#define HONE_EMIT_TEXT_RUNTIME_READ_H

static int kernel_set_a_value(kernel_forced *forced, const char *name, char *value)
{
    char *end = value;
    /* text */
    if (strcmp(name, VALUE_NAME) == 0) {
        /* only: bounds */
        if (strtoll(value, &end, 10) < LEAST || strtoll(value, &end, 10) > MOST) return 0;
        /* end */
        /* only: number */
        NUMBER_PLACE = READ_NUMBER;
        /* end */
        /* only: text */
        TEXT_PLACE = value;
        /* end */
        /* only: size */
        forced->asks[SIZE_NUMBER] = 1;
        /* end */
        /* only: number */
        return end != value && !*end;
        /* end */
        /* only: text */
        return 1;
        /* end */
    }
    /* end of text */
    return 0;
}

#endif
