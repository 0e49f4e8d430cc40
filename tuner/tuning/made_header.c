#include "tuning/made_header.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
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
    const struct hone_coverage_named named = {.what = "sizes to verify at",
                                              .names = def->space.constants,
                                              .name_count = def->problem_count,
                                              .sizes = sizes,
                                              .count = def->verify_count};
    enum hone_status status =
        hone_coverage_make(out, options->recordings, options->count, emit, &named, err);
    free(sizes);
    return status;
}

static enum hone_status print_header(struct hone_strbuf *out,
                                     const struct hone_header_options *options,
                                     const struct hone_emit_options *emit,
                                     struct hone_error *err)
{
    enum hone_status status =
        options->count ? hone_emit(out, options->recordings, options->count, emit, err)
                       : hone_default_header(out, options->payload.script,
                                             options->payload.script_options,
                                             options->device, emit, err);
    return status == HONE_OK && out->failed ? hone_no_memory(err, "for a header")
                                            : status;
}

static enum hone_status make_header(struct hone_made_header *out,
                                    const struct hone_header_options *options,
                                    const struct hone_template_payload *payload,
                                    struct hone_error *err)
{
    struct hone_emit_options emit = options->emit;
    const struct hone_kernel *kernel =
        options->kernel ? options->kernel : payload->bench.kernel;
    emit.payload = &payload->payload;
    emit.second = false;
    enum hone_status status = print_header(&out->text, options, &emit, err);
    if (status == HONE_OK && options->count && emit.shape != HONE_SHAPE_MACROS)
        status = make_coverage(&out->coverage, options, &emit, kernel, err);
    if (status != HONE_OK || emit.shape != HONE_SHAPE_RUNTIME) return status;
    emit.second = true;
    return print_header(&out->second, options, &emit, err);
}

static bool has_wrong_reference(const struct hone_recording *recording)
{
    for (size_t i = 0; i < hone_recording_count(recording); i++)
        if (strcmp(hone_recording_trial(recording, i)->compared,
                   HONE_COMPARED_WRONG_REFERENCE) == 0)
            return true;
    return false;
}

// Its run ended for that; what is valid was right at the sizes to verify at.
static void warn_of_references(const struct hone_header_options *options)
{
    for (size_t i = 0; i < options->count; i++)
        if (has_wrong_reference(options->recordings[i]))
            hone_log(HONE_LOG_WARNING,
                     "%s: the reference fails at the tuned size, so that nobody knows "
                     "whether results are right there: mend it and tune again",
                     hone_recording_path(options->recordings[i]));
}

enum hone_status hone_header_make(struct hone_made_header *out,
                                  const struct hone_header_options *options,
                                  struct hone_error *err)
{
    struct hone_template_payload payload;
    struct hone_template_payload_options with = options->payload;
    if (options->count) with.info = hone_recording_info(options->recordings[0]);
    *out =
        (struct hone_made_header){.text = HONE_STRBUF_INIT, .second = HONE_STRBUF_INIT};
    enum hone_status status = hone_template_payload_open(&payload, &with, err);
    if (status == HONE_OK) status = make_header(out, options, &payload, err);
    hone_template_payload_close(&payload);
    if (status == HONE_OK) warn_of_references(options);
    return status;
}

/* --- the same ahead of what it will be made of --- */

// A header of one configuration, the author's default or another, into nothing.
static enum hone_status rehearse(const struct hone_header_options *options,
                                 const struct hone_template_payload *payload,
                                 const struct hone_record_info *info,
                                 struct hone_error *err)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    struct hone_emit_options emit = options->emit;
    struct hone_error own = {0}; // there is no journal that it could name
    emit.payload = &payload->payload;
    enum hone_status status = hone_emit_defaults(&text, info, &emit, &own);
    if (status == HONE_OK && emit.shape == HONE_SHAPE_RUNTIME) {
        emit.second = true;
        status = hone_emit_defaults(&text, info, &emit, &own);
    }
    hone_strbuf_fini(&text);
    const char *script = status == HONE_EINPUT ? options->payload.script : NULL;
    return status == HONE_OK ? HONE_OK
                             : hone_fail_at(err, status, script, 0, "%s", own.text);
}

enum hone_status hone_header_rehearse(const struct hone_header_options *options,
                                      const struct hone_record_info *info,
                                      const struct hone_space *space,
                                      struct hone_error *err)
{
    struct hone_template_payload payload;
    struct hone_template_payload_options with = options->payload;
    struct hone_record_info any = *info;
    uint16_t *choices = calloc(hone_space_param_count(space), sizeof *choices);
    if (!choices) return hone_no_memory(err, "for a configuration");
    hone_space_choices(space, 0, choices);
    if (!any.defaults) any.defaults = choices;
    with.rehearsal = true;
    with.info = info;
    enum hone_status status = hone_template_payload_open(&payload, &with, err);
    if (status == HONE_OK) status = rehearse(options, &payload, &any, err);
    hone_template_payload_close(&payload);
    free(choices);
    return status;
}

void hone_made_header_fini(struct hone_made_header *made)
{
    hone_strbuf_fini(&made->text);
    hone_strbuf_fini(&made->second);
    hone_coverage_fini(&made->coverage);
}
