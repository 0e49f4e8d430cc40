// What the first line says of the space: parameters, the problems it was tuned for, sizes
// that were drawn, constraints, the author's default.
#include "header_reader.h"

#include <string.h>

#include "base/name_index.h"
#include "json.h"

// --- parameters ---

static const struct hone_value *read_values(struct hone_header_reader *r,
                                            const char *name, const json_t *list)
{
    const size_t count = json_array_size(list);
    if (count == 0 || count > UINT16_MAX)
        hone_header_bad(r, name, "a parameter with 1 to 65535 values");
    struct hone_value *values = hone_header_array(r, count, sizeof *values);
    for (size_t v = 0; v < count && hone_header_is_fine(r); v++)
        values[v] = hone_header_read_value(r, name, json_array_get(list, v),
                                           "a parameter of numbers, texts or booleans");
    return values;
}

static void read_param(struct hone_header_reader *r, struct hone_param *param,
                       const json_t *item, struct hone_name_index *names)
{
    const json_t *list = json_object_get(item, "values");
    param->name = hone_header_read_name(r, item, "name");
    if (!param->name || !*param->name)
        hone_header_bad(r, "params", "a list of parameters with names");
    if (!hone_header_is_fine(r)) return;
    if (hone_name_index_find(names, param->name) != SIZE_MAX)
        hone_header_bad(r, param->name, "one parameter, it stands twice");
    else if (!hone_name_index_add(names, param->name))
        hone_header_no_memory(r);
    param->values = read_values(r, param->name, list);
    param->count = json_array_size(list);
}

void hone_header_read_params(struct hone_header_reader *r)
{
    struct hone_name_index names = {0};
    const struct hone_header_list list = hone_header_read_list(r, r->line, "params");
    if (!list.count) hone_header_bad(r, "params", "a list of parameters, at least one");
    struct hone_param *params = hone_header_array(r, list.count, sizeof *params);
    r->info->params = params;
    r->info->param_count = list.count;
    for (size_t i = 0; i < list.count && hone_header_is_fine(r); i++)
        read_param(r, &params[i], json_array_get(list.json, i), &names);
    hone_name_index_fini(&names);
}

// --- problems ---

