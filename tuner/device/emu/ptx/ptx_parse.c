// PTX modules: directives, and the header of the entry asked for. Bodies of functions are
// read when it calls them, those of other entries never: what they hold cannot fail it.
#include "ptx_parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/c_text.h"
#include "base/grow.h"

// A text of our largest kernels has 1 MB. What is read takes up to 20 times its size.
// Parameters: PTX ISA 9.0, section 5.1.6.
enum { MAX_TEXT = 32 << 20, MAX_PARAM_BYTES = 32764, FUNCTION_STEP = 128 };

void hone_ptx_error(struct ptx_parser *parser, uint32_t line, const char *format, ...)
{
    if (parser->status != HONE_OK) return;
    char text[256];
    va_list args;
    va_start(args, format);
    hone_vsnprintf(text, sizeof text, format, args);
    va_end(args);
    parser->status = hone_fail_at(parser->err, HONE_EINPUT, "ptx", (int)line, "%s", text);
    parser->token = (struct ptx_token){.kind = PTX_END, .text = "", .line = line};
    parser->lexer.at = parser->lexer.end;
}

void hone_ptx_unsupported(struct ptx_parser *parser, uint32_t line, const char *format,
                          ...)
{
    if (parser->status != HONE_OK) return;
    char text[200];
    va_list args;
    va_start(args, format);
    hone_vsnprintf(text, sizeof text, format, args);
    va_end(args);
    hone_ptx_error(parser, line, "%s at PTX line %u", text, line);
    parser->status = HONE_EUNSUPPORTED;
}

void hone_ptx_unexpected(struct ptx_parser *parser, const char *what)
{
    const struct ptx_token *token = &parser->token;
    if (token->kind == PTX_END)
        hone_ptx_error(parser, token->line, "expected %s, found the end", what);
    else
        hone_ptx_error(parser, token->line, "expected %s, found '%.*s'", what,
                       (int)(token->len < 40 ? token->len : 40), token->text);
}

void hone_ptx_advance(struct ptx_parser *parser)
{
    parser->token = hone_ptx_lex(&parser->lexer);
    if (parser->token.kind == PTX_BAD) hone_ptx_unexpected(parser, "PTX");
}

bool hone_ptx_accept(struct ptx_parser *parser, char punct)
{
    if (!hone_ptx_token_punct(&parser->token, punct)) return false;
    hone_ptx_advance(parser);
    return true;
}

void hone_ptx_expect(struct ptx_parser *parser, char punct)
{
    const char what[] = {'\'', punct, '\'', '\0'};
    if (!hone_ptx_accept(parser, punct)) hone_ptx_unexpected(parser, what);
}

static void out_of_memory(struct ptx_parser *parser)
{
    if (parser->status != HONE_OK) return;
    hone_ptx_error(parser, parser->token.line, "out of memory");
    parser->status = HONE_ENOMEM;
}

void *hone_ptx_alloc(struct ptx_parser *parser, size_t count, size_t size)
{
    void *p = hone_arena_array(&parser->module->arena, count, size);
    if (!p) out_of_memory(parser);
    return p;
}

bool hone_ptx_grow(struct ptx_parser *parser, void **items, size_t *cap, size_t count,
                   size_t size)
{
    if (count < *cap ||
        hone_grow_in(&parser->module->arena, items, cap, count + 1, 64, size))
        return true;
    out_of_memory(parser);
    return false;
}

void hone_ptx_put_name(struct ptx_parser *parser, struct ptx_names *names, uint32_t scope,
                       const char *name, void *value)
{
    if (!hone_ptx_names_put(names, &parser->module->arena, scope, name, strlen(name),
                            value))
        out_of_memory(parser);
}

const char *hone_ptx_name(struct ptx_parser *parser)
{
    if (parser->token.kind != PTX_WORD) {
        hone_ptx_unexpected(parser, "a name");
        return "";
    }
    char *name = hone_ptx_alloc(parser, parser->token.len + 1, 1);
    if (!name) return "";
    memcpy(name, parser->token.text, parser->token.len);
    hone_ptx_advance(parser);
    return name;
}

const char *hone_ptx_numbered(struct ptx_parser *parser, const char *prefix, uint32_t k)
{
    const size_t size = strlen(prefix) + 11;
    char *name = hone_ptx_alloc(parser, size, 1);
    if (!name) return "";
    snprintf(name, size, "%s%u", prefix, k);
    return name;
}

