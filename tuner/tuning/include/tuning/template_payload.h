/* What a header launches, made of the kernel's script: hone_emit's payload. */
#ifndef HONE_TUNING_TEMPLATE_PAYLOAD_H
#define HONE_TUNING_TEMPLATE_PAYLOAD_H

#include "hone/emit.h"
#include "hone/strbuf.h"
#include "tuning/workbench.h"

struct hone_template_payload_options {
    enum hone_payload_kind kind;
    const char *const *archs; /* borrowed; none: those of the journals */
    size_t arch_count;
    const char *script;                               /* NULL: not known */
    const struct hone_script_options *script_options; /* its limits are not read */
    /* Device and problem that the script has configurations for; NULL: an H200, and the
     * script's own. */
    const struct hone_record_info *info;
    struct hone_builder_options builder;
    bool rehearsal; /* an empty kernel is built in the place of the script's */
};

/* It must stay where it was opened. */
struct hone_template_payload {
    struct hone_payload payload; /* for hone_emit; kind NONE: there is none */
    struct hone_workbench bench;
    struct hone_strbuf
        stand_in; /* what a rehearsal builds; empty: what it is asked for */
};

/* Nothing is opened for HONE_PAYLOAD_NONE. EUSAGE without a script, EINPUT where the text
 * of the template alone would not compile. Close it also after a failure; zeros are fine.
 */
enum hone_status
hone_template_payload_open(struct hone_template_payload *out,
                           const struct hone_template_payload_options *options,
                           struct hone_error *err);
void hone_template_payload_close(struct hone_template_payload *payload);

#endif
