#include "payload.h"

#include <string.h>

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

enum hone_status cli_payload_open(struct hone_template_payload *out,
                                  const struct cli_payload_args *args, const char *path,
                                  const struct cli_script_args *script_args,
                                  const struct cli_build_args *build,
                                  struct hone_error *err)
{
    struct cli_script script = {0};
    struct hone_template_payload_options options = {
        .archs = args->archs.items,
        .arch_count = args->archs.count,
        .script = path,
        .script_options = &script.options,
        .builder = {.cache_folder = build->cache, .threads = (size_t)build->threads}};
    *out = (struct hone_template_payload){.payload = {.kind = HONE_PAYLOAD_NONE}};
    enum hone_status status = HONE_OK;
    if (args->kind) status = find_kind(&options.kind, args->kind, err);
    if (status != HONE_OK || options.kind == HONE_PAYLOAD_NONE) return status;
    if (!path) return hone_fail(err, HONE_EUSAGE, "--payload needs the kernel's script");
    status = cli_script_init(&script, script_args, err);
    if (status == HONE_OK) status = hone_template_payload_open(out, &options, err);
    cli_script_fini(&script);
    return status;
}
