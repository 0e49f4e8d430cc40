// Kernel Tuner cache files. They are written by appending, so the closing brackets may be
// missing; times are milliseconds, and a text in place of a time says how it failed.
#include <math.h>
#include <string.h>

#include "import.h"
#include "json.h"
#include "python.h"
#include "space/trial_keep.h"

static const double ms = 1e3; // in microseconds

static enum hone_status read_params(struct hone_import *import, const json_t *root,
                                    struct hone_error *err)
{
    json_t *lists = json_object_get(root, "tune_params");
    const json_t *keys = json_object_get(root, "tune_params_keys");
    const size_t count = keys ? json_array_size(keys) : json_object_size(lists);
    if (!count || !json_is_object(lists))
        return hone_fail_at(err, HONE_EINPUT, import->path, 0,
                            "a cache file needs 'tune_params', the values of each "
                            "parameter");
    struct hone_param *params = hone_arena_array(&import->arena, count, sizeof *params);
    if (!params) return hone_no_memory(err, "importing a cache file");
    void *iter = json_object_iter(lists);
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < count && status == HONE_OK; i++) {
        const char *name = keys ? json_string_value(json_array_get(keys, i))
                                : json_object_iter_key(iter);
        if (!name)
            return hone_fail_at(err, HONE_EINPUT, import->path, 0,
                                "'tune_params_keys' must be names");
        for (size_t j = 0; j < i; j++)
            if (strcmp(params[j].name, name) == 0)
                return hone_fail_at(err, HONE_EINPUT, import->path, 0,
                                    "parameter '%s' is named twice", name);
        status = hone_import_param(import, &params[i], name, json_object_get(lists, name),
                                   err);
        if (!keys) iter = json_object_iter_next(lists, iter);
    }
    return status != HONE_OK ? status
                             : hone_import_set_params(import, params, count, err);
}

static enum hone_status read_names(struct hone_import *import, const json_t *root,
                                   struct hone_error *err)
{
    const char *kernel = json_string_value(json_object_get(root, "kernel_name"));
    const char *device = json_string_value(json_object_get(root, "device_name"));
    import->info.kernel = hone_arena_strdup(&import->arena, kernel);
    import->info.device_name = hone_arena_strdup(&import->arena, device);
    return hone_import_problem(import, json_object_get(root, "problem_size"), err);
}

// Behind the value in an entry's key: the values joined by commas.
static const char *match_value(const char *key, const char *end, const json_t *value)
{
    char number[HONE_NUMBER_TEXT];
    struct hone_value v;
    if (!hone_json_peek_value(&v, value)) return NULL;
    if (v.type == HONE_FLOAT) return strpbrk(key, ",\""); // digits are Python's own
    const char *text = hone_python_text(number, v);
    const size_t len = strlen(text);
    if (len > (size_t)(end - key) || memcmp(key, text, len) != 0) return NULL;
    return key + len;
}

static bool key_matches(const struct hone_import *import,
                        const struct hone_json_item *item, const json_t *entry)
{
    const char *key = item->key, *end = key ? key + item->key_len : NULL;
    for (size_t i = 0; key && i < import->info.param_count; i++) {
        const json_t *value = json_object_get(entry, import->info.params[i].name);
        if (json_is_string(value) && strpbrk(json_string_value(value), ",\"\\"))
            return true;
        key = match_value(key, end, value);
        if (!key || key > end) return false;
        const bool last = i + 1 == import->info.param_count;
        if (last ? key != end : *key != ',') return false;
        key++;
    }
    return true;
}

static bool is_param(const struct hone_import *import, const char *name)
{
    for (size_t i = 0; i < import->info.param_count; i++)
        if (strcmp(import->info.params[i].name, name) == 0) return true;
    return false;
}

