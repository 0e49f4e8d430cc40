/* Inside of a journal being written; shared by creating and resuming. */
#ifndef HONE_RECORD_JOURNAL_H
#define HONE_RECORD_JOURNAL_H

#include <sys/types.h>

#include "hone/record.h"

/* Take over fd, positioned at the end of `size` bytes of whole lines. On failure fd is
 * closed. */
enum hone_status hone_journal_open_fd(struct hone_journal **out, int fd, off_t size,
                                      const char *path,
                                      const struct hone_record_info *info, unsigned flags,
                                      struct hone_error *err);

/* Append bytes that end a line and write them now; none at all mean that memory had run
 * out. */
enum hone_status hone_journal_add_bytes(struct hone_journal *journal, const char *data,
                                        size_t size, struct hone_error *err);

#endif
