// Reading T1 files: a space with values and conditions as texts of Python. It becomes a
// script, which says more than this program needs to know of the file.
#include <string.h>

#include "base/identifier.h"
#include "import.h"
#include "json.h"
#include "python.h"

struct space {
    struct hone_param *params;
    struct hone_python_name *names; /* of the parameters, then of constants */
    size_t param_count, name_count;
    const char **conditions;
    size_t condition_count;
};

// --- parameters ---

// A list of JSON from a list of JSON or a text of Python.
static json_t *import_t1_read_values(struct hone_import *import, const json_t *json,
                                     struct hone_error *err)
{
    struct hone_value *values;
    size_t count;
    if (json_is_array(json)) return json_copy((json_t *)(uintptr_t)json);
    if (!json_is_string(json)) {
        hone_fail(err, HONE_EINPUT, "it has no 'Values'");
        return NULL;
    }
    if (hone_python_values(&values, &count, json_string_value(json), &import->arena,
                           err) != HONE_OK)
        return NULL;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, hone_json_from_value(values[i]));
    return list;
}

static bool import_t1_is_number(enum hone_type type)
{
    return type == HONE_INT || type == HONE_FLOAT;
}

// What the scripts of this program ask for: one kind of values, names used once.
static enum hone_status check_param(const struct space *space,
                                    const struct hone_param *param,
                                    struct hone_error *err)
{
    for (size_t i = 0; i < space->param_count; i++)
        if (strcmp(space->params[i].name, param->name) == 0)
            return hone_fail(err, HONE_EINPUT, "parameter '%s' stands there twice",
                             param->name);
    for (size_t i = 1; i < param->count; i++) {
        const enum hone_type a = param->values[0].type, b = param->values[i].type;
        if (a != b && !(import_t1_is_number(a) && import_t1_is_number(b)))
            return hone_fail(err, HONE_EINPUT, "parameter '%s' has values of two kinds",
                             param->name);
    }
    return HONE_OK;
}

static enum hone_python_kind import_t1_kind_of(struct hone_value value)
{
    return value.type == HONE_BOOL     ? HONE_PYTHON_BOOL
           : value.type == HONE_STRING ? HONE_PYTHON_STRING
                                       : HONE_PYTHON_NUMBER;
}

static enum hone_status add_param(struct hone_import *import, struct space *space,
                                  const json_t *json, struct hone_error *err)
{
    const char *name = json_string_value(json_object_get(json, "Name"));
    if (!name) return hone_fail(err, HONE_EINPUT, "it has no 'Name'");
    json_t *values = import_t1_read_values(import, json_object_get(json, "Values"), err);
    struct hone_param *param = &space->params[space->param_count];
    enum hone_status status = HONE_EINPUT;
    if (values) status = hone_import_param(import, param, name, values, err);
    json_decref(values);
    if (status == HONE_OK) status = check_param(space, param, err);
    if (status != HONE_OK) return status;
    space->names[space->name_count++] = (struct hone_python_name){
        .name = param->name, .kind = import_t1_kind_of(param->values[0])};
    space->param_count++;
    return HONE_OK;
}

// --- conditions ---

static enum hone_status add_condition(struct hone_import *import, struct space *space,
                                      const json_t *json, struct hone_error *err)
{
    const struct hone_python_names names = {.items = space->names,
                                            .count = space->name_count};
    const json_t *member =
        json_is_string(json) ? json : json_object_get(json, "Expression");
    const char *text = json_string_value(member);
    struct hone_error inner = {0};
    const char *translated = NULL;
    if (!text) return hone_fail(err, HONE_EINPUT, "it has no 'Expression'");
    enum hone_status status =
        hone_python_condition(&translated, text, names, &import->arena, &inner);
    if (status != HONE_OK)
        return hone_fail(err, status, "condition '%.80s': %s", text, inner.text);
    space->conditions[space->condition_count++] = translated;
    return HONE_OK;
}

// --- entries ---

