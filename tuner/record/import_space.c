// What an imported file says of its space: parameters, problem sizes, the first line of
// the journal that it was exported from.
#include "import.h"

#include <string.h>

#include "base/hash.h"
#include "base/hash_table.h"
#include "base/identifier.h"
#include "header.h"
#include "json.h"

enum hone_status hone_import_set_params(struct hone_import *import,
                                        const struct hone_param *params, size_t count,
                                        struct hone_error *err)
{
    struct hone_space *space = NULL;
    struct hone_error inner = {0};
    import->info.params = params;
    import->info.param_count = count;
    enum hone_status status =
        hone_choice_table_init(&import->table, params, count, &import->arena, &inner);
    if (status == HONE_OK)
        status = hone_space_from_list(&space, params, count, NULL, 0, &inner);
    hone_space_free(space);
    return status != HONE_OK
               ? hone_fail_at(err, status, import->path, 0, "%s", inner.text)
               : HONE_OK;
}

static uint64_t hash_of(struct hone_value value)
{
    if (value.type == HONE_STRING) return hone_hash64(value.s, strlen(value.s));
    if (value.type == HONE_BOOL) return value.b;
    return hone_hash64(&value.i, sizeof value.i); // of a float its bits
}

// Whether an equal one is among those that were seen; 1 and 1.0 are. wanted is canonical.
static bool stands_before(const struct hone_hash_table *seen,
                          const struct hone_value *values, struct hone_value wanted)
{
    struct hone_probe probe = hone_hash_table_probe(seen, hash_of(wanted));
    for (uint32_t *i; (i = hone_hash_table_next(seen, &probe)) != NULL;)
        if (hone_value_same(hone_choice_canonical(values[*i]), wanted)) return true;
    return false;
}

// Fills out->values, which has room for the list.
static enum hone_status add_values(struct hone_import *import, struct hone_param *out,
                                   struct hone_value *values, const json_t *list,
                                   struct hone_hash_table *seen, struct hone_error *err)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *json = json_array_get(list, i);
        struct hone_value value;
        char text[64];
        if (!hone_json_to_value(&value, json, &import->arena))
            return hone_fail_at(err, HONE_EINPUT, import->path, 0,
                                "parameter '%s' has the value %s, which is no number, "
                                "text or boolean",
                                out->name, hone_json_brief(text, sizeof text, json));
        if (value.type == HONE_STRING && !value.s)
            return hone_import_no_memory(import, err);
        const struct hone_value canonical = hone_choice_canonical(value);
        if (stands_before(seen, values, canonical))
            hone_import_say(import, "parameter '%s' lists %s twice", out->name,
                            hone_json_brief(text, sizeof text, json));
        else if (hone_hash_table_add(seen, hash_of(canonical), (uint32_t)out->count))
            values[out->count++] = value;
        else
            return hone_import_no_memory(import, err);
    }
    return HONE_OK;
}

enum hone_status hone_import_param(struct hone_import *import, struct hone_param *out,
                                   const char *name, const json_t *list,
                                   struct hone_error *err)
{
    enum { VALUES_MAX = 65535 };
    const size_t count = json_array_size(list);
    if (!count || count > VALUES_MAX)
        return hone_fail_at(err, HONE_EINPUT, import->path, 0,
                            "parameter '%s' needs a list of 1 to %d values", name,
                            VALUES_MAX);
    const char *name_end = hone_identifier_end(name);
    if (!name_end || *name_end || hone_identifier_is_keyword(name))
        return hone_fail_at(err, HONE_EINPUT, import->path, 0,
                            "the parameter name '%s' is no identifier", name);
    struct hone_value *values = hone_arena_array(&import->arena, count, sizeof *values);
    *out = (struct hone_param){.name = hone_arena_strdup(&import->arena, name),
                               .values = values};
    struct hone_hash_table seen = {0};
    if (!values || !out->name) return hone_import_no_memory(import, err);
    const enum hone_status status = add_values(import, out, values, list, &seen, err);
    hone_hash_table_fini(&seen);
    return status;
}

enum hone_status hone_import_problem(struct hone_import *import, const json_t *size,
                                     struct hone_error *err)
{
    const bool list = json_is_array(size);
    const size_t count = list ? json_array_size(size) : size != NULL;
    struct hone_constant *constants =
        hone_arena_array(&import->arena, count, sizeof *constants);
    if (!constants) return hone_import_no_memory(import, err);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        struct hone_constant *c = &constants[kept];
        c->name = list ? hone_arena_printf(&import->arena, "size_%zu", i) : "size";
        if (!hone_json_to_value(&c->value, list ? json_array_get(size, i) : size,
                                &import->arena))
            hone_import_say(import, "problem_size %zu is no number or text", i);
        else if (!c->name || (c->value.type == HONE_STRING && !c->value.s))
            return hone_import_no_memory(import, err);
        else
            kept++;
    }
    import->info.problem = constants;
    import->info.problem_count = kept;
    return HONE_OK;
}

static bool same_params(const struct hone_record_info *a,
                        const struct hone_record_info *b)
{
    if (a->param_count != b->param_count) return false;
    for (size_t i = 0; i < a->param_count; i++) {
        const struct hone_param *p = &a->params[i], *q = &b->params[i];
        if (strcmp(p->name, q->name) != 0 || p->count != q->count) return false;
        for (size_t v = 0; v < p->count; v++)
            if (!hone_value_same(p->values[v], q->values[v])) return false;
    }
    return true;
}

void hone_import_adopt_header(struct hone_import *import, const json_t *header)
{
    struct hone_record_info own;
    struct hone_error why = {0};
    if (!json_is_object(header)) return;
    if (hone_header_read(&own, header, import->path, &import->arena, &why) != HONE_OK)
        hone_import_say(import, "its member 'hone' is not used: %s", why.text);
    else if (!same_params(&own, &import->info))
        hone_import_say(import, "its member 'hone' is not used: other parameters");
    else
        import->info = own;
}
