// PTX modules: directives, variables with their initial values, and the header of the
// entry asked for. Bodies of other functions are skipped, so that what they hold cannot
// fail this one.
#include "ptx_parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 64, MAX_VARIABLE_BYTES = 1 << 26 };

void ptx_error(struct ptx_parser *parser, uint32_t line, const char *format, ...)
{
    if (parser->status != HONE_OK) return;
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    parser->status = hone_fail_at(parser->err, HONE_EINPUT, "ptx", (int)line, "%s", text);
    parser->token = (struct ptx_token){.kind = PTX_END, .text = "", .line = line};
    parser->lexer.at = parser->lexer.end;
}

void ptx_unexpected(struct ptx_parser *parser, const char *what)
{
    const struct ptx_token *token = &parser->token;
    if (token->kind == PTX_END)
        ptx_error(parser, token->line, "expected %s, found the end", what);
    else
        ptx_error(parser, token->line, "expected %s, found '%.*s'", what,
                  (int)(token->len < 40 ? token->len : 40), token->text);
}

void ptx_advance(struct ptx_parser *parser)
{
    parser->token = ptx_lex(&parser->lexer);
    if (parser->token.kind == PTX_BAD) ptx_unexpected(parser, "PTX");
}

bool ptx_accept(struct ptx_parser *parser, char punct)
{
    if (!ptx_token_punct(&parser->token, punct)) return false;
    ptx_advance(parser);
    return true;
}

void ptx_expect(struct ptx_parser *parser, char punct)
{
    const char what[] = {'\'', punct, '\'', '\0'};
    if (!ptx_accept(parser, punct)) ptx_unexpected(parser, what);
}

void *ptx_alloc(struct ptx_parser *parser, size_t count, size_t size)
{
    void *p = hone_arena_array(&parser->module->arena, count, size);
    if (!p && parser->status == HONE_OK) {
        ptx_error(parser, parser->token.line, "out of memory");
        parser->status = HONE_ENOMEM;
    }
    return p;
}

bool ptx_grow(struct ptx_parser *parser, void **items, size_t *cap, size_t count,
              size_t size)
{
    if (count < *cap) return true;
    size_t wanted = *cap ? *cap * 2 : 64;
    while (wanted <= count)
        wanted *= 2;
    void *grown = ptx_alloc(parser, wanted, size);
    if (!grown) return false;
    if (*cap) memcpy(grown, *items, *cap * size);
    *items = grown;
    *cap = wanted;
    return true;
}

const char *ptx_name(struct ptx_parser *parser)
{
    if (parser->token.kind != PTX_WORD) {
        ptx_unexpected(parser, "a name");
        return "";
    }
    char *name = ptx_alloc(parser, parser->token.len + 1, 1);
    if (!name) return "";
    memcpy(name, parser->token.text, parser->token.len);
    ptx_advance(parser);
    return name;
}

static uint64_t parse_integer(struct ptx_parser *parser)
{
    bool minus = ptx_accept(parser, '-');
    uint64_t value = parser->token.bits;
    if (parser->token.kind != PTX_INT)
        ptx_unexpected(parser, "an integer");
    else
        ptx_advance(parser);
    return minus ? 0 - value : value;
}

void ptx_skip_block(struct ptx_parser *parser)
{
    size_t depth = 0;
    do {
        if (ptx_token_punct(&parser->token, '{')) depth++;
        if (ptx_token_punct(&parser->token, '}')) depth--;
        if (parser->token.kind == PTX_END) {
            ptx_unexpected(parser, "'}'");
            return;
        }
        ptx_advance(parser);
    } while (depth > 0);
}

static const struct ptx_variable *find_in(const struct ptx_variable *list,
                                          const struct ptx_token *name)
{
    for (; list; list = list->next)
        if (ptx_token_is(name, list->name)) return list;
    return NULL;
}

