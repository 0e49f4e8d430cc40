// The statements of a kernel: scopes, labels, instructions with their operands. Names of
// registers and variables are resolved here, labels by who reads the kernel.
#include "ptx_parser.h"

#include <string.h>

enum {
    MAX_STATEMENTS = 1 << 19,
    MAX_SCOPES = 1 << 18,
    MAX_SCOPE_DEPTH = 64,
    MAX_OPERANDS = 16,
    MAX_ITEMS = 512
};

// ---- operands ----

static struct ptx_operand vector_operand(struct ptx_parser *parser,
                                         struct ptx_vector vector)
{
    struct ptx_operand *items = hone_ptx_alloc(parser, vector.lanes, sizeof *items);
    for (uint32_t i = 0; items && i < vector.lanes; i++)
        items[i] = (struct ptx_operand){.kind = PTX_REG, .reg = vector.first + i};
    return (struct ptx_operand){
        .kind = PTX_VECTOR, .items = items, .count = items ? vector.lanes : 0};
}

static struct ptx_operand parse_operand(struct ptx_parser *parser, unsigned depth);

static struct ptx_operand parse_items(struct ptx_parser *parser,
                                      enum ptx_operand_kind kind, char close,
                                      unsigned depth)
{
    struct ptx_operand items[MAX_ITEMS], list = {.kind = kind};
    do {
        hone_ptx_advance(parser); // the opening mark, then the commas
        if (close == ')' && list.count == 0 && hone_ptx_accept(parser, ')')) return list;
        // cppcheck-suppress knownConditionTrueFalse // nested brackets recurse
        if (list.count == MAX_ITEMS || depth > 2) {
            hone_ptx_unexpected(parser, "fewer operands");
            return list;
        }
        items[list.count++] = parse_operand(parser, depth + 1);
    } while (hone_ptx_token_punct(&parser->token, ','));
    hone_ptx_expect(parser, close);
    struct ptx_operand *kept = hone_ptx_alloc(parser, list.count, sizeof *kept);
    if (kept) memcpy(kept, items, list.count * sizeof *kept);
    list.items = kept;
    if (!kept) list.count = 0;
    return list;
}

static struct ptx_operand parse_number(struct ptx_parser *parser)
{
    const struct ptx_constant value = hone_ptx_parse_constant(parser);
    return (struct ptx_operand){.kind = value.kind == PTX_REAL ? PTX_FIMM : PTX_IMM,
                                .bits = value.bits,
                                .single = value.single};
}

// x[2]: what lies there, but for mov, which takes its address.
static void parse_subscript(struct ptx_parser *parser, struct ptx_operand *operand)
{
    const struct ptx_operand variable = *operand;
    hone_ptx_advance(parser);
    if (parser->token.kind == PTX_WORD)
        hone_ptx_unsupported(parser, parser->token.line, "a register as subscript");
    const uint64_t offset = hone_ptx_parse_constant(parser).bits * variable.var->element;
    hone_ptx_expect(parser, ']');
    operand->bits = offset;
    if (hone_ptx_begins_with(parser->opcode, "mov")) return;
    struct ptx_operand *base = hone_ptx_alloc(parser, 1, sizeof *base);
    if (!base) return;
    *base = variable;
    base->bits = offset;
    *operand = (struct ptx_operand){
        .kind = PTX_ADDRESS, .bits = offset, .items = base, .count = 1};
}

// Special registers that want something of the launch.
static void note_special(struct ptx_parser *parser, const char *name)
{
    static const char reserved[] = "%reserved_smem_offset_";
    struct ptx_module *module = parser->module;
    if (strncmp(name, reserved, sizeof reserved - 1) == 0)
        module->reserved_shared_bytes = PTX_RESERVED_SHARED_BYTES;
    if (strcmp(name, "%envreg1") == 0 || strcmp(name, "%envreg2") == 0)
        module->syncs_grid = true;
}

