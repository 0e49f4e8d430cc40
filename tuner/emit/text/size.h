/* The logarithm of a size, the same on every machine (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_SIZE_H
#define HONE_EMIT_TEXT_SIZE_H

/* text */
/* Binary logarithm in 1/65536, exact at powers of two, linear between. */
static inline int kernel_lg(long long size)
{
    int e = 0;
    if (size < 1) return -65536;
#ifdef __GNUC__
    e = 63 - __builtin_clzll((unsigned long long)size);
#else
    while (size >> e > 1)
        e++;
#endif
    return (e - 1) * 65536 + (int)((unsigned long long)size << (63 - e) >> 47);
}
/* end of text */

#endif
