#include "trial_line.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/sink.h"
#include "findings.h"
#include "json.h"
#include "space/trial_keep.h"

// The spread of a few dozen samples and wall times carry no more digits than these.
enum { ROUGH_DIGITS = 4, FINE_DIGITS = 6 };

// Each name is looked for among all, and is a column of a table.
enum { METRICS_MOST = 256, METRIC_NAME_MOST = 200, PLACES_MOST = 4096 };

static const struct {
    const char *key;
    size_t offset;
    int digits;
    bool positive; // a time of 0 is a broken clock, never a fast kernel
} figures[] = {
    {"time_us", offsetof(struct hone_trial, time_us), HONE_TRIAL_DIGITS, true},
    {"predicted_us", offsetof(struct hone_trial, predicted_us), HONE_TRIAL_DIGITS, true},
    {"energy_j", offsetof(struct hone_trial, energy_j), HONE_TRIAL_DIGITS, true},
    {"cost", offsetof(struct hone_trial, cost), HONE_TRIAL_DIGITS, true},
    {"rel_std", offsetof(struct hone_trial, rel_std), ROUGH_DIGITS, false},
    {"build_ms", offsetof(struct hone_trial, build_ms), ROUGH_DIGITS, false},
    {"evaluate_ms", offsetof(struct hone_trial, evaluate_ms), ROUGH_DIGITS, false},
    {"drift", offsetof(struct hone_trial, drift), FINE_DIGITS, true},
};

static const struct {
    const char *key;
    size_t offset;
} resources[] = {
    {"registers", offsetof(struct hone_trial, resources.registers)},
    {"spill_store_bytes", offsetof(struct hone_trial, resources.spill_store_bytes)},
    {"spill_load_bytes", offsetof(struct hone_trial, resources.spill_load_bytes)},
    {"stack_bytes", offsetof(struct hone_trial, resources.stack_bytes)},
    {"static_shared_bytes", offsetof(struct hone_trial, resources.static_shared_bytes)},
    {"dynamic_shared_bytes", offsetof(struct hone_trial, resources.dynamic_shared_bytes)},
    {"blocks_per_sm", offsetof(struct hone_trial, resources.blocks_per_sm)},
};

enum {
    FIGURE_COUNT = sizeof figures / sizeof *figures,
    RESOURCE_COUNT = sizeof resources / sizeof *resources
};

// 0 on success, as jansson's setters; keys are ours, so they need no check.
static int trial_line_put(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new_nocheck(object, key, value);
}

static int put_figures(json_t *line, const struct hone_trial *trial)
{
    int failed = 0;
    for (size_t i = 0; i < FIGURE_COUNT; i++) {
        double value;
        memcpy(&value, (const char *)trial + figures[i].offset, sizeof value);
        if (figures[i].digits < HONE_TRIAL_DIGITS)
            value = hone_json_round(value, figures[i].digits);
        if (isfinite(value))
            failed |= trial_line_put(line, figures[i].key, json_real(value));
    }
    if (trial->samples) failed |= trial_line_put(line, "n", json_integer(trial->samples));
    return failed;
}

static int put_final(json_t *line, const struct hone_final *final)
{
    if (!final->rank) return 0;
    json_t *json = hone_json_put_object(line, "final");
    int failed = trial_line_put(json, "rank", json_integer(final->rank));
    failed |= trial_line_put(json, "rounds", json_integer(final->rounds));
    failed |= trial_line_put(json, "ratio",
                             json_real(hone_json_round(final->ratio, FINE_DIGITS)));
    if (final->sustained_us > 0) {
        failed |= trial_line_put(json, "kind",
                                 json_string(hone_time_kind_name(HONE_TIME_SUSTAINED)));
        failed |= trial_line_put(json, "time_us", json_real(final->sustained_us));
    }
    if (!isfinite(final->high)) return failed;
    failed |=
        trial_line_put(json, "low", json_real(hone_json_round(final->low, FINE_DIGITS)));
    failed |= trial_line_put(json, "high",
                             json_real(hone_json_round(final->high, FINE_DIGITS)));
    return failed;
}

