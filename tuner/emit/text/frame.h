/* The frame of a table's file (payload.h says how it is read). Its guard tells the text:
 * of two headers with one name and different texts the second would be passed over in
 * silence. */
#ifndef HONE_EMIT_TEXT_FRAME_H
#define HONE_EMIT_TEXT_FRAME_H

/* text */
#ifndef EMITTED_KERNEL
#define EMITTED_KERNEL MARK
TABLE_TEXT;
#elif EMITTED_KERNEL != MARK
#error "two headers HEADER_NAME that differ: emit one of them with --name"
#endif
/* end of text */

#endif
