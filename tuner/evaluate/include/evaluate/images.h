/* Data sets: other data for the same buffers, so that a kernel which knows an answer from
 * an earlier launch is wrong in a later one. Set 0 is the one that buffers.h makes;
 * SIMILAR differs from it in one element of each 32, which a key of a few elements does
 * not see; OTHER has nothing in common with it. */
#ifndef HONE_EVALUATE_IMAGES_H
#define HONE_EVALUATE_IMAGES_H

#include "evaluate/buffers.h"

enum { HONE_SET_FIRST, HONE_SET_SIMILAR, HONE_SET_OTHER, HONE_SETS };

/* What a set has of one buffer; NULL: the sets share it. While a set is in use, its
 * parts keep what set 0 has. */
struct hone_set_part {
    unsigned char *image, *values, *expected; /* as in struct hone_buffer */
};

struct hone_images {
    struct hone_set_part
        *parts[HONE_SETS]; /* [buffers->count]; NULL of 0 and of those not made */
    size_t current;        /* whose parts the buffers have */
};

/* Make as many further sets of buffers, whose images have been made by seed, as the size
 * of the data suggests and memory has room to spare for. */
enum hone_status hone_images_make(struct hone_images *images,
                                  struct hone_buffers *buffers, uint64_t seed,
                                  struct hone_error *err);
/* Go on without set, which may be in use; the first one is then. */
void hone_images_drop(struct hone_images *images, struct hone_buffers *buffers,
                      size_t set);
/* Before hone_buffers_fini, with the first set in use; {0} is fine. */
void hone_images_fini(struct hone_images *images, struct hone_buffers *buffers);

bool hone_images_have(const struct hone_images *images, size_t set);

/* Images, values and expected results are those of set, which has been made. */
void hone_images_use(struct hone_images *images, struct hone_buffers *buffers,
                     size_t set);

/* Move what is expected with each further set to images of the same data for buffers of
 * other types; both use the first set. Sets that from lacks are dropped. */
void hone_images_take_expected(struct hone_images *to, const struct hone_buffers *buffers,
                               struct hone_images *from);

#endif
