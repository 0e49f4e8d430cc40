#include "payload.h"

#include <string.h>

#include "base/strbuf.h"

static enum hone_status find_kind(enum hone_payload_kind *kind, const char *name,
                                  struct hone_error *err)
{
    static const char *const names[] = {"none", "source", "ptx", "cubin"};
    for (int i = 0; i < 4; i++)
        if (strcmp(names[i], name) == 0) {
            *kind = (enum hone_payload_kind)i;
            return HONE_OK;
        }
    return hone_fail(err, HONE_EUSAGE,
                     "--payload wants none, source, ptx or cubin, got '%s'", name);
}

static enum hone_status build(void *context, const char *source, const char *arch,
                              struct hone_strbuf *image, struct hone_error *err)
{
    const struct cli_payload *payload = context;
    const struct hone_kernel_def *def = &payload->bench.def;
    struct hone_builder *builder = payload->bench.builder;
    size_t header_count;
    const struct hone_build_header *headers =
        hone_kernel_headers(payload->bench.kernel, &header_count);
    const struct hone_build_request request = {.source = source,
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

static enum hone_status open_builder(struct cli_payload *out,
                                     const struct cli_build_args *args,
                                     struct hone_error *err)
{
    const struct hone_builder_options options = {.cache_folder = args->cache,
                                                 .threads = (size_t)args->threads};
    out->payload.build = build;
    out->payload.context = out;
    return hone_builder_new(&out->bench.builder, &options, err);
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

enum hone_status cli_payload_open(struct cli_payload *out,
                                  const struct cli_payload_args *args, const char *path,
                                  const struct cli_script_args *script,
                                  const struct cli_build_args *build_args,
                                  struct hone_error *err)
{
    struct hone_payload *payload = &out->payload;
    struct cli_script_args any = *script;
    *out = (struct cli_payload){.payload = {.kind = HONE_PAYLOAD_NONE}};
    enum hone_status status = HONE_OK;
    if (args->kind) status = find_kind(&payload->kind, args->kind, err);
    if (status != HONE_OK || payload->kind == HONE_PAYLOAD_NONE) return status;
    if (!path) return hone_fail(err, HONE_EUSAGE, "--payload needs the kernel's script");
    any.device = "emu:h200"; // nothing runs, so that any will do
    status = cli_workbench_open(&out->bench, path, &any, err);
    if (status == HONE_OK) status = hone_workbench_make_kernel(&out->bench, err);
    if (status != HONE_OK) return status;
    const struct hone_kernel_def *def = &out->bench.def;
    payload->template_text = hone_kernel_template_text(out->bench.kernel);
    payload->template_hash = hone_kernel_template_hash(out->bench.kernel);
    payload->defines = def->defines;
    payload->define_count = def->define_count;
    payload->options = def->options;
    payload->option_count = def->option_count;
    payload->archs = args->archs.items;
    payload->arch_count = args->archs.count;
    return payload->kind == HONE_PAYLOAD_SOURCE ? check_source(out->bench.kernel, err)
                                                : open_builder(out, build_args, err);
}

void cli_payload_close(struct cli_payload *payload)
{
    hone_workbench_close(&payload->bench);
}
