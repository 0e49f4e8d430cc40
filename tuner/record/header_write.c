#include "header.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "findings.h"
#include "json.h"

#define TEXT(group, key, field)                                                          \
    {                                                                                    \
        group, key, offsetof(struct hone_record_info, field)                             \
    }

const struct hone_header_text hone_header_texts[] = {
    TEXT("device", "name", device_name),
    TEXT("device", "id", device_id),
    TEXT("device", "driver", driver),
    TEXT(NULL, "clock", clock),
    TEXT(NULL, "clock_note", clock_note),
    TEXT(NULL, "l2", l2),
    TEXT(NULL, "objective", objective),
    TEXT(NULL, "template", template_name),
    TEXT(NULL, "template_hash", template_hash),
    TEXT(NULL, "space_hash", space_hash),
    TEXT(NULL, "options_hash", options_hash),
    TEXT(NULL, "hone_version", hone_version),
    TEXT(NULL, "nvrtc_version", nvrtc_version),
    TEXT(NULL, "box", box),
    TEXT(NULL, "verified", verified),
    TEXT(NULL, "strategy", strategy),
    TEXT(NULL, "entry", entry),
    TEXT("launch", "shared", shared),
    TEXT("work", "flops", flops),
    TEXT("work", "bytes", bytes),
};
const size_t hone_header_text_count =
    sizeof hone_header_texts / sizeof *hone_header_texts;

// The object being written; culprit is the first key whose value JSON cannot hold.
struct writer {
    json_t *root;
    const char *culprit;
    bool no_memory;
};

static void header_write_put(struct writer *w, json_t *object, const char *key,
                             json_t *value)
{
    if (json_object_set_new(object, key, value) != 0) w->no_memory = true;
}

static void push(struct writer *w, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0) w->no_memory = true;
}

static json_t *put_object(struct writer *w, json_t *object, const char *key)
{
    json_t *made = hone_json_put_object(object, key);
    if (!made) w->no_memory = true;
    return made;
}

static json_t *put_list(struct writer *w, json_t *object, const char *key)
{
    json_t *made = hone_json_put_array(object, key);
    if (!made) w->no_memory = true;
    return made;
}

static json_t *push_object(struct writer *w, json_t *array)
{
    json_t *made = hone_json_push_object(array);
    if (!made) w->no_memory = true;
    return made;
}

static json_t *header_write_value(struct writer *w, const char *key,
                                  struct hone_value value)
{
    if (!hone_json_holds(value) && !w->culprit) w->culprit = key;
    return hone_json_from_value(value);
}

static json_t *header_write_text(struct writer *w, const char *key, const char *text)
{
    return header_write_value(w, key,
                              (struct hone_value){.type = HONE_STRING, .s = text});
}

static void put_value(struct writer *w, json_t *object, const char *key,
                      struct hone_value value)
{
    header_write_put(w, object, key, header_write_value(w, key, value));
}

static void put_text(struct writer *w, json_t *object, const char *key, const char *text)
{
    if (text) header_write_put(w, object, key, header_write_text(w, key, text));
}

// JSON integers end at 2^63 - 1 here; what is above travels as text.
static void put_u64(struct writer *w, const char *key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    header_write_put(w, w->root, key,
                     value > INT64_MAX ? json_string(text)
                                       : json_integer((json_int_t)value));
}

static json_t *group(struct writer *w, const char *key)
{
    json_t *known = json_object_get(w->root, key);
    return known ? known : put_object(w, w->root, key);
}

static void put_params(struct writer *w, const struct hone_record_info *info)
{
    json_t *list = put_list(w, w->root, "params");
    for (size_t i = 0; i < info->param_count; i++) {
        const struct hone_param *param = &info->params[i];
        json_t *item = push_object(w, list);
        put_text(w, item, "name", param->name);
        json_t *values = put_list(w, item, "values");
        for (size_t v = 0; v < param->count; v++)
            push(w, values, header_write_value(w, param->name, param->values[v]));
    }
}

static void put_problem(struct writer *w, const struct hone_record_info *info)
{
    json_t *problem = put_object(w, w->root, "problem");
    for (size_t i = 0; i < info->problem_count; i++)
        put_value(w, problem, info->problem[i].name, info->problem[i].value);
}

