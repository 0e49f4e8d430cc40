// Calls and indexed branches, made into what the decoder knows. Each call becomes a copy
// of the function's body with registers, labels and local variables of its own, in which
// ret is a branch to its end: lanes that call come together again as after any branch.
// What is passed lies in the caller's .param variables, which are local memory.
#include "ptx_linker.h"

#include <string.h>

enum { MAX_CALL_DEPTH = 64 };

const char hone_ptx_end_of_call[] = "end of call";

// A body's copy: what is added to its numbers.
struct copy {
    struct ptx_kernel *body;
    uint32_t first_reg, first_scope;
};

// ---- statements ----

void hone_ptx_emit(struct ptx_linker *linker, struct ptx_statement statement,
                   const struct ptx_operand *operands, size_t count)
{
    struct ptx_operand *kept = hone_ptx_alloc(linker->parser, count, sizeof *kept);
    if (!kept) return;
    if (count) memcpy(kept, operands, count * sizeof *kept);
    statement.operands = kept;
    statement.count = count;
    hone_ptx_add_statement(linker->parser, linker->out, &statement);
}

struct ptx_statement hone_ptx_beside(const struct ptx_statement *at, const char *opcode)
{
    return (struct ptx_statement){.opcode = opcode,
                                  .line = at->line,
                                  .place = at->place,
                                  .scope = at->scope,
                                  .guard = -1};
}

static void emit_branch(struct ptx_linker *linker, struct ptx_statement statement,
                        const char *label)
{
    const struct ptx_operand target = {.kind = PTX_NAME, .name = label};
    statement.opcode = "bra";
    hone_ptx_emit(linker, statement, &target, 1);
}

void hone_ptx_emit_guard(struct ptx_linker *linker, struct ptx_statement *at)
{
    struct ptx_statement skip = *at;
    skip.guard_negated = !at->guard_negated;
    if (at->guard >= 0) emit_branch(linker, skip, hone_ptx_end_of_call);
    at->guard = -1;
}

struct ptx_operand hone_ptx_linked_register(struct ptx_linker *linker, enum ptx_type type)
{
    uint32_t reg = hone_ptx_add_registers(linker->parser, linker->out, type, 1);
    return (struct ptx_operand){.kind = PTX_REG, .reg = reg};
}

static struct ptx_operand address_of(struct ptx_linker *linker,
                                     const struct ptx_variable *variable)
{
    struct ptx_operand *base = hone_ptx_alloc(linker->parser, 1, sizeof *base);
    if (!base) return (struct ptx_operand){.kind = PTX_SINK};
    *base = (struct ptx_operand){.kind = PTX_VAR, .var = variable};
    return (struct ptx_operand){.kind = PTX_ADDRESS, .items = base, .count = 1};
}

// ---- copies of bodies ----

static struct ptx_variable *add_variable(struct ptx_linker *linker,
                                         const struct ptx_variable *like)
{
    struct ptx_variable *variable = hone_ptx_alloc(linker->parser, 1, sizeof *variable);
    if (!variable) return NULL;
    *variable = *like;
    variable->next = linker->out->variables;
    linker->out->variables = variable;
    return variable;
}

// Each copy has local variables of its own; those in shared memory are the block's.
static void copy_variables(struct ptx_linker *linker, struct ptx_kernel *body)
{
    for (struct ptx_variable *v = body->variables; v; v = v->next) {
        if (v->space == PTX_SHARED && v->stands_for) continue;
        v->stands_for = add_variable(linker, v);
        if (!v->stands_for) return;
    }
}

static struct copy begin_copy(struct ptx_linker *linker, struct ptx_kernel *body)
{
    struct ptx_kernel *out = linker->out;
    struct copy copy = {.body = body,
                        .first_reg = (uint32_t)out->reg_count,
                        .first_scope = (uint32_t)out->scope_count};
    for (size_t i = 0; i < body->reg_count; i++)
        hone_ptx_add_registers(linker->parser, out, body->regs[i], 1);
    for (uint32_t i = 0; i < body->scope_count; i++) {
        uint32_t parent = body->scope_parent[i];
        hone_ptx_add_scope(linker->parser, out,
                           parent == i ? UINT32_MAX : copy.first_scope + parent);
    }
    copy_variables(linker, body);
    return copy;
}

