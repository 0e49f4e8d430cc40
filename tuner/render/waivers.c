// Waivers of a definition: what they may let pass, and that each names one place and a
// reason.
#include <string.h>

#include "render_internal.h"

// The device knows buffers by the arguments that the kernel gets addresses of.
static bool is_buffer(const struct hone_kernel_def *def, const char *name)
{
    for (size_t i = 0; i < def->arg_count; i++) {
        const enum hone_arg_kind kind = def->args[i].kind;
        if (kind != HONE_ARG_SCALAR && kind != HONE_ARG_CONSTANT &&
            strcmp(def->args[i].name, name) == 0)
            return true;
    }
    return false;
}

static enum hone_status waiver_fail(const struct hone_kernel_def *def, size_t i,
                                    struct hone_error *err, const char *what)
{
    const struct hone_waiver *waiver = &def->waivers[i];
    return hone_fail_at(err, HONE_EINPUT, def->source, waiver->script_line,
                        "waiver %zu of kernel '%s' (%s) %s", i + 1, def->name,
                        hone_finding_name(waiver->finding), what);
}

static enum hone_status check_finding(const struct hone_kernel_def *def, size_t i,
                                      struct hone_error *err)
{
    const struct hone_waiver *waiver = &def->waivers[i];
    const enum hone_waive_by by = hone_finding_waive_by(waiver->finding);
    char those[256];
    hone_finding_waivable(those, sizeof those);
    if (by == HONE_WAIVE_NEVER)
        return hone_fail_at(err, HONE_EINPUT, def->source, waiver->script_line,
                            "finding '%s' of kernel '%s' cannot be waived: the kernel "
                            "cannot go on, or its values are wrong; these can be: "
                            "%s",
                            hone_finding_name(waiver->finding), def->name, those);
    if (by == HONE_WAIVE_LINE && waiver->buffer)
        return waiver_fail(def, i, err,
                           "is of no buffer: it is found in shared memory, name its line "
                           "by at = \"file.cu:120\"");
    return HONE_OK;
}

static bool waivers_is_blank(const char *text)
{
    return !text || text[strspn(text, " \t\r\n")] == '\0';
}

static enum hone_status check_waiver(const struct hone_kernel_def *def, size_t i,
                                     struct hone_error *err)
{
    const struct hone_waiver *waiver = &def->waivers[i];
    if (!waiver->file == !waiver->buffer)
        return waiver_fail(def, i, err,
                           waiver->file
                               ? "has both 'at' and 'buffer': it is of one place"
                               : "needs a place: at = \"file.cu:120\" or a buffer");
    if (waivers_is_blank(waiver->reason))
        return waiver_fail(def, i, err, "needs a 'reason'");
    if (waiver->buffer && !is_buffer(def, waiver->buffer))
        return hone_fail_at(err, HONE_EINPUT, def->source, waiver->script_line,
                            "waiver %zu of kernel '%s' (%s) names '%s', which is no "
                            "buffer among its arguments",
                            i + 1, def->name, hone_finding_name(waiver->finding),
                            waiver->buffer);
    return check_finding(def, i, err);
}

enum hone_status hone_waivers_check(const struct hone_kernel_def *def,
                                    struct hone_error *err)
{
    if (def->waiver_count > HONE_WAIVER_MAX)
        return hone_fail_at(err, HONE_EINPUT, def->source,
                            def->waivers[HONE_WAIVER_MAX].script_line,
                            "kernel '%s' has %zu waivers, limit %d", def->name,
                            def->waiver_count, HONE_WAIVER_MAX);
    for (size_t i = 0; i < def->waiver_count; i++) {
        enum hone_status status = check_waiver(def, i, err);
        if (status != HONE_OK) return status;
    }
    return HONE_OK;
}
