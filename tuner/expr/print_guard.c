// The condition under which a printed expression has a value, as C.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "c_types.h"
#include "hone/strbuf.h"
#include "print_c.h"

struct guard {
    struct printer printer;
    const struct hone_c_known *known;
};

// Append the terms of a node and those below it, each after " && " but the first.
static void add_terms(struct guard *g, uint32_t node, struct hone_strbuf *out);

static void begin_term(struct guard *g, struct hone_strbuf *out)
{
    if (out->len) hone_strbuf_add(out, " && ");
    g->printer.out = out;
    g->printer.most = out->len + MOST_BYTES;
}

static bool is_never_zero(const struct guard *g, uint32_t i)
{
    const struct hone_expr *expr = g->printer.expr;
    const struct expr_node *node = &expr->nodes[i];
    char text[256];
    const struct hone_range *range = &g->printer.ranges[i];
    if (node->op == OP_CONST) return expr->consts[node->a].i != 0;
    if (range->low > 0 || range->high < 0) return true;
    const size_t length = node->end - node->begin;
    if (!g->known || length >= sizeof text) return false;
    memcpy(text, expr->text + node->begin, length);
    text[length] = '\0';
    return g->known->is_never_zero(g->known->context, text);
}

static void add_divisor(struct guard *g, uint32_t node, struct hone_strbuf *out)
{
    if (is_never_zero(g, node)) return;
    const bool is_name = g->printer.expr->nodes[node].op == OP_VAR;
    begin_term(g, out);
    hone_strbuf_add(out, is_name ? "" : "(hone2_add(");
    hone_c_print(&g->printer, node);
    hone_strbuf_add(out, is_name ? " != 0" : ", 0) != 0)");
}

static void add_integer(struct guard *g, uint32_t node, struct hone_strbuf *out)
{
    if (node == HONE_NO_NODE || g->printer.types[node] != HONE_FLOAT) return;
    begin_term(g, out);
    hone_strbuf_add(out, "(hone2_cmp_fi(");
    hone_c_print(&g->printer, node);
    hone_strbuf_add(out, ", hone2_to_int(");
    hone_c_print(&g->printer, node);
    hone_strbuf_add(out, ")) == 0)");
}

// The terms of the right operand, where that is looked at.
static void add_right_terms(struct guard *g, const struct expr_node *node,
                            struct hone_strbuf *out)
{
    const bool is_or = node->op == OP_OR;
    const unsigned left = g->printer.types[node->a];
    const bool always = left != HONE_BOOL && left != MAYBE_FALSE;
    struct hone_strbuf terms = HONE_STRBUF_INIT;
    if (always && is_or) return;
    add_terms(g, node->b, &terms);
    if (terms.len) {
        begin_term(g, out);
        if (!always) {
            const uint32_t decides =
                left == MAYBE_FALSE ? g->printer.expr->nodes[node->a].a : node->a;
            hone_strbuf_add(out, is_or ? "(" : "(!");
            hone_c_print_operand(&g->printer, decides);
            hone_strbuf_add(out, " || ");
        }
        hone_strbuf_printf(out, always ? "%s" : "(%s))", terms.data);
    }
    out->failed |= terms.failed;
    hone_strbuf_fini(&terms);
}

static bool wants_integers(unsigned op)
{
    return op == OP_BNOT || (op >= OP_BAND && op <= OP_SHR) || op == OP_IS_POW2;
}

static bool divides(unsigned op)
{
    return op == OP_IDIV || op == OP_MOD || op == OP_CEIL_DIV || op == OP_ROUND_UP;
}

static void add_terms(struct guard *g, uint32_t i, struct hone_strbuf *out)
{
    const struct expr_node *node = &g->printer.expr->nodes[i];
    const uint8_t *types = g->printer.types;
    if (node->op == OP_CONST || node->op == OP_VAR || out->len > MOST_BYTES) return;
    add_terms(g, node->a, out);
    if (node->op == OP_AND || node->op == OP_OR || node->op == OP_CHAIN) {
        add_right_terms(g, node, out);
        return;
    }
    if (node->b != HONE_NO_NODE) add_terms(g, node->b, out);
    if (divides(node->op) && types[node->a] == HONE_INT && types[node->b] == HONE_INT)
        add_divisor(g, node->b, out);
    if (wants_integers(node->op)) {
        add_integer(g, node->a, out);
        add_integer(g, node->b, out);
    }
}

// A derived value that has none is one in branches not taken, too.
static void add_variables(const struct hone_c_form *form, struct hone_strbuf *out)
{
    for (uint32_t i = 0; i < form->expr.var_count; i++) {
        const struct hone_expr_c_var *var = &form->vars[form->expr.slots[i]];
        if (!var->guard) continue;
        hone_strbuf_printf(out, "%s%s", out->len ? " && " : "", var->guard);
        if (var->printed) *var->printed = true;
    }
}

enum hone_status hone_c_form_print_guard(const struct hone_c_form *form,
                                         const struct hone_c_known *known,
                                         struct hone_strbuf *out, struct hone_error *err)
{
    assert(form->is_printed);
    struct guard g = {.printer = {.expr = &form->expr,
                                  .vars = form->vars,
                                  .types = form->types,
                                  .ranges = form->ranges},
                      .known = known};
    struct hone_strbuf terms = HONE_STRBUF_INIT;
    enum hone_status status = HONE_OK;
    add_variables(form, &terms);
    add_terms(&g, form->expr.root, &terms);
    hone_strbuf_add_bytes(out, terms.data, terms.len);
    if (terms.len > MOST_BYTES)
        status = hone_fail_at(err, HONE_ELIMIT, form->expr.text, 0,
                              "its C form is longer than %d bytes", MOST_BYTES);
    if (terms.failed || out->failed) status = hone_no_memory(err, "for an expression");
    hone_strbuf_fini(&terms);
    return status;
}
