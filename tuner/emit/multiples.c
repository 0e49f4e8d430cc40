// Which powers of two divide what a header computes of sizes. Conditions that it asks say
// so of sizes, directly or by derived values: "A_STRIDE % 16 == 0", A_STRIDE being 2 * K.
#include <stdlib.h>

#include "c_names.h"
#include "emit_launch.h"

static const struct hone_expr_c_var unknown = {
    .type = HONE_STRING, .text = "", .guard = ""};

/* What is known of each name for one configuration. */
struct known {
    struct emit_plan *plan;
    const struct emit_config *config;
    struct emit_walk walk;
    unsigned char *sizes;         // [problem_count] exponents
    unsigned char *derived;       // [derived_count]
    struct hone_expr_c_var *vars; // [derived_count]
    struct hone_value *values;    // [derived_count] where they are known
    struct hone_c_twos parts;     // those of readings
};

/* An expression with what is known of its variables; form NULL: it has none. */
struct reading {
    struct hone_c_form *form;
    struct hone_value *values;
    struct hone_expr_c_var *vars;
    struct hone_c_twos twos; // its parts are those that are known
};

// Where twos of a name are kept; NULL: of others nothing is.
static unsigned char *twos_of(const struct known *known, struct emit_name name)
{
    return name.kind == EMIT_CONSTANT  ? &known->sizes[name.number]
           : name.kind == EMIT_DERIVED ? &known->derived[name.number]
                                       : NULL;
}

static void read_formula(struct reading *out, const struct known *known,
                         const struct emit_formula *formula)
{
    const size_t count = formula->expr ? hone_expr_var_count(formula->expr) : 0;
    *out = (struct reading){.values = calloc(count + 1, sizeof *out->values),
                            .vars = calloc(count + 1, sizeof *out->vars),
                            .twos = known->parts};
    out->twos.vars = calloc(count + 1, 1);
    if (!formula->expr || !out->values || !out->vars || !out->twos.vars) return;
    for (size_t i = 0; i < count; i++) {
        const struct emit_name name = formula->names[i];
        const unsigned char *twos = twos_of(known, name);
        if (name.kind == EMIT_PARAM)
            out->values[i] = hone_emit_value_of(known->config, name.number);
        out->vars[i] = name.kind == EMIT_DERIVED
                           ? known->vars[name.number]
                           : hone_emit_known_of(known->plan, &out->values[i], name,
                                                hone_expr_var(formula->expr, i));
        if (twos) out->twos.vars[i] = *twos;
    }
    if (hone_c_form_new(&out->form, formula->expr, out->vars, NULL) != HONE_OK)
        out->form = NULL;
}

static void reading_fini(struct reading *reading)
{
    hone_c_form_free(reading->form);
    free(reading->twos.vars);
    free(reading->vars);
    free(reading->values);
}

// What the expression says, being true (-1) or divided by 2^exponent, goes to the names.
static void learn_from(struct known *known, const struct emit_formula *formula,
                       int exponent)
{
    struct reading reading;
    read_formula(&reading, known, formula);
    if (reading.form) {
        hone_c_form_learn(reading.form, exponent, &reading.twos);
        known->parts.parts = reading.twos.parts;
        known->parts.arena = reading.twos.arena;
        for (size_t i = 0; i < hone_expr_var_count(formula->expr); i++) {
            unsigned char *twos = twos_of(known, formula->names[i]);
            if (twos && *twos < reading.twos.vars[i]) *twos = reading.twos.vars[i];
        }
    }
    reading_fini(&reading);
}

