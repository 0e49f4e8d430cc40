/* Inside of a recording: what resuming needs besides the public view. */
#ifndef HONE_RECORD_RECORDING_H
#define HONE_RECORD_RECORDING_H

#include "hone/record.h"

/* Bytes of the largest file that is read. */
#define HONE_JOURNAL_MOST ((uint64_t)2 << 30)

/* hone_recording_load from a descriptor, which stays open; path names it. */
enum hone_status hone_recording_load_fd(struct hone_recording **out, int fd,
                                        const char *path, struct hone_error *err);

/* Bytes of the file that are whole, well-formed lines; the rest is a torn line. */
size_t hone_recording_whole_bytes(const struct hone_recording *recording);
/* The last of these lines lacks its newline. */
bool hone_recording_lacks_newline(const struct hone_recording *recording);

#endif
