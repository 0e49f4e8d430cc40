/* What a header is made of where there is no result, and which files it depends on. */
#ifndef HONE_TUNING_DEFAULT_HEADER_H
#define HONE_TUNING_DEFAULT_HEADER_H

#include "hone/emit.h"
#include "hone/script.h"

/* Append the header of the author's default alone (hone_emit_defaults); script_options
 * have the limits that its launch expressions may read. EINPUT for a script without
 * one. */
enum hone_status hone_default_header(struct hone_strbuf *out, const char *script,
                                     const struct hone_script_options *script_options,
                                     const struct hone_emit_options *options,
                                     struct hone_error *err);

/* Tell each file that a script's header depends on: those that it and its templates may
 * require or include, beside them and in common/ there. path is borrowed. */
enum hone_status hone_script_files(const char *script,
                                   const struct hone_script_options *script_options,
                                   void (*tell)(void *context, const char *path),
                                   void *context, struct hone_error *err);

#endif
