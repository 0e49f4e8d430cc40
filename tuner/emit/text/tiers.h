/* How near what a selection answers is to what it was asked for (payload.h says how it is
 * read). */
#ifndef HONE_EMIT_TEXT_TIERS_H
#define HONE_EMIT_TEXT_TIERS_H

/* text */
/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
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
