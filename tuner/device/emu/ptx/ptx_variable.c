// Variable declarations with their initial values.
#include "ptx_parser.h"

#include <string.h>

// A device keeps allocations far apart: it has room for 65,536.
enum {
    MAX_DEPTH = 64,
    MAX_VARIABLES = 1 << 15,
    MAX_VARIABLE_BYTES = 1 << 26,
    MAX_INITIAL_BYTES = 1 << 26
};

const struct ptx_variable *hone_ptx_find_variable(const struct ptx_parser *parser,
                                                  const struct ptx_token *name)
{
    const struct ptx_kernel *kernel = parser->kernel;
    const struct ptx_variable *found = NULL;
    uint32_t scope = parser->scope;
    while (kernel && !found && scope != PTX_PARAM_SCOPE) {
        found = hone_ptx_names_get(&parser->variables, scope, name->text, name->len);
        uint32_t parent = kernel->scope_parent[scope];
        scope = parent == scope ? PTX_PARAM_SCOPE : parent;
    }
    if (kernel && !found)
        found = hone_ptx_names_get(&parser->variables, PTX_PARAM_SCOPE, name->text,
                                   name->len);
    return found ? found
                 : hone_ptx_names_get(&parser->module->variable_names, 0, name->text,
                                      name->len);
}

// ---- initial values ----

struct filling {
    struct ptx_variable *variable;
    enum ptx_type type;
    uint64_t at; // next byte
    size_t relocation_cap;
};

static uint64_t float_bits(const struct ptx_token *token, enum ptx_type type)
{
    if (type == PTX_F64 || token->single) return token->bits;
    double wide;
    memcpy(&wide, &token->bits, sizeof wide);
    float narrow = (float)wide;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return bits;
}

// A table of functions is of no use but to indirect calls: its entries stay null.
static bool names_function(const struct ptx_parser *parser, const struct ptx_token *name)
{
    return hone_ptx_names_get(&parser->module->function_names, 0, name->text, name->len);
}

// The address of a variable goes in later: remember where. False for a function, and when
// that failed.
static bool add_relocation(struct ptx_parser *parser, struct filling *filling)
{
    struct ptx_variable *variable = filling->variable;
    const struct ptx_variable *target = hone_ptx_find_variable(parser, &parser->token);
    void *items = variable->relocations;
    if (!target && names_function(parser, &parser->token)) {
        hone_ptx_advance(parser);
        return false;
    }
    if (!target || hone_ptx_type_bits(filling->type) != 64) {
        hone_ptx_unexpected(parser, "a known variable");
        return false;
    }
    if (!hone_ptx_grow(parser, &items, &filling->relocation_cap,
                       variable->relocation_count, sizeof *variable->relocations))
        return false;
    hone_ptx_advance(parser);
    variable->relocations = items;
    variable->relocations[variable->relocation_count++] =
        (struct ptx_relocation){.offset = filling->at, .target = target};
    return true;
}

// x, x + 4, generic(x), generic(x) + 4
static void fill_address(struct ptx_parser *parser, struct filling *filling)
{
    bool generic = hone_ptx_token_is(&parser->token, "generic");
    if (generic) {
        hone_ptx_advance(parser);
        hone_ptx_expect(parser, '(');
    }
    bool added = add_relocation(parser, filling);
    if (generic) hone_ptx_expect(parser, ')');
    if (!added) return;
    struct ptx_variable *variable = filling->variable;
    if (hone_ptx_accept(parser, '+'))
        variable->relocations[variable->relocation_count - 1].addend =
            (int64_t)hone_ptx_parse_integer(parser);
}

static uint64_t fill_value(struct ptx_parser *parser, struct filling *filling)
{
    if (parser->token.kind == PTX_FLOAT) {
        uint64_t bits = float_bits(&parser->token, filling->type);
        hone_ptx_advance(parser);
        return bits;
    }
    if (parser->token.kind != PTX_WORD) return hone_ptx_parse_integer(parser);
    fill_address(parser, filling);
    return 0;
}

