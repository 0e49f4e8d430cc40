#include "report/values.h"
#include "expr/value_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_text.h"
#include "base/quantity.h"
#include "record/json_out.h"

// A function called once for each parameter of a configuration.
typedef void visit_value(void *context, const struct hone_param *param,
                         struct hone_value value);

static void each_value(const struct hone_space *space, uint64_t index, visit_value *visit,
                       void *context)
{
    const size_t n = hone_space_param_count(space);
    uint16_t *choices = calloc(n ? n : 1, sizeof *choices);
    if (!choices) return;
    hone_space_choices(space, index, choices);
    for (size_t i = 0; i < n; i++) {
        const struct hone_param *param = hone_space_param(space, i);
        visit(context, param, param->values[choices[i]]);
    }
    free(choices);
}

static void add_text(void *context, const struct hone_param *param,
                     struct hone_value value)
{
    struct hone_strbuf *out = context;
    char number[HONE_NUMBER_TEXT];
    if (param->count < 2) return;
    hone_strbuf_printf(out, "%s%s=%s", out->len ? " " : "", param->name,
                       hone_value_in_full(number, value));
}

void hone_config_text(struct hone_strbuf *out, const struct hone_space *space,
                      uint64_t index)
{
    each_value(space, index, add_text, out);
}

void hone_choices_text(struct hone_strbuf *out, const struct hone_record_info *info,
                       const uint16_t *choices)
{
    for (size_t i = 0; i < info->param_count; i++)
        add_text(out, &info->params[i], info->params[i].values[choices[i]]);
}

static void add_json(void *context, const struct hone_param *param,
                     struct hone_value value)
{
    hone_json_value(context, param->name, value);
}

struct json_t *hone_config_json(const struct hone_space *space, uint64_t index)
{
    struct json_t *object = hone_json_object();
    each_value(space, index, add_json, object);
    return object;
}

struct hone_cost_text hone_cost_text(const struct hone_trial *trial)
{
    struct hone_cost_text out = {""};
    char *buf = out.text;
    const size_t size = sizeof out.text;
    if (trial->outcome != HONE_VALID)
        snprintf(buf, size, "%s", hone_outcome_name(trial->outcome));
    else if (trial->energy_j > 0)
        hone_snprintf(buf, size, "%s us, %.4g J", hone_plain(trial->time_us, 5).text,
                      trial->energy_j);
    else if (hone_trial_metric(trial, "warm_us", 0) > 0)
        snprintf(buf, size, "%s us, %s warm", hone_plain(trial->time_us, 5).text,
                 hone_plain(hone_trial_metric(trial, "warm_us", 0), 4).text);
    else if (!isnan(trial->time_us))
        snprintf(buf, size, "%s us", hone_plain(trial->time_us, 5).text);
    else if (!isnan(trial->predicted_us))
        snprintf(buf, size, "%s us (predicted)", hone_plain(trial->predicted_us, 5).text);
    else
        snprintf(buf, size, "not timed");
    return out;
}

static void add_number(struct json_t *object, const char *key, double number)
{
    if (!isnan(number)) hone_json_number(object, key, number);
}

static struct json_t *final_json(const struct hone_final *final)
{
    struct json_t *object = hone_json_object();
    hone_json_integer(object, "rank", final->rank);
    hone_json_integer(object, "rounds", final->rounds);
    add_number(object, "ratio", final->ratio);
    if (final->sustained_us > 0) {
        hone_json_text(object, "kind", hone_time_kind_name(HONE_TIME_SUSTAINED));
        add_number(object, "time_us", final->sustained_us);
    }
    if (!isinf(final->high)) {
        add_number(object, "low", final->low);
        add_number(object, "high", final->high);
    }
    return object;
}

static void add_found(struct json_t *object, const struct hone_found *found)
{
    if (found->finding != HONE_FINDING_NONE)
        hone_json_text(object, "finding", hone_finding_name(found->finding));
    if (found->line) hone_json_text(object, "file", found->file);
    if (found->line) hone_json_integer(object, "line", found->line);
    if (found->buffer[0]) hone_json_text(object, "buffer", found->buffer);
}

static void add_place(struct json_t *object, const struct hone_trial_place *place)
{
    if (place->host[0]) hone_json_text(object, "host", place->host);
    if (place->job[0]) hone_json_text(object, "job", place->job);
    if (place->gpu_uuid[0]) hone_json_text(object, "gpu_uuid", place->gpu_uuid);
}

// The numbers of waivers, from 1.
static void add_waived(struct json_t *object, const struct hone_trial *trial)
{
    struct json_t *list = NULL;
    for (size_t i = 0; i < HONE_WAIVER_MAX; i++) {
        const struct hone_value number = {.type = HONE_INT, .i = (int64_t)i + 1};
        if (!trial->waived[i]) continue;
        if (!list) list = hone_json_array();
        hone_json_append_value(list, number);
    }
    if (list) hone_json_child(object, "waived", list);
}

