/* State shared by the two halves of the PTX parser: ptx_parse.c (module, declarations)
 * and ptx_body.c (statements of a kernel). */
#ifndef HONE_EMU_PTX_PARSER_H
#define HONE_EMU_PTX_PARSER_H

#include "ptx.h"

/* Registers declared together: "%r<100>" is prefix "%r", count 100; one register has
 * count 0. */
struct ptx_reg_range {
    const char *prefix;
    uint32_t count, first;
    struct ptx_reg_range *next; /* innermost scope first */
};

struct ptx_parser {
    struct ptx_module *module;
    struct ptx_lexer lexer;
    struct ptx_token token; /* the next one, not yet taken */
    struct hone_error *err;
    enum hone_status
        status; /* of the first failure; the parser then runs to the end fast */
    struct ptx_reg_range *ranges;
    uint32_t scope;
    unsigned depth; /* of { } */
};

void ptx_advance(struct ptx_parser *parser);
bool ptx_accept(struct ptx_parser *parser, char punct);
void ptx_expect(struct ptx_parser *parser, char punct);
/* "PTX line N: expected WHAT, found TOKEN". */
void ptx_unexpected(struct ptx_parser *parser, const char *what);
void ptx_error(struct ptx_parser *parser, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void *ptx_alloc(struct ptx_parser *parser, size_t count,
                size_t size);                    /* NULL: status is set */
const char *ptx_name(struct ptx_parser *parser); /* takes a word; "" on failure */
/* Double the array *items to hold one more; false when memory ran out. */
bool ptx_grow(struct ptx_parser *parser, void **items, size_t *cap, size_t count,
              size_t size);

/* A variable declaration after its state space; links it into *list. */
struct ptx_variable *ptx_parse_variable(struct ptx_parser *parser, enum ptx_space space,
                                        struct ptx_variable **list);
const struct ptx_variable *ptx_find_variable(const struct ptx_parser *parser,
                                             const struct ptx_token *name);
/* Skip a balanced { }. */
void ptx_skip_block(struct ptx_parser *parser);

/* The body of parser->module->kernel, from its "{" to its "}". */
void ptx_parse_body(struct ptx_parser *parser);

#endif
