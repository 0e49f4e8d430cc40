/* What a header is made of where there is no result, and which files it depends on. */
#ifndef HONE_TUNING_DEFAULT_HEADER_H
#define HONE_TUNING_DEFAULT_HEADER_H

#include "hone/emit.h"
#include "hone/script.h"

/* Append the header of the author's default alone (hone_emit_defaults). The launch
 * expressions may read the device, and a build must not depend on the machine that it
 * runs on: that is device where that is emulated, else the same one everywhere. Limits of
 * script_options do not count. EINPUT for a script without a default. */
enum hone_status hone_default_header(struct hone_strbuf *out, const char *script,
                                     const struct hone_script_options *script_options,
                                     const char *device,
                                     const struct hone_emit_options *options,
                                     struct hone_error *err);

/* Append the rule for make and ninja by which header depends on the files that the script
 * and its templates may require or include, beside them and in common/ there; with the
 * same device. A file that no rule can name is left out, with a warning. EUSAGE for such
 * a header. */
enum hone_status hone_header_depfile(struct hone_strbuf *out, const char *header,
                                     const char *script,
                                     const struct hone_script_options *script_options,
                                     const char *device, struct hone_error *err);

#endif