uint64_t hone_ptx_parse_integer(struct ptx_parser *parser)
{
    bool minus = hone_ptx_accept(parser, '-');
    uint64_t value = parser->token.bits;
    if (parser->token.kind != PTX_INT)
        hone_ptx_unexpected(parser, "an integer");
    else
        hone_ptx_advance(parser);
    return minus ? 0 - value : value;
}

static void skip_block(struct ptx_parser *parser)
{
    size_t depth = 0;
    do {
        if (hone_ptx_token_punct(&parser->token, '{')) depth++;
        if (hone_ptx_token_punct(&parser->token, '}')) depth--;
        if (parser->token.kind == PTX_END) {
            hone_ptx_unexpected(parser, "'}'");
            return;
        }
        hone_ptx_advance(parser);
    } while (depth > 0);
}

static void parse_variables(struct ptx_parser *parser, enum ptx_space space)
{
    hone_ptx_parse_variables(parser, space, &parser->module->variables);
}

// ---- functions ----

static struct ptx_variable *reversed(struct ptx_variable *list)
{
    struct ptx_variable *result = NULL;
    while (list) {
        struct ptx_variable *next = list->next;
        list->next = result;
        result = list;
        list = next;
    }
    return result;
}

// .param .b32 x, or .reg .b32 %x of an old function.
static void parse_param(struct ptx_parser *parser, struct ptx_variable **list)
{
    if (!hone_ptx_token_is(&parser->token, "reg")) {
        if (hone_ptx_token_is(&parser->token, "param")) hone_ptx_advance(parser);
        hone_ptx_parse_param(parser, list);
        return;
    }
    struct ptx_variable *param = hone_ptx_alloc(parser, 1, sizeof *param);
    if (!param) return;
    hone_ptx_advance(parser);
    *param = (struct ptx_variable){
        .name = "", .address = hone_ptx_parse_register(parser), .next = *list};
    *list = param;
}

// A list in parentheses, in the order of the text; none is an empty one.
static struct ptx_variable *parse_params(struct ptx_parser *parser)
{
    struct ptx_variable *list = NULL;
    if (!hone_ptx_accept(parser, '(')) return NULL;
    while (parser->status == HONE_OK && !hone_ptx_token_punct(&parser->token, ')')) {
        parse_param(parser, &list);
        if (!hone_ptx_accept(parser, ',')) break;
    }
    hone_ptx_expect(parser, ')');
    return reversed(list);
}

static void place_params(struct ptx_parser *parser, struct ptx_kernel *kernel)
{
    for (struct ptx_variable *p = kernel->params; p; p = p->next) {
        p->address = (kernel->param_bytes + p->align - 1) & ~(uint64_t)(p->align - 1);
        kernel->param_bytes = p->address + p->bytes;
    }
    if (kernel->param_bytes > MAX_PARAM_BYTES)
        hone_ptx_error(parser, parser->token.line, "%llu bytes of parameters, limit %d",
                       (unsigned long long)kernel->param_bytes, MAX_PARAM_BYTES);
}

static void parse_triple(struct ptx_parser *parser, uint32_t out[3])
{
    out[0] = out[1] = out[2] = 1;
    size_t i = 0;
    do {
        uint64_t n = hone_ptx_parse_integer(parser);
        if (i < 3) out[i++] = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
    } while (hone_ptx_accept(parser, ','));
}

static void keep_bounds(struct ptx_bounds *bounds, const struct ptx_token *directive,
                        const uint32_t values[3])
{
    const size_t bytes = sizeof bounds->max_block;
    if (hone_ptx_token_is(directive, "maxntid")) memcpy(bounds->max_block, values, bytes);
    if (hone_ptx_token_is(directive, "reqntid"))
        memcpy(bounds->required_block, values, bytes);
    if (hone_ptx_token_is(directive, "maxnreg")) bounds->registers = values[0];
    if (hone_ptx_token_is(directive, "minnctapersm")) bounds->blocks_per_sm = values[0];
    if (hone_ptx_token_is(directive, "reqnctapercluster"))
        memcpy(bounds->cluster, values, bytes);
    if (hone_ptx_token_is(directive, "maxclusterrank"))
        bounds->most_in_cluster = values[0];
}

