// T4 result files: configurations with times, an "invalidity" word and measurements. The
// format does not list the parameters, so they are gathered from the configurations
// first.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import.h"
#include "json.h"
#include "space/trial_keep.h"

// How many microseconds a unit has; 0 for what is no unit of time.
static double unit_us(const char *unit)
{
    static const struct {
        const char *start;
        double us;
    } units[] = {{"ns", 1e-3}, {"nano", 1e-3}, {"us", 1},   {"micro", 1},
                 {"ms", 1e3},  {"mil", 1e3},   {"sec", 1e6}};
    for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++)
        if (strncmp(unit, units[i].start, strlen(units[i].start)) == 0)
            return units[i].us;
    return unit && strcmp(unit, "s") == 0 ? 1e6 : 0;
}

struct t4 {
    json_t *values; // {parameter: {text of a value: value}}
    json_t *uses;   // {parameter: in how many results}
    size_t results;
    double time_us; // the file's unit of time
};

static enum hone_status gather(struct hone_import *import, const json_t *entry,
                               const struct hone_json_item *item, void *context,
                               struct hone_error *err)
{
    struct t4 *t4 = context;
    json_t *config = json_object_get(entry, "configuration");
    (void)import;
    (void)item;
    t4->results++;
    for (void *i = json_object_iter(config); i; i = json_object_iter_next(config, i)) {
        const char *name = json_object_iter_key(i);
        json_t *value = json_object_iter_value(i),
               *seen = json_object_get(t4->values, name);
        char text[1024];
        if (json_is_array(value) || json_is_object(value) || json_is_null(value))
            continue;
        if (!seen) seen = hone_json_put_object(t4->values, name);
        const json_int_t uses = json_integer_value(json_object_get(t4->uses, name));
        if (json_object_set_new(t4->uses, name, json_integer(uses + 1)) ||
            json_object_set(seen, hone_json_brief(text, sizeof text, value), value))
            return hone_no_memory(err, "importing a T4 file");
    }
    return HONE_OK;
}

static int by_number(const void *left, const void *right)
{
    const double a = json_number_value(*(json_t *const *)left);
    const double b = json_number_value(*(json_t *const *)right);
    return (a > b) - (a < b);
}

// The values in rising order where all are numbers, else in the order they appeared.
static json_t *list_of(json_t *seen)
{
    const size_t count = json_object_size(seen);
    const json_t **values = malloc((count + 1) * sizeof *values);
    json_t *list = json_array();
    bool numbers = true;
    size_t n = 0;
    for (void *i = json_object_iter(seen); i && values;
         i = json_object_iter_next(seen, i)) {
        const json_t *value = json_object_iter_value(i);
        numbers &= json_is_number(value);
        values[n++] = value;
    }
    if (numbers && values) qsort(values, n, sizeof *values, by_number);
    for (size_t i = 0; i < n; i++)
        json_array_append(list, (json_t *)(uintptr_t)values[i]);
    free(values);
    return list;
}

// What fewer than half of the results name is damage, not a parameter.
static bool is_param(const struct t4 *t4, const char *name)
{
    const json_int_t uses = json_integer_value(json_object_get(t4->uses, name));
    return (size_t)uses * 2 > t4->results;
}

static enum hone_status make_params(struct hone_import *import, const struct t4 *t4,
                                    struct hone_error *err)
{
    const size_t most = json_object_size(t4->values);
    struct hone_param *params = hone_arena_array(&import->arena, most, sizeof *params);
    if (!params) return hone_no_memory(err, "importing a T4 file");
    size_t count = 0;
    enum hone_status status = HONE_OK;
    for (void *iter = json_object_iter(t4->values); iter && status == HONE_OK;
         iter = json_object_iter_next(t4->values, iter)) {
        const char *name = json_object_iter_key(iter);
        if (!is_param(t4, name)) continue;
        json_t *list = list_of(json_object_iter_value(iter));
        status = hone_import_param(import, &params[count++], name, list, err);
        json_decref(list);
    }
    if (status == HONE_OK && !count)
        return hone_fail_at(err, HONE_EINPUT, import->path, 0,
                            "no result has a 'configuration'");
    return status != HONE_OK ? status
                             : hone_import_set_params(import, params, count, err);
}

// Measurements: the time, in its own unit where it names one, and metrics.
static enum hone_status read_measurements(struct hone_import *import,
                                          struct hone_trial *trial, const json_t *entry,
                                          double default_us, struct hone_error *err)
{
    const json_t *list = json_object_get(entry, "measurements");
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < json_array_size(list) && status == HONE_OK; i++) {
        const json_t *item = json_array_get(list, i);
        const json_t *value = json_object_get(item, "value");
        const char *name = json_string_value(json_object_get(item, "name"));
        const char *unit = json_string_value(json_object_get(item, "unit"));
        if (!name) continue;
        const bool time = strcmp(name, "time") == 0;
        if (time && json_is_string(value))
            hone_import_reason(import, trial, json_string_value(value));
        else if (time && json_is_number(value))
            trial->time_us = json_number_value(value) *
                             (unit_us(unit) > 0 ? unit_us(unit) : default_us);
        else
            status = hone_import_metric(import, trial, name, value, err);
    }
    return status;
}

