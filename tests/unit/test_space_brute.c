// Thousands of tiny random spaces against brute force: every combination is tried, in
// order, with each constraint evaluated whole.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hone/rng.h"
#include "hone/space.h"
#include "hone_test.h"
#include "space_def.h"

enum { SPACES = 4000, PARAMS_MAX = 5, TUPLES_MAX = 4096, RULES_MAX = 5, TEXT = 128 };
enum { VALUES_MAX = 140, NEIGHBOURS_MAX = PARAMS_MAX * VALUES_MAX };

// --- random definitions ---

struct random_space {
    struct space_def def;
    char texts[2 * DEF_LINES][TEXT];
    size_t text_count;
    size_t derived_count;
    const char *vars[3]; // of the predicate
    struct hone_rng rng;
};

static const char *const param_names[PARAMS_MAX] = {"alpha", "b", "C3", "d_4", "e"};
static const char *const derived_names[] = {"D0", "D1", "D2"};

static size_t below(struct random_space *r, size_t n)
{
    return (size_t)hone_rng_below(&r->rng, n);
}

// Mostly small integers, zero and negative ones too; some floats, booleans, strings.
static struct hone_value nth_value(size_t kind, size_t i)
{
    static const char *const words[] = {"row", "col", "3", "", "x"};
    switch (kind) {
    case 0:
        return (struct hone_value){.type = HONE_FLOAT, .f = 0.5 * (double)i};
    case 1:
        return (struct hone_value){.type = HONE_BOOL, .b = i % 2};
    case 2:
        return (struct hone_value){.type = HONE_STRING, .s = words[i]};
    default:
        return (struct hone_value){.type = HONE_INT, .i = (int64_t)i - (int64_t)kind % 3};
    }
}

// Some spaces have a parameter with more values than a word has bits.
static void add_params(struct random_space *r)
{
    size_t params = 1 + below(r, PARAMS_MAX), tuples = 1;
    size_t longest = below(r, 15) ? SIZE_MAX : below(r, params);
    for (size_t p = 0; p < params; p++) {
        size_t kind = p == longest ? 6 : below(r, 30);
        size_t count = 1 + below(r, kind == 1 ? 2 : 5);
        if (p == longest) count = 60 + below(r, VALUES_MAX - 60);
        if (tuples * count > TUPLES_MAX) count = 1;
        tuples *= count;
        struct hone_value values[VALUES_MAX];
        for (size_t i = 0; i < count; i++)
            values[i] = nth_value(kind, i);
        space_def_values(&r->def, param_names[p], values, count);
    }
    space_def_constant(&r->def, "N", 6);
    space_def_constant(&r->def, "device.limit", 3);
}

static const char *any_param(struct random_space *r)
{
    return param_names[below(r, r->def.def.param_count)];
}

static const char *any_name(struct random_space *r)
{
    size_t kind = below(r, 8);
    if (kind == 0) return "N";
    if (kind == 1) return "device.limit";
    if (kind < 4 && r->derived_count) return derived_names[below(r, r->derived_count)];
    return any_param(r);
}

// A pattern with four places for names.
static const char *fill(struct random_space *r, const char *const *patterns, size_t count)
{
    char *text = r->texts[r->text_count++];
    const char *pattern = patterns[below(r, count)];
    size_t used = 0;
    for (; *pattern; pattern++) {
        if (*pattern == '?')
            used += (size_t)snprintf(text + used, TEXT - used, "%s", any_name(r));
        else
            text[used++] = *pattern;
    }
    text[used] = '\0';
    return text;
}

// Each uses those before it only, but they are defined in the opposite order.
static void add_derived(struct random_space *r)
{
    static const char *const patterns[] = {"? + ?",     "? * ? - 1",        "? // ?",
                                           "max(?, 2)", "N * device.limit", "? == ?"};
    size_t count = below(r, 4);
    const char *texts[3];
    for (; r->derived_count < count; r->derived_count++)
        texts[r->derived_count] = fill(r, patterns, sizeof patterns / sizeof *patterns);
    for (size_t i = count; i-- > 0;)
        space_def_derive(&r->def, derived_names[i], texts[i]);
}