// Each with all its sizes: a reader needs no other line to know one.
static void put_problems(struct writer *w, const struct hone_record_info *info)
{
    json_t *list = put_list(w, w->root, "problems");
    for (size_t i = 0; i < info->problems_count; i++) {
        const struct hone_record_problem *problem = &info->problems[i];
        json_t *item = push_object(w, list);
        if (problem->weight != 1)
            put_value(w, item, "weight",
                      (struct hone_value){.type = HONE_FLOAT, .f = problem->weight});
        for (size_t k = 0; k < info->problem_count; k++)
            put_value(w, item, info->problem[k].name, problem->values[k]);
    }
}

static void put_drawn(struct writer *w, const struct hone_record_info *info)
{
    json_t *list = put_list(w, w->root, "drawn_sizes");
    for (size_t i = 0; i < info->drawn_sizes; i++) {
        const struct hone_value *values = &info->drawn[i * info->problem_count];
        json_t *item = push_object(w, list);
        for (size_t k = 0; k < info->problem_count; k++)
            put_value(w, item, info->problem[k].name, values[k]);
    }
}

static json_t *texts(struct writer *w, const char *const *items, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        push(w, list, header_write_text(w, items[i], items[i]));
    return list;
}

// An expression is a text, a Lua function the list of its variables.
static void put_where(struct writer *w, const struct hone_record_info *info)
{
    json_t *list = put_list(w, w->root, "where");
    for (size_t i = 0; i < info->where_count; i++) {
        const struct hone_record_constraint *where = &info->where[i];
        push(w, list,
             where->text ? header_write_text(w, "where", where->text)
                         : texts(w, where->vars, where->var_count));
    }
}

static void put_limits(struct writer *w, const struct hone_limits *limits)
{
    json_t *object = put_object(w, group(w, "device"), "limits");
    put_text(w, object, "name", limits->name);
    put_text(w, object, "arch", limits->arch);
#define PUT_LIMIT(field) header_write_put(w, object, #field, json_integer(limits->field));
    HONE_LIMITS_LIST(PUT_LIMIT)
#undef PUT_LIMIT
}

static void put_texts(struct writer *w, const struct hone_record_info *info, size_t from,
                      size_t to)
{
    for (size_t i = from; i < to; i++) {
        const struct hone_header_text *field = &hone_header_texts[i];
        const char *text;
        memcpy(&text, (const char *)info + field->offset, sizeof text);
        if (text)
            put_text(w, field->group ? group(w, field->group) : w->root, field->key,
                     text);
    }
}

static void put_defaults(struct writer *w, const struct hone_record_info *info)
{
    json_t *values = put_list(w, w->root, "default");
    for (size_t i = 0; i < info->param_count; i++)
        push(w, values,
             header_write_value(w, "default", info->params[i].values[info->defaults[i]]));
}

static void put_derived(struct writer *w, const struct hone_record_info *info)
{
    json_t *list = put_list(w, w->root, "derived");
    for (size_t i = 0; i < info->derived_count; i++) {
        const struct hone_derived *derived = &info->derived[i];
        json_t *item = push_object(w, list);
        put_text(w, item, "name", derived->name);
        put_text(w, item, "text", derived->text);
        if (derived->line) header_write_put(w, item, "line", json_integer(derived->line));
    }
}

static void put_drift(struct writer *w, const struct hone_record_info *info)
{
    json_t *object = put_object(w, w->root, "drift");
    header_write_put(w, object, "every", json_integer((json_int_t)info->drift_every));
    put_value(w, object, "limit",
              (struct hone_value){.type = HONE_FLOAT, .f = info->drift_limit});
}

// An extent: expressions up to the last given one, null where one in between is not.
static void put_extent(struct writer *w, const char *key, const char *const extent[3])
{
    size_t count = 3;
    while (count && !extent[count - 1])
        count--;
    if (!count) return;
    json_t *list = put_list(w, group(w, "launch"), key);
    for (size_t i = 0; i < count; i++)
        push(w, list, extent[i] ? header_write_text(w, key, extent[i]) : json_null());
}

static void put_flag(struct writer *w, const struct hone_record_info *info, uint32_t flag,
                     const char *key)
{
    if (info->launch_flags & flag)
        header_write_put(w, group(w, "launch"), key, json_true());
}