// Those that it reads were visited.
static enum hone_status derive(void *context, size_t i)
{
    const struct known *known = context;
    struct hone_expr_c_var *var = &known->vars[i];
    struct reading reading;
    *var = unknown;
    if (!known->plan->derived[i].is_sound) return HONE_OK;
    read_formula(&reading, known, &known->plan->derived[i].formula);
    if (reading.form) {
        const struct hone_c_summary *summary = hone_c_form_summary(reading.form);
        const int twos = hone_c_form_twos(reading.form, &reading.twos);
        if (summary->type == HONE_INT && twos >= 0) var->type = HONE_INT;
        if (twos > known->derived[i]) known->derived[i] = (unsigned char)twos;
        // a text would be borrowed from the form
        if (summary->is_known && summary->value.type != HONE_STRING) {
            known->values[i] = summary->value;
            *var = (struct hone_expr_c_var){
                .type = summary->value.type, .text = "", .value = &known->values[i]};
        }
    }
    reading_fini(&reading);
    return HONE_OK;
}

static void derive_all(struct known *known)
{
    hone_emit_walk_again(&known->walk);
    for (size_t i = 0; i < known->plan->info->derived_count; i++)
        hone_emit_walk(&known->walk, i, derive, known);
}

static void learn_fit(struct known *known, const struct emit_fit *fit)
{
    struct emit_formula formula;
    const bool says = fit->of == EMIT_FIT_TRUTH || fit->unit > 1;
    if (!says || !fit->fails || !fit->text) return;
    if (hone_emit_formula_init(&formula, known->plan, fit->text))
        learn_from(known, &formula,
                   fit->of == EMIT_FIT_TRUTH ? -1 : __builtin_ctzll((uint64_t)fit->unit));
    hone_emit_formula_fini(&formula);
}

// Up, as conditions are read by what derived values are; down from them to sizes; and up
// again.
static void find_all(struct known *known)
{
    const struct emit_plan *plan = known->plan;
    derive_all(known);
    for (size_t i = 0; i < plan->fit_count; i++)
        learn_fit(known, &plan->fits[i]);
    for (size_t n = known->walk.done_count; n-- > 0;) {
        const size_t i = known->walk.done[n];
        if (known->derived[i] && known->vars[i].type == HONE_INT)
            learn_from(known, &plan->derived[i].formula, known->derived[i]);
    }
    derive_all(known);
}

static bool known_init(struct known *known, struct emit_plan *plan,
                       const struct emit_config *config)
{
    const size_t count = plan->info->derived_count;
    *known = (struct known){.plan = plan,
                            .config = config,
                            .sizes = calloc(plan->info->problem_count + 1, 1),
                            .derived = calloc(count + 1, 1),
                            .vars = calloc(count + 1, sizeof *known->vars),
                            .values = calloc(count + 1, sizeof *known->values)};
    for (size_t i = 0; known->vars && i < count; i++)
        known->vars[i] = unknown;
    return hone_emit_walk_init(&known->walk, plan) && known->sizes && known->derived &&
           known->vars && known->values;
}

static void known_fini(struct known *known)
{
    hone_emit_walk_fini(&known->walk);
    hone_arena_fini(&known->parts.arena);
    free(known->values);
    free(known->vars);
    free(known->derived);
    free(known->sizes);
}

static bool is_multiple_of(struct emit_plan *plan, const struct emit_config *config,
                           const struct emit_formula *formula, int exponent)
{
    struct known known;
    struct reading reading = {0};
    bool is = false;
    if (known_init(&known, plan, config)) {
        find_all(&known);
        read_formula(&reading, &known, formula);
        is = reading.form && hone_c_form_twos(reading.form, &reading.twos) >= exponent;
    }
    reading_fini(&reading);
    known_fini(&known);
    return is;
}

bool hone_emit_is_multiple(struct emit_plan *plan, const char *text, int64_t unit)
{
    struct emit_formula formula;
    bool is = hone_emit_formula_init(&formula, plan, text);
    for (size_t i = 0; i < plan->config_count && is; i++)
        is = is_multiple_of(plan, &plan->configs[i], &formula,
                            __builtin_ctzll((uint64_t)unit));
    hone_emit_formula_fini(&formula);
    return is;
}
