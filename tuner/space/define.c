// Copies a definition into the space and refuses what cannot be one: names that are no
// identifiers or stand for two things, value lists that are empty or repeat a value.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/identifier.h"
#include "space_internal.h"

enum { VALUES_MAX = UINT16_MAX };

// Where definition errors point to.
struct place {
    const char *source;
    int line;
    struct hone_error *err;
};

// --- names ---

static enum hone_status check_name(const char *kind, const char *name, struct place at)
{
    const char *end = name ? hone_identifier_end(name) : NULL;
    if (!end || *end != '\0')
        return hone_fail_at(at.err, HONE_EINPUT, at.source, at.line,
                            "the name of %s '%s' is not an identifier", kind,
                            name ? name : "");
    if (hone_identifier_is_keyword(name))
        return hone_fail_at(at.err, HONE_EINPUT, at.source, at.line,
                            "the name of %s '%s' is a keyword of Lua, C or C++", kind,
                            name);
    return HONE_OK;
}

// Constants may be dotted: "device.sm_count".
static enum hone_status check_constant_name(const char *name, struct place at)
{
    const char *end = name ? hone_identifier_end(name) : NULL;
    while (end && *end == '.')
        end = hone_identifier_end(end + 1);
    if (end && *end == '\0') return HONE_OK;
    return hone_fail_at(at.err, HONE_EINPUT, at.source, at.line,
                        "the name of constant '%s' is not an identifier",
                        name ? name : "");
}

static const char *slot_kind(const struct hone_space *space, size_t slot)
{
    if (slot < space->param_count) return "parameter";
    return slot < space->param_count + space->formula_count ? "derived value"
                                                            : "constant";
}

// Adds a name to the table, as slot number name_count.
static enum hone_status add_name(struct hone_space *space, const char *name,
                                 struct place at)
{
    const char *kind = slot_kind(space, space->name_count);
    const size_t first = hone_name_index_find(&space->index, name);
    if (first != SIZE_MAX) {
        const char *other = slot_kind(space, first);
        if (strcmp(kind, other) == 0)
            return hone_fail_at(at.err, HONE_EINPUT, at.source, at.line,
                                "%s '%s' is defined twice", kind, name);
        return hone_fail_at(at.err, HONE_EINPUT, at.source, at.line,
                            "'%s' is defined as a %s and as a %s", name, other, kind);
    }
    const char *copy = hone_arena_strdup(&space->arena, name);
    if (!copy || !hone_name_index_add(&space->index, copy))
        return hone_no_memory(at.err, "for a space");
    space->names[space->name_count++] = copy;
    return HONE_OK;
}

// --- values ---

// A float with an integer value counts as that integer.
static struct hone_value canonical(struct hone_value value)
{
    int64_t i;
    if (value.type == HONE_FLOAT && hone_value_to_int(value, &i))
        return (struct hone_value){.type = HONE_INT, .i = i};
    return value;
}

bool hone_value_matches(struct hone_value a, struct hone_value b)
{
    return hone_value_same(canonical(a), canonical(b));
}

static int compare_values(const void *a, const void *b)
{
    const struct hone_value x = canonical(*(const struct hone_value *)a);
    const struct hone_value y = canonical(*(const struct hone_value *)b);
    if (x.type != y.type) return x.type < y.type ? -1 : 1;
    switch (x.type) {
    case HONE_INT:
        return (x.i > y.i) - (x.i < y.i);
    case HONE_FLOAT:
        return (x.f > y.f) - (x.f < y.f);
    case HONE_BOOL:
        return x.b - y.b;
    case HONE_STRING:
        return strcmp(x.s, y.s);
    }
    return 0;
}

static bool ascends(const struct hone_param *param)
{
    for (size_t i = 1; i < param->count; i++)
        if (compare_values(&param->values[i - 1], &param->values[i]) >= 0) return false;
    return true;
}

static enum hone_status check_distinct(const struct hone_param *param, struct place at)
{
    if (ascends(param)) return HONE_OK;
    struct hone_value *sorted = malloc(param->count * sizeof *sorted);
    if (!sorted) return hone_no_memory(at.err, "for a space");
    memcpy(sorted, param->values, param->count * sizeof *sorted);
    qsort(sorted, param->count, sizeof *sorted, compare_values);
    enum hone_status status = HONE_OK;
    for (size_t i = 1; i < param->count && status == HONE_OK; i++) {
        if (compare_values(&sorted[i - 1], &sorted[i]) != 0) continue;
        char text[64];
        hone_value_print(text, sizeof text, sorted[i]);
        status =
            hone_fail_at(at.err, HONE_EINPUT, at.source, at.line,
                         "parameter '%s' lists the value %s twice", param->name, text);
    }
    free(sorted);
    return status;
}