static enum hone_status check_valid(struct hone_trial *trial, const json_t *times,
                                    double unit, struct hone_error *err)
{
    const double time = trial->time_us;
    if (trial->reason[0] || time >= hone_import_failure_ms * 1e3)
        return hone_fail(err, HONE_EINPUT, "it is called correct, and its time is %s",
                         trial->reason[0] ? trial->reason : "1e+20");
    if (!isnan(time) && !(time > 0))
        return hone_fail(err, HONE_EINPUT, "its time is not above 0");
    if (!hone_import_samples(trial, json_object_get(times, "runtimes"), unit))
        return hone_fail(err, HONE_EINPUT, "its time lies outside of its 'runtimes'");
    if (isnan(trial->time_us)) return hone_fail(err, HONE_EINPUT, "it has no time");
    return HONE_OK;
}

static void as_failure(struct hone_import *import, struct hone_trial *trial,
                       enum hone_outcome outcome, const char *word)
{
    trial->outcome = outcome;
    trial->time_us = (double)NAN;
    if (!trial->reason[0]) hone_import_reason(import, trial, word);
}

static double stage_ms(const json_t *times, const char *key)
{
    const json_t *json = json_object_get(times, key);
    const double x = json_number_value(json);
    return json_is_number(json) && x >= 0 && isfinite(x) ? x : (double)NAN;
}

static enum hone_status read_result(struct hone_import *import, const json_t *entry,
                                    const struct hone_json_item *item, void *context,
                                    struct hone_error *err)
{
    const struct t4 *t4 = context;
    const json_t *times = json_object_get(entry, "times");
    const char *word = json_string_value(json_object_get(entry, "invalidity"));
    struct hone_trial trial = hone_trial_make(0, HONE_VALID);
    (void)item;
    if (!word) return hone_fail(err, HONE_EINPUT, "it has no 'invalidity'");
    enum hone_status status = read_measurements(import, &trial, entry, t4->time_us, err);
    if (status == HONE_OK && strcmp(word, "correct") == 0)
        status = check_valid(&trial, times, t4->time_us, err);
    else if (status == HONE_OK)
        as_failure(import, &trial, hone_import_outcome(word), word);
    if (status != HONE_OK) return status;
    trial.build_ms = stage_ms(times, "compilation");
    if (isnan(trial.build_ms)) trial.build_ms = stage_ms(times, "compilation_time");
    if (!hone_import_own_trial(import, &trial, json_object_get(entry, "hone")))
        status = hone_trial_keep(&trial, &import->arena, err);
    if (status != HONE_OK) return status;
    return hone_import_keep(import, &trial, json_object_get(entry, "configuration"), err);
}

// The exported header tells values and their order, which results alone cannot.
static enum hone_status params_of_header(struct hone_import *import, const json_t *header,
                                         struct hone_error *err)
{
    const json_t *list = json_object_get(header, "params");
    const size_t count = json_array_size(list);
    struct hone_param *params = hone_arena_array(&import->arena, count, sizeof *params);
    if (!params) return hone_no_memory(err, "importing a T4 file");
    for (size_t i = 0; i < count; i++) {
        const json_t *item = json_array_get(list, i);
        const char *name = json_string_value(json_object_get(item, "name"));
        enum hone_status status = hone_import_param(import, &params[i], name ? name : "?",
                                                    json_object_get(item, "values"), err);
        if (status != HONE_OK) return status;
    }
    enum hone_status status = hone_import_set_params(import, params, count, err);
    if (status == HONE_OK) hone_import_adopt_header(import, header);
    return status;
}

enum hone_status hone_import_read_t4(struct hone_import *import,
                                     const struct hone_import_text *text,
                                     struct hone_error *err)
{
    const json_t *metadata = json_object_get(text->members, "metadata");
    const json_t *header = json_object_get(metadata, "hone");
    const char *unit = json_string_value(json_object_get(metadata, "timeunit"));
    const char *device = json_string_value(json_object_get(metadata, "device_name"));
    struct t4 t4 = {
        .values = json_object(), .uses = json_object(), .time_us = unit_us(unit)};
    if (!(t4.time_us > 0)) t4.time_us = 1e3; // what the format's writer measures in
    enum hone_status status = HONE_OK;
    if (!text->big_key)
        status =
            hone_fail_at(err, HONE_EINPUT, import->path, 0, "a T4 file needs 'results'");
    else if (json_array_size(json_object_get(header, "params")))
        status = params_of_header(import, header, err);
    else {
        const size_t said = import->note_count;
        status = hone_import_entries(import, text, gather, &t4, err);
        import->lost = 0; // the second pass counts and says the same
        import->note_count = said;
        if (status == HONE_OK) status = make_params(import, &t4, err);
    }
    if (status == HONE_OK && !import->info.device_name)
        import->info.device_name = hone_arena_strdup(&import->arena, device);
    if (status == HONE_OK)
        status = hone_import_entries(import, text, read_result, &t4, err);
    json_decref(t4.values);
    json_decref(t4.uses);
    return status;
}
