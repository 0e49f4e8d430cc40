#include "header.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arch.h"
#include "base/name_index.h"
#include "base/sink.h"
#include "findings.h"
#include "header_reader.h"
#include "json.h"

enum { NAME_MOST = 1000, VALUE_MOST = 4000, REMARK_MOST = 4000 }; // bytes

enum hone_status hone_header_bad(const struct hone_header_reader *r, const char *what,
                                 const char *expected)
{
    return hone_fail_at(r->err, HONE_EINPUT, r->path, 1, "'%s' must be %s", what,
                        expected);
}

enum hone_status hone_header_no_memory(const struct hone_header_reader *r)
{
    return hone_no_memory(r->err, "reading '%s'", r->path);
}

enum hone_status hone_header_check_text(const struct hone_header_reader *r,
                                        const char *key, const char *text, size_t limit)
{
    char why[96];
    const bool lines = limit == HONE_HEADER_TEXT_MOST; // an expression may have several
    if (!text || !hone_text_fault(why, sizeof why, text, limit, lines)) return HONE_OK;
    return hone_fail_at(r->err, HONE_EINPUT, r->path, 1, "'%.60s' %s", key, why);
}

static enum hone_status read_value(const struct hone_header_reader *r,
                                   struct hone_value *value, const char *name,
                                   const json_t *json, const char *expected)
{
    if (!hone_json_to_value(value, json, r->arena))
        return hone_header_bad(r, name, expected);
    if (value->type != HONE_STRING) return HONE_OK;
    return value->s ? hone_header_check_text(r, name, value->s, VALUE_MOST)
                    : hone_header_no_memory(r);
}

// A text for people: it may hold anything, who prints it takes care.
static enum hone_status read_remark(const struct hone_header_reader *r, const char **out,
                                    const json_t *object, const char *key)
{
    const json_t *json = json_object_get(object, key);
    if (!json || json_is_null(json)) return HONE_OK;
    if (!json_is_string(json)) return hone_header_bad(r, key, "a text");
    if (json_string_length(json) > HONE_HEADER_TEXT_MOST)
        return hone_header_bad(r, key, "at most 65,536 bytes long");
    *out = hone_arena_strdup(r->arena, json_string_value(json));
    return *out ? HONE_OK : hone_header_no_memory(r);
}

enum hone_status hone_header_read_text(const struct hone_header_reader *r,
                                       const char **out, const json_t *object,
                                       const char *key)
{
    enum hone_status status = read_remark(r, out, object, key);
    return status != HONE_OK
               ? status
               : hone_header_check_text(r, key, *out, HONE_HEADER_TEXT_MOST);
}

enum hone_status hone_header_read_name(const struct hone_header_reader *r,
                                       const char **out, const json_t *object,
                                       const char *key)
{
    enum hone_status status = read_remark(r, out, object, key);
    return status != HONE_OK ? status : hone_header_check_text(r, key, *out, NAME_MOST);
}

static enum hone_status read_u64(const struct hone_header_reader *r, uint64_t *out,
                                 const json_t *root, const char *key)
{
    const json_t *json = json_object_get(root, key);
    if (!json || json_is_null(json)) return HONE_OK;
    if (json_is_integer(json) && json_integer_value(json) >= 0) {
        *out = (uint64_t)json_integer_value(json);
        return HONE_OK;
    }
    char *end = NULL;
    const char *text = json_string_value(json);
    if (!text || text[0] < '0' || text[0] > '9')
        return hone_header_bad(r, key, "a count");
    *out = strtoull(text, &end, 10);
    return *end ? hone_header_bad(r, key, "a count") : HONE_OK;
}

static enum hone_status read_flag(const struct hone_header_reader *r, bool *out,
                                  const json_t *root, const char *key)
{
    const json_t *json = json_object_get(root, key);
    if (json && !json_is_boolean(json)) return hone_header_bad(r, key, "true or false");
    *out = json_is_true(json);
    return HONE_OK;
}

static enum hone_status read_launch_kinds(const struct hone_header_reader *r,
                                          struct hone_record_info *info,
                                          const json_t *root)
{
    const json_t *launch = json_object_get(root, "launch");
    bool cooperative = false, dependent = false;
    enum hone_status status = hone_header_read_extent(r, info->cluster, root, "cluster");
    if (status == HONE_OK) status = read_flag(r, &cooperative, launch, "cooperative");
    if (status == HONE_OK) status = read_flag(r, &dependent, launch, "dependent");
    if (cooperative) info->launch_flags |= HONE_LAUNCH_COOPERATIVE;
    if (dependent) info->launch_flags |= HONE_LAUNCH_DEPENDENT;
    return status;
}

