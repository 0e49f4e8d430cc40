// What is known of an expression ahead of printing: the names that what is left of it
// reads, its value, and whether it always has one. It needs no C form for that.
#include "expr/c_summary.h"

#include <stdlib.h>

#include "c_fold.h"

struct summing {
    const struct hone_expr *expr; // folded
    const struct hone_expr_c_var *vars;
    struct hone_c_fact *facts; // of its nodes
    bool *is_left;             // those that the root reaches
};

// Operands come before their operator.
static void mark_left(struct summing *s)
{
    const struct hone_expr *expr = s->expr;
    s->is_left[expr->root] = true;
    for (uint32_t i = expr->root + 1; i-- > 0;) {
        const struct expr_node *node = &expr->nodes[i];
        if (!s->is_left[i] || node->op == OP_CONST) continue;
        if (node->op == OP_VAR) {
            const struct hone_expr_c_var *var = &s->vars[expr->slots[node->a]];
            if (var->printed) *var->printed = true;
            continue;
        }
        s->is_left[node->a] = true;
        if (node->b != HONE_NO_NODE) s->is_left[node->b] = true;
    }
}

static void sum_up(struct summing *s, struct hone_expr_c_summary *out)
{
    const struct hone_expr *expr = s->expr;
    const struct expr_node *root = &expr->nodes[expr->root];
    mark_left(s);
    const struct hone_c_fact *fact = &s->facts[expr->root];
    out->type = fact->is_boolean ? HONE_BOOL : fact->is_number ? HONE_INT : HONE_STRING;
    out->never_fails = fact->never_fails;
    if (root->op == OP_CONST) out->value = expr->consts[root->a];
    out->is_known = root->op == OP_CONST && hone_c_is_simple(out->value);
}

enum hone_status hone_expr_c_summarize(const struct hone_expr *expr,
                                       const struct hone_expr_c_var *vars,
                                       struct hone_expr_c_summary *out,
                                       struct hone_error *err)
{
    struct hone_expr folded = {0};
    struct summing s = {.expr = &folded,
                        .vars = vars,
                        .facts = calloc(expr->node_count, sizeof *s.facts),
                        .is_left = calloc(expr->node_count, sizeof *s.is_left)};
    enum hone_status status =
        s.facts && s.is_left ? HONE_OK : hone_no_memory(err, "for an expression");
    *out = (struct hone_expr_c_summary){.type = HONE_STRING};
    if (status == HONE_OK) status = hone_c_fold(&folded, expr, vars, s.facts, err);
    if (status == HONE_OK) sum_up(&s, out);
    free(s.is_left);
    free(s.facts);
    free(folded.nodes);
    free(folded.consts);
    return status;
}
