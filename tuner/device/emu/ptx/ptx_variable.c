// Variable declarations.
#include "ptx_parser.h"

#include <string.h>

// A device keeps allocations far apart: it has room for 65,536.
enum { MAX_VARIABLES = 1 << 15, MAX_VARIABLE_BYTES = 1 << 26 };

const struct ptx_variable *hone_ptx_find_variable(const struct ptx_parser *parser,
                                                  const struct ptx_token *name)
{
    const struct ptx_kernel *kernel = parser->kernel;
    struct ptx_variable *found = NULL;
    uint32_t scope = parser->scope;
    while (kernel && !found && scope != PTX_PARAM_SCOPE) {
        found = hone_ptx_names_get(&parser->variables, scope, name->text, name->len);
        uint32_t parent = kernel->scope_parent[scope];
        scope = parent == scope ? PTX_PARAM_SCOPE : parent;
    }
    if (kernel && !found)
        found = hone_ptx_names_get(&parser->variables, PTX_PARAM_SCOPE, name->text,
                                   name->len);
    if (!found)
        found =
            hone_ptx_names_get(&parser->module->variable_names, 0, name->text, name->len);
    if (found) found->named = true;
    return found;
}

// What all names of a declaration have in common.
struct declaration {
    enum ptx_space space;
    enum ptx_type type;
    uint64_t align, element; // bytes, of a vector as a whole
    bool opaque;             // a texture, a sampler or a surface
    struct ptx_variable **list;
};

// ---- between the state space and the name ----

static bool is_opaque(const struct ptx_token *token)
{
    return hone_ptx_token_is(token, "texref") || hone_ptx_token_is(token, "surfref") ||
           hone_ptx_token_is(token, "samplerref");
}

// Alignment, type, vector, pointer hints.
static void parse_qualifiers(struct ptx_parser *parser, struct declaration *out)
{
    uint64_t lanes = 1;
    while (parser->token.kind == PTX_DIRECTIVE) {
        enum ptx_type found = hone_ptx_type_find(parser->token.text, parser->token.len);
        if (found) out->type = found;
        if (is_opaque(&parser->token)) out->opaque = true, out->type = PTX_B64;
        if (hone_ptx_token_is(&parser->token, "v2")) lanes = 2;
        if (hone_ptx_token_is(&parser->token, "v4")) lanes = 4;
        bool aligned = hone_ptx_token_is(&parser->token, "align");
        hone_ptx_advance(parser);
        if (aligned) {
            uint64_t n = hone_ptx_parse_integer(parser);
            // after .ptr the alignment is that of the buffer pointed to
            if (!out->type) out->align = n;
        }
        hone_ptx_skip_parentheses(parser);
    }
    out->element = hone_ptx_type_bits(out->type) / 8 * lanes;
    if (out->element == 0) hone_ptx_unexpected(parser, "a type");
    if (out->align == 0) out->align = out->element ? out->element : 1;
    if (out->align > 4096 || (out->align & (out->align - 1)))
        hone_ptx_error(parser, parser->token.line, "alignment of %llu",
                       (unsigned long long)out->align);
}

// ---- names ----

static struct ptx_variable *add_variable(struct ptx_parser *parser,
                                         const struct declaration *as, const char *name)
{
    struct ptx_variable *variable = hone_ptx_alloc(parser, 1, sizeof *variable);
    if (!variable) return NULL;
    *variable = (struct ptx_variable){.name = name,
                                      .space = as->space,
                                      .align = (uint32_t)as->align,
                                      .element = (uint32_t)as->element,
                                      .bytes = as->element,
                                      .next = *as->list};
    *as->list = variable;
    if (++parser->variable_count > MAX_VARIABLES)
        hone_ptx_unsupported(parser, parser->token.line, "over %d variables",
                             MAX_VARIABLES);
    return variable;
}

static void put_variable(struct ptx_parser *parser, struct ptx_variable *variable)
{
    if (parser->kernel)
        hone_ptx_put_name(parser, &parser->variables, parser->scope, variable->name,
                          variable);
    else
        hone_ptx_put_name(parser, &parser->module->variable_names, 0, variable->name,
                          variable);
}

static void parse_dimension(struct ptx_parser *parser, struct ptx_variable *variable)
{
    const uint64_t n = hone_ptx_parse_integer(parser);
    if (n && variable->bytes > MAX_VARIABLE_BYTES / n)
        hone_ptx_unsupported(parser, parser->token.line, "a variable of over %d bytes",
                             MAX_VARIABLE_BYTES);
    variable->bytes *= n;
}

// [3][4]; true where the first pair is empty: as many elements as there are initial
// values, or as a launch gives.
static bool parse_dimensions(struct ptx_parser *parser, struct ptx_variable *variable)
{
    bool open = false;
    for (size_t k = 0; hone_ptx_accept(parser, '['); k++) {
        if (k == 0 && hone_ptx_token_punct(&parser->token, ']'))
            open = true;
        else
            parse_dimension(parser, variable);
        hone_ptx_expect(parser, ']');
    }
    return open;
}

// name<4> stands for name0 to name3.
static void add_numbered(struct ptx_parser *parser, const struct declaration *as,
                         const char *prefix)
{
    const uint64_t count = hone_ptx_parse_integer(parser);
    hone_ptx_expect(parser, '>');
    if (count == 0 || count > MAX_VARIABLES)
        hone_ptx_unexpected(parser, "a number of variables");
    for (uint64_t k = 0; k < count && parser->status == HONE_OK; k++) {
        const char *name = hone_ptx_numbered(parser, prefix, (uint32_t)k);
        struct ptx_variable *variable = add_variable(parser, as, name);
        if (variable) put_variable(parser, variable);
    }
}

// The initial values of textures, samplers and surfaces are fields of their own.
static void skip_fields(struct ptx_parser *parser)
{
    while (parser->token.kind != PTX_END && !hone_ptx_token_punct(&parser->token, '}'))
        hone_ptx_advance(parser);
    hone_ptx_expect(parser, '}');
}

static void add_named(struct ptx_parser *parser, const struct declaration *as,
                      const char *name)
{
    struct ptx_variable *variable = add_variable(parser, as, name);
    if (!variable) return;
    const bool open = parse_dimensions(parser, variable);
    const uint64_t row = variable->bytes;
    if (open) variable->bytes = 0;
    const bool can_start = as->space == PTX_GLOBAL || as->space == PTX_CONST;
    if (can_start && hone_ptx_accept(parser, '=')) {
        if (as->opaque)
            skip_fields(parser);
        else
            hone_ptx_fill_variable(parser, variable, as->type, open ? row : 0);
    }
    put_variable(parser, variable);
}

static void parse_declarator(struct ptx_parser *parser, const struct declaration *as)
{
    const char *name = hone_ptx_name(parser);
    if (hone_ptx_accept(parser, '<'))
        add_numbered(parser, as, name);
    else
        add_named(parser, as, name);
}

void hone_ptx_parse_variables(struct ptx_parser *parser, enum ptx_space space,
                              struct ptx_variable **list)
{
    struct declaration as = {.space = space, .list = list};
    parse_qualifiers(parser, &as);
    do {
        parse_declarator(parser, &as);
    } while (hone_ptx_accept(parser, ','));
    hone_ptx_expect(parser, ';');
}

void hone_ptx_parse_param(struct ptx_parser *parser, struct ptx_variable **list)
{
    struct declaration as = {.space = PTX_PARAM, .list = list};
    parse_qualifiers(parser, &as);
    add_named(parser, &as, hone_ptx_name(parser));
}
