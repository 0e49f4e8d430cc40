// Exporting a recording as a Kernel Tuner cache or as T4. What these forms cannot say
// (digits, resources, outcomes of our own) travels in a member "hone" that they ignore,
// so that importing the file again gives the same trials.
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "header.h"
#include "import.h"
#include "json.h"
#include "python.h"
#include "trial_line.h"

struct exporter {
    const struct hone_recording *recording;
    const struct hone_record_info *info;
    json_t *header; // of the journal
    uint16_t *choices;
    struct hone_strbuf *out;
};

static const double ms = 1e-3; // of a microsecond

// Kernel Tuner knows three failures and turns these texts back into them.
static const char *kernel_tuner_word(enum hone_outcome outcome)
{
    if (outcome == HONE_BUILD_FAILED) return "CompilationFailedConfig";
    if (outcome == HONE_REJECTED) return "InvalidConfig";
    return "RuntimeFailedConfig";
}

static const char *t4_word(enum hone_outcome outcome)
{
    static const char *const words[] = {
        [HONE_VALID] = "correct",
        [HONE_REJECTED] = "constraints",
        [HONE_BUILD_FAILED] = "compile",
        [HONE_LAUNCH_FAILED] = "runtime",
        [HONE_WRONG_RESULT] = "correctness",
        [HONE_CRASHED] = "runtime",
        [HONE_TIMED_OUT] = "timeout",
        [HONE_UNSUPPORTED] = "runtime",
    };
    _Static_assert(sizeof words / sizeof *words == HONE_OUTCOME_COUNT,
                   "each outcome has a word of T4");
    return words[outcome];
}

static json_t *config_of(struct exporter *e, const struct hone_trial *trial)
{
    json_t *config = json_object();
    hone_space_choices(hone_recording_space(e->recording), trial->index, e->choices);
    for (size_t p = 0; p < e->info->param_count; p++)
        json_object_set_new(
            config, e->info->params[p].name,
            hone_json_from_value(e->info->params[p].values[e->choices[p]]));
    return config;
}

static json_t *own_trial(const struct hone_trial *trial)
{
    json_t *line = hone_trial_write(trial, json_null());
    json_object_del(line, "config");
    return line;
}

static void put_ms(json_t *object, const char *key, double value)
{
    if (isfinite(value)) json_object_set_new(object, key, json_real(value));
}

static json_t *time_of(const struct hone_trial *trial)
{
    return trial->outcome == HONE_VALID ? json_real(trial->time_us * ms)
                                        : json_string(kernel_tuner_word(trial->outcome));
}

static void add_json(struct exporter *e, json_t *json)
{
    const size_t flags = JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(17);
    hone_json_add_text(e->out, json, flags);
    json_decref(json);
}

// "16,1,True": the values as Python prints them.
static void add_key(struct exporter *e, const json_t *config)
{
    struct hone_strbuf key = HONE_STRBUF_INIT;
    for (size_t p = 0; p < e->info->param_count; p++) {
        struct hone_value value = {0};
        char number[HONE_NUMBER_TEXT];
        hone_json_peek_value(&value, json_object_get(config, e->info->params[p].name));
        hone_strbuf_printf(&key, "%s%s", p ? "," : "", hone_python_text(number, value));
    }
    add_json(e, json_string(key.data));
    hone_strbuf_fini(&key);
}

static void add_cache_entry(struct exporter *e, const struct hone_trial *trial)
{
    json_t *entry = config_of(e, trial);
    add_key(e, entry);
    hone_strbuf_add(e->out, ": ");
    json_object_set_new(entry, "time", time_of(trial));
    put_ms(entry, "compile_time", trial->build_ms);
    put_ms(entry, "benchmark_time", trial->evaluate_ms);
    json_object_set_new(entry, "hone", own_trial(trial));
    add_json(e, entry);
}

static void add_t4_result(struct exporter *e, const struct hone_trial *trial)
{
    const bool valid = trial->outcome == HONE_VALID;
    json_t *times = json_object();
    put_ms(times, "compilation", trial->build_ms);
    json_t *result =
        json_pack("{s:o, s:o, s:s, s:i, s:[{s:s, s:o, s:s}], s:[s], s:o}",
                  "configuration", config_of(e, trial), "times", times, "invalidity",
                  t4_word(trial->outcome), "correctness", valid ? 1 : 0, "measurements",
                  "name", "time", "value", time_of(trial), "unit", valid ? "ms" : "",
                  "objectives", "time", "hone", own_trial(trial));
    add_json(e, result);
}

