/* Files that may be compressed by gzip: recordings of whole spaces usually are. */
#ifndef HONE_RECORD_GUNZIP_H
#define HONE_RECORD_GUNZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "hone/status.h"

/* The whole text of a file, unpacked where it is packed; NUL-terminated, freed by the
 * caller. A file that breaks off gives what could be unpacked, and *torn is set.
 * ENOTFOUND, EIO; ELIMIT beyond 2 GiB of text. */
enum hone_status hone_gunzip_file(char **out, size_t *size, bool *torn, const char *path,
                                  struct hone_error *err);

#endif
