/* How an override is read (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_RUNTIME_SET_H
#define HONE_EMIT_TEXT_RUNTIME_SET_H

/* text */
/* A word of an override: a parameter's value, or a size that it is for. */
static inline int kernel_set(kernel_forced *forced, const char *name, char *value)
{
    READ_VALUES;
    (void)forced, (void)name, (void)value;
    return 0;
}
/* end of text */

#endif
