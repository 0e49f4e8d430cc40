#include "recorded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tuning/journal_settings.h"

enum { TEXT_MAX = 48, PARAMS_MAX = 64 };

enum hone_status recorded_open(struct recorded *out, const struct recorded_source *source,
                               struct hone_error *err)
{
    struct hone_journal_settings settings = {0};
    struct hone_limits limits;
    *out = (struct recorded){0};
    enum hone_status status = hone_recording_load(&out->recording, source->journal, err);
    if (status == HONE_OK) status = hone_device_limits(&limits, source->device, err);
    if (status == HONE_OK)
        status = hone_journal_settings_new(
            &settings, source->foreign ? NULL : hone_recording_info(out->recording), 0,
            err);
    const struct hone_script_options options = {
        .limits = &limits, .set = settings.set, .set_count = settings.count};
    if (status == HONE_OK)
        status = hone_workbench_open(&out->bench, source->script, &options, err);
    hone_journal_settings_free(&settings);
    return status;
}

void recorded_close(struct recorded *recorded)
{
    hone_workbench_close(&recorded->bench);
    hone_recording_free(recorded->recording);
}

const struct hone_value *recorded_value(const struct hone_recording *recording,
                                        const struct hone_trial *trial, const char *name)
{
    const struct hone_space *space = hone_recording_space(recording);
    uint16_t choices[PARAMS_MAX];
    hone_space_choices(space, trial->index, choices);
    for (size_t i = 0; i < hone_space_param_count(space); i++) {
        const struct hone_param *param = hone_space_param(space, i);
        if (strcmp(param->name, name) == 0) return &param->values[choices[i]];
    }
    return NULL;
}

bool recorded_index(const struct recorded *recorded,
                    const struct hone_recording *recording,
                    const struct hone_trial *trial, uint64_t *index)
{
    const struct hone_value *defaults = recorded->bench.def.defaults;
    const struct hone_space *space = recorded->bench.space;
    uint16_t choices[PARAMS_MAX];
    for (size_t i = 0; i < hone_space_param_count(space); i++) {
        const char *name = hone_space_param(space, i)->name;
        const struct hone_value *value = recorded_value(recording, trial, name);
        if (!value && defaults) value = &defaults[i];
        if (!value || hone_space_choice_of(space, i, *value, &choices[i]) != HONE_OK)
            return false;
    }
    return hone_space_index(space, choices, index) == HONE_OK;
}

void recorded_text(char *out, size_t cap, const struct recorded *recorded, uint64_t index)
{
    const struct hone_space *space = recorded->bench.space;
    uint16_t choices[PARAMS_MAX];
    size_t used = 0;
    hone_space_choices(space, index, choices);
    *out = '\0';
    for (size_t i = 0; i < hone_space_param_count(space) && used < cap; i++) {
        const struct hone_param *param = hone_space_param(space, i);
        char value[TEXT_MAX];
        hone_value_print(value, sizeof value, param->values[choices[i]]);
        used += (size_t)snprintf(out + used, cap - used, "%s%s=%s", i ? " " : "",
                                 param->name, value);
    }
}
