#include "strategy_name.h"

#include <stdlib.h>
#include <string.h>

static bool is_file(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && strcmp(dot, ".lua") == 0;
}

static enum hone_status load(struct cli_strategy *out, const char *path,
                             struct hone_error *err)
{
    const struct hone_limits limits = {0}; // a strategy sees no device
    const struct hone_script_options options = {.limits = &limits};
    enum hone_status status = hone_script_load(&out->script, path, &options, err);
    if (status != HONE_OK) return status;
    if (hone_script_kind(out->script) != HONE_SCRIPT_STRATEGY)
        return hone_fail(err, HONE_EUSAGE,
                         "'%s' defines no strategy: it must return hone.strategy {...}",
                         path);
    out->fns = hone_script_strategy(out->script);
    return HONE_OK;
}

static enum hone_status start(struct cli_strategy *out, const char *command,
                              uint64_t timeout, struct hone_error *err)
{
    if (!timeout)
        return hone_fail(err, HONE_EUSAGE, "--strategy-timeout wants at least 1 second");
    enum hone_status status =
        hone_partner_new(&out->partner, command, (double)timeout, err);
    if (status == HONE_OK) out->fns = hone_partner_strategy(out->partner);
    return status;
}

enum hone_status cli_strategy_find(struct cli_strategy *out, const char *name,
                                   uint64_t timeout, struct hone_error *err)
{
    const size_t prefix = strlen(CLI_STRATEGY_EXEC);
    *out = (struct cli_strategy){0};
    enum hone_status status;
    if (strncmp(name, CLI_STRATEGY_EXEC, prefix) == 0) {
        status = start(out, name + prefix, timeout, err);
    } else if (is_file(name)) {
        status = load(out, name, err);
    } else {
        status = hone_strategy_parse(&out->made, name, err);
        out->fns = out->made;
    }
    if (status != HONE_OK) cli_strategy_fini(out);
    return status;
}

void cli_strategy_describe(const struct cli_strategy *strategy,
                           const struct hone_record_info *info)
{
    if (strategy->partner) hone_partner_describe(strategy->partner, info);
}

enum hone_status cli_strategy_on_error(enum hone_on_error *out, const char *text,
                                       enum hone_on_error fallback,
                                       struct hone_error *err)
{
    *out = fallback;
    if (!text) return HONE_OK;
    if (strcmp(text, "random") != 0 && strcmp(text, "stop") != 0)
        return hone_fail(err, HONE_EUSAGE,
                         "--on-strategy-error wants random or stop, got '%s'", text);
    *out = *text == 'r' ? HONE_ON_ERROR_RANDOM : HONE_ON_ERROR_STOP;
    return HONE_OK;
}

void cli_strategy_fini(struct cli_strategy *strategy)
{
    free(strategy->made);
    hone_script_free(strategy->script);
    hone_partner_free(strategy->partner);
    *strategy = (struct cli_strategy){0};
}