static struct ptx_operand copy_operand(struct ptx_linker *linker, const struct copy *copy,
                                       const struct ptx_operand *operand)
{
    struct ptx_operand result = *operand;
    result.reg += operand->kind == PTX_REG ? copy->first_reg : 0;
    if (operand->kind == PTX_VAR && operand->var->stands_for)
        result.var = operand->var->stands_for;
    if (operand->count == 0) return result;
    struct ptx_operand *items =
        hone_ptx_alloc(linker->parser, operand->count, sizeof *items);
    if (!items) return result;
    for (size_t i = 0; i < operand->count; i++)
        items[i] = copy_operand(linker, copy, &operand->items[i]);
    result.items = items;
    return result;
}

static void link_call(struct ptx_linker *linker, const struct ptx_statement *statement);
static void link_table(struct ptx_linker *linker, const struct copy *copy,
                       const struct ptx_statement *statement);

// is_call: the body is a function's, to be left by a branch.
static void copy_statement(struct ptx_linker *linker, const struct copy *copy,
                           const struct ptx_statement *original, bool is_call)
{
    struct ptx_statement statement = *original;
    statement.scope += copy->first_scope;
    if (is_call) {
        statement.place.call_file = linker->call.file;
        statement.place.call_line = linker->call.line;
    }
    if (statement.guard >= 0) statement.guard += (int32_t)copy->first_reg;
    if (is_call && hone_ptx_begins_with(statement.opcode, "ret")) {
        statement.scope = copy->first_scope;
        emit_branch(linker, statement, hone_ptx_end_of_call);
        return;
    }
    struct ptx_operand *operands =
        hone_ptx_alloc(linker->parser, statement.count, sizeof *operands);
    if (!operands) return;
    for (size_t i = 0; i < statement.count; i++)
        operands[i] = copy_operand(linker, copy, &original->operands[i]);
    statement.operands = operands;
    if (hone_ptx_begins_with(statement.opcode, "call"))
        link_call(linker, &statement);
    else if (hone_ptx_begins_with(statement.opcode, "brx"))
        link_table(linker, copy, &statement);
    else
        hone_ptx_add_statement(linker->parser, linker->out, &statement);
}

static void copy_body(struct ptx_linker *linker, const struct copy *copy, bool is_call)
{
    const struct ptx_kernel *body = copy->body;
    size_t label = 0;
    for (size_t i = 0; i <= body->statement_count; i++) {
        for (; label < body->label_count && body->labels[label].position == i; label++)
            hone_ptx_add_label(linker->parser, linker->out, body->labels[label].name,
                               copy->first_scope + body->labels[label].scope);
        if (linker->parser->status != HONE_OK) return;
        if (i < body->statement_count)
            copy_statement(linker, copy, &body->statements[i], is_call);
    }
}

// ---- arguments ----

// The place of a parameter for which the caller has no variable.
static struct ptx_variable *add_argument(struct ptx_linker *linker,
                                         const struct ptx_variable *formal)
{
    struct ptx_variable *variable = add_variable(linker, formal);
    if (!variable) return NULL;
    variable->space = PTX_LOCAL;
    variable->of_call = true;
    return variable;
}

static const char *opcode_of(const char *const names[4], uint64_t bytes)
{
    return bytes == 1   ? names[0]
           : bytes == 2 ? names[1]
           : bytes == 4 ? names[2]
           : bytes == 8 ? names[3]
                        : NULL;
}

static const char *move_of(enum ptx_type type)
{
    static const char *const moves[4] = {"mov.b16", "mov.b16", "mov.b32", "mov.b64"};
    return type == PTX_PRED ? "mov.pred" : opcode_of(moves, hone_ptx_type_bits(type) / 8);
}

static bool bad_argument(struct ptx_linker *linker, const struct ptx_call *call)
{
    hone_ptx_error(linker->parser, call->at.line, "wrong argument in a call of %.60s",
                   call->callee->name);
    return false;
}