enum hone_status hone_header_read_list(const struct hone_header_reader *r,
                                       const json_t **list, size_t *count,
                                       const json_t *object, const char *key)
{
    *list = json_object_get(object, key);
    *count = json_array_size(*list);
    if (*list && !json_is_array(*list)) return hone_header_bad(r, key, "a list");
    return HONE_OK;
}

static enum hone_status read_kind(const struct hone_header_reader *r, const json_t *root)
{
    const json_t *version = json_object_get(root, "hone");
    const char *kind = json_string_value(json_object_get(root, "kind"));
    if (!version)
        return hone_fail_at(r->err, HONE_EINPUT, r->path, 1,
                            "not a hone journal: the first line has no \"hone\" version");
    if (!json_is_integer(version) || json_integer_value(version) != 1) {
        char text[32];
        return hone_fail_at(r->err, HONE_EINPUT, r->path, 1,
                            "journal version %s, this program reads version 1",
                            hone_json_brief(text, sizeof text, version));
    }
    if (!kind || strcmp(kind, "journal") != 0)
        return hone_fail_at(r->err, HONE_EINPUT, r->path, 1,
                            "not a journal: its kind is '%s'", kind ? kind : "absent");
    return HONE_OK;
}

static enum hone_status header_read_read_values(const struct hone_header_reader *r,
                                                struct hone_param *param,
                                                const json_t *list)
{
    param->count = json_array_size(list);
    if (param->count == 0 || param->count > UINT16_MAX)
        return hone_header_bad(r, param->name, "a parameter with 1 to 65535 values");
    struct hone_value *values = hone_arena_array(r->arena, param->count, sizeof *values);
    if (!values) return hone_header_no_memory(r);
    for (size_t v = 0; v < param->count; v++) {
        enum hone_status status =
            read_value(r, &values[v], param->name, json_array_get(list, v),
                       "a parameter of numbers, texts or booleans");
        if (status != HONE_OK) return status;
    }
    param->values = values;
    return HONE_OK;
}

static enum hone_status read_param(const struct hone_header_reader *r,
                                   struct hone_param *param, const json_t *item,
                                   struct hone_name_index *names)
{
    enum hone_status status = hone_header_read_name(r, &param->name, item, "name");
    if (status != HONE_OK) return status;
    if (!param->name || !*param->name)
        return hone_header_bad(r, "params", "a list of parameters with names");
    if (hone_name_index_find(names, param->name) != SIZE_MAX)
        return hone_header_bad(r, param->name, "one parameter, it stands twice");
    if (!hone_name_index_add(names, param->name)) return hone_header_no_memory(r);
    return header_read_read_values(r, param, json_object_get(item, "values"));
}

static enum hone_status read_params(const struct hone_header_reader *r,
                                    struct hone_record_info *info, const json_t *root)
{
    struct hone_name_index names = {0};
    const json_t *list;
    enum hone_status status =
        hone_header_read_list(r, &list, &info->param_count, root, "params");
    if (status != HONE_OK) return status;
    if (!info->param_count)
        return hone_header_bad(r, "params", "a list of parameters, at least one");
    struct hone_param *params =
        hone_arena_array(r->arena, info->param_count, sizeof *params);
    if (!params) return hone_header_no_memory(r);
    info->params = params;
    for (size_t i = 0; i < info->param_count && status == HONE_OK; i++)
        status = read_param(r, &params[i], json_array_get(list, i), &names);
    hone_name_index_fini(&names);
    return status;
}

static enum hone_status add_problem(const struct hone_header_reader *r,
                                    struct hone_constant *constant, const char *name,
                                    const json_t *json)
{
    constant->name = name;
    if (!name) return hone_header_no_memory(r);
    enum hone_status status = hone_header_check_text(r, "problem", name, NAME_MOST);
    if (status != HONE_OK) return status;
    return read_value(r, &constant->value, name, json,
                      "a number, a text, a boolean or a list of these");
}