const struct ptx_variable *ptx_find_variable(const struct ptx_parser *parser,
                                             const struct ptx_token *name)
{
    const struct ptx_kernel *kernel = parser->module->kernel;
    const struct ptx_variable *found = kernel ? find_in(kernel->variables, name) : NULL;
    if (!found && kernel) found = find_in(kernel->params, name);
    return found ? found : find_in(parser->module->variables, name);
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

// The address of a variable goes in later: remember where. False when that failed.
static bool add_relocation(struct ptx_parser *parser, struct filling *filling)
{
    struct ptx_variable *variable = filling->variable;
    const struct ptx_variable *target = ptx_find_variable(parser, &parser->token);
    void *items = variable->relocations;
    if (!target || ptx_type_bits(filling->type) != 64) {
        ptx_unexpected(parser, "a known variable");
        return false;
    }
    if (!ptx_grow(parser, &items, &filling->relocation_cap, variable->relocation_count,
                  sizeof *variable->relocations))
        return false;
    ptx_advance(parser);
    variable->relocations = items;
    variable->relocations[variable->relocation_count++] =
        (struct ptx_relocation){.offset = filling->at, .target = target};
    return true;
}

// x, x + 4, generic(x), generic(x) + 4
static void fill_address(struct ptx_parser *parser, struct filling *filling)
{
    bool generic = ptx_token_is(&parser->token, "generic");
    if (generic) {
        ptx_advance(parser);
        ptx_expect(parser, '(');
    }
    if (!add_relocation(parser, filling)) return;
    if (generic) ptx_expect(parser, ')');
    struct ptx_variable *variable = filling->variable;
    if (ptx_accept(parser, '+'))
        variable->relocations[variable->relocation_count - 1].addend =
            (int64_t)parse_integer(parser);
}

static uint64_t fill_value(struct ptx_parser *parser, struct filling *filling)
{
    if (parser->token.kind == PTX_FLOAT) {
        uint64_t bits = float_bits(&parser->token, filling->type);
        ptx_advance(parser);
        return bits;
    }
    if (parser->token.kind != PTX_WORD) return parse_integer(parser);
    fill_address(parser, filling);
    return 0;
}

static void fill(struct ptx_parser *parser, struct filling *filling, unsigned depth)
{
    if (ptx_token_punct(&parser->token, '{')) {
        if (depth == MAX_DEPTH) {
            ptx_unexpected(parser, "less nesting");
            return;
        }
        do {
            ptx_advance(parser);
            fill(parser, filling, depth + 1);
        } while (ptx_token_punct(&parser->token, ','));
        ptx_expect(parser, '}');
        return;
    }
    uint64_t bytes = ptx_type_bits(filling->type) / 8;
    if (bytes == 0 || bytes > 8 || filling->at + bytes > filling->variable->bytes) {
        ptx_unexpected(parser, "no more initial values");
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
    while (ptx_accept(parser, '[')) {
        uint64_t n = ptx_token_punct(&parser->token, ']') ? 0 : parse_integer(parser);
        if (n && bytes > MAX_VARIABLE_BYTES / n)
            ptx_error(parser, parser->token.line, "variable of over %d bytes",
                      MAX_VARIABLE_BYTES);
        bytes *= n;
        ptx_expect(parser, ']');
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
        enum ptx_type found = ptx_type_find(parser->token.text, parser->token.len);
        if (found) type = found;
        if (ptx_token_is(&parser->token, "v2")) *lanes = 2;
        if (ptx_token_is(&parser->token, "v4")) *lanes = 4;
        bool aligned = ptx_token_is(&parser->token, "align");
        ptx_advance(parser);
        if (aligned) {
            uint64_t n = parse_integer(parser);
            // after .ptr the alignment is that of the buffer pointed to
            if (!type) *align = n;
        }
        if (ptx_token_punct(&parser->token, '(')) { // .attribute(...)
            while (parser->token.kind != PTX_END && !ptx_token_punct(&parser->token, ')'))
                ptx_advance(parser);
            ptx_expect(parser, ')');
        }
    }
    return type;
}

struct ptx_variable *ptx_parse_variable(struct ptx_parser *parser, enum ptx_space space,
                                        struct ptx_variable **list)
{
    uint64_t align = 0, lanes = 1;
    enum ptx_type type = parse_qualifiers(parser, &align, &lanes);
    uint64_t element = ptx_type_bits(type) / 8 * lanes;
    if (element == 0) ptx_unexpected(parser, "a type");
    if (align == 0) align = element ? element : 1;
    if (align > 4096 || (align & (align - 1)))
        ptx_error(parser, parser->token.line, "alignment of %llu",
                  (unsigned long long)align);
    struct ptx_variable *variable = ptx_alloc(parser, 1, sizeof *variable);
    if (!variable) return NULL;
    variable->name = ptx_name(parser);
    variable->space = space;
    variable->align = (uint32_t)align;
    variable->bytes = parse_dimensions(parser, element);
    if (ptx_accept(parser, '=')) {
        struct filling filling = {.variable = variable, .type = type};
        variable->init = ptx_alloc(parser, (size_t)variable->bytes, 1);
        fill(parser, &filling, 0);
    }
    variable->next = *list;
    *list = variable;
    return variable;
}

static void parse_variables(struct ptx_parser *parser, enum ptx_space space)
{
    do {
        ptx_parse_variable(parser, space, &parser->module->variables);
    } while (ptx_accept(parser, ','));
    ptx_expect(parser, ';');
}

// ---- functions ----

static void parse_params(struct ptx_parser *parser, struct ptx_kernel *kernel)
{
    struct ptx_variable *list = NULL;
    if (!ptx_accept(parser, '(')) return;
    while (parser->status == HONE_OK && !ptx_token_punct(&parser->token, ')')) {
        if (ptx_token_is(&parser->token, "param")) ptx_advance(parser);
        struct ptx_variable *param = ptx_parse_variable(parser, PTX_PARAM, &list);
        if (!param || !ptx_accept(parser, ',')) break;
    }
    ptx_expect(parser, ')');
    while (list) { // back into the order of the text
        struct ptx_variable *next = list->next;
        list->next = kernel->params;
        kernel->params = list;
        list = next;
    }
    for (struct ptx_variable *p = kernel->params; p; p = p->next) {
        p->address = (kernel->param_bytes + p->align - 1) & ~(uint64_t)(p->align - 1);
        kernel->param_bytes = p->address + p->bytes;
    }
}

static void parse_triple(struct ptx_parser *parser, uint32_t out[3])
{
    out[0] = out[1] = out[2] = 1;
    size_t i = 0;
    do {
        uint64_t n = parse_integer(parser);
        if (i < 3) out[i++] = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
    } while (ptx_accept(parser, ','));
}

// .maxntid 256, 1, 1 and its kind; unknown tuning directives are skipped with their
// numbers.
static void parse_performance(struct ptx_parser *parser, struct ptx_kernel *kernel)
{
    uint32_t ignored[3] = {0};
    while (parser->token.kind == PTX_DIRECTIVE) {
        uint32_t *out = ptx_token_is(&parser->token, "maxntid")   ? kernel->max_block
                        : ptx_token_is(&parser->token, "reqntid") ? kernel->required_block
                                                                  : ignored;
        ptx_advance(parser);
        if (parser->token.kind == PTX_INT) parse_triple(parser, out);
        while (parser->token.kind == PTX_STRING || ptx_token_punct(&parser->token, ';'))
            ptx_advance(parser);
    }
}

static void skip_function(struct ptx_parser *parser)
{
    while (parser->token.kind != PTX_END && !ptx_token_punct(&parser->token, '{') &&
           !ptx_token_punct(&parser->token, ';'))
        ptx_advance(parser);
    if (ptx_token_punct(&parser->token, '{'))
        ptx_skip_block(parser);
    else
        ptx_expect(parser, ';');
}

static void parse_entry(struct ptx_parser *parser, const char *entry)
{
    if (!ptx_token_is(&parser->token, entry) || parser->module->kernel) {
        skip_function(parser);
        return;
    }
    struct ptx_kernel *kernel = ptx_alloc(parser, 1, sizeof *kernel);
    if (!kernel) return;
    parser->module->kernel = kernel;
    kernel->name = ptx_name(parser);
    parse_params(parser, kernel);
    parse_performance(parser, kernel);
    if (ptx_token_punct(&parser->token, '{'))
        ptx_parse_body(parser);
    else
        ptx_unexpected(parser, "'{'");
}

static void parse_target(struct ptx_parser *parser)
{
    const struct ptx_token *token = &parser->token;
    if (token->kind == PTX_WORD && token->len > 3 && memcmp(token->text, "sm_", 3) == 0)
        for (size_t i = 3;
             i < token->len && token->text[i] >= '0' && token->text[i] <= '9'; i++)
            parser->module->target =
                parser->module->target % 1000 * 10 + (unsigned)(token->text[i] - '0');
    while (parser->token.kind == PTX_WORD || ptx_token_punct(&parser->token, ','))
        ptx_advance(parser);
}

static bool skip_linking(const struct ptx_token *token)
{
    return ptx_token_is(token, "visible") || ptx_token_is(token, "extern") ||
           ptx_token_is(token, "weak") || ptx_token_is(token, "common");
}

static void parse_address_size(struct ptx_parser *parser)
{
    if (parse_integer(parser) == 64 || parser->status != HONE_OK) return;
    ptx_error(parser, parser->token.line, "32-bit addresses");
    parser->status = HONE_EUNSUPPORTED;
}

static void parse_directive(struct ptx_parser *parser, const char *entry)
{
    struct ptx_token name = parser->token;
    if (ptx_token_is(&name, "file")) ptx_lex_skip_line(&parser->lexer);
    ptx_advance(parser);
    if (ptx_token_is(&name, "version"))
        ptx_advance(parser);
    else if (ptx_token_is(&name, "target"))
        parse_target(parser);
    else if (ptx_token_is(&name, "address_size"))
        parse_address_size(parser);
    else if (ptx_token_is(&name, "global"))
        parse_variables(parser, PTX_GLOBAL);
    else if (ptx_token_is(&name, "const"))
        parse_variables(parser, PTX_CONST);
    else if (ptx_token_is(&name, "shared"))
        parse_variables(parser, PTX_SHARED);
    else if (ptx_token_is(&name, "entry"))
        parse_entry(parser, entry);
    else if (ptx_token_is(&name, "func") || ptx_token_is(&name, "section") ||
             ptx_token_is(&name, "alias") || ptx_token_is(&name, "pragma"))
        skip_function(parser);
    else if (!skip_linking(&name) && !ptx_token_is(&name, "file"))
        ptx_error(parser, name.line, "unknown directive '.%.*s'",
                  (int)(name.len < 40 ? name.len : 40), name.text);
}

enum hone_status ptx_parse(struct ptx_module *out, const char *text, size_t size,
                           const char *entry, struct hone_error *err)
{
    *out = (struct ptx_module){0};
    struct ptx_parser parser = {
        .module = out, .err = err, .lexer = {.at = text, .end = text + size, .line = 1}};
    ptx_advance(&parser);
    while (parser.token.kind != PTX_END) {
        if (parser.token.kind == PTX_DIRECTIVE)
            parse_directive(&parser, entry);
        else if (!ptx_accept(&parser, ';'))
            ptx_unexpected(&parser, "a directive");
    }
    if (parser.status == HONE_OK && !out->kernel)
        return hone_fail(err, HONE_ENOTFOUND, "no entry '%s' in the PTX", entry);
    return parser.status;
}

void ptx_module_fini(struct ptx_module *module)
{
    hone_arena_fini(&module->arena);
    *module = (struct ptx_module){0};
}