// .maxntid 256, 1, 1 and its kind; unknown tuning directives are skipped with their
// numbers.
static void parse_performance(struct ptx_parser *parser, struct ptx_kernel *kernel)
{
    while (parser->token.kind == PTX_DIRECTIVE) {
        const struct ptx_token directive = parser->token;
        hone_ptx_advance(parser);
        if (hone_ptx_token_is(&directive, "explicitcluster"))
            kernel->bounds.explicit_cluster = true;
        if (hone_ptx_token_is(&directive, "blocksareclusters"))
            hone_ptx_unsupported(parser, directive.line, ".blocksareclusters");
        if (parser->token.kind == PTX_INT) {
            uint32_t values[3];
            parse_triple(parser, values);
            keep_bounds(&kernel->bounds, &directive, values);
        }
        while (parser->token.kind == PTX_STRING ||
               hone_ptx_token_punct(&parser->token, ';'))
            hone_ptx_advance(parser);
    }
}

static void skip_statement(struct ptx_parser *parser)
{
    while (parser->token.kind != PTX_END && !hone_ptx_token_punct(&parser->token, '{') &&
           !hone_ptx_token_punct(&parser->token, ';'))
        hone_ptx_advance(parser);
    if (hone_ptx_token_punct(&parser->token, '{'))
        skip_block(parser);
    else
        hone_ptx_expect(parser, ';');
}

// Begin a kernel; names of registers and variables are its own.
static struct ptx_kernel *begin_kernel(struct ptx_parser *parser)
{
    parser->kernel = hone_ptx_alloc(parser, 1, sizeof *parser->kernel);
    parser->registers = parser->variables = (struct ptx_names){0};
    parser->scope = PTX_PARAM_SCOPE;
    return parser->kernel;
}

static void parse_entry(struct ptx_parser *parser, const char *entry)
{
    if (!hone_ptx_token_is(&parser->token, entry) || parser->module->kernel) {
        skip_statement(parser);
        return;
    }
    struct ptx_kernel *kernel = begin_kernel(parser);
    if (!kernel) return;
    parser->module->kernel = kernel;
    kernel->name = hone_ptx_name(parser);
    kernel->params = parse_params(parser);
    place_params(parser, kernel);
    parse_performance(parser, kernel);
    if (hone_ptx_token_punct(&parser->token, '{'))
        hone_ptx_parse_body(parser);
    else
        hone_ptx_unexpected(parser, "'{'");
    parser->kernel = NULL;
}

struct ptx_function *hone_ptx_find_function(const struct ptx_parser *parser,
                                            const char *name)
{
    return hone_ptx_names_get(&parser->module->function_names, 0, name, strlen(name));
}

struct ptx_function *hone_ptx_take_function(const struct ptx_parser *parser,
                                            const struct ptx_token *name)
{
    struct ptx_function *function =
        hone_ptx_names_get(&parser->module->function_names, 0, name->text, name->len);
    if (function) function->taken = true;
    return function;
}

void hone_ptx_skip_parentheses(struct ptx_parser *parser)
{
    size_t depth = 0;
    do {
        if (hone_ptx_token_punct(&parser->token, '('))
            depth++;
        else if (depth && hone_ptx_token_punct(&parser->token, ')'))
            depth--;
        else if (depth == 0)
            return;
        hone_ptx_advance(parser);
    } while (depth && parser->token.kind != PTX_END);
    if (depth) hone_ptx_unexpected(parser, "')'");
}

// Remember where a function is; a later declaration with a body replaces one without.
static void note_function(struct ptx_parser *parser)
{
    struct ptx_function noted = {.lexer = parser->lexer, .token = parser->token};
    while (parser->token.kind == PTX_DIRECTIVE) { // .attribute(...)
        hone_ptx_advance(parser);
        hone_ptx_skip_parentheses(parser);
    }
    hone_ptx_skip_parentheses(parser);
    noted.name = hone_ptx_name(parser);
    while (parser->token.kind != PTX_END && !hone_ptx_token_punct(&parser->token, '{') &&
           !hone_ptx_token_punct(&parser->token, ';'))
        hone_ptx_advance(parser);
    noted.has_body = hone_ptx_token_punct(&parser->token, '{');
    skip_statement(parser);
    struct ptx_function *known = hone_ptx_find_function(parser, noted.name);
    struct ptx_function *function =
        known ? known : hone_ptx_alloc(parser, 1, sizeof noted);
    if (!function || (known && known->has_body)) return;
    if (!known) {
        function->before = parser->functions;
        function->address =
            function->before ? function->before->address + FUNCTION_STEP : FUNCTION_STEP;
        parser->functions = function;
    }
    noted.before = function->before;
    noted.address = function->address;
    noted.taken = function->taken;
    *function = noted;
    hone_ptx_put_name(parser, &parser->module->function_names, 0, noted.name, function);
}