static void put_map(struct writer *w, json_t *item, const struct hone_map_def *map)
{
    const struct hone_map_modes *modes = &map->modes;
    json_t *json = put_object(w, item, "tensor_map");
    json_t *axes = put_list(w, json, "axes");
    for (size_t i = 0; i < map->rank; i++) {
        json_t *axis = push_object(w, axes);
        put_text(w, axis, "size", map->axes[i].size);
        put_text(w, axis, "box", map->axes[i].box);
        put_text(w, axis, "stride", map->axes[i].stride);
    }
    if (modes->swizzle)
        header_write_put(w, json, "swizzle", json_integer(modes->swizzle));
    if (modes->interleave)
        header_write_put(w, json, "interleave", json_integer(modes->interleave));
    if (modes->promotion)
        header_write_put(w, json, "promotion", json_integer(modes->promotion));
    if (modes->nan_fill) header_write_put(w, json, "nan_fill", json_true());
}

static void put_args(struct writer *w, const struct hone_record_info *info)
{
    json_t *list = put_list(w, w->root, "args");
    for (size_t i = 0; i < info->arg_count; i++) {
        const struct hone_record_arg *arg = &info->args[i];
        json_t *item = push_object(w, list);
        put_text(w, item, "kind", arg->kind);
        put_text(w, item, "name", arg->name);
        put_text(w, item, "dtype", arg->dtype);
        put_text(w, item, "size", arg->size);
        put_text(w, item, "pointers", arg->pointers);
        if (arg->map) put_map(w, item, arg->map);
        put_text(w, item, "fill", arg->fill);
    }
}

static void put_waivers(struct writer *w, const struct hone_record_info *info)
{
    for (size_t i = 0; i < info->waiver_count; i++) {
        const struct hone_waiver *waiver = &info->waivers[i];
        const char *const given[] = {waiver->file, waiver->buffer, waiver->reason};
        for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
            const struct hone_value text = {.type = HONE_STRING, .s = given[k]};
            if (given[k] && !hone_json_holds(text) && !w->culprit) w->culprit = "waive";
        }
    }
    header_write_put(w, w->root, "waive", hone_waive_list_write(info));
}

enum hone_status hone_header_write(json_t **out, const struct hone_record_info *info,
                                   struct hone_error *err)
{
    enum { TEXTS_BEFORE_COMPLETE = 7 }; // device, clock, objective
    struct writer w = {.root = json_object()};
    header_write_put(&w, w.root, "hone", json_integer(1));
    put_text(&w, w.root, "kind", "journal");
    put_text(&w, w.root, "kernel", info->kernel);
    put_params(&w, info);
    put_problem(&w, info);
    if (info->problems_count) put_problems(&w, info);
    put_texts(&w, info, 0, TEXTS_BEFORE_COMPLETE);
    if (info->limits) put_limits(&w, info->limits);
    if (info->drift_every) put_drift(&w, info);
    header_write_put(&w, w.root, "complete", json_boolean(info->complete));
    put_texts(&w, info, TEXTS_BEFORE_COMPLETE, hone_header_text_count);
    put_u64(&w, "seed", info->seed);
    if (info->drawn_sizes) put_drawn(&w, info);
    if (info->space_count) put_u64(&w, "space_count", info->space_count);
    if (info->evaluated) put_u64(&w, "evaluated", info->evaluated);
    if (info->evaluated) put_u64(&w, "valid", info->evaluated_valid);
    if (info->defaults) put_defaults(&w, info);
    if (info->derived_count) put_derived(&w, info);
    if (info->where_count) put_where(&w, info);
    put_extent(&w, "grid", info->grid);
    put_extent(&w, "block", info->block);
    put_extent(&w, "cluster", info->cluster);
    put_flag(&w, info, HONE_LAUNCH_COOPERATIVE, "cooperative");
    put_flag(&w, info, HONE_LAUNCH_DEPENDENT, "dependent");
    if (info->arg_count) put_args(&w, info);
    if (info->defines)
        header_write_put(&w, w.root, "defines",
                         texts(&w, info->defines, info->define_count));
    if (info->waiver_count) put_waivers(&w, info);
    *out = w.root;
    if (!w.culprit && !w.no_memory) return HONE_OK;
    json_decref(w.root);
    *out = NULL;
    if (!w.culprit) return hone_no_memory(err, "for the first line of a journal");
    return hone_fail(err, HONE_EINPUT,
                     "'%s' cannot be written to a journal: it is not finite or not UTF-8",
                     w.culprit);
}