// Some function that neither side can guess; raises now and then.
static enum hone_status odd_predicate(void *context, const struct hone_value *args,
                                      size_t count, bool *holds, struct hone_error *err)
{
    uint64_t mix = *(const uint64_t *)context;
    for (size_t i = 0; i < count; i++) {
        char text[40];
        hone_value_print(text, sizeof text, args[i]);
        for (const char *c = text; *c; c++)
            mix = (mix ^ (uint64_t)*c) * 0x100000001b3;
    }
    mix ^= mix >> 29;
    *holds = mix % 8 < 5;
    return mix % 8 == 6 ? hone_fail(err, HONE_EINPUT, "it raised") : HONE_OK;
}

static void add_constraints(struct random_space *r)
{
    static const char *const patterns[] = {"? % ? == 0",
                                           "? * ? <= N",
                                           "? < ? and ? // ? >= 1",
                                           "? ~= ?",
                                           "? or ? == ?",
                                           "0 <= ? < ?",
                                           "not (? == ? and ? > 1)",
                                           "? / ? > 0.5",
                                           "? + ? + ? <= ?",
                                           "? == 1 or ? >= 2",
                                           "? == ?",
                                           "device.limit < N",
                                           "(? > 0 and ? > 0) and ? > 0"};
    static uint64_t context;
    size_t count = below(r, RULES_MAX);
    for (size_t i = 0; i < count; i++) {
        if (below(r, 6) > 0) {
            space_def_where(&r->def,
                            fill(r, patterns, sizeof patterns / sizeof *patterns));
            continue;
        }
        for (size_t k = 0; k < 3; k++)
            r->vars[k] = any_name(r);
        context = hone_rng_next(&r->rng);
        space_def_where(&r->def, "odd");
        struct hone_constraint *added = &r->def.constraints[i];
        added->holds = odd_predicate;
        added->context = &context;
        added->vars = r->vars;
        added->var_count = 1 + below(r, 3);
    }
}

static void make_random(struct random_space *r, uint64_t seed)
{
    *r = (struct random_space){0};
    hone_rng_seed(&r->rng, seed);
    add_params(r);
    add_derived(r);
    add_constraints(r);
}

// --- brute force ---

struct brute {
    const struct hone_space_def *def;
    const char *names[DEF_PARAMS + 2 * DEF_LINES];
    size_t name_count;
    struct hone_expr *derived[DEF_LINES];
    struct hone_expr *rules[DEF_LINES]; // NULL for a predicate
    size_t tuples;
    bool valid[TUPLES_MAX];
    double alone[RULES_MAX]; // rejected by each constraint
    size_t last_rejector;    // the constraints before it, together, leave something
    size_t count;
};

struct tuple {
    uint16_t choices[PARAMS_MAX];
    struct hone_value slots[DEF_PARAMS + 2 * DEF_LINES];
    bool failed[DEF_PARAMS + 2 * DEF_LINES]; // slots of derived values that raised
};

static struct hone_expr *parse(struct brute *b, const char *text)
{
    struct hone_expr *expr = NULL;
    struct hone_error err = {0};
    assert_ok(hone_expr_new(&expr, text, &err), err);
    assert_ok(hone_expr_bind(expr, b->names, b->name_count, &err), err);
    return expr;
}

static void brute_init(struct brute *b, const struct hone_space_def *def)
{
    *b = (struct brute){.def = def, .tuples = 1};
    for (size_t i = 0; i < def->param_count; i++) {
        b->names[b->name_count++] = def->params[i].name;
        b->tuples *= def->params[i].count;
    }
    for (size_t i = 0; i < def->derived_count; i++)
        b->names[b->name_count++] = def->derived[i].name;
    for (size_t i = 0; i < def->constant_count; i++)
        b->names[b->name_count++] = def->constants[i].name;
    for (size_t i = 0; i < def->derived_count; i++)
        b->derived[i] = parse(b, def->derived[i].text);
    for (size_t i = 0; i < def->constraint_count; i++)
        if (!def->constraints[i].holds) b->rules[i] = parse(b, def->constraints[i].text);
}

static void brute_fini(struct brute *b)
{
    for (size_t i = 0; i < DEF_LINES; i++) {
        hone_expr_free(b->derived[i]);
        hone_expr_free(b->rules[i]);
    }
}

static bool uses_failed(const struct hone_expr *expr, const struct tuple *t)
{
    for (size_t v = 0; v < hone_expr_var_count(expr); v++)
        if (t->failed[hone_expr_slot(expr, v)]) return true;
    return false;
}

