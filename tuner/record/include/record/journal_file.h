/* The file of a journal: made, opened again and locked, and kept when somebody deletes
 * it while it is written. */
#ifndef HONE_RECORD_JOURNAL_FILE_H
#define HONE_RECORD_JOURNAL_FILE_H

#include "hone/record.h"
#include "hone/strbuf.h"

/* A new file that begins with line, open and locked. EIO where path exists, EUSAGE for
 * what can be no journal. */
enum hone_status hone_journal_file_create(int *fd, const char *path,
                                          const struct hone_strbuf *line,
                                          struct hone_error *err);

/* An existing regular file, open for reading and appending. EUSAGE while another process
 * writes to it; held: this process has its lock by hone_journal_hold. */
enum hone_status hone_journal_file_open(int *fd, const char *path, bool held,
                                        struct hone_error *err);

/* Before fd is closed: what was deleted meanwhile gets its name again, or another one
 * where that is taken. EIO where that fails: what was measured is lost then; or where it
 * was moved, and the name is not its own any more. */
enum hone_status hone_journal_file_keep(int fd, const char *path, struct hone_error *err);

/* Remove what is there, for a journal of something else. EUSAGE while another process
 * writes to it. */
enum hone_status hone_journal_file_remove(const char *path, struct hone_error *err);

#endif
