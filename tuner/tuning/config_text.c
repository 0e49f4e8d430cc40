// Configurations as people change them: "BK=16".
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "expr/value_text.h"
#include "hone/strbuf.h"
#include "tuning/probe.h"

static enum hone_status unknown_parameter(const struct hone_space *space,
                                          const char *name, struct hone_error *err)
{
    const size_t count = hone_space_param_count(space);
    const char **names = calloc(count + 1, sizeof *names);
    if (!names) return hone_no_memory(err, "for names of parameters");
    for (size_t p = 0; p < count; p++)
        names[p] = hone_space_param(space, p)->name;
    const char *near = hone_suggest(name, names, count);
    free(names);
    return hone_fail(err, HONE_EUSAGE, "--config: no parameter '%s'%s%s%s", name,
                     near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static enum hone_status unknown_value(const struct hone_param *param, const char *value,
                                      struct hone_error *err)
{
    struct hone_strbuf list = HONE_STRBUF_INIT;
    char number[HONE_NUMBER_TEXT];
    for (size_t v = 0; v < param->count; v++)
        hone_strbuf_printf(&list, "%s%s", v ? ", " : "",
                           hone_value_in_full(number, param->values[v]));
    const enum hone_status status =
        hone_fail(err, HONE_EUSAGE, "--config: '%s' is no value of '%s'; it has %s",
                  value, param->name, list.data);
    hone_strbuf_fini(&list);
    return status;
}

static enum hone_status change_one(uint16_t *choices, const struct hone_space *space,
                                   const char *text, struct hone_error *err)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) // a text may be empty
        return hone_fail(err, HONE_EUSAGE, "--config wants NAME=VALUE, got '%s'", text);
    const size_t length = (size_t)(equals - text);
    char number[HONE_NUMBER_TEXT];
    for (size_t p = 0; p < hone_space_param_count(space); p++) {
        const struct hone_param *param = hone_space_param(space, p);
        if (strncmp(param->name, text, length) != 0 || param->name[length]) continue;
        for (size_t v = 0; v < param->count; v++) {
            const char *printed = hone_value_in_full(number, param->values[v]);
            if (strcmp(printed, equals + 1) != 0) continue;
            choices[p] = (uint16_t)v;
            return HONE_OK;
        }
        return unknown_value(param, equals + 1, err);
    }
    char name[128]; // longer ones are near to nothing
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    return unknown_parameter(space, name, err);
}

enum hone_status hone_config_change(uint16_t *choices, const struct hone_space *space,
                                    const char *const *texts, size_t count,
                                    struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < count; i++)
        status = change_one(choices, space, texts[i], err);
    return status;
}

enum hone_status hone_chosen_trial(const struct hone_trial **out,
                                   const struct hone_recording *recording,
                                   const char *const *texts, size_t count,
                                   struct hone_error *err)
{
    const struct hone_space *space = hone_recording_space(recording);
    uint64_t index;
    *out = hone_recording_best(recording);
    if (!*out)
        return hone_fail(err, HONE_EDEVICE, "'%s' has no valid trial",
                         hone_recording_path(recording));
    if (!count) return HONE_OK;
    uint16_t *row = calloc(hone_space_param_count(space) + 1, sizeof *row);
    if (!row) return hone_no_memory(err, "for a configuration");
    hone_space_choices(space, (*out)->index, row);
    enum hone_status status = hone_config_change(row, space, texts, count, err);
    *out = status == HONE_OK && hone_space_index(space, row, &index) == HONE_OK
               ? hone_recording_find(recording, index)
               : NULL;
    free(row);
    if (status == HONE_OK && !(*out && (*out)->outcome == HONE_VALID))
        status = hone_fail(err, HONE_EUSAGE,
                           "'%s' has no valid trial of that configuration: the rest is "
                           "as in its best",
                           hone_recording_path(recording));
    return status;
}
