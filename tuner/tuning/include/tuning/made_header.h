/* A header from journals, or from the author's default where there is none: its text with
 * what it launches, and which sizes it serves. */
#ifndef HONE_TUNING_MADE_HEADER_H
#define HONE_TUNING_MADE_HEADER_H

#include "emit/coverage.h"
#include "tuning/template_payload.h"

/* Everything is borrowed. */
struct hone_header_options {
    const struct hone_recording *const *recordings;
    size_t count;                  /* of them; 0: the author's default is what there is */
    struct hone_emit_options emit; /* without a payload: it is made here */
    /* Its script, which may be NULL for recordings, and the options of that are also
     * those of the default. */
    struct hone_template_payload_options payload;
    const char *device; /* of the default, as hone_default_header takes it */
    /* Coverage asks for its sizes to verify at; NULL: those of the payload's kernel,
     * where there is a payload. */
    const struct hone_kernel *kernel;
};

/* Append the header to out. *coverage is that of recordings, nothing of a default;
 * release it with hone_coverage_fini, after a failure too. EUSAGE for a payload without a
 * script. */
enum hone_status hone_header_make(struct hone_strbuf *out, struct hone_coverage *coverage,
                                  const struct hone_header_options *options,
                                  struct hone_error *err);

#endif
