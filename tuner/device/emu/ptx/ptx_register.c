// Registers of a kernel: their declarations, by scope, and who a name is.
#include <string.h>

#include "ptx_parser.h"

enum { MAX_REGISTERS = 1 << 20 };

uint32_t hone_ptx_add_registers(struct ptx_parser *parser, struct ptx_kernel *kernel,
                                enum ptx_type type, size_t count)
{
    uint32_t first = (uint32_t)kernel->reg_count;
    if (count > MAX_REGISTERS - kernel->reg_count) {
        hone_ptx_unsupported(parser, parser->token.line, "over %d registers",
                             MAX_REGISTERS);
        return 0;
    }
    size_t total = kernel->reg_count + count;
    void *regs = kernel->regs;
    if (!hone_ptx_grow(parser, &regs, &kernel->reg_cap, total, sizeof *kernel->regs))
        return 0;
    kernel->regs = regs;
    while (kernel->reg_count < total)
        kernel->regs[kernel->reg_count++] = type;
    return first;
}

// A vector is its parts, v.x or v.r and so on, and a list of them by its own name.
static void name_parts(struct ptx_parser *parser, const struct ptx_reg_range *vector)
{
    static const char parts[] = "xyzw", colours[] = "rgba";
    const size_t len = strlen(vector->prefix);
    for (uint32_t i = 0; i < 2 * vector->lanes; i++) {
        struct ptx_reg_range *part = hone_ptx_alloc(parser, 1, sizeof *part);
        char *name = hone_ptx_alloc(parser, len + 3, 1);
        if (!part || !name) return;
        const uint32_t lane = i % vector->lanes;
        memcpy(name, vector->prefix, len);
        name[len] = '.';
        name[len + 1] = i < vector->lanes ? parts[lane] : colours[lane];
        *part = (struct ptx_reg_range){.prefix = name, .first = vector->first + lane};
        hone_ptx_put_name(parser, &parser->registers, parser->scope, name, part);
    }
}

// Registers of one name: count of them by numbers behind it, lanes of them as a vector.
static uint32_t add_range(struct ptx_parser *parser, enum ptx_type type,
                          struct ptx_reg_range as)
{
    struct ptx_reg_range *range = hone_ptx_alloc(parser, 1, sizeof *range);
    if (!range) return 0;
    const uint32_t count = as.lanes ? as.lanes : as.count ? as.count : 1;
    *range = as;
    range->first = hone_ptx_add_registers(parser, parser->kernel, type, count);
    hone_ptx_put_name(parser, &parser->registers, parser->scope, range->prefix, range);
    if (as.lanes) name_parts(parser, range);
    return range->first;
}

// The number in name<4>; 0: there is none.
static uint32_t parse_count(struct ptx_parser *parser)
{
    if (!hone_ptx_accept(parser, '<')) return 0;
    const uint64_t count = parser->token.bits;
    if (parser->token.kind != PTX_INT || count == 0 || count > MAX_REGISTERS)
        hone_ptx_unexpected(parser, "a number of registers");
    hone_ptx_advance(parser);
    hone_ptx_expect(parser, '>');
    return (uint32_t)count;
}

static uint32_t declare_registers(struct ptx_parser *parser, enum ptx_type type,
                                  uint32_t lanes)
{
    const char *name = hone_ptx_name(parser);
    const uint32_t count = parse_count(parser);
    if (parser->status != HONE_OK) return 0;
    if (!lanes || !count)
        return add_range(
            parser, type,
            (struct ptx_reg_range){.prefix = name, .count = count, .lanes = lanes});
    for (uint32_t k = 0; k < count && parser->status == HONE_OK; k++)
        add_range(parser, type,
                  (struct ptx_reg_range){.prefix = hone_ptx_numbered(parser, name, k),
                                         .lanes = lanes});
    return 0;
}

// Registers have no addresses: how they would lie does not matter.
static void skip_alignment(struct ptx_parser *parser)
{
    if (!hone_ptx_token_is(&parser->token, "align")) return;
    hone_ptx_advance(parser);
    hone_ptx_parse_integer(parser);
}

static enum ptx_type parse_register_type(struct ptx_parser *parser)
{
    enum ptx_type type = hone_ptx_type_find(parser->token.text, parser->token.len);
    if (parser->token.kind != PTX_DIRECTIVE || !type)
        hone_ptx_unexpected(parser, "a type");
    hone_ptx_advance(parser);
    return type;
}

uint32_t hone_ptx_parse_register(struct ptx_parser *parser)
{
    skip_alignment(parser);
    return declare_registers(parser, parse_register_type(parser), 0);
}

void hone_ptx_parse_registers(struct ptx_parser *parser)
{
    skip_alignment(parser);
    const bool two = hone_ptx_token_is(&parser->token, "v2");
    const uint32_t lanes = two ? 2 : hone_ptx_token_is(&parser->token, "v4") ? 4 : 0;
    if (lanes) hone_ptx_advance(parser);
    enum ptx_type type = parse_register_type(parser);
    do {
        declare_registers(parser, type, lanes);
    } while (hone_ptx_accept(parser, ','));
    hone_ptx_expect(parser, ';');
}

// ---- by name ----

const struct ptx_reg_range *hone_ptx_find_vector(const struct ptx_parser *parser,
                                                 const struct ptx_token *name)
{
    const struct ptx_kernel *kernel = parser->kernel;
    for (uint32_t scope = parser->scope;; scope = kernel->scope_parent[scope]) {
        const struct ptx_reg_range *range =
            hone_ptx_names_get(&parser->registers, scope, name->text, name->len);
        if (range) return range->lanes ? range : NULL;
        if (kernel->scope_parent[scope] == scope) return NULL;
    }
}

// The register that a scope has by this name: itself, or "%r12" of "%r<100>", whose
// prefix may end in digits too.
static int64_t register_of_scope(const struct ptx_names *registers, uint32_t scope,
                                 const struct ptx_token *name)
{
    const struct ptx_reg_range *range =
        hone_ptx_names_get(registers, scope, name->text, name->len);
    if (range && range->count == 0) return range->first;
    uint32_t n = 0, unit = 1;
    for (size_t len = name->len; len-- > 1 && name->len - len < 10; unit *= 10) {
        if (name->text[len] < '0' || name->text[len] > '9') return -1;
        n += unit * (uint32_t)(name->text[len] - '0');
        range = hone_ptx_names_get(registers, scope, name->text, len);
        if (range && n < range->count) return range->first + n;
    }
    return -1;
}

int64_t hone_ptx_find_register(const struct ptx_parser *parser,
                               const struct ptx_token *name)
{
    const struct ptx_kernel *kernel = parser->kernel;
    for (uint32_t scope = parser->scope;;) {
        int64_t reg = register_of_scope(&parser->registers, scope, name);
        uint32_t parent = kernel->scope_parent[scope];
        if (reg >= 0) return reg;
        if (parent == scope) break;
        scope = parent;
    }
    return register_of_scope(&parser->registers, PTX_PARAM_SCOPE, name);
}
