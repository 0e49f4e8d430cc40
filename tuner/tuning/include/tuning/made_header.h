/* A header from journals, or from the author's default where there is none: its texts
 * with what it launches, and which sizes it serves. */
#ifndef HONE_TUNING_MADE_HEADER_H
#define HONE_TUNING_MADE_HEADER_H

#include "emit/coverage.h"
#include "hone/strbuf.h"
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

struct hone_made_header {
    struct hone_strbuf text, second; /* second: of the shape RUNTIME alone */
    /* No device is asked about for a default and for macros, which serve all sizes alike.
     */
    struct hone_coverage coverage;
};

/* Release it with hone_made_header_fini, after a failure too. EUSAGE for a payload
 * without a script. */
enum hone_status hone_header_make(struct hone_made_header *out,
                                  const struct hone_header_options *options,
                                  struct hone_error *err);

/* What hone_header_make would refuse of a run that begins, as far as kernel and device
 * tell: a name that is none in C, an expression without a C form, an arch that the
 * compiler lacks, a text that is not whole. info is what the journal will begin with. */
enum hone_status hone_header_rehearse(const struct hone_header_options *options,
                                      const struct hone_record_info *info,
                                      const struct hone_space *space,
                                      struct hone_error *err);
void hone_made_header_fini(struct hone_made_header *made);

#endif
