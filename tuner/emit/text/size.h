/* The logarithm of a size, the same on every machine (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_SIZE_H
#define HONE_EMIT_TEXT_SIZE_H

/* text */
/* Binary logarithm in 1/65536, exact at powers of two, linear between. */
static inline int kernel_lg(long long size)
{
    const unsigned long long whole = size < 1 ? 1 : (unsigned long long)size;
    int e = 0;
#ifdef __GNUC__
    e = 63 - __builtin_clzll(whole);
#else
    while (whole >> e > 1)
        e++;
#endif
    return size < 1 ? -65536 : e * 65536 + (int)((whole << (63 - e) >> 47) & 65535);
}
/* end of text */

#endif