static int put_resources(json_t *line, const struct hone_trial *trial)
{
    int failed = 0;
    for (size_t i = 0; i < RESOURCE_COUNT; i++) {
        int32_t value;
        memcpy(&value, (const char *)trial + resources[i].offset, sizeof value);
        if (value >= 0)
            failed |= trial_line_put(line, resources[i].key, json_integer(value));
    }
    if (trial->resources.estimated)
        failed |= trial_line_put(line, "registers_estimated", json_true());
    return failed;
}

static int put_metrics(json_t *line, const struct hone_trial *trial)
{
    if (!trial->metric_count) return 0;
    json_t *metrics = hone_json_put_object(line, "metrics");
    int failed = !metrics;
    for (size_t i = 0; i < trial->metric_count; i++) {
        const struct hone_metric *metric = &trial->metrics[i];
        if (isfinite(metric->value))
            failed |=
                json_object_set_new(metrics, metric->name, json_real(metric->value));
    }
    return failed;
}

static int put_counters(json_t *line, const struct hone_trial *trial)
{
    if (!trial->counters->name) return 0;
    json_t *counters = hone_json_put_object(line, "counters");
    int failed = !counters;
    for (const struct hone_counted *at = trial->counters; at->name; at++) {
        if (!isfinite(at->value)) continue;
        json_t *counted = hone_json_put_object(counters, at->name);
        failed |= trial_line_put(counted, "value", json_real(at->value));
        failed |= trial_line_put(counted, "unit", json_string(at->unit));
    }
    return failed;
}

static int put_place(json_t *line, const struct hone_trial_place *place)
{
    const struct {
        const char *key, *text;
    } texts[] = {
        {"host", place->host}, {"job", place->job}, {"gpu_uuid", place->gpu_uuid}};
    int failed = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].text[0])
            failed |=
                trial_line_put(line, texts[i].key, hone_json_lossy_string(texts[i].text));
    return failed;
}

static json_t *hash_text(uint64_t hash)
{
    char text[17];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    return json_string(text);
}