// Tuple number i in lexicographic order, the last parameter fastest.
static void unpack(const struct brute *b, size_t i, struct tuple *t)
{
    const struct hone_space_def *def = b->def;
    *t = (struct tuple){0};
    for (size_t p = def->param_count; p-- > 0; i /= def->params[p].count) {
        t->choices[p] = (uint16_t)(i % def->params[p].count);
        t->slots[p] = def->params[p].values[t->choices[p]];
    }
    size_t derived = def->param_count, constants = derived + def->derived_count;
    for (size_t k = 0; k < def->constant_count; k++)
        t->slots[constants + k] = def->constants[k].value;
    for (size_t k = def->derived_count; k-- > 0;) {
        t->failed[derived + k] =
            uses_failed(b->derived[k], t) ||
            hone_expr_eval(b->derived[k], t->slots, &t->slots[derived + k], NULL, NULL);
    }
}

static size_t slot_named(const struct brute *b, const char *name)
{
    size_t slot = 0;
    while (strcmp(b->names[slot], name) != 0)
        slot++;
    return slot;
}

static bool predicate_holds(const struct brute *b, size_t rule, const struct tuple *t)
{
    const struct hone_constraint *c = &b->def->constraints[rule];
    struct hone_value args[3];
    for (size_t i = 0; i < c->var_count; i++) {
        size_t slot = slot_named(b, c->vars[i]);
        if (t->failed[slot]) return false;
        args[i] = t->slots[slot];
    }
    bool holds = false;
    return !c->holds(c->context, args, c->var_count, &holds, NULL) && holds;
}

// A conjunct that uses a derived value which raised does not hold; those before it may
// already have decided, either way for "no".
static bool rule_holds(const struct brute *b, size_t rule, const struct tuple *t)
{
    const struct hone_expr *expr = b->rules[rule];
    struct hone_value value;
    if (!expr) return predicate_holds(b, rule, t);
    return !uses_failed(expr, t) && !hone_expr_eval(expr, t->slots, &value, NULL, NULL) &&
           hone_value_true(value);
}

static void brute_run(struct brute *b)
{
    for (size_t i = 0; i < b->tuples; i++) {
        struct tuple t;
        unpack(b, i, &t);
        b->valid[i] = true;
        size_t rejector = 0;
        for (size_t rule = 0; rule < b->def->constraint_count; rule++) {
            if (rule_holds(b, rule, &t)) continue;
            if (b->valid[i]) rejector = rule;
            b->valid[i] = false;
            b->alone[rule]++;
        }
        if (rejector > b->last_rejector) b->last_rejector = rejector;
        b->count += b->valid[i];
    }
}

// --- comparing ---

static bool derived_succeed(const struct brute *b, const struct tuple *t)
{
    for (size_t i = 0; i < b->name_count; i++)
        if (t->failed[i]) return false;
    return true;
}

static bool same_or_both_nan(struct hone_value a, struct hone_value b)
{
    bool nans = a.type == HONE_FLOAT && b.type == HONE_FLOAT && isnan(a.f) && isnan(b.f);
    return nans || hone_value_same(a, b);
}

static void compare_slots(const struct hone_space *space, const struct brute *b,
                          uint64_t index, const struct tuple *t)
{
    struct hone_value slots[DEF_PARAMS + 2 * DEF_LINES];
    enum hone_status status = hone_space_slots(space, index, slots, NULL);
    assert_int_equal(status, derived_succeed(b, t) ? HONE_OK : HONE_EINPUT);
    if (status) return;
    for (size_t i = 0; i < b->name_count; i++)
        assert_true(same_or_both_nan(slots[i], t->slots[i]));
}

static void compare_neighbours(const struct hone_space *space, const struct brute *b,
                               uint64_t index, const uint64_t *index_of)
{
    uint64_t hamming[NEIGHBOURS_MAX], adjacent[NEIGHBOURS_MAX];
    uint64_t expect_h[NEIGHBOURS_MAX], expect_a[NEIGHBOURS_MAX];
    size_t h = 0, a = 0, self = 0;
    struct tuple t;
    while (index_of[self] != index)
        self++;
    unpack(b, self, &t);
    size_t weight =
        b->tuples; // of parameter p in the tuple number, after the division below
    for (size_t p = 0; p < b->def->param_count; p++) {
        size_t count = b->def->params[p].count, own = t.choices[p];
        size_t down = SIZE_MAX, up = SIZE_MAX;
        weight /= count;
        for (size_t v = 0; v < count; v++) {
            size_t other = self + v * weight - own * weight;
            if (v == own || !b->valid[other]) continue;
            expect_h[h++] = index_of[other];
            if (v < own) down = other;
            if (v > own && up == SIZE_MAX) up = other;
        }
        if (down != SIZE_MAX) expect_a[a++] = index_of[down];
        if (up != SIZE_MAX) expect_a[a++] = index_of[up];
    }
    assert_int_equal(
        hone_space_neighbours(space, index, HONE_HAMMING, hamming, NEIGHBOURS_MAX), h);
    assert_memory_equal(hamming, expect_h, h * sizeof *hamming);
    assert_int_equal(
        hone_space_neighbours(space, index, HONE_ADJACENT, adjacent, NEIGHBOURS_MAX), a);
    assert_memory_equal(adjacent, expect_a, a * sizeof *adjacent);
}

