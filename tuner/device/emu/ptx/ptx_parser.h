/* State shared by the parts of the PTX parser: ptx_parse.c (module, functions),
 * ptx_variable.c (declarations), ptx_initial.c (their values), ptx_constant.c
 * (expressions), ptx_body.c (statements), ptx_wmma.c (those that stand for others),
 * ptx_link.c (calls) and ptx_indirect.c (those by an address). */
#ifndef HONE_DEVICE_PTX_PARSER_H
#define HONE_DEVICE_PTX_PARSER_H

#include "ptx.h"

/* Registers declared together: "%r<100>" is prefix "%r", count 100; one register has
 * count 0. */
struct ptx_reg_range {
    const char *prefix;
    uint32_t count, first; /* count 0: a register of this very name */
    uint32_t lanes;        /* each is a vector of so many; 0: none is */
};

/* Where a function's declaration is; its body is read when a call needs it. */
struct ptx_function {
    const char *name;
    struct ptx_lexer lexer; /* behind token */
    struct ptx_token token; /* the first one after ".func" */
    bool has_body;
    bool active;                 /* being copied into the kernel */
    bool taken;                  /* its address is, so an indirect call may mean it */
    uint64_t address;            /* a number that no memory has */
    struct ptx_function *before; /* the one that was declared before it */
    struct ptx_kernel *body;     /* NULL before it is read */
};

/* The scope that parameters are declared in. */
#define PTX_PARAM_SCOPE UINT32_MAX

/* The last places of inlined calls, with their columns. */
enum { HONE_PTX_INLINED = 512 };
struct ptx_inlined {
    struct ptx_place places[HONE_PTX_INLINED];
    uint32_t columns[HONE_PTX_INLINED];
    size_t count; /* so far */
};

struct ptx_parser {
    struct ptx_module *module;
    struct ptx_kernel *kernel; /* whose header or body is being read; or NULL */
    struct ptx_lexer text;     /* of the module, from its beginning */
    struct ptx_lexer lexer;
    struct ptx_token token; /* the next one, not yet taken */
    struct hone_error *err;
    enum hone_status
        status; /* of the first failure; the parser then runs to the end fast */
    struct ptx_names registers, variables; /* of the kernel */
    struct ptx_place place;                /* of the statements that follow */
    struct ptx_inlined inlined;
    struct ptx_function *functions; /* the last one declared */
    size_t variable_count;
    uint64_t initial_bytes;
    uint32_t scope;
    unsigned depth;     /* of { } */
    const char *opcode; /* of the statement whose operands are being read */
};

