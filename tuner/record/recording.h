/* Inside of a recording: what resuming needs besides the public view. */
#ifndef HONE_RECORD_RECORDING_H
#define HONE_RECORD_RECORDING_H

#include "hone/record.h"

/* Bytes of the file that are whole, well-formed lines; the rest is a torn line. */
size_t hone_recording_whole_bytes(const struct hone_recording *recording);
/* The last of these lines lacks its newline. */
bool hone_recording_lacks_newline(const struct hone_recording *recording);

#endif