static size_t problem_size(json_t *problem)
{
    size_t count = 0;
    for (void *iter = json_object_iter(problem); iter;
         iter = json_object_iter_next(problem, iter)) {
        const json_t *json = json_object_iter_value(iter);
        count += json_is_array(json) ? json_array_size(json) : 1;
    }
    return count;
}

// A list, as public recordings have ("size":[4096,4096]), becomes size_0, size_1.
static enum hone_status read_problem(const struct hone_header_reader *r,
                                     struct hone_record_info *info, const json_t *root)
{
    json_t *problem = json_object_get(root, "problem");
    if (problem && !json_is_object(problem))
        return hone_header_bad(r, "problem", "an object");
    size_t count = problem_size(problem);
    struct hone_constant *constants =
        hone_arena_array(r->arena, count, sizeof *constants);
    if (!constants) return hone_header_no_memory(r);
    enum hone_status status = HONE_OK;
    info->problem = constants;
    info->problem_count = count;
    for (void *iter = json_object_iter(problem); iter && status == HONE_OK;
         iter = json_object_iter_next(problem, iter)) {
        const json_t *json = json_object_iter_value(iter);
        const char *key = json_object_iter_key(iter);
        if (!json_is_array(json))
            status = add_problem(r, constants++, hone_arena_strdup(r->arena, key), json);
        for (size_t i = 0; i < json_array_size(json) && status == HONE_OK; i++)
            status =
                add_problem(r, constants++, hone_arena_printf(r->arena, "%s_%zu", key, i),
                            json_array_get(json, i));
    }
    return status;
}

// Those of one of a list of problems, in the order of the names.
static enum hone_status read_sizes(const struct hone_header_reader *r,
                                   struct hone_value *values,
                                   const struct hone_record_info *info,
                                   const json_t *json, const char *list)
{
    for (size_t i = 0; i < info->problem_count; i++) {
        const json_t *value = json_object_get(json, info->problem[i].name);
        if (!value || !hone_json_to_value(&values[i], value, r->arena) ||
            values[i].type != info->problem[i].value.type)
            return hone_header_bad(r, list, "objects with every size of 'problem'");
        if (values[i].type != HONE_STRING) continue;
        if (!values[i].s) return hone_header_no_memory(r);
        enum hone_status status =
            hone_header_check_text(r, list, values[i].s, VALUE_MOST);
        if (status != HONE_OK) return status;
    }
    return HONE_OK;
}

// "weight" is a size where the problem has it.
static enum hone_status read_one_problem(const struct hone_header_reader *r,
                                         struct hone_record_problem *problem,
                                         const struct hone_record_info *info,
                                         const json_t *json)
{
    const json_t *weight = json_object_get(json, "weight");
    struct hone_value *values =
        hone_arena_array(r->arena, info->problem_count, sizeof *values);
    if (!values) return hone_header_no_memory(r);
    problem->values = values;
    problem->weight = 1;
    enum hone_status status = read_sizes(r, values, info, json, "problems");
    if (status != HONE_OK) return status;
    for (size_t i = 0; i < info->problem_count; i++)
        if (strcmp(info->problem[i].name, "weight") == 0) weight = NULL;
    if (weight) problem->weight = json_number_value(weight);
    return problem->weight > 0
               ? HONE_OK
               : hone_header_bad(r, "weight", "a number above 0, in problems");
}

static enum hone_status read_problems(const struct hone_header_reader *r,
                                      struct hone_record_info *info, const json_t *root)
{
    const json_t *list;
    enum hone_status status =
        hone_header_read_list(r, &list, &info->problems_count, root, "problems");
    if (status != HONE_OK || !info->problems_count) return status;
    struct hone_record_problem *problems =
        hone_arena_array(r->arena, info->problems_count, sizeof *problems);
    if (!problems) return hone_header_no_memory(r);
    info->problems = problems;
    for (size_t i = 0; i < info->problems_count && status == HONE_OK; i++)
        status = read_one_problem(r, &problems[i], info, json_array_get(list, i));
    for (size_t k = 0; k < info->problem_count && status == HONE_OK; k++)
        if (!hone_value_same(problems[0].values[k], info->problem[k].value))
            return hone_header_bad(r, "problem", "the first of 'problems'");
    info->weight = problems[0].weight;
    return status;
}