typedef enum hone_status add_entry(struct hone_import *import, struct space *space,
                                   const json_t *json, struct hone_error *err);

static enum hone_status read_entry(struct hone_import *import, struct space *space,
                                   const struct hone_json_item *item, add_entry *add,
                                   struct hone_error *err)
{
    struct hone_error inner = {0};
    json_error_t why;
    json_t *json = item->whole ? hone_json_item_parse(item, &why) : NULL;
    if (json)
        add(import, space, json, &inner);
    else
        hone_fail(&inner, HONE_EINPUT, "%s", item->whole ? why.text : "it breaks off");
    json_decref(json);
    if (inner.code == HONE_ENOMEM) return hone_error_pass(err, inner.code, &inner);
    if (inner.code != HONE_OK) hone_import_lose(import, item, inner.text);
    return HONE_OK;
}

// The entries of a list that is a member of the space; count: how many there are.
static enum hone_status read_list(struct hone_import *import, struct space *space,
                                  const struct hone_json_item *list, add_entry *add,
                                  struct hone_error *err)
{
    struct hone_json_scan scan = hone_json_scan_of(list);
    struct hone_json_item item;
    enum hone_status status = HONE_OK;
    if (!hone_json_scan_enter(&scan, '['))
        return hone_fail_at(err, HONE_EINPUT, import->path, (int)list->line,
                            "'%.*s' must be a list", (int)list->key_len, list->key);
    while (status == HONE_OK && hone_json_scan_next(&scan, &item))
        status = read_entry(import, space, &item, add, err);
    return status;
}

static size_t count_entries(const struct hone_json_item *list)
{
    struct hone_json_scan scan = hone_json_scan_of(list);
    struct hone_json_item item;
    size_t count = 0;
    if (!list->key || !hone_json_scan_enter(&scan, '[')) return 0;
    while (hone_json_scan_next(&scan, &item))
        count++;
    return count;
}

static void find_lists(const struct hone_import_text *text, struct hone_json_item *params,
                       struct hone_json_item *conditions)
{
    struct hone_json_scan scan = hone_json_scan_of(&text->space);
    struct hone_json_item item;
    if (!text->space.key || !hone_json_scan_enter(&scan, '{')) return;
    while (hone_json_scan_next(&scan, &item)) {
        if (!item.key) continue;
        if (item.key_len == 16 && memcmp(item.key, "TuningParameters", 16) == 0)
            *params = item;
        if (item.key_len == 10 && memcmp(item.key, "Conditions", 10) == 0)
            *conditions = item;
    }
}

// The numbers of "BenchmarkConfig": conditions may name them.
static enum hone_status add_constants(struct hone_import *import, struct space *space,
                                      json_t *config, struct hone_error *err)
{
    const char *name;
    json_t *json;
    json_object_foreach(config, name, json)
    {
        struct hone_value value;
        char text[64];
        const char *end = hone_identifier_end(name);
        if (!json_is_number(json) || !end || *end || !hone_json_peek_value(&value, json))
            continue;
        hone_value_print(text, sizeof text, value);
        struct hone_python_name *constant = &space->names[space->name_count++];
        *constant = (struct hone_python_name){
            .name = hone_arena_strdup(&import->arena, name),
            .text =
                hone_arena_printf(&import->arena, text[0] == '-' ? "(%s)" : "%s", text)};
        if (!constant->name || !constant->text)
            return hone_no_memory(err, "importing a T1 file");
    }
    return HONE_OK;
}

