/* Journals to a C header: depends on the records only, never on the machine that emits,
 * and gives the same bytes for the same journals. The header is C99 and C++11, includes
 * nothing, needs nothing. What it holds: docs/header.md. */
#ifndef HONE_EMIT_H
#define HONE_EMIT_H

#include "hone/record.h"
#include "hone/strbuf.h"

/* What a header carries to be launched from: nothing, the template's text, or images of
 * every configuration. */
enum hone_payload_kind {
    HONE_PAYLOAD_NONE,
    HONE_PAYLOAD_SOURCE,
    HONE_PAYLOAD_PTX,
    HONE_PAYLOAD_CUBIN
};

/* The payload belongs to the kernel that the journals are of. */
struct hone_payload {
    enum hone_payload_kind kind;
    const char *template_text, *template_hash;
    const char *const *defines; /* problem constants that the template needs as macros */
    size_t define_count;
    const char *const *options; /* of the compiler */
    size_t option_count;
    const char *const *archs; /* "sm_80", "sm_90a"; count 0: those of the journals */
    size_t arch_count;
    /* Append the image of source for an arch: PTX without its NUL, or a cubin. EINPUT:
     * it does not compile there. Not called for HONE_PAYLOAD_SOURCE. */
    enum hone_status (*build)(void *context, const char *source, const char *arch,
                              struct hone_strbuf *image, struct hone_error *err);
    void *context;
};

/* What is printed. TABLE: the configurations, the selection, the launch geometry; with a
 * payload, what launches it. RUNTIME: beside such a table, but for a payload, a second
 * file (hone_emit with `second`) to be included after it, which has overrides, a note of
 * misses, and the payload. MACROS: one configuration for each architecture as macros,
 * without selection, geometry or payload. */
enum hone_emit_shape { HONE_SHAPE_TABLE, HONE_SHAPE_RUNTIME, HONE_SHAPE_MACROS };

struct hone_emit_options {
    const char *name;   /* prefix of everything in the header; NULL: the kernel's name */
    size_t max_configs; /* most for the problems of one device; 0: 8 */
    /* Fewer are taken where no problem then takes longer than its best known by more than
     * this part, times its weight: 0.05 for 5 %; at least 1 % is taken as that. */
    double max_regret;
    const struct hone_payload *payload; /* NULL: none */
    bool accept_predicted; /* emit from predictions; refused otherwise (EUSAGE) */
    enum hone_emit_shape shape;
    bool second; /* of the two files of RUNTIME */
};

/* Append the header to out. The best valid configuration of each (device, problem)
 * becomes a row. EINPUT, with journal and line, when journals are of different kernels,
 * parameters, launches or clocks, none has a valid trial, or a launch expression has no C
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

/* Name of the second file of RUNTIME beside the table at path: "x.h" gives "x_runtime.h".
 * To be freed; NULL: out of memory. */
char *hone_emit_second_path(const char *path);

/* The same as hone_emit into a file, which is replaced as a whole or left as it is; with
 * RUNTIME the second one, too. */
enum hone_status hone_emit_file(const char *path,
                                const struct hone_recording *const *recordings,
                                size_t count, const struct hone_emit_options *options,
                                struct hone_error *err);

#endif