static void add_problem(struct hone_header_reader *r, struct hone_constant *constant,
                        const char *name, const json_t *json)
{
    if (!name) hone_header_no_memory(r);
    constant->name = name;
    hone_header_check_text(r, "problem", name, HONE_HEADER_NAME_MOST);
    constant->value = hone_header_read_value(
        r, name, json, "a number, a text, a boolean or a list of these");
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
void hone_header_read_problem(struct hone_header_reader *r)
{
    json_t *problem = json_object_get(r->line, "problem");
    if (problem && !json_is_object(problem)) hone_header_bad(r, "problem", "an object");
    const size_t count = problem_size(problem);
    struct hone_constant *next = hone_header_array(r, count, sizeof *next);
    r->info->problem = next;
    r->info->problem_count = count;
    for (void *iter = json_object_iter(problem); iter && hone_header_is_fine(r);
         iter = json_object_iter_next(problem, iter)) {
        const json_t *json = json_object_iter_value(iter);
        const char *key = json_object_iter_key(iter);
        if (!json_is_array(json))
            add_problem(r, next++, hone_arena_strdup(r->arena, key), json);
        for (size_t i = 0; i < json_array_size(json) && hone_header_is_fine(r); i++)
            add_problem(r, next++, hone_arena_printf(r->arena, "%s_%zu", key, i),
                        json_array_get(json, i));
    }
}

// The sizes of one of a list of problems, in the order of the problem's names.
static void read_sizes(struct hone_header_reader *r, struct hone_value *values,
                       const json_t *json, const char *list)
{
    static const char expected[] = "objects with every size of 'problem'";
    const struct hone_record_info *info = r->info;
    for (size_t i = 0; i < info->problem_count && hone_header_is_fine(r); i++) {
        const json_t *value = json_object_get(json, info->problem[i].name);
        if (!value || !hone_json_to_value(&values[i], value, r->arena) ||
            values[i].type != info->problem[i].value.type)
            hone_header_bad(r, list, expected);
        hone_header_check_value(r, list, values[i]);
    }
}

static bool has_size(const struct hone_record_info *info, const char *name)
{
    for (size_t i = 0; i < info->problem_count; i++)
        if (strcmp(info->problem[i].name, name) == 0) return true;
    return false;
}

// "weight" is a size where the problem has it.
static void read_one_problem(struct hone_header_reader *r,
                             struct hone_record_problem *problem, const json_t *json)
{
    const json_t *weight = json_object_get(json, "weight");
    struct hone_value *values =
        hone_header_array(r, r->info->problem_count, sizeof *values);
    problem->values = values;
    problem->weight = 1;
    read_sizes(r, values, json, "problems");
    if (weight && !has_size(r->info, "weight"))
        problem->weight = json_number_value(weight);
    if (!(problem->weight > 0))
        hone_header_bad(r, "weight", "a number above 0, in problems");
}

void hone_header_read_problems(struct hone_header_reader *r)
{
    struct hone_record_info *info = r->info;
    const struct hone_header_list list = hone_header_read_list(r, r->line, "problems");
    info->problems_count = list.count;
    if (!list.count) return;
    struct hone_record_problem *problems =
        hone_header_array(r, list.count, sizeof *problems);
    info->problems = problems;
    for (size_t i = 0; i < list.count && hone_header_is_fine(r); i++)
        read_one_problem(r, &problems[i], json_array_get(list.json, i));
    for (size_t k = 0; k < info->problem_count && hone_header_is_fine(r); k++)
        if (!hone_value_same(problems[0].values[k], info->problem[k].value))
            hone_header_bad(r, "problem", "the first of 'problems'");
    if (hone_header_is_fine(r)) info->weight = problems[0].weight;
}

void hone_header_read_drawn(struct hone_header_reader *r)
{
    struct hone_record_info *info = r->info;
    const size_t width = info->problem_count;
    const struct hone_header_list list = hone_header_read_list(r, r->line, "drawn_sizes");
    if (!list.count) return;
    struct hone_value *values =
        hone_header_array(r, list.count * width + 1, sizeof *values);
    info->drawn = values;
    info->drawn_sizes = list.count;
    for (size_t i = 0; i < list.count && hone_header_is_fine(r); i++)
        read_sizes(r, &values[i * width], json_array_get(list.json, i), "drawn_sizes");
}

// --- constraints ---

static void read_names(struct hone_header_reader *r, struct hone_record_constraint *where,
                       const json_t *list)
{
    where->var_count = json_array_size(list);
    const char **names = hone_header_array(r, where->var_count, sizeof *names);
    for (size_t i = 0; i < where->var_count && hone_header_is_fine(r); i++) {
        const char *text = json_string_value(json_array_get(list, i));
        if (!text) hone_header_bad(r, "where", "expressions, or lists of variables");
        hone_header_check_text(r, "where", text, HONE_HEADER_NAME_MOST);
        names[i] = hone_header_keep(r, text);
    }
    where->vars = names;
}

static void read_constraint(struct hone_header_reader *r,
                            struct hone_record_constraint *where, const json_t *item)
{
    const char *text = json_string_value(item);
    if (!text && !json_array_size(item))
        hone_header_bad(r, "where", "expressions, or lists of variables");
    hone_header_check_text(r, "where", text, HONE_HEADER_TEXT_MOST);
    if (text)
        where->text = hone_header_keep(r, text);
    else
        read_names(r, where, item);
}

void hone_header_read_where(struct hone_header_reader *r)
{
    const struct hone_header_list list = hone_header_read_list(r, r->line, "where");
    r->info->where_count = list.count;
    if (!list.count) return;
    struct hone_record_constraint *where =
        hone_header_array(r, list.count, sizeof *where);
    r->info->where = where;
    for (size_t i = 0; i < list.count && hone_header_is_fine(r); i++)
        read_constraint(r, &where[i], json_array_get(list.json, i));
}

// --- the default ---

// The number of the value among the parameter's; its count where it is none of them.
static size_t choice_of(const struct hone_param *param, const json_t *json)
{
    struct hone_value value = {0};
    if (!hone_json_peek_value(&value, json)) return param->count;
    size_t v = 0;
    while (v < param->count && !hone_value_same(value, param->values[v]))
        v++;
    return v;
}

void hone_header_read_defaults(struct hone_header_reader *r)
{
    const struct hone_record_info *info = r->info;
    const struct hone_header_list list = hone_header_read_list(r, r->line, "default");
    if (!list.json) return;
    if (list.count != info->param_count)
        hone_header_bad(r, "default", "one value for each parameter");
    uint16_t *choices = hone_header_array(r, list.count, sizeof *choices);
    for (size_t i = 0; i < list.count && hone_header_is_fine(r); i++) {
        const size_t v = choice_of(&info->params[i], json_array_get(list.json, i));
        if (v == info->params[i].count)
            hone_header_bad(r, "default", "values of the parameters");
        choices[i] = (uint16_t)v;
    }
    r->info->defaults = choices;
}
