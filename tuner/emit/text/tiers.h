/* How near what a selection answers is to what it was asked for (payload.h says how it is
 * read). */
#ifndef HONE_EMIT_TEXT_TIERS_H
#define HONE_EMIT_TEXT_TIERS_H

/* text */
/* 0 a row; 1-3 one of another size, SM count, minor version; 4 is not tuned; 5 null. */
enum {
    KERNEL_EXACT,
    KERNEL_SAME_DEVICE,
    KERNEL_SAME_ARCH,
    KERNEL_SAME_FAMILY,
    KERNEL_DEFAULT,
    KERNEL_NONE
};
/* end of text */

#endif
