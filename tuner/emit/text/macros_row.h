/* Macros of one row (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_MACROS_ROW_H
#define HONE_EMIT_TEXT_MACROS_ROW_H

/* text */
#ifndef KERNEL_ROW
#define KERNEL_ROW 0
#elif KERNEL_ROW != 0
#error "KERNEL_ROW is the number of no row"
#endif
/* end of text */

#endif
