/* Journals to a C header: depends on the records only, never on the machine that emits,
 * and gives the same bytes for the same journals. The header is C99 and C++11, includes
 * nothing, needs nothing. What it holds: docs/header.md. */
#ifndef HONE_EMIT_H
#define HONE_EMIT_H

#include "hone/record.h"

struct hone_strbuf;

struct hone_emit_options {
    const char *name;   /* prefix of everything in the header; NULL: the kernel's name */
    size_t max_configs; /* most for the problems of one device; 0: 8 */
    bool accept_predicted; /* emit from predictions; refused otherwise (EUSAGE) */
};

/* Append the header to out. The best valid configuration of each (device, problem)
 * becomes a row. EINPUT when journals are of different kernels, parameters, launches or
 * clocks, or none has a valid trial; EUNSUPPORTED for a launch expression that has no C
 * form. What stands in out after a failure is of no use. */
enum hone_status hone_emit(struct hone_strbuf *out,
                           const struct hone_recording *const *recordings, size_t count,
                           const struct hone_emit_options *options,
                           struct hone_error *err);

/* A header of the author's default alone (info->defaults), for builds that have nothing
 * else: it serves every GPU, says that nothing was measured, and defines NAME_NOT_TUNED.
 * info is what a journal of this kernel would begin with. EINPUT without a default. */
enum hone_status hone_emit_defaults(struct hone_strbuf *out,
                                    const struct hone_record_info *info,
                                    const struct hone_emit_options *options,
                                    struct hone_error *err);

/* The same as hone_emit into a file, which is replaced as a whole or left as it is. */
enum hone_status hone_emit_file(const char *path,
                                const struct hone_recording *const *recordings,
                                size_t count, const struct hone_emit_options *options,
                                struct hone_error *err);

#endif