static enum hone_status read_metrics(struct hone_import *import, struct hone_trial *trial,
                                     json_t *entry, struct hone_error *err)
{
    static const char *const known[] = {
        "time",           "compile_time",  "verification_time",
        "benchmark_time", "strategy_time", "framework_time"};
    enum hone_status status = HONE_OK;
    for (void *i = json_object_iter(entry); i && status == HONE_OK;
         i = json_object_iter_next(entry, i)) {
        const char *name = json_object_iter_key(i);
        bool skip = is_param(import, name);
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            skip |= strcmp(known[k], name) == 0;
        if (!skip)
            status =
                hone_import_metric(import, trial, name, json_object_iter_value(i), err);
    }
    return status;
}

static double figure(const json_t *entry, const char *name)
{
    const json_t *json = json_object_get(entry, name);
    const double x = json_number_value(json);
    const bool sound = json_is_number(json) && x >= 0 && x < hone_import_failure_ms;
    return sound ? x : (double)NAN;
}

// What the entry says in "time", or in the objective where that is something else.
static enum hone_status read_time(struct hone_import *import, struct hone_trial *trial,
                                  const json_t *entry, const char *objective,
                                  struct hone_error *err)
{
    const json_t *time = json_object_get(entry, "time");
    const json_t *goal = objective ? json_object_get(entry, objective) : NULL;
    const json_t *times = json_object_get(entry, "times");
    const json_t *told = json_is_string(goal) ? goal : time;
    if (json_is_string(told)) {
        const char *text = json_string_value(told);
        *trial = hone_import_failure(import, hone_import_outcome(text), text);
        return HONE_OK;
    }
    *trial = hone_trial_make(0, HONE_VALID);
    if (json_is_number(time)) trial->time_us = json_number_value(time) * ms;
    if (json_is_number(time) && !(trial->time_us > 0))
        return hone_fail(err, HONE_EINPUT, "its time is not above 0");
    const bool fits = hone_import_samples(trial, times, ms);
    if (trial->time_us >= hone_import_failure_ms * ms) {
        *trial = hone_import_failure(import, HONE_LAUNCH_FAILED, "time 1e+20: it failed");
        return HONE_OK;
    }
    if (!fits)
        return hone_fail(err, HONE_EINPUT, "its 'time' lies outside of its 'times'");
    if (isnan(trial->time_us)) return hone_fail(err, HONE_EINPUT, "it has no time");
    return HONE_OK;
}

static enum hone_status read_entry(struct hone_import *import, const json_t *entry,
                                   const struct hone_json_item *item, void *context,
                                   struct hone_error *err)
{
    struct hone_trial trial;
    if (!key_matches(import, item, entry))
        return hone_fail(err, HONE_EINPUT, "its values are not those of its key");
    enum hone_status status = read_time(import, &trial, entry, context, err);
    if (status != HONE_OK) return status;
    trial.build_ms = figure(entry, "compile_time");
    const double verify = figure(entry, "verification_time");
    trial.evaluate_ms = figure(entry, "benchmark_time");
    if (!isnan(verify)) trial.evaluate_ms += verify;
    status = read_metrics(import, &trial, (json_t *)(uintptr_t)entry, err);
    if (status != HONE_OK) return status;
    if (!hone_import_own_trial(import, &trial, json_object_get(entry, "hone")))
        status = hone_trial_keep(&trial, &import->arena, err);
    return status == HONE_OK ? hone_import_keep(import, &trial, entry, err) : status;
}

enum hone_status hone_import_read_kernel_tuner(struct hone_import *import,
                                               const struct hone_import_text *text,
                                               struct hone_error *err)
{
    const json_t *objective = json_object_get(text->members, "objective");
    enum hone_status status = read_params(import, text->members, err);
    if (status == HONE_OK) status = read_names(import, text->members, err);
    if (status != HONE_OK) return status;
    hone_import_adopt_header(import, json_object_get(text->members, "hone"));
    if (!text->big_key) {
        hone_import_say(import, "the file has no 'cache': no trials");
        return HONE_OK;
    }
    return hone_import_entries(import, text, read_entry,
                               (void *)(uintptr_t)json_string_value(objective), err);
}
