#include "tuning/made_header.h"

#include <stdlib.h>

#include "tuning/default_header.h"

// The coverage of recordings, with the sizes to verify at that a kernel's script names;
// kernel may be NULL: they are not known.
static enum hone_status make_coverage(struct hone_coverage *out,
                                      const struct hone_header_options *options,
                                      const struct hone_emit_options *emit,
                                      const struct hone_kernel *kernel,
                                      struct hone_error *err)
{
    static const struct hone_kernel_def none;
    const struct hone_kernel_def *def = kernel ? hone_kernel_get_def(kernel) : &none;
    const struct hone_value **sizes = calloc(def->verify_count + 1, sizeof *sizes);
    if (!sizes) return hone_no_memory(err, "for sizes to verify at");
    for (size_t i = 0; i < def->verify_count; i++)
        sizes[i] = def->verify[i].values;
    const struct hone_coverage_named named = {.what = "to verify at",
                                              .names = def->space.constants,
                                              .name_count = def->problem_count,
                                              .sizes = sizes,
                                              .count = def->verify_count};
    enum hone_status status =
        hone_coverage_make(out, options->recordings, options->count, emit, &named, err);
    free(sizes);
    return status;
}

static enum hone_status add_header(struct hone_strbuf *out,
                                   struct hone_coverage *coverage,
                                   const struct hone_header_options *options,
                                   const struct hone_template_payload *payload,
                                   struct hone_error *err)
{
    struct hone_emit_options emit = options->emit;
    emit.payload = &payload->payload;
    if (!options->count)
        return hone_default_header(out, options->payload.script,
                                   options->payload.script_options, options->device,
                                   &emit, err);
    enum hone_status status =
        hone_emit(out, options->recordings, options->count, &emit, err);
    const struct hone_kernel *kernel =
        options->kernel ? options->kernel : payload->bench.kernel;
    return status == HONE_OK ? make_coverage(coverage, options, &emit, kernel, err)
                             : status;
}

enum hone_status hone_header_make(struct hone_strbuf *out, struct hone_coverage *coverage,
                                  const struct hone_header_options *options,
                                  struct hone_error *err)
{
    struct hone_template_payload payload;
    *coverage = (struct hone_coverage){0};
    enum hone_status status =
        hone_template_payload_open(&payload, &options->payload, err);
    if (status == HONE_OK) status = add_header(out, coverage, options, &payload, err);
    hone_template_payload_close(&payload);
    return status;
}
