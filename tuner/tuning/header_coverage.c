#include "tuning/header_coverage.h"

#include <stdlib.h>

enum hone_status hone_header_coverage(struct hone_coverage *out,
                                      const struct hone_recording *const *recordings,
                                      size_t count,
                                      const struct hone_emit_options *options,
                                      const struct hone_kernel *kernel,
                                      struct hone_error *err)
{
    static const struct hone_kernel_def none;
    const struct hone_kernel_def *def = kernel ? hone_kernel_get_def(kernel) : &none;
    const struct hone_value **sizes = calloc(def->verify_count + 1, sizeof *sizes);
    *out = (struct hone_coverage){0};
    if (!sizes) return hone_no_memory(err, "for sizes to verify at");
    for (size_t i = 0; i < def->verify_count; i++)
        sizes[i] = def->verify[i].values;
    const struct hone_coverage_named named = {.what = "to verify at",
                                              .names = def->space.constants,
                                              .name_count = def->problem_count,
                                              .sizes = sizes,
                                              .count = def->verify_count};
    enum hone_status status =
        hone_coverage_make(out, recordings, count, options, &named, err);
    free(sizes);
    return status;
}