static enum hone_status check_values(const struct hone_param *param, struct place at)
{
    if (param->count == 0)
        return hone_fail_at(at.err, HONE_EINPUT, at.source, at.line,
                            "parameter '%s' has no values", param->name);
    if (param->count > VALUES_MAX)
        return hone_fail_at(at.err, HONE_ELIMIT, at.source, at.line,
                            "parameter '%s' has %zu values, at most %d are supported",
                            param->name, param->count, VALUES_MAX);
    for (size_t i = 0; i < param->count; i++)
        if (param->values[i].type == HONE_FLOAT && !isfinite(param->values[i].f))
            return hone_fail_at(at.err, HONE_EINPUT, at.source, at.line,
                                "parameter '%s' has a value that is not finite",
                                param->name);
    return check_distinct(param, at);
}

static bool copy_value(struct hone_arena *arena, struct hone_value *to,
                       struct hone_value value)
{
    *to = value;
    if (value.type == HONE_STRING) to->s = hone_arena_strdup(arena, value.s);
    return value.type != HONE_STRING || to->s;
}

static enum hone_status add_param(struct hone_space *space,
                                  const struct hone_param *param, struct place at)
{
    enum hone_status status = check_name("parameter", param->name, at);
    if (status == HONE_OK) status = check_values(param, at);
    if (status == HONE_OK) status = add_name(space, param->name, at);
    if (status != HONE_OK) return status;
    struct hone_value *values =
        hone_arena_array(&space->arena, param->count, sizeof *values);
    if (!values) return hone_no_memory(at.err, "for a space");
    for (size_t i = 0; i < param->count; i++)
        if (!copy_value(&space->arena, &values[i], param->values[i]))
            return hone_no_memory(at.err, "for a space");
    size_t slot = space->name_count - 1;
    space->params[slot] = (struct hone_param){
        .name = space->names[slot], .values = values, .count = param->count};
    space->cartesian *= (double)param->count;
    return HONE_OK;
}

static enum hone_status add_constant(struct hone_space *space,
                                     const struct hone_constant *constant,
                                     struct place at)
{
    enum hone_status status = check_constant_name(constant->name, at);
    if (status == HONE_OK) status = add_name(space, constant->name, at);
    if (status != HONE_OK) return status;
    struct hone_value *slot = &space->slots[space->name_count - 1];
    return copy_value(&space->arena, slot, constant->value)
               ? HONE_OK
               : hone_no_memory(at.err, "for a space");
}

// --- the definition ---

static enum hone_status reserve(struct hone_space *space,
                                const struct hone_space_def *def, struct place *at)
{
    struct hone_arena *arena = &space->arena;
    size_t slots = def->param_count + def->derived_count + def->constant_count;
    space->line = def->line;
    space->cartesian = 1;
    space->param_count = def->param_count;
    space->formula_count = def->derived_count;
    space->params = hone_arena_array(arena, def->param_count, sizeof *space->params);
    space->names = hone_arena_array(arena, slots, sizeof *space->names);
    space->slots = hone_arena_array(arena, slots, sizeof *space->slots);
    if (def->source && !(space->source = hone_arena_strdup(arena, def->source)))
        return hone_no_memory(at->err, "for a space");
    bool ok = space->params && space->names && space->slots;
    return ok ? HONE_OK : hone_no_memory(at->err, "for a space");
}

enum hone_status hone_space_define(struct hone_space *space,
                                   const struct hone_space_def *def,
                                   struct hone_error *err)
{
    struct place at = {.source = def->source, .line = def->line, .err = err};
    if (def->param_count == 0)
        return hone_fail_at(err, HONE_EINPUT, at.source, at.line,
                            "there are no parameters");
    enum hone_status status = reserve(space, def, &at);
    for (size_t i = 0; i < def->param_count && status == HONE_OK; i++)
        status = add_param(space, &def->params[i], at);
    for (size_t i = 0; i < def->derived_count && status == HONE_OK; i++) {
        at.line = def->derived[i].line ? def->derived[i].line : def->line;
        status = check_name("derived value", def->derived[i].name, at);
        if (status == HONE_OK) status = add_name(space, def->derived[i].name, at);
    }
    at.line = def->line;
    for (size_t i = 0; i < def->constant_count && status == HONE_OK; i++)
        status = add_constant(space, &def->constants[i], at);
    return status;
}
