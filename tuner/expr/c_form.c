// A form: folded, with the facts of its nodes, and what is left of it. Printing adds
// types and ranges (print_c.c, print_guard.c).
#include <assert.h>
#include <stdlib.h>

#include "c_chains.h"
#include "c_fold.h"
#include "c_types.h"
#include "print_c.h"

// Operands come before their operator. is_left: of nodes.
static void mark_left(struct hone_c_form *form, const struct hone_expr *folded,
                      bool *is_left)
{
    is_left[folded->root] = true;
    for (uint32_t i = folded->root + 1; i-- > 0;) {
        const struct expr_node *node = &folded->nodes[i];
        if (!is_left[i] || node->op == OP_CONST) continue;
        if (node->op == OP_VAR) {
            form->is_read[node->a] = true;
            continue;
        }
        is_left[node->a] = true;
        if (node->b != HONE_NO_NODE) is_left[node->b] = true;
    }
}

// What has no value in a branch that is ruled out leaves the expression without one, too.
static bool may_lack_values(const struct hone_c_form *form)
{
    for (uint32_t i = 0; i < form->expr.var_count; i++)
        if (form->vars[form->expr.slots[i]].guard) return true;
    return false;
}

static void sum_up(struct hone_c_form *form, const struct hone_expr *folded,
                   const struct hone_c_fact *fact)
{
    const struct expr_node *root = &folded->nodes[folded->root];
    struct hone_c_summary *out = &form->summary;
    const bool may_lack = may_lack_values(form);
    out->type = fact->is_boolean ? HONE_BOOL : fact->is_number ? HONE_INT : HONE_STRING;
    out->never_fails = fact->never_fails && !may_lack;
    if (root->op == OP_CONST) out->value = folded->consts[root->a];
    out->is_known = root->op == OP_CONST && hone_c_is_simple(out->value) && !may_lack;
}

// The form takes what is folded.
static enum hone_status take_folded(struct hone_c_form *form, struct hone_expr *folded,
                                    const struct hone_c_fact *facts, bool *is_left,
                                    struct hone_error *err)
{
    mark_left(form, folded, is_left);
    sum_up(form, folded, &facts[folded->root]);
    enum hone_status status = hone_c_chains(&form->expr, folded, err);
    form->expr.consts = folded->consts;
    folded->consts = NULL;
    return status;
}

static enum hone_status fold(struct hone_c_form *form, const struct hone_expr *expr,
                             struct hone_error *err)
{
    const size_t count = expr->node_count;
    struct hone_expr folded = {0};
    struct hone_c_fact *facts = calloc(count, sizeof *facts);
    bool *is_left = calloc(count, sizeof *is_left);
    enum hone_status status =
        facts && is_left ? HONE_OK : hone_no_memory(err, "for an expression");
    if (status == HONE_OK) status = hone_c_fold(&folded, expr, form->vars, facts, err);
    if (status == HONE_OK) status = take_folded(form, &folded, facts, is_left, err);
    free(folded.nodes);
    free(folded.consts);
    free(is_left);
    free(facts);
    return status;
}

enum hone_status hone_c_form_new(struct hone_c_form **out, const struct hone_expr *expr,
                                 const struct hone_expr_c_var *vars,
                                 struct hone_error *err)
{
    struct hone_c_form *form = calloc(1, sizeof *form);
    *out = form;
    if (!form) return hone_no_memory(err, "for an expression");
    form->vars = vars;
    form->expr.slots = expr->slots;
    form->expr.var_count = expr->var_count;
    form->is_read = calloc(expr->var_count + 1, sizeof *form->is_read);
    form->types = malloc(HONE_C_NODES(expr->node_count));
    form->ranges = calloc(HONE_C_NODES(expr->node_count), sizeof *form->ranges);
    enum hone_status status = form->is_read && form->types && form->ranges
                                  ? fold(form, expr, err)
                                  : hone_no_memory(err, "for an expression");
    if (status == HONE_OK) return status;
    hone_c_form_free(form);
    *out = NULL;
    return status;
}

void hone_c_form_free(struct hone_c_form *form)
{
    if (!form) return;
    free(form->expr.nodes);
    free(form->expr.consts);
    free(form->is_read);
    free(form->types);
    free(form->ranges);
    free(form);
}

void hone_c_form_deny(struct hone_c_form *form)
{
    assert(!form->is_printed);
    form->denies = true;
}

const struct hone_c_summary *hone_c_form_summary(const struct hone_c_form *form)
{
    return &form->summary;
}

bool hone_c_form_reads(const struct hone_c_form *form, size_t var)
{
    assert(var < form->expr.var_count);
    return form->is_read[var];
}
