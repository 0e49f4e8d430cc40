#include "payload.h"

enum hone_status cli_payload_open(struct hone_template_payload *out,
                                  const struct cli_payload_args *args, const char *path,
                                  const struct cli_script_args *script_args,
                                  const struct cli_build_args *build,
                                  struct hone_error *err)
{
    struct cli_script script = {0};
    struct hone_template_payload_options options = {
        .kind = args->kind,
        .archs = args->archs.items,
        .arch_count = args->archs.count,
        .script = path,
        .script_options = &script.options,
        .builder = {.cache_folder = build->cache, .threads = (size_t)build->threads}};
    *out = (struct hone_template_payload){.payload = {.kind = HONE_PAYLOAD_NONE}};
    if (args->kind == HONE_PAYLOAD_NONE) return HONE_OK;
    if (!path) return hone_fail(err, HONE_EUSAGE, "--payload needs the kernel's script");
    enum hone_status status = cli_script_init(&script, script_args, err);
    if (status == HONE_OK) status = hone_template_payload_open(out, &options, err);
    cli_script_fini(&script);
    return status;
}
