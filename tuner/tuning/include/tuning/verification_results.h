/* What a verification found, grouped for code review: one result a kind and place,
 * however many configurations have it, and where that place is among the sources. */
#ifndef HONE_TUNING_VERIFICATION_RESULTS_H
#define HONE_TUNING_VERIFICATION_RESULTS_H

#include "base/hash.h"
#include "tuning/verification.h"

struct hone_verification_result {
    struct hone_found found;          /* line 0: it is at no line */
    struct hone_found other;          /* another place that text names; line 0: none */
    enum hone_outcome outcome;        /* what it is where found has no finding */
    const char *text;                 /* why, of the first trial; NULL of waivers */
    size_t count;                     /* configurations */
    const struct hone_waiver *waiver; /* that let it pass; NULL: it is a failure */
};

/* Failures by kind and place, in the order of the first of each, then what each waiver
 * let pass. items are freed and borrow from v. */
enum hone_status hone_verification_results(struct hone_verification_result **items,
                                           size_t *count,
                                           const struct hone_verification *v,
                                           struct hone_error *err);

/* The word of its finding, or of its outcome where it has none. */
const char *hone_verification_result_name(const struct hone_verification_result *result);

/* Where a result is. */
struct hone_source_place {
    char *uri; /* of the file, relative to the current folder where it lies in there */
    uint32_t line; /* from 1 */
    /* A hash of what it is and of the line's text, which stays when lines above are
     * added. */
    char fingerprint[HONE_HASH_TEXT];
};

/* Where found is, the result's found or its other: in the file that the template calls
 * so, else in the template; at no line, where the kernel stands. Lines of a file that
 * cannot be read count as empty. */
enum hone_status hone_source_place_find(struct hone_source_place *out,
                                        const struct hone_verification *v,
                                        const struct hone_verification_result *result,
                                        const struct hone_found *found,
                                        struct hone_error *err);
void hone_source_place_fini(struct hone_source_place *place); /* after a failure too */

#endif