static enum hone_status read_names(const struct hone_header_reader *r,
                                   const char *const **out, size_t *count,
                                   const json_t *list)
{
    *count = json_array_size(list);
    const char **names = hone_arena_array(r->arena, *count, sizeof *names);
    if (!names) return hone_header_no_memory(r);
    for (size_t i = 0; i < *count; i++) {
        const char *text = json_string_value(json_array_get(list, i));
        if (!text)
            return hone_header_bad(r, "where", "expressions, or lists of variables");
        enum hone_status status = hone_header_check_text(r, "where", text, NAME_MOST);
        if (status != HONE_OK) return status;
        names[i] = hone_arena_strdup(r->arena, text);
        if (!names[i]) return hone_header_no_memory(r);
    }
    *out = names;
    return HONE_OK;
}

static enum hone_status read_where(const struct hone_header_reader *r,
                                   struct hone_record_info *info, const json_t *root)
{
    const json_t *list;
    enum hone_status status =
        hone_header_read_list(r, &list, &info->where_count, root, "where");
    if (status != HONE_OK || !info->where_count) return status;
    struct hone_record_constraint *where =
        hone_arena_array(r->arena, info->where_count, sizeof *where);
    if (!where) return hone_header_no_memory(r);
    info->where = where;
    for (size_t i = 0; i < info->where_count && status == HONE_OK; i++) {
        const json_t *item = json_array_get(list, i);
        const char *text = json_string_value(item);
        if (!text && !json_array_size(item))
            return hone_header_bad(r, "where", "expressions, or lists of variables");
        status = text ? hone_header_check_text(r, "where", text, HONE_HEADER_TEXT_MOST)
                      : read_names(r, &where[i].vars, &where[i].var_count, item);
        if (text && !(where[i].text = hone_arena_strdup(r->arena, text)))
            return hone_header_no_memory(r);
    }
    return status;
}

static enum hone_status read_drawn(const struct hone_header_reader *r,
                                   struct hone_record_info *info, const json_t *root)
{
    const json_t *list;
    size_t count;
    const size_t width = info->problem_count;
    enum hone_status status =
        hone_header_read_list(r, &list, &count, root, "drawn_sizes");
    if (status != HONE_OK || !count) return status;
    struct hone_value *values =
        hone_arena_array(r->arena, count * width + 1, sizeof *values);
    if (!values) return hone_header_no_memory(r);
    info->drawn = values;
    info->drawn_sizes = count;
    for (size_t i = 0; i < count && status == HONE_OK; i++)
        status = read_sizes(r, &values[i * width], info, json_array_get(list, i),
                            "drawn_sizes");
    return status;
}

static enum hone_status read_texts(const struct hone_header_reader *r,
                                   struct hone_record_info *info, const json_t *root)
{
    for (size_t i = 0; i < hone_header_text_count; i++) {
        const struct hone_header_text *field = &hone_header_texts[i];
        const json_t *object = field->group ? json_object_get(root, field->group) : root;
        if (object && !json_is_object(object))
            return hone_header_bad(r, field->group, "an object");
        const char *text = NULL;
        enum hone_status status = read_remark(r, &text, object, field->key);
        if (status != HONE_OK) return status;
        if (text && strlen(text) > REMARK_MOST)
            return hone_header_bad(r, field->key, "at most 4,000 bytes long");
        memcpy((char *)info + field->offset, &text, sizeof text);
    }
    info->times = hone_objective_times(info->objective);
    return HONE_OK;
}