struct json_t *hone_trial_json(const struct hone_space *space,
                               const struct hone_trial *trial)
{
    struct json_t *object = hone_json_object();
    hone_json_child(object, "config", hone_config_json(space, trial->index));
    hone_json_text(object, "outcome", hone_outcome_name(trial->outcome));
    add_number(object, "time_us", trial->time_us);
    const char *kind = hone_time_kind_measured(trial->kind);
    if (*kind) hone_json_text(object, "kind", kind);
    add_number(object, "warm_us", hone_trial_metric(trial, "warm_us", (double)NAN));
    add_number(object, "predicted_us", trial->predicted_us);
    add_number(object, "energy_j", trial->energy_j);
    add_number(object, "cost", trial->cost);
    add_number(object, "rel_std", trial->rel_std);
    if (trial->samples) hone_json_integer(object, "n", trial->samples);
    if (trial->resources.estimated) hone_json_bool(object, "registers_estimated", true);
    if (trial->final.rank) hone_json_child(object, "final", final_json(&trial->final));
    if (trial->fidelity[0]) hone_json_text(object, "fidelity", trial->fidelity);
    add_found(object, trial->found);
    add_waived(object, trial);
    if (trial->reason[0]) hone_json_text(object, "reason", trial->reason);
    add_place(object, trial->place);
    if (trial->compared[0]) hone_json_text(object, "compared", trial->compared);
    return object;
}

struct json_t *hone_sizes_json(const struct hone_size_counts *sizes, uint64_t seed)
{
    struct json_t *object = hone_json_object();
    hone_json_integer(object, "named", (int64_t)sizes->named);
    hone_json_integer(object, "drawn", (int64_t)sizes->drawn);
    if (sizes->drawn) hone_json_unsigned(object, "seed", seed);
    return object;
}

struct json_t *hone_waivers_json(const struct hone_waiver *waivers, size_t count,
                                 const size_t configurations[HONE_WAIVER_MAX])
{
    struct json_t *list = hone_json_array();
    for (size_t i = 0; i < count; i++) {
        const struct hone_waiver *waiver = &waivers[i];
        struct json_t *item = hone_json_object();
        hone_json_text(item, "finding", hone_finding_name(waiver->finding));
        if (waiver->file) hone_json_text(item, "file", waiver->file);
        if (waiver->file) hone_json_integer(item, "line", waiver->line);
        if (waiver->buffer) hone_json_text(item, "buffer", waiver->buffer);
        hone_json_text(item, "reason", waiver->reason);
        hone_json_integer(item, "configurations", (int64_t)configurations[i]);
        hone_json_append(list, item);
    }
    return list;
}

struct json_t *hone_outcomes_json(const size_t outcomes[HONE_OUTCOME_COUNT])
{
    struct json_t *object = hone_json_object();
    for (int i = 0; i < HONE_OUTCOME_COUNT; i++)
        hone_json_integer(object, hone_outcome_name((enum hone_outcome)i),
                          (int64_t)outcomes[i]);
    return object;
}

struct hone_plain hone_count_text(double count)
{
    struct hone_plain out = {""};
    char digits[32];
    if (count >= 1e15) {
        hone_snprintf(out.text, sizeof out.text, "%.3g", count);
        return out;
    }
    hone_snprintf(digits, sizeof digits, "%.0f", count);
    size_t len = strlen(digits), n = 0;
    for (size_t i = 0; i < len && n + 2 < sizeof out.text; i++) {
        if (i && (len - i) % 3 == 0) out.text[n++] = ',';
        out.text[n++] = digits[i];
    }
    out.text[n] = '\0';
    return out;
}

struct hone_value_text hone_value_text(struct hone_value value)
{
    struct hone_value_text out = {""};
    hone_value_print(out.text, sizeof out.text, value);
    return out;
}

static struct json_t *texts_json(const char *const *texts, size_t count)
{
    struct json_t *array = hone_json_array();
    for (size_t i = 0; i < count; i++)
        hone_json_append_value(array,
                               (struct hone_value){.type = HONE_STRING, .s = texts[i]});
    return array;
}

static struct json_t *coverage_json(const struct hone_coverage *coverage)
{
    struct json_t *root = hone_json_object(), *gaps = hone_json_array();
    hone_json_integer(root, "asked", (int64_t)coverage->asked);
    hone_json_child(root, "devices",
                    texts_json(coverage->devices, coverage->device_count));
    hone_json_child(root, "without_configuration",
                    texts_json(coverage->without, coverage->without_count));
    hone_json_child(root, "without_image",
                    texts_json(coverage->without_image, coverage->without_image_count));
    for (size_t i = 0; i < coverage->gap_count; i++) {
        const struct hone_coverage_gap *gap = &coverage->gaps[i];
        struct json_t *object = hone_json_object();
        hone_json_text(object, "what", gap->what);
        hone_json_text(object, "problem", gap->problem);
        hone_json_integer(object, "problems", (int64_t)gap->problems);
        hone_json_child(object, "devices", texts_json(gap->devices, gap->device_count));
        hone_json_append(gaps, object);
    }
    hone_json_child(root, "gaps", gaps);
    return root;
}

void hone_add_header_json(struct json_t *root, const char *header, const char *second,
                          const struct hone_coverage *coverage)
{
    hone_json_text(root, "header", header);
    if (second) hone_json_text(root, "second_header", second);
    if (header && (coverage->device_count || coverage->without_image_count))
        hone_json_child(root, "coverage", coverage_json(coverage));
}
