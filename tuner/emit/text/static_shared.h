/* Shared memory that configurations declare (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_STATIC_SHARED_H
#define HONE_EMIT_TEXT_STATIC_SHARED_H

/* text */
static const unsigned kernel_static_shared[KERNEL_CONFIGS] = {STATIC_SHARED};
/* end of text */

#endif