static enum hone_status read_limits(const struct hone_header_reader *r,
                                    struct hone_record_info *info, const json_t *root)
{
    const json_t *json = json_object_get(json_object_get(root, "device"), "limits");
    if (!json) return HONE_OK;
    if (!json_is_object(json)) return hone_header_bad(r, "limits", "an object");
    struct hone_limits *limits = hone_arena_alloc(r->arena, sizeof *limits);
    if (!limits) return hone_header_no_memory(r);
    const char *name = json_string_value(json_object_get(json, "name"));
    const char *arch = json_string_value(json_object_get(json, "arch"));
    snprintf(limits->name, sizeof limits->name, "%s", name ? name : "");
    snprintf(limits->arch, sizeof limits->arch, "%s", arch ? arch : "");
#define READ_LIMIT(field)                                                                \
    limits->field = json_integer_value(json_object_get(json, #field));
    HONE_LIMITS_LIST(READ_LIMIT)
#undef READ_LIMIT
    if (!hone_arch_is_sane(limits->cc_major, limits->cc_minor))
        return hone_header_bad(r, "limits", "of a compute capability of 0.0 to 99.9");
    info->limits = limits;
    return HONE_OK;
}

static enum hone_status read_defaults(const struct hone_header_reader *r,
                                      struct hone_record_info *info, const json_t *root)
{
    const json_t *list;
    size_t count;
    enum hone_status status = hone_header_read_list(r, &list, &count, root, "default");
    if (status != HONE_OK || !list) return status;
    if (count != info->param_count)
        return hone_header_bad(r, "default", "one value for each parameter");
    uint16_t *choices = hone_arena_array(r->arena, count, sizeof *choices);
    if (!choices) return hone_header_no_memory(r);
    for (size_t i = 0; i < count; i++) {
        const struct hone_param *param = &info->params[i];
        struct hone_value value = {0};
        bool scalar = hone_json_to_value(&value, json_array_get(list, i), r->arena);
        size_t v = 0;
        while (v < param->count && scalar && !hone_value_same(value, param->values[v]))
            v++;
        if (!scalar || v == param->count)
            return hone_header_bad(r, "default", "values of the parameters");
        choices[i] = (uint16_t)v;
    }
    info->defaults = choices;
    return HONE_OK;
}

static enum hone_status read_waivers(const struct hone_header_reader *r,
                                     struct hone_record_info *info, const json_t *root)
{
    struct hone_error why = {0};
    const json_t *list = json_object_get(root, "waive");
    enum hone_status status = hone_waive_list_read(info, list, r->arena, &why);
    if (status == HONE_OK) return HONE_OK;
    return hone_fail_at(r->err, status, r->path, 1, "%s", why.text);
}

enum hone_status hone_header_read(struct hone_record_info *info, const json_t *json,
                                  const char *path, struct hone_arena *arena,
                                  struct hone_error *err)
{
    const struct hone_header_reader r = {.path = path, .arena = arena, .err = err};
    *info = (struct hone_record_info){0};
    enum hone_status status = read_kind(&r, json);
    if (status == HONE_OK)
        status = hone_header_read_name(&r, &info->kernel, json, "kernel");
    if (status == HONE_OK && !info->kernel)
        status = hone_header_bad(&r, "kernel", "the kernel's name");
    if (status == HONE_OK) status = read_params(&r, info, json);
    if (status == HONE_OK) status = read_problem(&r, info, json);
    if (status == HONE_OK) status = read_problems(&r, info, json);
    if (status == HONE_OK) status = read_texts(&r, info, json);
    if (status == HONE_OK) status = read_limits(&r, info, json);
    if (status == HONE_OK) status = read_flag(&r, &info->complete, json, "complete");
    const json_t *drift = json_object_get(json, "drift");
    if (status == HONE_OK) status = read_u64(&r, &info->drift_every, drift, "every");
    info->drift_limit = json_number_value(json_object_get(drift, "limit"));
    if (status == HONE_OK) status = read_u64(&r, &info->seed, json, "seed");
    if (status == HONE_OK) status = read_drawn(&r, info, json);
    if (status == HONE_OK) status = read_u64(&r, &info->space_count, json, "space_count");
    if (status == HONE_OK) status = read_u64(&r, &info->evaluated, json, "evaluated");
    if (status == HONE_OK) status = read_u64(&r, &info->evaluated_valid, json, "valid");
    if (status == HONE_OK) status = read_defaults(&r, info, json);
    if (status == HONE_OK) status = hone_header_read_derived(&r, info, json);
    if (status == HONE_OK) status = read_where(&r, info, json);
    if (status == HONE_OK) status = hone_header_read_extent(&r, info->grid, json, "grid");
    if (status == HONE_OK)
        status = hone_header_read_extent(&r, info->block, json, "block");
    if (status == HONE_OK) status = read_launch_kinds(&r, info, json);
    if (status == HONE_OK) status = hone_header_read_interface(&r, info, json);
    if (status == HONE_OK) status = read_waivers(&r, info, json);
    return status;
}

enum hone_status hone_header_check(const json_t *json, const char *path,
                                   struct hone_error *err)
{
    struct hone_record_info info;
    struct hone_arena arena = {0};
    enum hone_status status = hone_header_read(&info, json, path, &arena, err);
    hone_arena_fini(&arena);
    return status;
}
