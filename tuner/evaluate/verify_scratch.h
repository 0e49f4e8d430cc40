/* Where a verifier reads results to. */
#ifndef HONE_EVALUATE_VERIFY_SCRATCH_H
#define HONE_EVALUATE_VERIFY_SCRATCH_H

#include "evaluate/verify.h"

/* Room for the largest block of its buffers. */
enum hone_status hone_verifier_make_scratch(struct hone_verifier *verifier,
                                            struct hone_error *err);
/* A buffer and its red zones. */
enum hone_status hone_verifier_read_block(struct hone_verifier *verifier,
                                          const struct hone_buffer *buffer,
                                          struct hone_error *err);

#endif
