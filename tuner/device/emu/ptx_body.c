// The statements of a kernel: registers and variables by scope, labels, instructions with
// their operands. Names of registers and variables are resolved here, labels by who reads
// the kernel.
#include "ptx_parser.h"

#include <string.h>

enum {
    MAX_REGISTERS = 1 << 20,
    MAX_SCOPE_DEPTH = 64,
    MAX_OPERANDS = 16,
    MAX_ITEMS = 512
};

// ---- registers ----

static void declare_registers(struct ptx_parser *parser, enum ptx_type type)
{
    struct ptx_kernel *kernel = parser->module->kernel;
    struct ptx_reg_range *range = ptx_alloc(parser, 1, sizeof *range);
    if (!range) return;
    range->prefix = ptx_name(parser);
    range->first = (uint32_t)kernel->reg_count;
    if (ptx_accept(parser, '<')) {
        uint64_t count = parser->token.bits;
        if (parser->token.kind != PTX_INT || count == 0 || count > MAX_REGISTERS)
            ptx_unexpected(parser, "a number of registers");
        range->count = (uint32_t)count;
        ptx_advance(parser);
        ptx_expect(parser, '>');
    }
    size_t total = kernel->reg_count + (range->count ? range->count : 1);
    if (total > MAX_REGISTERS) ptx_unexpected(parser, "fewer registers");
    void *regs = kernel->regs;
    if (parser->status != HONE_OK ||
        !ptx_grow(parser, &regs, &kernel->reg_cap, total, sizeof *kernel->regs))
        return;
    kernel->regs = regs;
    while (kernel->reg_count < total)
        kernel->regs[kernel->reg_count++] = type;
    range->next = parser->ranges;
    parser->ranges = range;
}

static void parse_registers(struct ptx_parser *parser)
{
    enum ptx_type type = ptx_type_find(parser->token.text, parser->token.len);
    if (parser->token.kind != PTX_DIRECTIVE || !type) ptx_unexpected(parser, "a type");
    ptx_advance(parser);
    do {
        declare_registers(parser, type);
    } while (ptx_accept(parser, ','));
    ptx_expect(parser, ';');
}

// "%r12" of "%r<100>": the number after the prefix, -1 when name is not in the range.
static int64_t range_offset(const struct ptx_reg_range *range,
                            const struct ptx_token *name)
{
    size_t len = strlen(range->prefix);
    if (range->count == 0) return ptx_token_is(name, range->prefix) ? 0 : -1;
    if (name->len <= len || name->len > len + 9 ||
        memcmp(name->text, range->prefix, len) != 0)
        return -1;
    uint32_t n = 0;
    for (size_t i = len; i < name->len; i++) {
        if (name->text[i] < '0' || name->text[i] > '9') return -1;
        n = n * 10 + (uint32_t)(name->text[i] - '0');
    }
    return n < range->count ? (int64_t)n : -1;
}

static int64_t find_register(const struct ptx_parser *parser,
                             const struct ptx_token *name)
{
    for (const struct ptx_reg_range *range = parser->ranges; range; range = range->next) {
        int64_t n = range_offset(range, name);
        if (n >= 0) return range->first + n;
    }
    return -1;
}

// ---- operands ----

static struct ptx_operand parse_operand(struct ptx_parser *parser, unsigned depth);

static struct ptx_operand parse_items(struct ptx_parser *parser,
                                      enum ptx_operand_kind kind, char close,
                                      unsigned depth)
{
    struct ptx_operand items[MAX_ITEMS], list = {.kind = kind};
    do {
        ptx_advance(parser); // the opening mark, then the commas
        // cppcheck-suppress knownConditionTrueFalse // nested brackets recurse
        if (list.count == MAX_ITEMS || depth > 2) {
            ptx_unexpected(parser, "fewer operands");
            return list;
        }
        items[list.count++] = parse_operand(parser, depth + 1);
    } while (ptx_token_punct(&parser->token, ','));
    ptx_expect(parser, close);
    struct ptx_operand *kept = ptx_alloc(parser, list.count, sizeof *kept);
    if (kept) memcpy(kept, items, list.count * sizeof *kept);
    list.items = kept;
    if (!kept) list.count = 0;
    return list;
}

static struct ptx_operand parse_number(struct ptx_parser *parser)
{
    bool minus = ptx_accept(parser, '-');
    struct ptx_token token = parser->token;
    struct ptx_operand operand = {
        .kind = PTX_IMM, .bits = token.bits, .single = token.single};
    if (token.kind == PTX_FLOAT) {
        operand.kind = PTX_FIMM;
        if (minus) operand.bits ^= token.single ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
    } else if (token.kind == PTX_INT) {
        if (minus) operand.bits = 0 - token.bits;
    } else {
        ptx_unexpected(parser, "an operand");
    }
    ptx_advance(parser);
    return operand;
}

