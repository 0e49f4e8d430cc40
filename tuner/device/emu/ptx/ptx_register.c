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

// Registers of one name: count of them by numbers behind it, each a vector of lanes.
static uint32_t add_range(struct ptx_parser *parser, enum ptx_type type,
                          struct ptx_reg_range as)
{
    struct ptx_reg_range *range = hone_ptx_alloc(parser, 1, sizeof *range);
    if (!range) return 0;
    const size_t count = (size_t)(as.count ? as.count : 1) * (as.lanes ? as.lanes : 1);
    *range = as;
    range->first = hone_ptx_add_registers(parser, parser->kernel, type, count);
    hone_ptx_put_name(parser, &parser->registers, parser->scope, range->prefix, range);
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
    return add_range(
        parser, type,
        (struct ptx_reg_range){.prefix = name, .count = count, .lanes = lanes});
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

// What a scope has by this name: itself, or "%r12" of "%r<100>", whose prefix may end in
// digits too.
static bool find_in_scope(const struct ptx_names *registers, uint32_t scope,
                          const char *name, size_t size, struct ptx_vector *out)
{
    const struct ptx_reg_range *range = hone_ptx_names_get(registers, scope, name, size);
    uint32_t n = 0, unit = 1;
    if (range && range->count == 0) {
        *out = (struct ptx_vector){range->first, range->lanes};
        return true;
    }
    for (size_t len = size; len-- > 1 && size - len < 10; unit *= 10) {
        if (name[len] < '0' || name[len] > '9') return false;
        n += unit * (uint32_t)(name[len] - '0');
        range = hone_ptx_names_get(registers, scope, name, len);
        if (!range || n >= range->count) continue;
        *out = (struct ptx_vector){range->first + n * (range->lanes ? range->lanes : 1),
                                   range->lanes};
        return true;
    }
    return false;
}

struct ptx_vector hone_ptx_find_vector(const struct ptx_parser *parser,
                                       const struct ptx_token *name)
{
    const struct ptx_kernel *kernel = parser->kernel;
    struct ptx_vector found = {0};
    for (uint32_t scope = parser->scope;; scope = kernel->scope_parent[scope])
        if (find_in_scope(&parser->registers, scope, name->text, name->len, &found) ||
            kernel->scope_parent[scope] == scope)
            return found;
}

// The register that a scope has by this name, or a vector's part: v.x or v.r and so on.
static int64_t register_of_scope(const struct ptx_names *registers, uint32_t scope,
                                 const struct ptx_token *name)
{
    static const char parts[] = "xyzwrgba";
    struct ptx_vector found;
    if (find_in_scope(registers, scope, name->text, name->len, &found))
        return found.lanes ? -1 : (int64_t)found.first;
    if (name->len < 3 || name->text[name->len - 2] != '.') return -1;
    const char *part = strchr(parts, name->text[name->len - 1]);
    if (!part || !find_in_scope(registers, scope, name->text, name->len - 2, &found))
        return -1;
    const uint32_t lane = (uint32_t)(part - parts) % 4;
    return lane < found.lanes ? (int64_t)found.first + lane : -1;
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