static struct ptx_operand parse_word(struct ptx_parser *parser)
{
    struct ptx_operand operand = {.kind = PTX_NAME};
    struct ptx_token token = parser->token;
    const struct ptx_vector vector = hone_ptx_find_vector(parser, &token);
    int64_t reg = vector.lanes ? -1 : hone_ptx_find_register(parser, &token);
    if (vector.lanes) {
        hone_ptx_advance(parser);
        return vector_operand(parser, vector);
    }
    operand.var = reg < 0 ? hone_ptx_find_variable(parser, &token) : NULL;
    if (reg >= 0) {
        operand.kind = PTX_REG;
        operand.reg = (uint32_t)reg;
        hone_ptx_advance(parser);
    } else if (operand.var) {
        operand.kind = PTX_VAR;
        hone_ptx_advance(parser);
        if (hone_ptx_token_punct(&parser->token, '[')) parse_subscript(parser, &operand);
    } else if (hone_ptx_token_is(&token, "_")) {
        operand.kind = PTX_SINK;
        hone_ptx_advance(parser);
    } else if (hone_ptx_token_is(&token, "WARP_SZ")) {
        operand = parse_number(parser);
    } else if (hone_ptx_begins_with(parser->opcode, "mov") &&
               hone_ptx_take_function(parser, &token)) {
        operand.kind = PTX_IMM;
        operand.bits = hone_ptx_take_function(parser, &token)->address;
        hone_ptx_advance(parser);
    } else {
        if (token.text[0] == '%') operand.kind = PTX_SPECIAL;
        operand.name = hone_ptx_name(parser);
        note_special(parser, operand.name);
    }
    return operand;
}

// x or !x, and not a constant.
static bool starts_name(const struct ptx_parser *parser)
{
    struct ptx_lexer ahead = parser->lexer;
    return parser->token.kind == PTX_WORD || (hone_ptx_token_punct(&parser->token, '!') &&
                                              hone_ptx_lex(&ahead).kind == PTX_WORD);
}

static struct ptx_operand parse_operand(struct ptx_parser *parser, unsigned depth)
{
    if (hone_ptx_token_punct(&parser->token, '{'))
        return parse_items(parser, PTX_VECTOR, '}', depth);
    if (hone_ptx_token_punct(&parser->token, '[')) {
        struct ptx_operand address = parse_items(parser, PTX_ADDRESS, ']', depth);
        if (address.count) address.bits = address.items[0].bits;
        return address;
    }
    if (hone_ptx_token_punct(&parser->token, '(') &&
        hone_ptx_begins_with(parser->opcode, "call"))
        return parse_items(parser, PTX_VECTOR, ')', depth);
    if (!starts_name(parser)) return parse_number(parser);
    bool negated = hone_ptx_accept(parser, '!');
    struct ptx_operand operand = parse_word(parser);
    operand.negated = negated;
    bool minus = hone_ptx_token_punct(&parser->token, '-');
    if (minus ||
        hone_ptx_token_punct(&parser->token, '+')) { // register or variable plus offset
        if (!minus) hone_ptx_advance(parser);
        operand.bits += parse_number(parser).bits;
    }
    return operand;
}

static struct ptx_operand parse_whole_operand(struct ptx_parser *parser)
{
    struct ptx_operand operand = parse_operand(parser, 0);
    if (!hone_ptx_accept(parser, '|')) return operand;
    struct ptx_operand *pair = hone_ptx_alloc(parser, 2, sizeof *pair);
    if (!pair) return operand;
    pair[0] = operand;
    pair[1] = parse_operand(parser, 0);
    return (struct ptx_operand){.kind = PTX_PAIR, .items = pair, .count = 2};
}

// ---- statements ----

static void parse_guard(struct ptx_parser *parser, struct ptx_statement *statement)
{
    statement->guard = -1;
    if (!hone_ptx_accept(parser, '@')) return;
    statement->guard_negated = hone_ptx_accept(parser, '!');
    int64_t reg = hone_ptx_find_register(parser, &parser->token);
    if (reg < 0 || parser->kernel->regs[reg] != PTX_PRED)
        hone_ptx_unexpected(parser, "a predicate");
    statement->guard = (int32_t)reg;
    hone_ptx_advance(parser);
}

struct ptx_label *hone_ptx_add_label(struct ptx_parser *parser, struct ptx_kernel *kernel,
                                     const char *name, uint32_t scope)
{
    void *labels = kernel->labels;
    if (kernel->label_count == MAX_STATEMENTS) {
        hone_ptx_unsupported(parser, parser->token.line, "over %d labels",
                             MAX_STATEMENTS);
        return NULL;
    }
    if (!hone_ptx_grow(parser, &labels, &kernel->label_cap, kernel->label_count,
                       sizeof *kernel->labels))
        return NULL;
    kernel->labels = labels;
    struct ptx_label *label = &kernel->labels[kernel->label_count++];
    *label = (struct ptx_label){
        .name = name, .scope = scope, .position = (uint32_t)kernel->statement_count};
    return label;
}

