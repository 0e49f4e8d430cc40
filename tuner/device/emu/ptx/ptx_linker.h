/* What the parts of linking share: ptx_link.c (copies of bodies, branches by a table) and
 * ptx_indirect.c (calls by an address). */
#ifndef HONE_DEVICE_PTX_LINKER_H
#define HONE_DEVICE_PTX_LINKER_H

#include "ptx_parser.h"

struct ptx_linker {
    struct ptx_parser *parser;
    struct ptx_kernel *out;
    unsigned depth;
    struct ptx_place call; /* of the kernel's that is made into a copy */
    bool knows_taken;      /* all functions whose address a kernel or a function takes */
};

/* A call's parts, named as in the kernel. */
struct ptx_call {
    struct ptx_statement at; /* its line, scope and guard */
    const struct ptx_operand *callee;
    const struct ptx_operand *returns, *arguments; /* NULL: none */
};

/* Each copy has this label in its outermost scope; no label of PTX has a space. */
extern const char hone_ptx_end_of_call[];

/* One more statement; the operands are copied. */
void hone_ptx_emit(struct ptx_linker *linker, struct ptx_statement statement,
                   const struct ptx_operand *operands, size_t count);
/* An instruction without guard at the place of another. */
struct ptx_statement hone_ptx_beside(const struct ptx_statement *at, const char *opcode);
/* Lanes for which the guard of at does not hold skip what follows, up to the label above
 * in its scope. */
void hone_ptx_emit_guard(struct ptx_linker *linker, struct ptx_statement *at);
struct ptx_operand hone_ptx_linked_register(struct ptx_linker *linker,
                                            enum ptx_type type);
/* A copy of the function's body in place of the call. */
void hone_ptx_inline_call(struct ptx_linker *linker, struct ptx_call *call,
                          struct ptx_function *function);

/* The callee is a register. */
void hone_ptx_call_by_address(struct ptx_linker *linker, struct ptx_call *call);

#endif
