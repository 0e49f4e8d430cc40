// Any text as an expression: parsed, evaluated, cut into its conjuncts, printed as C, and
// in a plan, which must say what evaluation says for every choice. tests/fuzz/printed.c
// compiles what is printed here.
#include "expr/plan.h"
#include "expr_input.h"
#include "hone/strbuf.h"

enum { DEPTHS = 6, VALUES = 3 }; // of a plan

static void cut(const struct hone_expr *expr, const struct hone_value *slots,
                struct hone_value whole)
{
    bool all = true;
    for (size_t i = 0; i < hone_expr_conjunct_count(expr); i++) {
        struct hone_expr *part = NULL;
        struct hone_value value;
        struct hone_error err = {0};
        fuzz_must(hone_expr_conjunct(&part, expr, i, &err), &err);
        const enum hone_status status = hone_expr_eval(part, slots, &value, NULL, &err);
        FUZZ_CHECK(status == HONE_OK || !hone_value_true(whole));
        all = all && status == HONE_OK && hone_value_true(value);
        hone_expr_free(part);
    }
    FUZZ_CHECK(all == hone_value_true(whole));
}

static void evaluate(const struct hone_expr *expr, const struct hone_value *slots)
{
    struct hone_value value;
    struct hone_error err = {0};
    unsigned notes = 0;
    char text[64];
    if (!fuzz_taken(hone_expr_eval(expr, slots, &value, &notes, &err), &err)) return;
    if (value.type != HONE_STRING) hone_value_print(text, sizeof text, value);
    cut(expr, slots, value);
}

static void print(const struct hone_expr *expr)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    enum hone_type type;
    struct hone_error err = {0};
    fuzz_taken(hone_expr_print_c(expr, input_c, &out, &type, &err), &err);
    hone_strbuf_fini(&out);
}

// --- a plan, in which s and device.n are constants ---

struct planned {
    const struct hone_expr *expr;
    struct hone_expr_plan *plan;
    struct hone_value values[INPUT_VARS][VALUES], slots[INPUT_VARS];
    size_t counts[INPUT_VARS];
    struct hone_plan_name names[INPUT_VARS];
    struct hone_plan_depth depths[DEPTHS];
    uint32_t root;
    uint64_t moment, chosen_at[DEPTHS], filled_at[DEPTHS];
};

static void set_up(struct planned *p, const struct hone_value *slots)
{
    for (size_t v = 0; v < INPUT_VARS; v++) {
        const enum hone_type type = slots[v].type;
        const size_t count = v >= DEPTHS ? 1 : type == HONE_BOOL ? 2 : VALUES;
        p->counts[v] = count;
        p->values[v][0] = p->slots[v] = slots[v];
        for (size_t i = 1; i < count; i++)
            p->values[v][i] = type == HONE_BOOL
                                  ? (struct hone_value){.type = type, .b = !slots[v].b}
                                  : input_value(type, (unsigned)(2 * i + v));
        p->names[v] = (struct hone_plan_name){
            .values = p->values[v], .count = count, .depth = v < DEPTHS ? v : 0};
        if (v < DEPTHS)
            p->depths[v] = (struct hone_plan_depth){
                .choices = count, .var_count = 1, .counts = {count}};
    }
}

static void compare_from(struct planned *p, size_t depth)
{
    if (depth == DEPTHS) return;
    const struct hone_plan_truths truths = hone_plan_truths(p->plan, p->root);
    hone_plan_fill(p->plan, depth, p->chosen_at, p->filled_at[depth]);
    p->filled_at[depth] = p->moment;
    for (size_t i = 0; i < p->counts[depth]; i++) {
        p->slots[depth] = p->values[depth][i];
        if (truths.depth == depth) {
            struct hone_value value;
            struct hone_error err = {0};
            fuzz_must(hone_expr_eval(p->expr, p->slots, &value, NULL, &err), &err);
            FUZZ_CHECK((truths.words[0] >> i & 1) == hone_value_true(value));
        }
        hone_plan_choose(p->plan, depth, i);
        p->chosen_at[depth] = ++p->moment;
        if (depth < truths.depth) compare_from(p, depth + 1);
    }
}

static void plan(const struct hone_expr *expr, const struct hone_value *slots)
{
    struct planned p = {.expr = expr, .moment = 1};
    set_up(&p, slots);
    p.plan = hone_plan_new(p.names, p.depths, DEPTHS);
    FUZZ_CHECK(p.plan != NULL);
    const enum hone_status status = hone_plan_add(p.plan, expr, &p.root);
    FUZZ_CHECK(status == HONE_OK || status == HONE_EUNSUPPORTED);
    if (status == HONE_OK) {
        FUZZ_CHECK(hone_plan_seal(p.plan));
        compare_from(&p, 0);
    }
    hone_plan_free(p.plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct expr_input input;
    expr_input_read(&input, data, size);
    struct hone_expr *expr = expr_input_parse(&input);
    if (expr) {
        evaluate(expr, input.slots);
        print(expr);
        plan(expr, input.slots);
    }
    hone_expr_free(expr);
    free(input.text);
    return 0;
}