static void parse_operands(struct ptx_parser *parser, struct ptx_statement *statement)
{
    struct ptx_operand operands[MAX_OPERANDS];
    parser->opcode = statement->opcode;
    if (!hone_ptx_token_punct(&parser->token, ';')) {
        do {
            if (statement->count == MAX_OPERANDS) {
                hone_ptx_unexpected(parser, "fewer operands");
                return;
            }
            operands[statement->count++] = parse_whole_operand(parser);
        } while (hone_ptx_accept(parser, ','));
    }
    hone_ptx_expect(parser, ';');
    struct ptx_operand *kept = hone_ptx_alloc(parser, statement->count, sizeof *kept);
    if (kept && statement->count) memcpy(kept, operands, statement->count * sizeof *kept);
    if (!kept) statement->count = 0;
    statement->operands = kept;
}

void hone_ptx_add_statement(struct ptx_parser *parser, struct ptx_kernel *kernel,
                            const struct ptx_statement *statement)
{
    void *statements = kernel->statements;
    if (kernel->statement_count == MAX_STATEMENTS) {
        hone_ptx_unsupported(parser, statement->line, "over %d statements",
                             MAX_STATEMENTS);
        return;
    }
    if (!hone_ptx_grow(parser, &statements, &kernel->statement_cap,
                       kernel->statement_count, sizeof *kernel->statements))
        return;
    kernel->statements = statements;
    kernel->statements[kernel->statement_count++] = *statement;
}

static void parse_statement(struct ptx_parser *parser)
{
    struct ptx_statement statement = {
        .line = parser->token.line, .place = parser->place, .scope = parser->scope};
    parse_guard(parser, &statement);
    statement.line = parser->token.line;
    statement.opcode = hone_ptx_name(parser);
    if (statement.guard < 0 && hone_ptx_accept(parser, ':')) {
        hone_ptx_add_label(parser, parser->kernel, statement.opcode, parser->scope);
        return;
    }
    if (parser->status != HONE_OK) return;
    parse_operands(parser, &statement);
    if (parser->status != HONE_OK) return;
    if (hone_ptx_begins_with(statement.opcode, "wmma") &&
        hone_ptx_expand_wmma(parser, &statement))
        return;
    hone_ptx_add_statement(parser, parser->kernel, &statement);
    parser->kernel->needs_link |= hone_ptx_begins_with(statement.opcode, "call") ||
                                  hone_ptx_begins_with(statement.opcode, "brx");
}

// ---- directives ----

static void skip_declaration(struct ptx_parser *parser)
{
    while (parser->token.kind != PTX_END && !hone_ptx_token_punct(&parser->token, ';'))
        hone_ptx_advance(parser);
    hone_ptx_expect(parser, ';');
}

// TABLE: .branchtargets A, B, C; the label is the last one.
static void parse_branch_targets(struct ptx_parser *parser)
{
    const struct ptx_kernel *kernel = parser->kernel;
    struct ptx_operand *targets = NULL;
    size_t count = 0, cap = 0;
    do {
        void *items = targets;
        if (!hone_ptx_grow(parser, &items, &cap, count, sizeof *targets)) return;
        targets = items;
        targets[count++] =
            (struct ptx_operand){.kind = PTX_NAME, .name = hone_ptx_name(parser)};
    } while (hone_ptx_accept(parser, ','));
    hone_ptx_expect(parser, ';');
    if (kernel->label_count == 0) {
        hone_ptx_unexpected(parser, "a label of the branch targets");
        return;
    }
    struct ptx_label *label = &kernel->labels[kernel->label_count - 1];
    label->targets = targets;
    label->target_count = count;
}

static void parse_body_variables(struct ptx_parser *parser, enum ptx_space space)
{
    struct ptx_kernel *kernel = parser->kernel;
    const bool is_static = space == PTX_GLOBAL || space == PTX_CONST;
    struct ptx_variable **list =
        is_static ? &parser->module->variables : &kernel->variables;
    const struct ptx_variable *before = *list;
    // what a call passes is a thread's own
    hone_ptx_parse_variables(parser, space == PTX_PARAM ? PTX_LOCAL : space, list);
    for (struct ptx_variable *v = *list; v != before; v = v->next)
        v->of_call = space == PTX_PARAM;
}

