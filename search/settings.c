// "sa:hot=0.3": a strategy of the registry with some of its settings changed.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/c_text.h"
#include "base/suggest.h"
#include "hone/search.h"

enum { NAMES_MAX = 64, NAME_LONGEST = 64 };

struct made {
    struct hone_strategy_fns fns; // comes first: it is what the caller gets
    double values[HONE_SETTINGS_MAX];
    char name[];
};

static enum hone_status fail_strategy(const char *name, struct hone_error *err)
{
    const char *names[NAMES_MAX];
    size_t count = 0;
    for (; count < NAMES_MAX && hone_strategies[count]; count++)
        names[count] = hone_strategies[count]->name;
    const char *near = hone_suggest(name, names, count);
    if (near)
        return hone_fail(err, HONE_EUSAGE, "unknown strategy '%s'; did you mean '%s'?",
                         name, near);
    return hone_fail(err, HONE_EUSAGE,
                     "unknown strategy '%s'; 'hone strategies' lists them", name);
}

static size_t count_settings(const struct hone_strategy_fns *fns)
{
    size_t count = 0;
    while (fns->settings && fns->settings[count].name)
        count++;
    return count;
}

static enum hone_status fail_setting(const struct hone_strategy_fns *fns,
                                     const char *name, struct hone_error *err)
{
    const char *names[HONE_SETTINGS_MAX] = {0};
    const size_t count = count_settings(fns);
    for (size_t i = 0; i < count; i++)
        names[i] = fns->settings[i].name;
    const char *near = hone_suggest(name, names, count);
    if (near)
        return hone_fail(err, HONE_EUSAGE,
                         "strategy %s has no setting '%s'; did you mean '%s'?", fns->name,
                         name, near);
    return hone_fail(err, HONE_EUSAGE, "strategy %s has no setting '%s'%s", fns->name,
                     name, count ? "" : ", nor any other");
}

static enum hone_status settings_read_number(struct made *made, size_t i,
                                             const char *text, struct hone_error *err)
{
    const struct hone_setting *setting = &made->fns.settings[i];
    char *end = NULL;
    const double value = hone_strtod(text, &end);
    const bool is_number = end != text && !*end && !hone_is_space(*text);
    made->values[i] = value;
    if (is_number && value >= setting->least && value <= setting->most &&
        (!setting->whole || value == floor(value)))
        return HONE_OK;
    return hone_fail(err, HONE_EUSAGE,
                     "%s of strategy %s wants a %s of %g to %g, got '%s'", setting->name,
                     made->fns.name, setting->whole ? "whole number" : "number",
                     setting->least, setting->most, text);
}

// "a/b": values of the first settings.
static enum hone_status read_positions(struct made *made, char *text,
                                       struct hone_error *err)
{
    const size_t count = count_settings(&made->fns);
    enum hone_status status = HONE_OK;
    for (size_t i = 0; text && status == HONE_OK; i++) {
        char *slash = strchr(text, '/');
        if (slash) *slash = '\0';
        if (i == count) return fail_setting(&made->fns, text, err);
        status = settings_read_number(made, i, text, err);
        text = slash ? slash + 1 : NULL;
    }
    return status;
}

static enum hone_status read_setting(struct made *made, char *text,
                                     struct hone_error *err)
{
    char *equals = strchr(text, '=');
    if (!equals) return read_positions(made, text, err);
    *equals = '\0';
    for (size_t i = 0; i < count_settings(&made->fns); i++)
        if (strcmp(made->fns.settings[i].name, text) == 0)
            return settings_read_number(made, i, equals + 1, err);
    return fail_setting(&made->fns, text, err);
}

static enum hone_status read_settings(struct made *made, char *text,
                                      struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    while (text && status == HONE_OK) {
        char *colon = strchr(text, ':');
        if (colon) *colon = '\0';
        status = read_setting(made, text, err);
        text = colon ? colon + 1 : NULL;
    }
    return status;
}

enum hone_status hone_strategy_parse(struct hone_strategy_fns **out, const char *text,
                                     struct hone_error *err)
{
    char name[NAME_LONGEST];
    const size_t size = strlen(text) + 1;
    *out = NULL;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    const struct hone_strategy_fns *fns = hone_strategy_find(name);
    if (!fns) return fail_strategy(name, err);
    struct made *made = calloc(1, sizeof *made + 2 * size);
    if (!made) return hone_no_memory(err, "for strategy '%s'", name);
    char *work = made->name + size; // is cut up
    memcpy(made->name, text, size);
    memcpy(work, text, size);
    made->fns = *fns;
    for (size_t i = 0; i < count_settings(fns); i++)
        made->values[i] = fns->settings[i].fallback;
    char *colon = strchr(work, ':');
    enum hone_status status = colon ? read_settings(made, colon + 1, err) : HONE_OK;
    made->fns.name = made->name;
    made->fns.values = made->values;
    if (status == HONE_OK)
        *out = &made->fns;
    else
        free(made);
    return status;
}
