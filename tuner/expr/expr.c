// The expression object: making, binding, splitting.
#include "hone/expr.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ast.h"
#include "base/suggest.h"
#include "expr/bind.h"

const char *hone_expr_quote(char *buf, size_t size, const char *text, uint32_t begin,
                            uint32_t end)
{
    size_t len = end - begin, keep = len < size ? len : size - 1;
    for (size_t i = 0; i < keep; i++) {
        unsigned char c = (unsigned char)text[begin + i];
        buf[i] = c < 0x20 || c == 0x7f ? ' ' : (char)c;
    }
    buf[keep] = '\0';
    if (keep < len && keep >= 3) memcpy(buf + keep - 3, "...", 3);
    return buf;
}

static enum hone_status expr_build(struct hone_expr *expr, struct hone_error *err)
{
    if (!expr->text) return hone_no_memory(err, "for an expression");
    enum hone_status status = hone_expr_parse(expr, err);
    if (status != HONE_OK) return status;
    size_t room = hone_code_room(expr);
    expr->code = hone_arena_array(&expr->arena, room, sizeof *expr->code);
    expr->origins = hone_arena_array(&expr->arena, room, sizeof *expr->origins);
    if (!expr->code || !expr->origins) return hone_no_memory(err, "for an expression");
    hone_code_emit(expr);
    return HONE_OK;
}

enum hone_status hone_expr_new(struct hone_expr **out, const char *text,
                               struct hone_error *err)
{
    assert(out && text);
    *out = NULL;
    struct hone_expr *expr = calloc(1, sizeof *expr);
    if (!expr) return hone_no_memory(err, "for an expression");
    expr->text = hone_arena_strdup(&expr->arena, text);
    enum hone_status status = expr_build(expr, err);
    if (status == HONE_OK)
        *out = expr;
    else
        hone_expr_free(expr);
    return status;
}

void hone_expr_free(struct hone_expr *expr)
{
    if (!expr) return;
    hone_arena_fini(&expr->arena);
    free(expr);
}

bool hone_expr_is_number(const struct hone_expr *expr)
{
    const unsigned op = expr->nodes[expr->root].op;
    if (op == OP_NOT || op == OP_IS_POW2) return false;
    return (op >= OP_NEG && op < OP_EQ) || (op >= OP_MIN && op <= OP_SQRT);
}

const char *hone_expr_text(const struct hone_expr *expr)
{
    return expr->text;
}

size_t hone_expr_var_count(const struct hone_expr *expr)
{
    return expr->var_count;
}

const char *hone_expr_var(const struct hone_expr *expr, size_t i)
{
    return expr->vars[i];
}

size_t hone_expr_slot(const struct hone_expr *expr, size_t i)
{
    return expr->slots[i];
}

static enum hone_status unknown_variable(const struct hone_expr *expr, const char *name,
                                         const char *const *names, size_t count,
                                         struct hone_error *err)
{
    const char *near = hone_suggest(name, names, count);
    if (near)
        return hone_fail_at(err, HONE_EINPUT, expr->text, 0,
                            "unknown variable '%s', did you mean '%s'?", name, near);
    return hone_fail_at(err, HONE_EINPUT, expr->text, 0, "unknown variable '%s'", name);
}

static enum hone_status too_many_names(const struct hone_expr *expr,
                                       struct hone_error *err)
{
    return hone_fail_at(err, HONE_ELIMIT, expr->text, 0, "more than %u variables to bind",
                        HONE_OPERAND_MASK);
}

enum hone_status hone_expr_bind(struct hone_expr *expr, const char *const *names,
                                size_t count, struct hone_error *err)
{
    if (count > HONE_OPERAND_MASK) return too_many_names(expr, err);
    for (uint32_t i = 0; i < expr->var_count; i++) {
        uint32_t slot = 0;
        while (slot < count && strcmp(names[slot], expr->vars[i]) != 0)
            slot++;
        if (slot == count)
            return unknown_variable(expr, expr->vars[i], names, count, err);
        expr->slots[i] = slot;
    }
    hone_code_emit(expr);
    return HONE_OK;
}

enum hone_status hone_expr_bind_index(struct hone_expr *expr,
                                      const struct hone_name_index *index,
                                      struct hone_error *err)
{
    if (index->count > HONE_OPERAND_MASK) return too_many_names(expr, err);
    for (uint32_t i = 0; i < expr->var_count; i++) {
        const size_t slot = hone_name_index_find(index, expr->vars[i]);
        if (slot == SIZE_MAX)
            return unknown_variable(expr, expr->vars[i], index->names, index->count, err);
        expr->slots[i] = (uint32_t)slot;
    }
    hone_code_emit(expr);
    return HONE_OK;
}

static bool is_conjunction(const struct expr_node *node)
{
    return node->op == OP_AND || node->op == OP_CHAIN;
}

static size_t count_parts(const struct hone_expr *expr, uint32_t node)
{
    size_t count = 1;
    for (const struct expr_node *n = &expr->nodes[node]; is_conjunction(n);
         n = &expr->nodes[n->a])
        count += count_parts(expr, n->b);
    return count;
}

// Part i of the conjunction at node.
static uint32_t find_part(const struct hone_expr *expr, uint32_t node, size_t i)
{
    while (is_conjunction(&expr->nodes[node])) {
        size_t before = count_parts(expr, expr->nodes[node].a);
        bool right = i >= before;
        if (right) i -= before;
        node = right ? expr->nodes[node].b : expr->nodes[node].a;
    }
    return node;
}

size_t hone_expr_conjunct_count(const struct hone_expr *expr)
{
    return count_parts(expr, expr->root);
}

enum hone_status hone_expr_conjunct(struct hone_expr **out, const struct hone_expr *expr,
                                    size_t i, struct hone_error *err)
{
    *out = NULL;
    const struct expr_node *node = &expr->nodes[find_part(expr, expr->root, i)];
    size_t len = node->end - node->begin;
    char *text = malloc(len + 1);
    if (!text) return hone_no_memory(err, "for an expression");
    memcpy(text, expr->text + node->begin, len);
    text[len] = '\0';
    enum hone_status status = hone_expr_new(out, text, err);
    free(text);
    if (status != HONE_OK) return status;
    for (uint32_t v = 0; v < (*out)->var_count; v++) {
        uint32_t whole = 0;
        while (strcmp(expr->vars[whole], (*out)->vars[v]) != 0)
            whole++;
        (*out)->slots[v] = expr->slots[whole];
    }
    hone_code_emit(*out);
    return HONE_OK;
}
