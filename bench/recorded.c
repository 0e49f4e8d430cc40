#include "recorded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES_MAX = 40, TEXT_MAX = 48, PARAMS_MAX = 64 };

struct settings {
    struct hone_script_set set[SIZES_MAX];
    char text[SIZES_MAX][TEXT_MAX];
    size_t count;
};

// The sizes of a journal's problem, and the choices of the script among them, as --set
// takes them. An empty text is what a script has without being told.
static void settings_of(struct settings *out, const struct hone_record_info *info)
{
    out->count = 0;
    for (size_t i = 0; i < info->problem_count && out->count < SIZES_MAX; i++) {
        const struct hone_constant *size = &info->problem[i];
        char *text = out->text[out->count];
        if (hone_value_print(text, TEXT_MAX, size->value) == 0) continue;
        out->set[out->count++] = (struct hone_script_set){size->name, text};
    }
}

enum hone_status recorded_open(struct recorded *out, const char *journal,
                               const char *script, const char *device,
                               struct hone_error *err)
{
    struct settings settings;
    struct hone_limits limits;
    *out = (struct recorded){0};
    enum hone_status status = hone_recording_load(&out->recording, journal, err);
    if (status == HONE_OK) status = hone_device_limits(&limits, device, err);
    if (status != HONE_OK) return status;
    settings_of(&settings, hone_recording_info(out->recording));
    const struct hone_script_options options = {
        .limits = &limits, .set = settings.set, .set_count = settings.count};
    return hone_workbench_open(&out->bench, script, &options, err);
}

void recorded_close(struct recorded *recorded)
{
    hone_workbench_close(&recorded->bench);
    hone_recording_free(recorded->recording);
}

static const struct hone_value *value_of(const struct hone_recording *recording,
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
        const struct hone_value *value = value_of(recording, trial, name);
        if (!value && defaults) value = &defaults[i];
        if (!value || hone_space_choice_of(space, i, *value, &choices[i]) != HONE_OK)
            return false;
    }
    return hone_space_index(space, choices, index) == HONE_OK;
}

const struct hone_trial *recorded_best(const struct hone_recording *recording)
{
    const struct hone_trial *best = hone_recording_winner(recording);
    if (best) return best;
    for (size_t i = 0; i < hone_recording_count(recording); i++) {
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        if (trial->outcome != HONE_VALID) continue;
        if (!best || hone_trial_cost(trial) < hone_trial_cost(best)) best = trial;
    }
    return best;
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