static void parse_body_directive(struct ptx_parser *parser)
{
    struct ptx_token name = parser->token;
    if (hone_ptx_token_is(&name, "loc")) hone_ptx_take_loc(parser);
    if (hone_ptx_token_is(&name, "file")) hone_ptx_take_file(parser);
    hone_ptx_advance(parser);
    if (hone_ptx_token_is(&name, "shared"))
        parse_body_variables(parser, PTX_SHARED);
    else if (hone_ptx_token_is(&name, "local"))
        parse_body_variables(parser, PTX_LOCAL);
    else if (hone_ptx_token_is(&name, "param"))
        parse_body_variables(parser, PTX_PARAM);
    else if (hone_ptx_token_is(&name, "global"))
        parse_body_variables(parser, PTX_GLOBAL);
    else if (hone_ptx_token_is(&name, "const"))
        parse_body_variables(parser, PTX_CONST);
    else if (hone_ptx_token_is(&name, "reg"))
        hone_ptx_parse_registers(parser);
    else if (hone_ptx_token_is(&name, "branchtargets"))
        parse_branch_targets(parser);
    else if (hone_ptx_token_is(&name, "pragma") ||
             hone_ptx_token_is(&name, "callprototype") ||
             hone_ptx_token_is(&name, "calltargets"))
        skip_declaration(parser);
    else if (!hone_ptx_token_is(&name, "loc") && !hone_ptx_token_is(&name, "file"))
        hone_ptx_error(parser, name.line, "unknown directive '.%.*s' in a body",
                       (int)(name.len < 40 ? name.len : 40), name.text);
}

// ---- scopes ----

uint32_t hone_ptx_add_scope(struct ptx_parser *parser, struct ptx_kernel *kernel,
                            uint32_t parent)
{
    void *parents = kernel->scope_parent;
    uint32_t scope = (uint32_t)kernel->scope_count;
    if (scope == MAX_SCOPES) {
        hone_ptx_unsupported(parser, parser->token.line, "over %d scopes", MAX_SCOPES);
        return 0;
    }
    if (!hone_ptx_grow(parser, &parents, &kernel->scope_cap, kernel->scope_count,
                       sizeof *kernel->scope_parent))
        return 0;
    kernel->scope_parent = parents;
    kernel->scope_parent[scope] = parent == UINT32_MAX ? scope : parent;
    kernel->scope_count++;
    return scope;
}

static void parse_scope(struct ptx_parser *parser, uint32_t outer)
{
    parser->scope = hone_ptx_add_scope(parser, parser->kernel, outer);
    if (++parser->depth > MAX_SCOPE_DEPTH) hone_ptx_unexpected(parser, "less nesting");
    hone_ptx_expect(parser, '{');
    while (parser->token.kind != PTX_END && !hone_ptx_token_punct(&parser->token, '}')) {
        if (hone_ptx_token_punct(&parser->token, '{'))
            parse_scope(parser, parser->scope);
        else if (parser->token.kind == PTX_DIRECTIVE)
            parse_body_directive(parser);
        else if (!hone_ptx_accept(parser, ';'))
            parse_statement(parser);
    }
    hone_ptx_expect(parser, '}');
    parser->depth--;
    parser->scope = outer;
}

void hone_ptx_parse_body(struct ptx_parser *parser)
{
    parse_scope(parser, PTX_PARAM_SCOPE);
    hone_ptx_name_labels(parser, parser->kernel);
}

// ---- labels ----

void hone_ptx_name_labels(struct ptx_parser *parser, struct ptx_kernel *kernel)
{
    kernel->label_names = (struct ptx_names){0};
    for (size_t i = 0; i < kernel->label_count; i++)
        hone_ptx_put_name(parser, &kernel->label_names, kernel->labels[i].scope,
                          kernel->labels[i].name, &kernel->labels[i]);
}

const struct ptx_label *hone_ptx_find_label(const struct ptx_kernel *kernel,
                                            uint32_t scope, const char *name)
{
    for (;;) {
        const struct ptx_label *label =
            hone_ptx_names_get(&kernel->label_names, scope, name, strlen(name));
        if (label || kernel->scope_parent[scope] == scope) return label;
        scope = kernel->scope_parent[scope];
    }
}
