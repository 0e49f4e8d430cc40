#include "choices.h"

#include <stdlib.h>
#include <string.h>

#include "expr/value_text.h"
#include "json.h"

struct hone_value hone_choice_canonical(struct hone_value value)
{
    int64_t i;
    if (value.type == HONE_FLOAT && hone_value_to_int(value, &i))
        return (struct hone_value){.type = HONE_INT, .i = i};
    return value;
}

static int choices_compare(const void *left, const void *right)
{
    const struct hone_value *a = &((const struct hone_choice_key *)left)->value;
    const struct hone_value *b = &((const struct hone_choice_key *)right)->value;
    if (a->type != b->type) return a->type < b->type ? -1 : 1;
    switch (a->type) {
    case HONE_INT:
        return (a->i > b->i) - (a->i < b->i);
    case HONE_FLOAT:
        return (a->f > b->f) - (a->f < b->f);
    case HONE_BOOL:
        return a->b - b->b;
    case HONE_STRING:
        return strcmp(a->s, b->s);
    }
    return 0;
}

static enum hone_status make_keys(struct hone_choice_key *keys,
                                  const struct hone_param *param, struct hone_error *err)
{
    for (size_t v = 0; v < param->count; v++)
        keys[v] = (struct hone_choice_key){hone_choice_canonical(param->values[v]),
                                           (uint16_t)v};
    qsort(keys, param->count, sizeof *keys, choices_compare);
    for (size_t v = 1; v < param->count; v++) {
        char number[HONE_NUMBER_TEXT];
        if (choices_compare(&keys[v - 1], &keys[v]) != 0) continue;
        return hone_fail(err, HONE_EINPUT, "parameter '%s' has the value %s twice",
                         param->name, hone_value_in_full(number, keys[v].value));
    }
    return HONE_OK;
}

enum hone_status hone_choice_table_init(struct hone_choice_table *table,
                                        const struct hone_param *params, size_t count,
                                        struct hone_arena *arena, struct hone_error *err)
{
    *table = (struct hone_choice_table){.params = params, .param_count = count};
    table->keys = hone_arena_array(arena, count, sizeof *table->keys);
    if (!table->keys) return hone_no_memory(err, "for the choices of a journal");
    for (size_t i = 0; i < count; i++) {
        table->keys[i] = hone_arena_array(arena, params[i].count, sizeof **table->keys);
        if (!table->keys[i]) return hone_no_memory(err, "for the choices of a journal");
        enum hone_status status = make_keys(table->keys[i], &params[i], err);
        if (status != HONE_OK) return status;
    }
    return HONE_OK;
}

enum hone_status hone_choice_table_read(const struct hone_choice_table *table,
                                        const json_t *config, uint16_t *choices,
                                        struct hone_error *err)
{
    if (!json_is_array(config))
        return hone_fail(err, HONE_EINPUT, "the line has no 'config'");
    if (json_array_size(config) != table->param_count)
        return hone_fail(err, HONE_EINPUT,
                         "'config' has %zu values, the journal %zu parameters",
                         json_array_size(config), table->param_count);
    for (size_t i = 0; i < table->param_count; i++) {
        const struct hone_param *param = &table->params[i];
        const json_t *json = json_array_get(config, i);
        struct hone_choice_key key = {0}, *found = NULL;
        if (hone_json_peek_value(&key.value, json)) {
            key.value = hone_choice_canonical(key.value);
            found =
                bsearch(&key, table->keys[i], param->count, sizeof key, choices_compare);
        }
        if (!found) {
            char text[64];
            return hone_fail(err, HONE_EINPUT, "%s is no value of parameter '%s'",
                             hone_json_brief(text, sizeof text, json), param->name);
        }
        choices[i] = found->choice;
    }
    return HONE_OK;
}