// A value in the place of a .param variable gets a variable; in and out move it.
static bool bind_value(struct ptx_linker *linker, const struct ptx_call *call,
                       struct ptx_variable *formal, const struct ptx_operand *actual,
                       bool in)
{
    static const char *const loads[4] = {"ld.local.u8", "ld.local.u16", "ld.local.b32",
                                         "ld.local.b64"};
    static const char *const stores[4] = {"st.local.u8", "st.local.u16", "st.local.b32",
                                          "st.local.b64"};
    const char *opcode = opcode_of(in ? stores : loads, formal->bytes);
    bool first = !formal->stands_for;
    if (first) formal->stands_for = add_argument(linker, formal);
    if (!formal->stands_for) return false;
    if (actual->kind == PTX_SINK) return true;
    if (!opcode) return bad_argument(linker, call);
    struct ptx_operand address = address_of(linker, formal->stands_for);
    struct ptx_operand operands[2] = {in ? address : *actual, in ? *actual : address};
    hone_ptx_emit(linker, hone_ptx_beside(&call->at, opcode), operands, 2);
    return true;
}

// Give formal what actual is: the caller's variable by name, a register by a move. in:
// before the body, else behind it.
static bool bind(struct ptx_linker *linker, const struct ptx_call *call,
                 const struct copy *copy, struct ptx_variable *formal,
                 const struct ptx_operand *actual, bool in)
{
    if (formal->space == PTX_SPACE_NONE) {
        struct ptx_operand own = {.kind = PTX_REG,
                                  .reg = (uint32_t)formal->address + copy->first_reg};
        struct ptx_operand operands[2] = {in ? own : *actual, in ? *actual : own};
        const char *move = move_of(copy->body->regs[formal->address]);
        if (!move) return bad_argument(linker, call);
        hone_ptx_emit(linker, hone_ptx_beside(&call->at, move), operands, 2);
        return true;
    }
    if (actual->kind != PTX_VAR) return bind_value(linker, call, formal, actual, in);
    if (!actual->var->of_call || actual->var->bytes < formal->bytes)
        return bad_argument(linker, call);
    formal->stands_for = actual->var;
    return true;
}

// A list of formals against a list of actuals.
static bool bind_all(struct ptx_linker *linker, const struct ptx_call *call,
                     const struct copy *copy, struct ptx_variable *formals,
                     const struct ptx_operand *actuals, bool in)
{
    size_t i = 0, count = actuals ? actuals->count : 0;
    for (struct ptx_variable *f = formals; f; f = f->next, i++)
        if (i == count || !bind(linker, call, copy, f, &actuals->items[i], in))
            return bad_argument(linker, call);
    return i == count || bad_argument(linker, call);
}

// Registers returned are moved behind the body; all else is bound before it.
static bool bind_returns(struct ptx_linker *linker, const struct ptx_call *call,
                         const struct copy *copy, bool before)
{
    struct ptx_variable *formals = copy->body->returns;
    size_t i = 0, count = call->returns ? call->returns->count : 0;
    for (struct ptx_variable *f = formals; f; f = f->next, i++) {
        if (i == count) return bad_argument(linker, call);
        const struct ptx_operand *actual = &call->returns->items[i];
        bool variable = actual->kind == PTX_VAR;
        bool unused = f->space == PTX_SPACE_NONE && actual->kind == PTX_SINK;
        if (before && !variable && f->space != PTX_SPACE_NONE) {
            f->stands_for = add_argument(linker, f);
        } else if (before == variable && !unused) {
            if (!bind(linker, call, copy, f, actual, false)) return false;
        }
    }
    return i == count || bad_argument(linker, call);
}

static void forget_bindings(struct ptx_kernel *body)
{
    for (struct ptx_variable *v = body->params; v; v = v->next)
        v->stands_for = NULL;
    for (struct ptx_variable *v = body->returns; v; v = v->next)
        v->stands_for = NULL;
}

// ---- calls ----