static struct ptx_operand parse_word(struct ptx_parser *parser)
{
    struct ptx_operand operand = {.kind = PTX_NAME};
    struct ptx_token token = parser->token;
    int64_t reg = find_register(parser, &token);
    operand.var = reg < 0 ? ptx_find_variable(parser, &token) : NULL;
    if (reg >= 0) {
        operand.kind = PTX_REG;
        operand.reg = (uint32_t)reg;
        ptx_advance(parser);
    } else if (operand.var) {
        operand.kind = PTX_VAR;
        ptx_advance(parser);
    } else if (ptx_token_is(&token, "_")) {
        operand.kind = PTX_SINK;
        ptx_advance(parser);
    } else {
        if (token.text[0] == '%') operand.kind = PTX_SPECIAL;
        operand.name = ptx_name(parser);
    }
    return operand;
}

static struct ptx_operand parse_operand(struct ptx_parser *parser, unsigned depth)
{
    if (ptx_token_punct(&parser->token, '{'))
        return parse_items(parser, PTX_VECTOR, '}', depth);
    if (ptx_token_punct(&parser->token, '[')) {
        struct ptx_operand address = parse_items(parser, PTX_ADDRESS, ']', depth);
        if (address.count) address.bits = address.items[0].bits;
        return address;
    }
    if (ptx_token_punct(&parser->token, '('))
        return parse_items(parser, PTX_VECTOR, ')', depth);
    bool negated = ptx_accept(parser, '!');
    struct ptx_operand operand =
        parser->token.kind == PTX_WORD ? parse_word(parser) : parse_number(parser);
    operand.negated = negated;
    bool minus = ptx_token_punct(&parser->token, '-');
    if (minus ||
        ptx_token_punct(&parser->token, '+')) { // register or variable plus offset
        if (!minus) ptx_advance(parser);
        operand.bits += parse_number(parser).bits;
    }
    return operand;
}

static struct ptx_operand parse_whole_operand(struct ptx_parser *parser)
{
    struct ptx_operand operand = parse_operand(parser, 0);
    if (!ptx_accept(parser, '|')) return operand;
    struct ptx_operand *pair = ptx_alloc(parser, 2, sizeof *pair);
    if (!pair) return operand;
    pair[0] = operand;
    pair[1] = parse_operand(parser, 0);
    return (struct ptx_operand){.kind = PTX_PAIR, .items = pair, .count = 2};
}

// ---- statements ----

static void parse_guard(struct ptx_parser *parser, struct ptx_statement *statement)
{
    statement->guard = -1;
    if (!ptx_accept(parser, '@')) return;
    statement->guard_negated = ptx_accept(parser, '!');
    int64_t reg = find_register(parser, &parser->token);
    if (reg < 0 || parser->module->kernel->regs[reg] != PTX_PRED)
        ptx_unexpected(parser, "a predicate");
    statement->guard = (int32_t)reg;
    ptx_advance(parser);
}

static void add_label(struct ptx_parser *parser, const char *name)
{
    struct ptx_kernel *kernel = parser->module->kernel;
    void *labels = kernel->labels;
    if (!ptx_grow(parser, &labels, &kernel->label_cap, kernel->label_count,
                  sizeof *kernel->labels))
        return;
    kernel->labels = labels;
    kernel->labels[kernel->label_count++] =
        (struct ptx_label){.name = name,
                           .scope = parser->scope,
                           .position = (uint32_t)kernel->statement_count};
}

static void parse_operands(struct ptx_parser *parser, struct ptx_statement *statement)
{
    struct ptx_operand operands[MAX_OPERANDS];
    if (!ptx_token_punct(&parser->token, ';')) {
        do {
            if (statement->count == MAX_OPERANDS) {
                ptx_unexpected(parser, "fewer operands");
                return;
            }
            operands[statement->count++] = parse_whole_operand(parser);
        } while (ptx_accept(parser, ','));
    }
    ptx_expect(parser, ';');
    struct ptx_operand *kept = ptx_alloc(parser, statement->count, sizeof *kept);
    if (kept && statement->count) memcpy(kept, operands, statement->count * sizeof *kept);
    if (!kept) statement->count = 0;
    statement->operands = kept;
}