struct ptx_kernel *hone_ptx_function_body(struct ptx_parser *parser,
                                          struct ptx_function *function)
{
    if (function->body) return function->body;
    struct ptx_kernel *kernel = begin_kernel(parser);
    if (!kernel) return NULL;
    parser->lexer = function->lexer;
    parser->token = function->token;
    while (parser->token.kind == PTX_DIRECTIVE) {
        hone_ptx_advance(parser);
        hone_ptx_skip_parentheses(parser);
    }
    kernel->returns = parse_params(parser);
    kernel->name = hone_ptx_name(parser);
    kernel->params = parse_params(parser);
    parse_performance(parser, kernel);
    if (function->has_body) hone_ptx_parse_body(parser);
    parser->kernel = NULL;
    function->body = kernel;
    return parser->status == HONE_OK ? kernel : NULL;
}

static void parse_target(struct ptx_parser *parser)
{
    const struct ptx_token *token = &parser->token;
    if (token->kind == PTX_WORD && token->len > 3 && memcmp(token->text, "sm_", 3) == 0)
        for (size_t i = 3;
             i < token->len && token->text[i] >= '0' && token->text[i] <= '9'; i++)
            parser->module->target =
                parser->module->target % 1000 * 10 + (unsigned)(token->text[i] - '0');
    while (parser->token.kind == PTX_WORD || hone_ptx_token_punct(&parser->token, ','))
        hone_ptx_advance(parser);
}

static bool skip_linking(const struct ptx_token *token)
{
    return hone_ptx_token_is(token, "visible") || hone_ptx_token_is(token, "extern") ||
           hone_ptx_token_is(token, "weak") || hone_ptx_token_is(token, "common");
}

static void parse_address_size(struct ptx_parser *parser)
{
    if (hone_ptx_parse_integer(parser) == 64 || parser->status != HONE_OK) return;
    hone_ptx_error(parser, parser->token.line, "32-bit addresses");
    parser->status = HONE_EUNSUPPORTED;
}

static void parse_directive(struct ptx_parser *parser, const char *entry)
{
    struct ptx_token name = parser->token;
    if (hone_ptx_token_is(&name, "file")) hone_ptx_take_file(parser);
    hone_ptx_advance(parser);
    if (hone_ptx_token_is(&name, "version"))
        hone_ptx_advance(parser);
    else if (hone_ptx_token_is(&name, "target"))
        parse_target(parser);
    else if (hone_ptx_token_is(&name, "address_size"))
        parse_address_size(parser);
    else if (hone_ptx_token_is(&name, "global"))
        parse_variables(parser, PTX_GLOBAL);
    else if (hone_ptx_token_is(&name, "const"))
        parse_variables(parser, PTX_CONST);
    else if (hone_ptx_token_is(&name, "shared"))
        parse_variables(parser, PTX_SHARED);
    else if (hone_ptx_token_is(&name, "entry"))
        parse_entry(parser, entry);
    else if (hone_ptx_token_is(&name, "func"))
        note_function(parser);
    else if (hone_ptx_token_is(&name, "section") || hone_ptx_token_is(&name, "alias") ||
             hone_ptx_token_is(&name, "pragma"))
        skip_statement(parser);
    else if (!skip_linking(&name) && !hone_ptx_token_is(&name, "file"))
        hone_ptx_error(parser, name.line, "unknown directive '.%.*s'",
                       (int)(name.len < 40 ? name.len : 40), name.text);
}

enum hone_status hone_ptx_parse(struct ptx_module *out, const char *text, size_t size,
                                const char *entry, struct hone_error *err)
{
    *out = (struct ptx_module){0};
    if (size > MAX_TEXT)
        return hone_fail(err, HONE_EUNSUPPORTED, "PTX of %zu bytes, limit %d", size,
                         MAX_TEXT);
    const struct ptx_lexer lexer = {.at = text, .end = text + size, .line = 1};
    struct ptx_parser parser = {.module = out, .err = err, .text = lexer, .lexer = lexer};
    hone_ptx_advance(&parser);
    while (parser.token.kind != PTX_END) {
        if (parser.token.kind == PTX_DIRECTIVE)
            parse_directive(&parser, entry);
        else if (!hone_ptx_accept(&parser, ';'))
            hone_ptx_unexpected(&parser, "a directive");
    }
    if (parser.status == HONE_OK && !out->kernel)
        return hone_fail(err, HONE_ENOTFOUND, "no entry '%s' in the PTX", entry);
    if (parser.status == HONE_OK) hone_ptx_link(&parser);
    return parser.status;
}

void hone_ptx_module_fini(struct ptx_module *module)
{
    hone_arena_fini(&module->arena);
    *module = (struct ptx_module){0};
}