void hone_ptx_inline_call(struct ptx_linker *linker, struct ptx_call *call,
                          struct ptx_function *function)
{
    struct ptx_parser *parser = linker->parser;
    struct ptx_kernel *body = hone_ptx_function_body(parser, function);
    if (!body) return;
    struct copy copy = begin_copy(linker, body);
    call->at.scope = hone_ptx_add_scope(parser, linker->out, UINT32_MAX);
    hone_ptx_emit_guard(linker, &call->at);
    if (bind_returns(linker, call, &copy, true) &&
        bind_all(linker, call, &copy, body->params, call->arguments, true)) {
        const struct ptx_place *at = &call->at.place;
        function->active = true;
        if (linker->depth++ == 0)
            linker->call = at->call_line ? (struct ptx_place){.file = at->call_file,
                                                              .line = at->call_line}
                                         : *at;
        copy_body(linker, &copy, true);
        linker->depth--;
        function->active = false;
        hone_ptx_add_label(parser, linker->out, hone_ptx_end_of_call, copy.first_scope);
        bind_returns(linker, call, &copy, false);
        hone_ptx_add_label(parser, linker->out, hone_ptx_end_of_call, call->at.scope);
    }
    forget_bindings(body);
}

// The value of an argument that a built-in function takes.
static struct ptx_operand argument_value(struct ptx_linker *linker,
                                         const struct ptx_call *call, size_t i, bool wide)
{
    struct ptx_operand actual = call->arguments->items[i];
    if (actual.kind != PTX_VAR) return actual;
    if (!actual.var->of_call || actual.var->bytes < (wide ? 8 : 4))
        bad_argument(linker, call);
    struct ptx_operand operands[2] = {
        hone_ptx_linked_register(linker, wide ? PTX_B64 : PTX_B32),
        address_of(linker, actual.var)};
    hone_ptx_emit(linker,
                  hone_ptx_beside(&call->at, wide ? "ld.local.b64" : "ld.local.b32"),
                  operands, 2);
    return operands[0];
}

// Functions that the driver has: int vprintf(const char *format, const void *values), and
// void __assertfail(message, file, unsigned line, function, size_t) (CUDA C++ Programming
// Guide, "Formatted Output", and PTX made of assert).
static const struct builtin {
    const char *name, *opcode;
    size_t arguments, used;
    bool returns;
    uint8_t narrow; // bit i: argument i has 32 bits
} builtins[] = {
    {"vprintf", "call vprintf", 2, 2, true, 0},
    {"__assertfail", "call __assertfail", 5, 4, false, 4},
};

static void call_builtin(struct ptx_linker *linker, struct ptx_call *call,
                         const struct builtin *builtin)
{
    struct ptx_operand operands[5];
    size_t n = 0, count = call->arguments ? call->arguments->count : 0;
    if (count != builtin->arguments) {
        bad_argument(linker, call);
        return;
    }
    call->at.scope = hone_ptx_add_scope(linker->parser, linker->out, UINT32_MAX);
    hone_ptx_emit_guard(linker, &call->at);
    if (builtin->returns) operands[n++] = hone_ptx_linked_register(linker, PTX_B32);
    for (size_t i = 0; i < builtin->used; i++)
        operands[n++] = argument_value(linker, call, i, !(builtin->narrow >> i & 1));
    hone_ptx_emit(linker, hone_ptx_beside(&call->at, builtin->opcode), operands, n);
    if (builtin->returns && call->returns && call->returns->count == 1 &&
        call->returns->items[0].kind == PTX_VAR) {
        struct ptx_operand result[2] = {address_of(linker, call->returns->items[0].var),
                                        operands[0]};
        hone_ptx_emit(linker, hone_ptx_beside(&call->at, "st.local.b32"), result, 2);
    }
    hone_ptx_add_label(linker->parser, linker->out, hone_ptx_end_of_call, call->at.scope);
}

static const struct builtin *find_builtin(const char *name)
{
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (strcmp(builtins[i].name, name) == 0) return &builtins[i];
    return NULL;
}

// (returns), callee, (arguments), prototype: all but the callee may be absent.
static bool take_call(struct ptx_linker *linker, const struct ptx_statement *statement,
                      struct ptx_call *call)
{
    const struct ptx_operand *operands = statement->operands;
    size_t i = 0, count = statement->count;
    *call = (struct ptx_call){.at = *statement};
    if (i < count && operands[i].kind == PTX_VECTOR) call->returns = &operands[i++];
    if (i < count) call->callee = &operands[i++];
    if (i < count && operands[i].kind == PTX_VECTOR) call->arguments = &operands[i++];
    const bool indirect = call->callee && call->callee->kind == PTX_REG;
    if (indirect && i + 1 == count && operands[i].kind == PTX_NAME) i++; // the prototype
    if (indirect && i == count) return true;
    if (!call->callee || call->callee->kind != PTX_NAME || i != count)
        hone_ptx_error(linker->parser, statement->line, "malformed call");
    return linker->parser->status == HONE_OK;
}

