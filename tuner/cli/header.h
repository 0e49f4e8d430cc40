/* From journals on disk to a header on disk: used by tune and emit. */
#ifndef HONE_HEADER_H
#define HONE_HEADER_H

#include "hone/emit.h"

/* EUSAGE when path cannot become a file: checked before hours of tuning, not after. */
enum hone_status cli_header_check_path(const char *path, struct hone_error *err);

/* Emit the recordings to path ("-": stdout). */
enum hone_status cli_header_write(const char *path,
                                  const struct hone_recording *const *recordings,
                                  size_t count, const struct hone_emit_options *options,
                                  struct hone_error *err);

#endif
