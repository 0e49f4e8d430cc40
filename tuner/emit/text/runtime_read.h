/* A word of an override as a value: lines of a function, of which each parameter and size
 * has its own (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_RUNTIME_READ_H
#define HONE_EMIT_TEXT_RUNTIME_READ_H

static int kernel_set_a_value(kernel_forced *forced, const char *name, char *value)
{
    /* text */
    /* only: value */
    if (strcmp(name, VALUE_NAME) == 0) return IS_READ;
    /* end */
    /* only: size */
    if (strcmp(name, VALUE_NAME) == 0) return forced->asks[SIZE_NUMBER] = IS_READ;
    /* end */
    /* end of text */
    return 0;
}

#endif