static void link_call(struct ptx_linker *linker, const struct ptx_statement *statement)
{
    struct ptx_call call;
    if (!take_call(linker, statement, &call)) return;
    if (call.callee->kind == PTX_REG) {
        if (linker->depth == MAX_CALL_DEPTH)
            hone_ptx_unsupported(linker->parser, statement->line,
                                 "calls nested over %d deep", MAX_CALL_DEPTH);
        else
            hone_ptx_call_by_address(linker, &call);
        return;
    }
    const char *name = call.callee->name;
    struct ptx_function *function = hone_ptx_find_function(linker->parser, name);
    const struct builtin *builtin = find_builtin(name);
    if (!function)
        hone_ptx_error(linker->parser, statement->line, "no function '%.60s'", name);
    else if (!function->has_body && builtin)
        call_builtin(linker, &call, builtin);
    else if (!function->has_body)
        hone_ptx_unsupported(linker->parser, statement->line,
                             "a call of %.60s, which has no body", name);
    else if (function->active)
        hone_ptx_unsupported(linker->parser, statement->line, "a recursive call of %.60s",
                             name);
    else if (linker->depth == MAX_CALL_DEPTH)
        hone_ptx_unsupported(linker->parser, statement->line, "calls nested over %d deep",
                             MAX_CALL_DEPTH);
    else
        hone_ptx_inline_call(linker, &call, function);
}

// ---- branches by a table ----

static void emit_case(struct ptx_linker *linker, const struct ptx_statement *at,
                      const struct ptx_operand *index, size_t i, const char *target)
{
    struct ptx_operand equal = hone_ptx_linked_register(linker, PTX_PRED);
    struct ptx_operand operands[3] = {equal, *index, {.kind = PTX_IMM, .bits = i}};
    struct ptx_statement branch = *at;
    hone_ptx_emit(linker, hone_ptx_beside(at, "setp.eq.u32"), operands, 3);
    branch.guard = (int32_t)equal.reg;
    branch.guard_negated = false;
    emit_branch(linker, branch, target);
}

// brx.idx INDEX, TABLE becomes a comparison a label, and a trap for an index past the
// table, for which PTX leaves the behaviour open.
static void link_table(struct ptx_linker *linker, const struct copy *copy,
                       const struct ptx_statement *statement)
{
    struct ptx_statement at = *statement;
    const struct ptx_operand *index = &statement->operands[0];
    const struct ptx_label *table = NULL;
    if (statement->count == 2 && statement->operands[1].kind == PTX_NAME)
        table = hone_ptx_find_label(copy->body, at.scope - copy->first_scope,
                                    statement->operands[1].name);
    if (!table || !table->target_count || index->kind != PTX_REG) {
        hone_ptx_error(linker->parser, at.line, "malformed branch by a table");
        return;
    }
    at.scope = hone_ptx_add_scope(linker->parser, linker->out, at.scope);
    hone_ptx_emit_guard(linker, &at);
    for (size_t i = 0; i < table->target_count && linker->parser->status == HONE_OK; i++)
        emit_case(linker, &at, index, i, table->targets[i].name);
    hone_ptx_emit(linker, hone_ptx_beside(&at, "trap"), NULL, 0);
    hone_ptx_add_label(linker->parser, linker->out, hone_ptx_end_of_call, at.scope);
}

void hone_ptx_link(struct ptx_parser *parser)
{
    struct ptx_kernel *entry = parser->module->kernel;
    struct ptx_kernel *out = hone_ptx_alloc(parser, 1, sizeof *out);
    if (!entry->needs_link || !out) return;
    *out = (struct ptx_kernel){.name = entry->name,
                               .params = entry->params,
                               .param_bytes = entry->param_bytes,
                               .bounds = entry->bounds};
    struct ptx_linker linker = {.parser = parser, .out = out};
    struct copy copy = begin_copy(&linker, entry);
    copy_body(&linker, &copy, false);
    hone_ptx_name_labels(parser, out);
    parser->module->kernel = out;
}
