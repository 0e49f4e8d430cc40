/* The coverage of a header, with the sizes that the kernel's script names. */
#ifndef HONE_TUNING_HEADER_COVERAGE_H
#define HONE_TUNING_HEADER_COVERAGE_H

#include "emit/coverage.h"
#include "hone/kernel.h"

/* hone_coverage_make that asks for the script's sizes to verify at too; kernel may be
 * NULL: they are not known. */
enum hone_status hone_header_coverage(struct hone_coverage *out,
                                      const struct hone_recording *const *recordings,
                                      size_t count,
                                      const struct hone_emit_options *options,
                                      const struct hone_kernel *kernel,
                                      struct hone_error *err);

#endif