static enum hone_status read_hash(uint64_t *out, const json_t *line,
                                  struct hone_error *err)
{
    const json_t *json = json_object_get(line, "outputs");
    const char *text = json_string_value(json);
    if (!json) return HONE_OK;
    if (!text || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
        return hone_fail(err, HONE_EINPUT, "'outputs' must be 16 hexadecimal digits");
    *out = strtoull(text, NULL, 16);
    return HONE_OK;
}

json_t *hone_trial_write(const struct hone_trial *trial, json_t *config)
{
    json_t *line = json_object();
    int failed = trial_line_put(line, "config", config);
    const char *kind = hone_time_kind_measured(trial->kind);
    failed |=
        trial_line_put(line, "outcome", json_string(hone_outcome_name(trial->outcome)));
    if (*kind) failed |= trial_line_put(line, "kind", json_string(kind));
    failed |= put_figures(line, trial);
    failed |= put_final(line, &trial->final);
    failed |= put_resources(line, trial);
    failed |= put_metrics(line, trial);
    failed |= put_counters(line, trial);
    failed |= put_place(line, trial->place);
    failed |= hone_found_write(line, trial);
    if (trial->outputs)
        failed |= trial_line_put(line, "outputs", hash_text(trial->outputs));
    if (trial->fidelity[0])
        failed |=
            trial_line_put(line, "fidelity", hone_json_lossy_string(trial->fidelity));
    if (trial->reason[0])
        failed |= trial_line_put(line, "reason", hone_json_lossy_string(trial->reason));
    if (trial->compared[0])
        failed |=
            trial_line_put(line, "compared", hone_json_lossy_string(trial->compared));
    if (!failed) return line;
    json_decref(line);
    return NULL;
}

static enum hone_status read_figures(struct hone_trial *trial, const json_t *line,
                                     struct hone_error *err)
{
    for (size_t i = 0; i < FIGURE_COUNT; i++) {
        const json_t *json = json_object_get(line, figures[i].key);
        if (!json || json_is_null(json)) continue;
        double value = json_number_value(json);
        if (!json_is_number(json) || value < 0.0 || (value == 0.0 && figures[i].positive))
            return hone_fail(err, HONE_EINPUT, "'%s' must be a number %s", figures[i].key,
                             figures[i].positive ? "above 0" : "from 0");
        memcpy((char *)trial + figures[i].offset, &value, sizeof value);
    }
    return HONE_OK;
}

static enum hone_status read_count(int32_t *out, const json_t *line, const char *key,
                                   struct hone_error *err)
{
    const json_t *json = json_object_get(line, key);
    if (!json || json_is_null(json)) return HONE_OK;
    json_int_t value = json_integer_value(json);
    if (!json_is_integer(json) || value < 0 || value > INT32_MAX)
        return hone_fail(err, HONE_EINPUT, "'%s' must be an integer from 0 to %d", key,
                         INT32_MAX);
    *out = (int32_t)value;
    return HONE_OK;
}

static enum hone_status read_counts(struct hone_trial *trial, const json_t *line,
                                    struct hone_error *err)
{
    int32_t samples = 0;
    enum hone_status status = read_count(&samples, line, "n", err);
    trial->samples = (uint32_t)samples;
    for (size_t i = 0; i < RESOURCE_COUNT && status == HONE_OK; i++) {
        int32_t value = -1;
        status = read_count(&value, line, resources[i].key, err);
        memcpy((char *)trial + resources[i].offset, &value, sizeof value);
    }
    const json_t *estimated = json_object_get(line, "registers_estimated");
    if (status == HONE_OK && estimated && !json_is_boolean(estimated))
        status = hone_fail(err, HONE_EINPUT, "'registers_estimated' must be a boolean");
    trial->resources.estimated = json_is_true(estimated);
    return status;
}

enum hone_status hone_metric_intern(const char **out, struct hone_metric_names *known,
                                    const char *name, struct hone_arena *arena,
                                    struct hone_error *err)
{
    char why[96];
    for (size_t i = 0; i < known->count; i++)
        if (strcmp(known->names[i], name) == 0) {
            *out = known->names[i];
            return HONE_OK;
        }
    if (hone_text_fault(why, sizeof why, name, METRIC_NAME_MOST, false))
        return hone_fail(err, HONE_EINPUT, "the name of a metric %s", why);
    if (known->count == METRICS_MOST)
        return hone_fail(err, HONE_EINPUT, "metrics of more than %d names", METRICS_MOST);
    const char *copy = hone_arena_strdup(arena, name);
    if (!copy || !HONE_GROW_IN(arena, &known->names, &known->cap, known->count + 1, 16))
        return hone_no_memory(err, "reading metrics");
    *out = known->names[known->count++] = copy;
    return HONE_OK;
}

// Metrics beyond the supported number and those that are no numbers are left out.
static enum hone_status read_metrics(struct hone_trial *trial,
                                     struct hone_trial_notes *notes, const json_t *line,
                                     struct hone_metric_names *names,
                                     struct hone_arena *arena, struct hone_error *err)
{
    json_t *metrics = json_object_get(line, "metrics");
    for (void *iter = json_object_iter(metrics);
         iter && trial->metric_count < HONE_METRIC_MAX;
         iter = json_object_iter_next(metrics, iter)) {
        const json_t *value = json_object_iter_value(iter);
        if (!json_is_number(value)) continue;
        const char *name = NULL;
        enum hone_status status =
            hone_metric_intern(&name, names, json_object_iter_key(iter), arena, err);
        if (status != HONE_OK) return status;
        notes->metrics[trial->metric_count++] =
            (struct hone_metric){.name = name, .value = json_number_value(value)};
    }
    return HONE_OK;
}

// As metrics are read: what is no number, or too much, is left out.
static enum hone_status read_counters(struct hone_trial_notes *notes, const json_t *line,
                                      struct hone_metric_names *names,
                                      struct hone_arena *arena, struct hone_error *err)
{
    json_t *counters = json_object_get(line, "counters");
    size_t count = 0;
    for (void *iter = json_object_iter(counters); iter && count < HONE_COUNTED_MAX;
         iter = json_object_iter_next(counters, iter)) {
        const json_t *value = json_object_get(json_object_iter_value(iter), "value");
        const json_t *unit = json_object_get(json_object_iter_value(iter), "unit");
        struct hone_counted counted = {.unit = ""};
        if (!json_is_number(value)) continue;
        counted.value = json_number_value(value);
        enum hone_status status = hone_metric_intern(
            &counted.name, names, json_object_iter_key(iter), arena, err);
        if (status == HONE_OK && json_is_string(unit))
            status = hone_metric_intern(&counted.unit, names, json_string_value(unit),
                                        arena, err);
        if (status != HONE_OK) return status;
        notes->counters[count++] = counted;
    }
    notes->counters[count] = (struct hone_counted){0};
    return HONE_OK;
}

static double trial_line_number_of(const json_t *object, const char *key, double absent)
{
    const json_t *json = json_object_get(object, key);
    return json_is_number(json) ? json_number_value(json) : absent;
}

static enum hone_status read_kind(enum hone_time_kind *out, const json_t *line,
                                  struct hone_error *err)
{
    const json_t *json = json_object_get(line, "kind");
    const char *text = json_string_value(json);
    if (!json || json_is_null(json)) return HONE_OK;
    if (text && hone_time_kind_parse(out, text) == HONE_OK) return HONE_OK;
    return hone_fail(err, HONE_EINPUT, "'kind' must be 'burst' or 'sustained'");
}

static enum hone_status read_sustained(struct hone_final *final, const json_t *json,
                                       struct hone_error *err)
{
    enum hone_time_kind kind = HONE_TIME_NONE;
    enum hone_status status = read_kind(&kind, json, err);
    if (status != HONE_OK || kind != HONE_TIME_SUSTAINED) return status;
    final->sustained_us = trial_line_number_of(json, "time_us", 0);
    if (final->sustained_us > 0) return HONE_OK;
    return hone_fail(err, HONE_EINPUT, "a sustained 'final' needs a 'time_us' above 0");
}

static enum hone_status read_final(struct hone_final *final, const json_t *line,
                                   struct hone_error *err)
{
    const json_t *json = json_object_get(line, "final");
    int32_t rank = 0, rounds = 0;
    if (!json || json_is_null(json)) return HONE_OK;
    enum hone_status status = read_count(&rank, json, "rank", err);
    if (status == HONE_OK) status = read_count(&rounds, json, "rounds", err);
    if (status != HONE_OK) return status;
    *final =
        (struct hone_final){.rank = (uint32_t)rank,
                            .rounds = (uint32_t)rounds,
                            .ratio = trial_line_number_of(json, "ratio", 0),
                            .low = trial_line_number_of(json, "low", 0),
                            .high = trial_line_number_of(json, "high", (double)INFINITY)};
    if (rank && final->ratio > 0 && final->low >= 0 && final->high >= final->low)
        return read_sustained(final, json, err);
    return hone_fail(err, HONE_EINPUT, "'final' needs a rank from 1 and a ratio above 0");
}

static void read_text(char *out, size_t size, const json_t *line, const char *key)
{
    const char *text = json_string_value(json_object_get(line, key));
    snprintf(out, size, "%s", text ? text : "");
}

// What is no name of a place is left out, and so are places beyond the supported number.
static void read_name(char *out, size_t size, const json_t *line, const char *key)
{
    char why[96];
    const char *text = json_string_value(json_object_get(line, key));
    if (text && !hone_text_fault(why, sizeof why, text, size - 1, false))
        snprintf(out, size, "%s", text);
}

static enum hone_status read_place(struct hone_trial *trial, const json_t *line,
                                   struct hone_metric_names *known,
                                   struct hone_arena *arena, struct hone_error *err)
{
    struct hone_trial_place place = {{0}, {0}, {0}};
    read_name(place.host, sizeof place.host, line, "host");
    read_name(place.job, sizeof place.job, line, "job");
    read_name(place.gpu_uuid, sizeof place.gpu_uuid, line, "gpu_uuid");
    if (memcmp(&place, &hone_nowhere, sizeof place) == 0) return HONE_OK;
    for (size_t i = known->place_count; i-- > 0;)
        if (memcmp(&place, known->places[i], sizeof place) == 0) {
            trial->place = known->places[i];
            return HONE_OK;
        }
    if (known->place_count == PLACES_MOST) return HONE_OK;
    const struct hone_trial_place *copy = hone_arena_dup(arena, &place, sizeof place);
    if (!copy || !HONE_GROW_IN(arena, &known->places, &known->place_cap,
                               known->place_count + 1, 4))
        return hone_no_memory(err, "reading places");
    trial->place = known->places[known->place_count++] = copy;
    return HONE_OK;
}

static void read_texts(struct hone_trial_notes *notes, const json_t *line)
{
    read_text(notes->fidelity, sizeof notes->fidelity, line, "fidelity");
    read_text(notes->reason, sizeof notes->reason, line, "reason");
    read_text(notes->compared, sizeof notes->compared, line, "compared");
}

static enum hone_status read_said(struct hone_trial *trial,
                                  struct hone_trial_notes *notes, const json_t *line,
                                  struct hone_metric_names *names,
                                  struct hone_arena *arena, struct hone_error *err)
{
    enum hone_status status = read_metrics(trial, notes, line, names, arena, err);
    if (status == HONE_OK) status = read_counters(notes, line, names, arena, err);
    if (status == HONE_OK) status = read_place(trial, line, names, arena, err);
    if (status == HONE_OK) status = read_hash(&trial->outputs, line, err);
    if (status == HONE_OK) status = hone_found_read(notes, line, err);
    if (status != HONE_OK) return status;
    read_texts(notes, line);
    hone_trial_refer(trial, notes);
    return HONE_OK;
}

enum hone_status hone_trial_read(struct hone_trial *trial, const json_t *line,
                                 struct hone_metric_names *names,
                                 struct hone_arena *arena, struct hone_error *err)
{
    const char *text = json_string_value(json_object_get(line, "outcome"));
    enum hone_outcome outcome;
    if (!text) return hone_fail(err, HONE_EINPUT, "the trial has no 'outcome'");
    if (hone_outcome_parse(&outcome, text) != HONE_OK)
        return hone_fail(err, HONE_EINPUT, "unknown outcome '%s'", text);
    struct hone_trial_notes notes;
    notes.found = (struct hone_found){0};
    memset(notes.waived, 0, sizeof notes.waived);
    *trial = hone_trial_make(0, outcome);
    enum hone_status status = read_figures(trial, line, err);
    if (status == HONE_OK) status = read_kind(&trial->kind, line, err);
    if (status == HONE_OK) status = read_counts(trial, line, err);
    if (status == HONE_OK) status = read_final(&trial->final, line, err);
    if (status == HONE_OK) status = read_said(trial, &notes, line, names, arena, err);
    if (status != HONE_OK) return status;
    if (!isfinite(trial->time_us) && isfinite(trial->predicted_us))
        trial->kind = HONE_TIME_PREDICTED;
    if (outcome == HONE_VALID && !isfinite(trial->time_us) &&
        trial->kind != HONE_TIME_PREDICTED)
        return hone_fail(err, HONE_EINPUT,
                         "a valid trial must have 'time_us' or 'predicted_us'");
    return hone_trial_keep(trial, arena, err);
}