static void add_statement(struct ptx_parser *parser, struct ptx_statement *statement)
{
    struct ptx_kernel *kernel = parser->module->kernel;
    void *statements = kernel->statements;
    parse_operands(parser, statement);
    if (!ptx_grow(parser, &statements, &kernel->statement_cap, kernel->statement_count,
                  sizeof *kernel->statements))
        return;
    kernel->statements = statements;
    kernel->statements[kernel->statement_count++] = *statement;
}

static void parse_statement(struct ptx_parser *parser)
{
    struct ptx_statement statement = {.line = parser->token.line, .scope = parser->scope};
    parse_guard(parser, &statement);
    statement.line = parser->token.line;
    statement.opcode = ptx_name(parser);
    if (statement.guard < 0 && ptx_accept(parser, ':'))
        add_label(parser, statement.opcode);
    else if (parser->status == HONE_OK)
        add_statement(parser, &statement);
}

// A table of labels for brx.idx, or a prototype for calls: named lists that no kernel of
// ours needs; an instruction that uses one is unsupported.
static void skip_declaration(struct ptx_parser *parser)
{
    while (parser->token.kind != PTX_END && !ptx_token_punct(&parser->token, ';'))
        ptx_advance(parser);
    ptx_expect(parser, ';');
}

static void parse_body_directive(struct ptx_parser *parser)
{
    struct ptx_kernel *kernel = parser->module->kernel;
    struct ptx_token name = parser->token;
    if (ptx_token_is(&name, "loc") || ptx_token_is(&name, "file"))
        ptx_lex_skip_line(&parser->lexer);
    ptx_advance(parser);
    enum ptx_space space = ptx_token_is(&name, "shared")  ? PTX_SHARED
                           : ptx_token_is(&name, "local") ? PTX_LOCAL
                                                          : PTX_SPACE_NONE;
    if (space != PTX_SPACE_NONE) {
        do {
            ptx_parse_variable(parser, space, &kernel->variables);
        } while (ptx_accept(parser, ','));
        ptx_expect(parser, ';');
    } else if (ptx_token_is(&name, "reg")) {
        parse_registers(parser);
    } else if (ptx_token_is(&name, "pragma") || ptx_token_is(&name, "param") ||
               ptx_token_is(&name, "branchtargets") ||
               ptx_token_is(&name, "callprototype") ||
               ptx_token_is(&name, "calltargets")) {
        skip_declaration(parser);
    } else if (!ptx_token_is(&name, "loc") && !ptx_token_is(&name, "file")) {
        ptx_error(parser, name.line, "unknown directive '.%.*s' in a body",
                  (int)(name.len < 40 ? name.len : 40), name.text);
    }
}

static uint32_t open_scope(struct ptx_parser *parser, uint32_t parent)
{
    struct ptx_kernel *kernel = parser->module->kernel;
    void *parents = kernel->scope_parent;
    if (!ptx_grow(parser, &parents, &kernel->scope_cap, kernel->scope_count,
                  sizeof *kernel->scope_parent))
        return parent;
    kernel->scope_parent = parents;
    kernel->scope_parent[kernel->scope_count] = parent;
    return (uint32_t)kernel->scope_count++;
}

static void parse_scope(struct ptx_parser *parser)
{
    struct ptx_reg_range *ranges = parser->ranges;
    uint32_t outer = parser->scope;
    parser->scope = open_scope(parser, outer);
    if (++parser->depth > MAX_SCOPE_DEPTH) ptx_unexpected(parser, "less nesting");
    ptx_expect(parser, '{');
    while (parser->token.kind != PTX_END && !ptx_token_punct(&parser->token, '}')) {
        if (ptx_token_punct(&parser->token, '{'))
            parse_scope(parser);
        else if (parser->token.kind == PTX_DIRECTIVE)
            parse_body_directive(parser);
        else if (!ptx_accept(parser, ';'))
            parse_statement(parser);
    }
    ptx_expect(parser, '}');
    parser->depth--;
    parser->scope = outer;
    parser->ranges = ranges;
}

void ptx_parse_body(struct ptx_parser *parser)
{
    parse_scope(parser);
}

int64_t ptx_find_label(const struct ptx_kernel *kernel, uint32_t scope, const char *name)
{
    for (;;) {
        for (size_t i = 0; i < kernel->label_count; i++)
            if (kernel->labels[i].scope == scope &&
                strcmp(kernel->labels[i].name, name) == 0)
                return kernel->labels[i].position;
        if (scope == 0) return -1;
        scope = kernel->scope_parent[scope];
    }
}
