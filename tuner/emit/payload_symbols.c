// Symbols in a header: its comment names them, and a payload finds them in its modules,
// for its user to fill.
#include <string.h>

#include "base/sink.h"
#include "emit_text.h"
#include "launcher.h"

bool hone_emit_is_symbol(const struct hone_record_arg *arg)
{
    return arg->kind && strcmp(arg->kind, "symbol") == 0;
}

bool hone_emit_has_symbols(const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->info->arg_count; i++)
        if (hone_emit_is_symbol(&plan->info->args[i])) return true;
    return false;
}

void hone_emit_symbols_comment(struct hone_strbuf *out, const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->info->arg_count; i++) {
        const struct hone_record_arg *arg = &plan->info->args[i];
        struct hone_strbuf line = HONE_STRBUF_INIT;
        if (!hone_emit_is_symbol(arg)) continue;
        hone_strbuf_printf(
            &line,
            "The kernel reads the variable %s of its module, %s [%s]: fill "
            "it before a launch",
            arg->name ? arg->name : "", arg->dtype ? arg->dtype : "",
            arg->size ? arg->size : "");
        if (plan->payload)
            hone_strbuf_printf(&line, ", at the address that %s_variable gives",
                               plan->name);
        hone_strbuf_add(&line, ".");
        hone_strbuf_add(out, " * ");
        hone_sink_comment(out, line.data ? line.data : "");
        hone_strbuf_add(out, "\n");
        out->failed = out->failed || line.failed;
        hone_strbuf_fini(&line);
    }
}

void hone_emit_symbols(struct hone_strbuf *out, const struct emit_plan *plan)
{
    if (hone_emit_has_symbols(plan))
        hone_emit_part(out, plan, hone_text_payload_variable, "");
}
