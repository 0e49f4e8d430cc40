// Initial values of variables. Nested braces are taken as ptxas takes them: the values
// fill a variable in their order, whatever the braces group.
#include "ptx_parser.h"

#include <string.h>

enum { MAX_DEPTH = 64, MAX_INITIAL_BYTES = 1 << 26 };

struct filling {
    struct ptx_variable *variable;
    enum ptx_type type;
    bool open;      // as many elements as there are values
    uint64_t at;    // next byte
    uint8_t *bytes; // of the values so far
    size_t bytes_cap, relocation_cap;
};

// ---- addresses ----

// The address of a variable goes in later: remember where. False when that failed.
static bool add_relocation(struct ptx_parser *parser, struct filling *filling,
                           const struct ptx_relocation *part)
{
    struct ptx_variable *variable = filling->variable;
    const struct ptx_variable *target = hone_ptx_find_variable(parser, &parser->token);
    void *items = variable->relocations;
    if (!target || part->bytes == 2) {
        hone_ptx_unexpected(parser, "a known variable");
        return false;
    }
    if (!hone_ptx_grow(parser, &items, &filling->relocation_cap,
                       variable->relocation_count, sizeof *variable->relocations))
        return false;
    hone_ptx_advance(parser);
    struct ptx_relocation added = *part;
    added.target = target;
    variable->relocations = items;
    variable->relocations[variable->relocation_count++] = added;
    return true;
}

// x, x + 4, generic(x), generic(x) + 4, a function: what is known of the address by now.
static uint64_t fill_address(struct ptx_parser *parser, struct filling *filling,
                             const struct ptx_relocation *part)
{
    const struct ptx_function *function = hone_ptx_take_function(parser, &parser->token);
    if (function) {
        hone_ptx_advance(parser);
        return function->address >> part->shift;
    }
    bool generic = hone_ptx_token_is(&parser->token, "generic");
    if (generic) {
        hone_ptx_advance(parser);
        hone_ptx_expect(parser, '(');
    }
    bool added = add_relocation(parser, filling, part);
    if (generic) hone_ptx_expect(parser, ')');
    if (!added) return 0;
    struct ptx_variable *variable = filling->variable;
    if (hone_ptx_accept(parser, '+'))
        variable->relocations[variable->relocation_count - 1].addend =
            (int64_t)hone_ptx_parse_constant(parser).bits;
    return 0;
}

// 0xff00(x): the byte of an address that the mask names.
static uint64_t fill_masked(struct ptx_parser *parser, struct filling *filling,
                            uint64_t mask)
{
    uint8_t shift = 0;
    while (shift < 56 && mask != UINT64_C(255) << shift)
        shift = (uint8_t)(shift + 8);
    if (mask != UINT64_C(255) << shift) hone_ptx_unexpected(parser, "a mask of one byte");
    hone_ptx_expect(parser, '(');
    const uint64_t bits = fill_address(
        parser, filling,
        &(struct ptx_relocation){.offset = filling->at, .bytes = 1, .shift = shift});
    hone_ptx_expect(parser, ')');
    return bits;
}

// ---- values ----

static uint64_t float_bits(const struct ptx_constant *value, enum ptx_type type)
{
    if (type == PTX_F64 || value->single) return value->bits;
    double wide;
    memcpy(&wide, &value->bits, sizeof wide);
    float narrow = (float)wide;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return bits;
}

static uint64_t fill_value(struct ptx_parser *parser, struct filling *filling,
                           uint64_t bytes)
{
    const bool word =
        parser->token.kind == PTX_WORD && !hone_ptx_token_is(&parser->token, "WARP_SZ");
    if (word)
        return fill_address(
            parser, filling,
            &(struct ptx_relocation){.offset = filling->at, .bytes = (uint8_t)bytes});
    const struct ptx_constant value = hone_ptx_parse_constant(parser);
    if (hone_ptx_token_punct(&parser->token, '('))
        return fill_masked(parser, filling, value.bits);
    return value.kind == PTX_REAL ? float_bits(&value, filling->type) : value.bits;
}

// Room for one more value; false where the variable has none.
static bool has_value_room(struct ptx_parser *parser, struct filling *filling,
                           uint64_t bytes)
{
    const uint64_t most = filling->open ? MAX_INITIAL_BYTES : filling->variable->bytes;
    if (bytes == 0 || bytes > 8 || filling->at + bytes > most) {
        hone_ptx_unexpected(parser, "no more initial values");
        return false;
    }
    void *room = filling->bytes;
    if (!hone_ptx_grow(parser, &room, &filling->bytes_cap, filling->at + bytes, 1))
        return false;
    filling->bytes = room;
    return true;
}

static void fill(struct ptx_parser *parser, struct filling *filling, unsigned depth)
{
    if (!hone_ptx_token_punct(&parser->token, '{')) {
        const uint64_t bytes = hone_ptx_type_bits(filling->type) / 8;
        if (!has_value_room(parser, filling, bytes)) return;
        const uint64_t bits = fill_value(parser, filling, bytes);
        memcpy(filling->bytes + filling->at, &bits, bytes);
        filling->at += bytes;
        return;
    }
    if (depth == MAX_DEPTH) {
        hone_ptx_unexpected(parser, "less nesting");
        return;
    }
    do {
        hone_ptx_advance(parser);
        if (hone_ptx_accept(parser, '}')) return;
        fill(parser, filling, depth + 1);
    } while (hone_ptx_token_punct(&parser->token, ','));
    hone_ptx_expect(parser, '}');
}

static uint64_t whole(uint64_t bytes, uint64_t element)
{
    return (bytes + element - 1) / element * element;
}

void hone_ptx_fill_variable(struct ptx_parser *parser, struct ptx_variable *variable,
                            enum ptx_type type, uint64_t open_element)
{
    struct filling filling = {
        .variable = variable, .type = type, .open = open_element != 0};
    fill(parser, &filling, 0);
    if (parser->status != HONE_OK) return;
    if (open_element) variable->bytes = whole(filling.at, open_element);
    parser->initial_bytes += variable->bytes;
    if (parser->initial_bytes > MAX_INITIAL_BYTES) {
        hone_ptx_unsupported(parser, parser->token.line,
                             "over %d bytes of initial values", MAX_INITIAL_BYTES);
        return;
    }
    variable->init = hone_ptx_alloc(parser, (size_t)variable->bytes, 1);
    if (variable->init && filling.at) memcpy(variable->init, filling.bytes, filling.at);
}