// The list that size_0, size_1 came from; other sizes as a list in their order.
static json_t *problem_size(const struct hone_record_info *info)
{
    json_t *list = json_array();
    for (size_t i = 0; i < info->problem_count; i++)
        json_array_append_new(list, hone_json_from_value(info->problem[i].value));
    const bool single =
        info->problem_count == 1 && strcmp(info->problem[0].name, "size") == 0;
    if (!single) return list;
    json_t *size = json_incref(json_array_get(list, 0));
    json_decref(list);
    return size;
}

static void add_member(struct exporter *e, const char *name, json_t *value)
{
    hone_strbuf_printf(e->out, "\"%s\": ", name);
    add_json(e, value);
    hone_strbuf_add(e->out, ",\n");
}

static void add_cache_head(struct exporter *e)
{
    json_t *keys = json_array(), *lists = json_object();
    for (size_t p = 0; p < e->info->param_count; p++) {
        const struct hone_param *param = &e->info->params[p];
        json_t *values = json_array();
        for (size_t v = 0; v < param->count; v++)
            json_array_append_new(values, hone_json_from_value(param->values[v]));
        json_array_append_new(keys, json_string(param->name));
        json_object_set_new(lists, param->name, values);
    }
    const char *device = e->info->device_name;
    hone_strbuf_add(e->out, "{\n");
    add_member(e, "device_name", json_string(device ? device : "unknown"));
    add_member(e, "kernel_name", json_string(e->info->kernel));
    add_member(e, "problem_size", problem_size(e->info));
    add_member(e, "tune_params_keys", keys);
    add_member(e, "tune_params", lists);
    add_member(e, "objective", json_string("time"));
    add_member(e, "hone", json_incref(e->header));
    hone_strbuf_add(e->out, "\"cache\": {");
}

static void add_t4_head(struct exporter *e)
{
    const char *device = e->info->device_name;
    hone_strbuf_add(e->out, "{\n\"schema_version\": \"1.0.0\",\n\"metadata\": ");
    add_json(e, json_pack("{s:s, s:s, s:O}", "timeunit", "milliseconds", "device_name",
                          device ? device : "unknown", "hone", e->header));
    hone_strbuf_add(e->out, ",\n\"results\": [");
}

static enum hone_status export_check(const struct hone_recording *recording,
                                     enum hone_format format, struct hone_error *err)
{
    if (format != HONE_FORMAT_KERNEL_TUNER && format != HONE_FORMAT_T4)
        return hone_fail(err, HONE_EUSAGE,
                         "cannot export to '%s'; there are kernel_tuner and t4",
                         hone_format_name(format));
    for (size_t i = 0; i < hone_recording_count(recording); i++) {
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        if (trial->outcome == HONE_VALID && !isfinite(trial->time_us))
            return hone_fail(err, HONE_EINPUT,
                             "'%s' holds predictions; other tuners' files hold "
                             "measured times only",
                             hone_recording_path(recording));
        if (trial->outcome == HONE_VALID && trial->time_us * ms >= hone_import_failure_ms)
            return hone_fail(err, HONE_EINPUT,
                             "'%s' holds a time of %g us; other tuners take what is over "
                             "%g ms for a failure",
                             hone_recording_path(recording), trial->time_us,
                             hone_import_failure_ms);
    }
    return HONE_OK;
}

enum hone_status hone_export(struct hone_strbuf *out,
                             const struct hone_recording *recording,
                             enum hone_format format, struct hone_error *err)
{
    const bool cache = format == HONE_FORMAT_KERNEL_TUNER;
    struct exporter e = {
        .recording = recording, .info = hone_recording_info(recording), .out = out};
    enum hone_status status = export_check(recording, format, err);
    if (status == HONE_OK) status = hone_header_write(&e.header, e.info, err);
    if (status != HONE_OK) return status;
    e.choices = calloc(e.info->param_count, sizeof *e.choices);
    if (!e.choices) out->failed = true;
    if (cache)
        add_cache_head(&e);
    else
        add_t4_head(&e);
    for (size_t i = 0; i < hone_recording_count(recording) && !out->failed; i++) {
        hone_strbuf_add(out, i ? ",\n" : "\n");
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        if (cache)
            add_cache_entry(&e, trial);
        else
            add_t4_result(&e, trial);
    }
    hone_strbuf_add(out, cache ? "}\n}\n" : "\n]\n}\n");
    json_decref(e.header);
    free(e.choices);
    return out->failed ? hone_no_memory(err, "exporting") : HONE_OK;
}
