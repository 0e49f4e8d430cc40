/* Where headers, reports and tables go. What a run found and what people wrote is nowhere
 * else: an output never replaces a journal, a script (.lua) or a template (.cu). */
#ifndef HONE_RECORD_OUTPUT_PATH_H
#define HONE_RECORD_OUTPUT_PATH_H

#include <stddef.h>

#include "hone/status.h"

/* As hone_file_check_write, and EUSAGE for such a file; path may be standard output. Ask
 * ahead of all work. */
enum hone_status hone_output_check(const char *path, struct hone_error *err);

/* As hone_file_write, and EUSAGE for such a file, which may have appeared since. */
enum hone_status hone_output_write(const char *path, const void *data, size_t size,
                                   struct hone_error *err);

#endif
