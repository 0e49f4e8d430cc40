// Calls by an address. Functions whose address is taken anywhere have numbers that no
// memory has; a call becomes a comparison with each that it may mean.
#include <string.h>

#include "ptx_linker.h"

// Marks the functions whose address a "mov TO, NAME" takes anywhere in the text: bodies
// are read no sooner than a call needs them, which may be behind one by an address.
static void find_taken(struct ptx_linker *linker)
{
    struct ptx_lexer lexer = linker->parser->text;
    struct ptx_token last[3] = {0};
    if (linker->knows_taken) return;
    for (struct ptx_token token = hone_ptx_lex(&lexer);
         token.kind != PTX_END && token.kind != PTX_BAD; token = hone_ptx_lex(&lexer)) {
        const bool moves = last[0].kind == PTX_WORD && last[0].len >= 3 &&
                           memcmp(last[0].text, "mov", 3) == 0;
        if (moves && hone_ptx_token_punct(&last[2], ',') && token.kind == PTX_WORD)
            hone_ptx_take_function(linker->parser, &token);
        memmove(last, last + 1, 2 * sizeof *last);
        last[2] = token;
    }
    linker->knows_taken = true;
}

static bool may_pass(const struct ptx_variable *formal, const struct ptx_operand *actual)
{
    if (actual->kind != PTX_VAR) return true;
    return formal->space != PTX_SPACE_NONE && actual->var->of_call &&
           actual->var->bytes == formal->bytes;
}

static bool fit_all(const struct ptx_variable *formals, const struct ptx_operand *actuals)
{
    size_t i = 0;
    const size_t count = actuals ? actuals->count : 0;
    for (; formals; formals = formals->next, i++)
        if (i == count || !may_pass(formals, &actuals->items[i])) return false;
    return i == count;
}

// May the call mean the function?
static bool may_call(struct ptx_linker *linker, const struct ptx_call *call,
                     struct ptx_function *function)
{
    if (!function->taken || !function->has_body) return false;
    const struct ptx_kernel *body = hone_ptx_function_body(linker->parser, function);
    return body && fit_all(body->returns, call->returns) &&
           fit_all(body->params, call->arguments);
}

// Calls the function where callee is its address. Returns the predicate that says so.
static struct ptx_operand call_where_equal(struct ptx_linker *linker,
                                           const struct ptx_call *call,
                                           struct ptx_function *function)
{
    const struct ptx_operand equal = hone_ptx_linked_register(linker, PTX_PRED);
    const struct ptx_operand operands[3] = {
        equal, *call->callee, {.kind = PTX_IMM, .bits = function->address}};
    struct ptx_call direct = *call;
    hone_ptx_emit(linker, hone_ptx_beside(&call->at, "setp.eq.u64"), operands, 3);
    direct.at.guard = (int32_t)equal.reg;
    direct.at.guard_negated = false;
    hone_ptx_inline_call(linker, &direct, function);
    return equal;
}

// A comparison and a copy for each function that it may mean, and a trap where it means
// none.
void hone_ptx_call_by_address(struct ptx_linker *linker, struct ptx_call *call)
{
    struct ptx_parser *parser = linker->parser;
    find_taken(linker);
    const struct ptx_operand none = hone_ptx_linked_register(linker, PTX_PRED);
    call->at.scope = hone_ptx_add_scope(parser, linker->out, UINT32_MAX);
    hone_ptx_emit_guard(linker, &call->at);
    hone_ptx_emit(linker, hone_ptx_beside(&call->at, "mov.pred"),
                  (const struct ptx_operand[]){none, {.kind = PTX_IMM, .bits = 1}}, 2);
    for (struct ptx_function *f = parser->functions; f && parser->status == HONE_OK;
         f = f->before) {
        if (!may_call(linker, call, f)) continue;
        if (f->active) {
            hone_ptx_unsupported(parser, call->at.line,
                                 "a recursive call of %.60s, which an address may mean",
                                 f->name);
            return;
        }
        const struct ptx_operand equal = call_where_equal(linker, call, f);
        struct ptx_statement clear = hone_ptx_beside(&call->at, "mov.pred");
        clear.guard = (int32_t)equal.reg;
        hone_ptx_emit(linker, clear,
                      (const struct ptx_operand[]){none, {.kind = PTX_IMM, .bits = 0}},
                      2);
    }
    struct ptx_statement trap = hone_ptx_beside(&call->at, "trap");
    trap.guard = (int32_t)none.reg;
    hone_ptx_emit(linker, trap, NULL, 0);
    hone_ptx_add_label(parser, linker->out, hone_ptx_end_of_call, call->at.scope);
}
