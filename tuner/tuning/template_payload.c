// What a header launches: the text of the template, or what is built of it for each
// architecture while the header is written.
#include "tuning/template_payload.h"

static enum hone_status build_image(void *context, const char *source, const char *arch,
                                    struct hone_strbuf *image, struct hone_error *err)
{
    const struct hone_template_payload *payload = context;
    const struct hone_kernel_def *def = &payload->bench.def;
    struct hone_builder *builder = payload->bench.builder;
    size_t header_count;
    const struct hone_build_header *headers =
        hone_kernel_headers(payload->bench.kernel, &header_count);
    const char *stand_in = payload->stand_in.len ? payload->stand_in.data : NULL;
    const struct hone_build_request request = {.source = stand_in ? stand_in : source,
                                               .source_name = def->name,
                                               .entry = def->entry,
                                               .arch = arch,
                                               .options = def->options,
                                               .option_count = def->option_count,
                                               .headers = headers,
                                               .header_count = header_count};
    const struct hone_build *made = NULL;
    uint64_t ticket;
    enum hone_status status = hone_builder_submit(builder, &request, &ticket, err);
    if (status == HONE_OK) status = hone_builder_take(builder, ticket, &made, err);
    if (status != HONE_OK) return status;
    if (made->outcome != HONE_VALID)
        status = hone_fail(err, HONE_EINPUT, "%s", made->reason);
    else if (payload->payload.kind == HONE_PAYLOAD_PTX)
        hone_strbuf_add_bytes(image, made->ptx, made->ptx_size);
    else
        hone_strbuf_add_bytes(image, made->cubin, made->cubin_size);
    hone_build_release(made);
    return status;
}

// A header holds one text: the files of include folders are texts of their own.
static enum hone_status check_source(const struct hone_kernel *kernel,
                                     struct hone_error *err)
{
    size_t count;
    hone_kernel_headers(kernel, &count);
    if (!count) return HONE_OK;
    return hone_fail(
        err, HONE_EINPUT,
        "--payload source holds one text, and kernel '%s' includes %zu files "
        "from its include folders; --payload ptx or cubin holds what is "
        "built of them",
        hone_kernel_get_def(kernel)->name, count);
}

static enum hone_status open_builder(struct hone_template_payload *out,
                                     const struct hone_builder_options *options,
                                     struct hone_error *err)
{
    out->payload.build = build_image;
    out->payload.context = out;
    return hone_builder_new(&out->bench.builder, options, err);
}

// As the journal's run had it; EINPUT where it is of another kernel.
static enum hone_status open_recorded(struct hone_workbench *bench, const char *path,
                                      const struct hone_script_options *options,
                                      const struct hone_record_info *info,
                                      struct hone_error *err)
{
    struct hone_script_options script = *options;
    script.limits = info->limits;
    enum hone_status status = hone_workbench_load(bench, path, &script, err);
    return status == HONE_OK ? hone_workbench_turn_to(bench, info, err) : status;
}

static enum hone_status open_own(struct hone_workbench *bench, const char *path,
                                 const struct hone_script_options *options,
                                 struct hone_error *err)
{
    struct hone_limits limits;
    struct hone_script_options script = *options;
    script.limits = &limits;
    enum hone_status status = hone_device_limits(&limits, "emu:h200", err);
    return status == HONE_OK ? hone_workbench_open(bench, path, &script, err) : status;
}

// Nothing runs, so that any device and problem will do that the script is for.
static enum hone_status open_kernel(struct hone_workbench *bench,
                                    const struct hone_template_payload_options *options,
                                    struct hone_error *err)
{
    const struct hone_record_info *info = options->info;
    enum hone_status status = HONE_EINPUT;
    if (info && info->limits)
        status =
            open_recorded(bench, options->script, options->script_options, info, NULL);
    if (status != HONE_OK) {
        hone_workbench_close(bench);
        status = open_own(bench, options->script, options->script_options, err);
    }
    return status == HONE_OK ? hone_workbench_make_kernel(bench, err) : status;
}

enum hone_status
hone_template_payload_open(struct hone_template_payload *out,
                           const struct hone_template_payload_options *options,
                           struct hone_error *err)
{
    *out = (struct hone_template_payload){.payload = {.kind = options->kind},
                                          .stand_in = HONE_STRBUF_INIT};
    if (options->kind == HONE_PAYLOAD_NONE) return HONE_OK;
    if (!options->script)
        return hone_fail(err, HONE_EUSAGE,
                         "--payload needs the kernel's script: --script FILE");
    enum hone_status status = open_kernel(&out->bench, options, err);
    if (status != HONE_OK) return status;
    const struct hone_kernel_def *def = &out->bench.def;
    struct hone_payload *payload = &out->payload;
    payload->template_text = hone_kernel_template_text(out->bench.kernel);
    payload->template_hash = hone_kernel_template_hash(out->bench.kernel);
    payload->defines = def->defines;
    payload->define_count = def->define_count;
    payload->options = def->options;
    payload->option_count = def->option_count;
    payload->archs = options->archs;
    if (options->rehearsal)
        hone_strbuf_printf(&out->stand_in, "extern \"C\" __global__ void %s() {}\n",
                           def->entry);
    if (out->stand_in.failed) return hone_no_memory(err, "for a kernel");
    payload->arch_count = options->arch_count;
    return payload->kind == HONE_PAYLOAD_SOURCE
               ? check_source(out->bench.kernel, err)
               : open_builder(out, &options->builder, err);
}

void hone_template_payload_close(struct hone_template_payload *payload)
{
    hone_workbench_close(&payload->bench);
    hone_strbuf_fini(&payload->stand_in);
}
