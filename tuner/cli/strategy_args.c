#include "strategy_args.h"

#include <string.h>

#include "tuning/named_strategy.h"

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

enum hone_status cli_strategy_timeout(const char *name, uint64_t timeout,
                                      struct hone_error *err)
{
    if (timeout || strncmp(name, HONE_STRATEGY_EXEC, strlen(HONE_STRATEGY_EXEC)) != 0)
        return HONE_OK;
    return hone_fail(err, HONE_EUSAGE, "--strategy-timeout wants at least 1 second");
}
