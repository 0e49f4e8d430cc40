// The header of a script that nothing was measured of.
#include "tuning/default_header.h"

#include "default_limits.h"
#include "tuning/provenance.h"

static enum hone_status print_default(struct hone_strbuf *out, struct hone_arena *arena,
                                      struct hone_workbench *bench, const char *script,
                                      const struct hone_emit_options *options,
                                      struct hone_error *err)
{
    static const struct hone_evaluate_options none = {.flags = HONE_EVALUATE_NO_VERIFY};
    struct hone_record_info info;
    const struct hone_facts facts = {.limits = &bench->limits};
    enum hone_status status = hone_workbench_make_kernel(bench, err);
    if (status == HONE_OK && !bench->has_default)
        status = hone_fail_at(err, HONE_EINPUT, script, 0,
                              "no results, and no default configuration to fall back to");
    if (status == HONE_OK)
        status = hone_provenance(&info, arena, bench, &facts, &none, err);
    if (status != HONE_OK) return status;
    struct hone_error own = {0}; // there is no journal that it could name
    status = hone_emit_defaults(out, &info, options, &own);
    return status == HONE_OK ? HONE_OK
                             : hone_fail_at(err, status, script, 0, "%s", own.text);
}

enum hone_status hone_default_limits(struct hone_limits *limits, const char *device,
                                     struct hone_error *err)
{
    return hone_device_limits(limits,
                              hone_device_is_emulated(device) ? device : "emu:h200", err);
}

enum hone_status hone_default_header(struct hone_strbuf *out, const char *script,
                                     const struct hone_script_options *script_options,
                                     const char *device,
                                     const struct hone_emit_options *options,
                                     struct hone_error *err)
{
    struct hone_workbench bench = {0};
    struct hone_arena arena = {0};
    struct hone_limits limits;
    struct hone_script_options own = *script_options;
    own.limits = &limits;
    enum hone_status status = hone_default_limits(&limits, device, err);
    if (status == HONE_OK) status = hone_workbench_open(&bench, script, &own, err);
    if (status == HONE_OK)
        status = print_default(out, &arena, &bench, script, options, err);
    hone_workbench_close(&bench);
    hone_arena_fini(&arena);
    return status;
}