static void fill(struct ptx_parser *parser, struct filling *filling, unsigned depth)
{
    if (hone_ptx_token_punct(&parser->token, '{')) {
        if (depth == MAX_DEPTH) {
            hone_ptx_unexpected(parser, "less nesting");
            return;
        }
        do {
            hone_ptx_advance(parser);
            fill(parser, filling, depth + 1);
        } while (hone_ptx_token_punct(&parser->token, ','));
        hone_ptx_expect(parser, '}');
        return;
    }
    uint64_t bytes = hone_ptx_type_bits(filling->type) / 8;
    if (bytes == 0 || bytes > 8 || filling->at + bytes > filling->variable->bytes) {
        hone_ptx_unexpected(parser, "no more initial values");
        return;
    }
    uint64_t bits = fill_value(parser, filling);
    if (filling->variable->init)
        memcpy(filling->variable->init + filling->at, &bits, bytes);
    filling->at += bytes;
}

// ---- declarations ----

static uint64_t parse_dimensions(struct ptx_parser *parser, uint64_t element)
{
    uint64_t bytes = element;
    while (hone_ptx_accept(parser, '[')) {
        uint64_t n = hone_ptx_token_punct(&parser->token, ']')
                         ? 0
                         : hone_ptx_parse_integer(parser);
        if (n && bytes > MAX_VARIABLE_BYTES / n)
            hone_ptx_unsupported(parser, parser->token.line,
                                 "a variable of over %d bytes", MAX_VARIABLE_BYTES);
        bytes *= n;
        hone_ptx_expect(parser, ']');
    }
    return bytes;
}

// The directives between the state space and the name: alignment, type, vector, pointer
// hints.
static enum ptx_type parse_qualifiers(struct ptx_parser *parser, uint64_t *align,
                                      uint64_t *lanes)
{
    enum ptx_type type = PTX_NONE;
    while (parser->token.kind == PTX_DIRECTIVE) {
        enum ptx_type found = hone_ptx_type_find(parser->token.text, parser->token.len);
        if (found) type = found;
        if (hone_ptx_token_is(&parser->token, "v2")) *lanes = 2;
        if (hone_ptx_token_is(&parser->token, "v4")) *lanes = 4;
        bool aligned = hone_ptx_token_is(&parser->token, "align");
        hone_ptx_advance(parser);
        if (aligned) {
            uint64_t n = hone_ptx_parse_integer(parser);
            // after .ptr the alignment is that of the buffer pointed to
            if (!type) *align = n;
        }
        if (hone_ptx_token_punct(&parser->token, '(')) { // .attribute(...)
            while (parser->token.kind != PTX_END &&
                   !hone_ptx_token_punct(&parser->token, ')'))
                hone_ptx_advance(parser);
            hone_ptx_expect(parser, ')');
        }
    }
    return type;
}

struct ptx_variable *hone_ptx_parse_variable(struct ptx_parser *parser,
                                             enum ptx_space space,
                                             struct ptx_variable **list)
{
    uint64_t align = 0, lanes = 1;
    enum ptx_type type = parse_qualifiers(parser, &align, &lanes);
    uint64_t element = hone_ptx_type_bits(type) / 8 * lanes;
    if (element == 0) hone_ptx_unexpected(parser, "a type");
    if (align == 0) align = element ? element : 1;
    if (align > 4096 || (align & (align - 1)))
        hone_ptx_error(parser, parser->token.line, "alignment of %llu",
                       (unsigned long long)align);
    struct ptx_variable *variable = hone_ptx_alloc(parser, 1, sizeof *variable);
    if (!variable) return NULL;
    variable->name = hone_ptx_name(parser);
    variable->space = space;
    variable->align = (uint32_t)align;
    variable->bytes = parse_dimensions(parser, element);
    bool can_start = space == PTX_GLOBAL || space == PTX_CONST; // with a value
    if (can_start && hone_ptx_accept(parser, '=')) {
        struct filling filling = {.variable = variable, .type = type};
        parser->initial_bytes += variable->bytes;
        if (parser->initial_bytes > MAX_INITIAL_BYTES)
            hone_ptx_unsupported(parser, parser->token.line,
                                 "over %d bytes of initial values", MAX_INITIAL_BYTES);
        else
            variable->init = hone_ptx_alloc(parser, (size_t)variable->bytes, 1);
        fill(parser, &filling, 0);
    }
    if (++parser->variable_count > MAX_VARIABLES)
        hone_ptx_unsupported(parser, parser->token.line, "over %d variables",
                             MAX_VARIABLES);
    variable->next = *list;
    *list = variable;
    if (parser->kernel)
        hone_ptx_put_name(parser, &parser->variables, parser->scope, variable->name,
                          variable);
    else
        hone_ptx_put_name(parser, &parser->module->variable_names, 0, variable->name,
                          variable);
    return variable;
}
