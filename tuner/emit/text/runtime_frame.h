/* The frame of a second file, which is of one table (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_RUNTIME_FRAME_H
#define HONE_EMIT_TEXT_RUNTIME_FRAME_H

/* text */
#ifndef EMITTED_KERNEL
#error "HEADER_NAME: include its table ahead of this file"
#elif EMITTED_KERNEL != MARK
#error "HEADER_NAME: this file is of another table, emit both anew"
#elif !defined(EMITTED_RUNTIME)
#define EMITTED_RUNTIME 1

RUNTIME_TEXT;
#endif
/* end of text */

#endif
