#include "tuning/named_strategy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool is_lua_file(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && strcmp(dot, ".lua") == 0;
}

static bool is_program(const char *name)
{
    return strncmp(name, HONE_STRATEGY_EXEC, strlen(HONE_STRATEGY_EXEC)) == 0;
}

bool hone_named_strategy_is_file(const char *name)
{
    return !is_program(name) && is_lua_file(name);
}

enum hone_status hone_named_strategy_check(const char *name, struct hone_error *err)
{
    struct hone_strategy_fns *made = NULL;
    if (is_program(name) || is_lua_file(name)) return HONE_OK;
    enum hone_status status = hone_strategy_parse(&made, name, err);
    free(made);
    return status;
}

static enum hone_status load_script(struct hone_named_strategy *out, const char *path,
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

static enum hone_status find_program(struct hone_named_strategy *out, const char *command,
                                     double timeout_s, struct hone_error *err)
{
    assert(timeout_s > 0);
    enum hone_status status = hone_partner_new(&out->partner, command, timeout_s, err);
    if (status == HONE_OK) out->fns = hone_partner_strategy(out->partner);
    return status;
}

enum hone_status hone_named_strategy_find(struct hone_named_strategy *out,
                                          const char *name, double timeout_s,
                                          struct hone_error *err)
{
    *out = (struct hone_named_strategy){0};
    enum hone_status status;
    if (is_program(name)) {
        status = find_program(out, name + strlen(HONE_STRATEGY_EXEC), timeout_s, err);
    } else if (is_lua_file(name)) {
        status = load_script(out, name, err);
    } else {
        status = hone_strategy_parse(&out->made, name, err);
        out->fns = out->made;
    }
    if (status != HONE_OK) hone_named_strategy_fini(out);
    return status;
}

void hone_named_strategy_describe(const struct hone_named_strategy *strategy,
                                  const struct hone_record_info *info)
{
    if (strategy->partner) hone_partner_describe(strategy->partner, info);
}

void hone_named_strategy_fini(struct hone_named_strategy *strategy)
{
    free(strategy->made);
    hone_script_free(strategy->script);
    hone_partner_free(strategy->partner);
    *strategy = (struct hone_named_strategy){0};
}