static enum hone_status read_space(struct hone_import *import, struct space *space,
                                   const struct hone_import_text *text,
                                   struct hone_error *err)
{
    struct hone_json_item params = {0}, conditions = {0};
    json_t *config = json_object_get(text->members, "BenchmarkConfig");
    find_lists(text, &params, &conditions);
    const size_t param_room = count_entries(&params);
    const size_t name_room = param_room + json_object_size(config);
    struct hone_arena *arena = &import->arena;
    space->params = hone_arena_array(arena, param_room, sizeof *space->params);
    space->names = hone_arena_array(arena, name_room, sizeof *space->names);
    space->conditions =
        hone_arena_array(arena, count_entries(&conditions), sizeof(const char *));
    if (!space->params || !space->names || !space->conditions)
        return hone_no_memory(err, "importing a T1 file");
    enum hone_status status =
        params.key ? read_list(import, space, &params, add_param, err) : HONE_OK;
    if (status == HONE_OK && !space->param_count)
        status = hone_fail_at(err, HONE_EINPUT, import->path, (int)text->space.line,
                              "no parameter of 'TuningParameters' can be read%s%s",
                              import->note_count ? ": " : "",
                              import->note_count ? import->notes[0].text : "");
    if (status == HONE_OK) status = add_constants(import, space, config, err);
    if (status == HONE_OK && conditions.key)
        status = read_list(import, space, &conditions, add_condition, err);
    return status;
}

// --- script ---

static void add_quoted(struct hone_strbuf *out, const char *text)
{
    hone_strbuf_add(out, "\"");
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c < ' ')
            hone_strbuf_printf(out, "\\%03d", c);
        else
            hone_strbuf_printf(out, c == '"' || c == '\\' ? "\\%c" : "%c", c);
    }
    hone_strbuf_add(out, "\"");
}

static void add_value(struct hone_strbuf *out, struct hone_value value)
{
    char text[64];
    if (value.type == HONE_STRING) {
        add_quoted(out, value.s);
        return;
    }
    hone_value_print(text, sizeof text, value);
    hone_strbuf_add(out, text);
}

static const char *name_of(const struct hone_import *import,
                           const struct hone_import_text *text)
{
    const json_t *kernel = json_object_get(text->members, "KernelSpecification");
    const json_t *general = json_object_get(text->members, "General");
    const char *name = import->options.kernel;
    if (!name) name = json_string_value(json_object_get(general, "BenchmarkName"));
    if (!name) name = json_string_value(json_object_get(kernel, "KernelName"));
    const char *end = name ? hone_identifier_end(name) : NULL;
    return end && !*end ? name : NULL;
}

static enum hone_status write_script(struct hone_import *import,
                                     const struct space *space, const char *name,
                                     struct hone_error *err)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    hone_strbuf_printf(&out,
                       "-- The space of a T1 file: %s\nlocal hone = require \"hone\"\n\n"
                       "return hone.space {\n",
                       name ? name : "unnamed");
    if (name) hone_strbuf_printf(&out, "    name = \"%s\",\n", name);
    hone_strbuf_add(&out, "    tune = {\n");
    for (size_t p = 0; p < space->param_count; p++) {
        hone_strbuf_printf(&out, "        %s = {", space->params[p].name);
        for (size_t v = 0; v < space->params[p].count; v++) {
            hone_strbuf_add(&out, v ? ", " : " ");
            add_value(&out, space->params[p].values[v]);
        }
        hone_strbuf_add(&out, " },\n");
    }
    hone_strbuf_add(&out, "    },\n    where = {\n");
    for (size_t i = 0; i < space->condition_count; i++) {
        hone_strbuf_add(&out, "        ");
        add_quoted(&out, space->conditions[i]);
        hone_strbuf_add(&out, ",\n");
    }
    hone_strbuf_add(&out, "    },\n}\n");
    if (!out.failed) import->script = hone_arena_strdup(&import->arena, out.data);
    hone_strbuf_fini(&out);
    return import->script ? HONE_OK : hone_no_memory(err, "importing a T1 file");
}

enum hone_status hone_import_read_t1(struct hone_import *import,
                                     const struct hone_import_text *text,
                                     struct hone_error *err)
{
    struct space space = {0};
    enum hone_status status = read_space(import, &space, text, err);
    import->count = space.param_count + space.condition_count;
    return status != HONE_OK ? status
                             : write_script(import, &space, name_of(import, text), err);
}