void hone_ptx_advance(struct ptx_parser *parser);
bool hone_ptx_accept(struct ptx_parser *parser, char punct);
void hone_ptx_expect(struct ptx_parser *parser, char punct);
/* From a "(" to the ")" that belongs to it; nothing where the next token is another. */
void hone_ptx_skip_parentheses(struct ptx_parser *parser);
/* "PTX line N: expected WHAT, found TOKEN". */
void hone_ptx_unexpected(struct ptx_parser *parser, const char *what);
void hone_ptx_error(struct ptx_parser *parser, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The failure is that the emulator lacks something: the text names it, and the line is
 * added. */
void hone_ptx_unsupported(struct ptx_parser *parser, uint32_t line, const char *format,
                          ...) __attribute__((format(printf, 3, 4)));
void *hone_ptx_alloc(struct ptx_parser *parser, size_t count,
                     size_t size);                    /* NULL: status is set */
const char *hone_ptx_name(struct ptx_parser *parser); /* takes a word; "" on failure */
void hone_ptx_put_name(struct ptx_parser *parser, struct ptx_names *names, uint32_t scope,
                       const char *name, void *value);
/* Double the array *items to hold one more; false when memory ran out. */
bool hone_ptx_grow(struct ptx_parser *parser, void **items, size_t *cap, size_t count,
                   size_t size);

uint64_t hone_ptx_parse_integer(struct ptx_parser *parser);

/* A constant expression, or the literal that it is. bits are those of the integer, or of
 * an IEEE double unless single. */
struct ptx_constant {
    enum { PTX_SIGNED, PTX_UNSIGNED, PTX_REAL } kind;
    bool single;
    uint64_t bits;
};
struct ptx_constant hone_ptx_parse_constant(struct ptx_parser *parser);

/* prefix and the number k, as one name. */
const char *hone_ptx_numbered(struct ptx_parser *parser, const char *prefix, uint32_t k);

/* A declaration after its state space, to the ";". Its variables are linked into *list,
 * latest first, and named in the parser's scope, or in the module when no kernel is being
 * read. */
void hone_ptx_parse_variables(struct ptx_parser *parser, enum ptx_space space,
                              struct ptx_variable **list);
/* A parameter of a kernel or a function, after its ".param". */
void hone_ptx_parse_param(struct ptx_parser *parser, struct ptx_variable **list);
/* What stands behind a variable's "=". open_element: bytes of an element where the values
 * tell how many there are, else 0. */
void hone_ptx_fill_variable(struct ptx_parser *parser, struct ptx_variable *variable,
                            enum ptx_type type, uint64_t open_element);
const struct ptx_variable *hone_ptx_find_variable(const struct ptx_parser *parser,
                                                  const struct ptx_token *name);
/* One register's declaration after ".reg"; returns its number. */
uint32_t hone_ptx_parse_register(struct ptx_parser *parser);
/* All that follow a ".reg", to the ";". */
void hone_ptx_parse_registers(struct ptx_parser *parser);
/* The number of the register that the name is in the parser's scope, an outer one or
 * among the parameters; -1: it is none's. */
int64_t hone_ptx_find_register(const struct ptx_parser *parser,
                               const struct ptx_token *name);
/* The vector of this name: lanes registers from first on; 0: the name is none's. */
struct ptx_vector {
    uint32_t first, lanes;
};
struct ptx_vector hone_ptx_find_vector(const struct ptx_parser *parser,
                                       const struct ptx_token *name);

/* The rest of .loc and .file, to the end of its line. */
void hone_ptx_take_loc(struct ptx_parser *parser);
void hone_ptx_take_file(struct ptx_parser *parser);

/* The body of parser->kernel, from its "{" to its "}". */
void hone_ptx_parse_body(struct ptx_parser *parser);
/* Make the kernel's labels known by name. */
void hone_ptx_name_labels(struct ptx_parser *parser, struct ptx_kernel *kernel);
/* One more label at the end, statement, register or scope. */
struct ptx_label *hone_ptx_add_label(struct ptx_parser *parser, struct ptx_kernel *kernel,
                                     const char *name, uint32_t scope);
void hone_ptx_add_statement(struct ptx_parser *parser, struct ptx_kernel *kernel,
                            const struct ptx_statement *statement);
uint32_t hone_ptx_add_registers(struct ptx_parser *parser, struct ptx_kernel *kernel,
                                enum ptx_type type, size_t count);
/* UINT32_MAX as parent: an outermost one. */
uint32_t hone_ptx_add_scope(struct ptx_parser *parser, struct ptx_kernel *kernel,
                            uint32_t parent);

/* NULL when the module declares none. */
struct ptx_function *hone_ptx_find_function(const struct ptx_parser *parser,
                                            const char *name);
/* The function that the token names, whose address is taken; NULL: none. */
struct ptx_function *hone_ptx_take_function(const struct ptx_parser *parser,
                                            const struct ptx_token *name);
/* The function's header and, if it has one, body; NULL after a failure. */
struct ptx_kernel *hone_ptx_function_body(struct ptx_parser *parser,
                                          struct ptx_function *function);

/* Add what a wmma statement stands for in place of it: ptx_wmma.c. False when it is none
 * that the emulator has. */
bool hone_ptx_expand_wmma(struct ptx_parser *parser, const struct ptx_statement *at);

/* Replace calls and indexed branches of the module's kernel: ptx_link.c. */
void hone_ptx_link(struct ptx_parser *parser);

#endif