static void compare_configurations(const struct hone_space *space, const struct brute *b)
{
    static uint64_t index_of[TUPLES_MAX];
    uint64_t next = 0;
    for (size_t i = 0; i < b->tuples; i++)
        index_of[i] = b->valid[i] ? next++ : UINT64_MAX;
    assert_int_equal(hone_space_count(space), next);
    for (size_t i = 0; i < b->tuples; i++) {
        struct tuple t;
        unpack(b, i, &t);
        uint64_t index = 0;
        enum hone_status status = hone_space_index(space, t.choices, &index);
        assert_int_equal(status, b->valid[i] ? HONE_OK : HONE_ENOTFOUND);
        if (status) continue;
        assert_int_equal(index, index_of[i]);
        uint16_t choices[PARAMS_MAX];
        hone_space_choices(space, index, choices);
        assert_memory_equal(choices, t.choices, b->def->param_count * sizeof *choices);
        compare_slots(space, b, index, &t);
        compare_neighbours(space, b, index, index_of);
    }
}

static void compare_rules(const struct hone_space *space, const struct brute *b)
{
    double removed = 0;
    assert_int_equal(hone_space_constraint_count(space), b->def->constraint_count);
    for (size_t i = 0; i < b->def->constraint_count; i++) {
        struct hone_constraint_info info;
        hone_space_constraint_info(space, i, &info);
        assert_string_equal(info.text, b->def->constraints[i].text);
        assert_int_equal(info.line, b->def->constraints[i].line);
        assert_true(info.alone == b->alone[i]);
        assert_true(0 <= info.removed && info.removed <= info.alone);
        assert_int_equal(info.failed > 0, info.first_failure[0] != '\0');
        removed += info.removed;
    }
    assert_true(removed == (double)(b->tuples - b->count));
    assert_true(hone_space_cartesian(space) == (double)b->tuples);
}

static bool constant_derived_fail(const struct brute *b)
{
    size_t params = b->def->param_count;
    bool varies[DEF_PARAMS + 2 * DEF_LINES] = {false};
    struct tuple t;
    unpack(b, 0, &t);
    for (size_t p = 0; p < params; p++)
        varies[p] = true;
    for (size_t k = b->def->derived_count; k-- > 0;) {
        for (size_t v = 0; v < hone_expr_var_count(b->derived[k]); v++)
            varies[params + k] |= varies[hone_expr_slot(b->derived[k], v)];
        if (!varies[params + k] && t.failed[params + k]) return true;
    }
    return false;
}

static void random_spaces_agree_with_brute_force(void **state)
{
    (void)state;
    static struct random_space r;
    static struct brute b;
    size_t compared = 0, empty = 0;
    for (uint64_t seed = 1; seed <= SPACES; seed++) {
        make_random(&r, seed);
        brute_init(&b, space_def_get(&r.def));
        brute_run(&b);
        struct hone_space *space = NULL;
        struct hone_error err = {0};
        enum hone_status status = hone_space_new(&space, &r.def.def, &err);
        if (status) {
            assert_int_equal(status, HONE_EINPUT);
            bool none = strstr(err.text, "no configuration is valid") == err.text;
            assert_true(none ? b.count == 0 : constant_derived_fail(&b));
            if (none) assert_int_equal(err.line, 20 + b.last_rejector);
            empty += none;
        } else {
            compare_configurations(space, &b);
            compare_rules(space, &b);
            compared++;
        }
        hone_space_free(space);
        brute_fini(&b);
    }
    assert_true(compared > SPACES / 3 && empty > SPACES / 50);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_spaces_agree_with_brute_force),
};

HONE_TEST_MAIN(tests)
