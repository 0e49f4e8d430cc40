/* PTX text as data: a module's variables and one kernel's statements, names resolved,
 * nothing interpreted. The parser is tolerant: it knows the grammar, not the instruction
 * set, so a form that the emulator lacks is found by the decoder, kernel by kernel.
 * Grammar: PTX ISA 9.0, chapters 4 and 5. */
#ifndef HONE_DEVICE_PTX_H
#define HONE_DEVICE_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "hone/status.h"
#include "ptx_names.h"

/* clang-format off */
#define PTX_TYPE_LIST(X) /* name, suffix, bits */                                        \
    X(NONE, "", 0) X(PRED, "pred", 1)                                                    \
    X(B8, "b8", 8) X(B16, "b16", 16) X(B32, "b32", 32) X(B64, "b64", 64)                 \
    X(B128, "b128", 128)                                                                 \
    X(U8, "u8", 8) X(U16, "u16", 16) X(U32, "u32", 32) X(U64, "u64", 64)                 \
    X(S8, "s8", 8) X(S16, "s16", 16) X(S32, "s32", 32) X(S64, "s64", 64)                 \
    X(F16, "f16", 16) X(BF16, "bf16", 16) X(F16X2, "f16x2", 32) X(BF16X2, "bf16x2", 32)  \
    X(E4M3, "e4m3", 8) X(E5M2, "e5m2", 8) X(E4M3X2, "e4m3x2", 16)                        \
    X(E5M2X2, "e5m2x2", 16) X(U16X2, "u16x2", 32)                                        \
    X(S16X2, "s16x2", 32) X(TF32, "tf32", 32) X(F32, "f32", 32) X(F64, "f64", 64)  \
    X(B1, "b1", 1) X(S4, "s4", 4) X(U4, "u4", 4)
/* clang-format on */

enum ptx_type {
#define PTX_TYPE_ENUM(name, text, bits) PTX_##name,
    PTX_TYPE_LIST(PTX_TYPE_ENUM)
#undef PTX_TYPE_ENUM
        PTX_TYPE_COUNT
};
unsigned hone_ptx_type_bits(enum ptx_type type);
const char *hone_ptx_type_name(enum ptx_type type);
/* Which type do len bytes, without the dot, name? PTX_NONE: they name none. */
enum ptx_type hone_ptx_type_find(const char *text, size_t len);

/* ---- tokens ---- */

enum ptx_token_kind {
    PTX_END,
    PTX_WORD,
    PTX_DIRECTIVE,
    PTX_INT,
    PTX_FLOAT,
    PTX_STRING,
    PTX_PUNCT,
    PTX_BAD
};

/* A word may hold dots and double colons: an opcode with its modifiers is one word. */
struct ptx_token {
    enum ptx_token_kind kind;
    const char *text; /* in the source; a directive's without its dot */
    size_t len;
    uint64_t bits;    /* of a number; of a float, an IEEE double unless single */
    bool single;      /* 0fXXXXXXXX: bits are those of an IEEE single */
    bool is_unsigned; /* an integer that ends in U */
    uint32_t line;
};

struct ptx_lexer {
    const char *at, *end;
    uint32_t line;
};
struct ptx_token hone_ptx_lex(struct ptx_lexer *lexer);
/* The rest of the line, for .loc and .file. */
void hone_ptx_lex_skip_line(struct ptx_lexer *lexer);
bool hone_ptx_token_is(const struct ptx_token *token,
                       const char *text); /* word or directive */
bool hone_ptx_token_punct(const struct ptx_token *token, char c);
/* Is word the opcode, or its first words? "ld.global" begins with "ld". */
bool hone_ptx_begins_with(const char *opcode, const char *word);

/* ---- a parsed kernel ---- */

enum ptx_space {
    PTX_SPACE_NONE,
    PTX_GENERIC,
    PTX_GLOBAL,
    PTX_CONST,
    PTX_SHARED,
    PTX_LOCAL,
    PTX_PARAM
};

/* An address stored in an initialised variable, that of target plus addend: so many of
 * its bytes, from the one that shift (a multiple of 8 bits) leaves lowest. */
struct ptx_relocation {
    uint64_t offset;
    uint8_t bytes, shift;
    const struct ptx_variable *target;
    int64_t addend;
};

struct ptx_variable {
    const char *name;
    enum ptx_space space;
    uint64_t bytes;          /* 0: extern array, sized at launch */
    uint32_t align, element; /* bytes of an element */
    uint8_t *init;           /* bytes of them, NULL when zero */
    struct ptx_relocation *relocations;
    size_t relocation_count;
    uint64_t address; /* in its space; set by whoever lays out memory */
    bool named;       /* an instruction or an initial value means it */
    bool filled;      /* somebody outside asked for its place, to write it */
    bool of_call;     /* .param of a function or a call: its address is not to be taken */
    const struct ptx_variable *stands_for; /* while a call is linked */
    struct ptx_variable *next;
};

enum ptx_operand_kind {
    PTX_REG,
    PTX_IMM,
    PTX_FIMM,
    PTX_VAR,
    PTX_NAME /* label, function */,
    PTX_SPECIAL,
    PTX_SINK,
    PTX_VECTOR,
    PTX_ADDRESS,
    PTX_PAIR /* d|p */
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negated;     /* !p */
    bool single;      /* FIMM: as in the token */
    uint32_t reg;     /* REG: index into the kernel's registers */
    uint64_t bits;    /* IMM, FIMM; ADDRESS: offset */
    const char *name; /* NAME, SPECIAL */
    const struct ptx_variable *var;
    const struct ptx_operand *items; /* VECTOR, PAIR: elements; ADDRESS: its base */
    size_t count;
};

/* Where the source text has it; line 0 when that is not known. */
struct ptx_place {
    uint32_t file, line;
    uint32_t call_file, call_line; /* where the kernel calls what it is of; 0: nowhere */
};
struct ptx_file {
    uint32_t number;
    const char *name; /* without its folder */
    struct ptx_file *next;
};

struct ptx_statement {
    const char *opcode; /* with modifiers */
    const struct ptx_operand *operands;
    size_t count;
    uint32_t line;
    struct ptx_place place;
    int32_t guard; /* predicate register, or -1 */
    bool guard_negated;
    uint32_t scope;
};

struct ptx_label {
    const char *name;
    uint32_t scope;
    uint32_t position;                 /* index of the statement that follows */
    const struct ptx_operand *targets; /* of a table of labels: their names */
    size_t target_count;
};

/* What a kernel says of its launches; 0: nothing. */
struct ptx_bounds {
    uint32_t max_block[3];      /* .maxntid */
    uint32_t required_block[3]; /* .reqntid */
    uint32_t registers;         /* .maxnreg: of a thread, at most */
    uint32_t blocks_per_sm;     /* .minnctapersm: as many are to fit at least */
    uint32_t cluster[3];        /* .reqnctapercluster: blocks of a cluster */
    uint32_t most_in_cluster;   /* .maxclusterrank */
    bool explicit_cluster;      /* .explicitcluster: a launch must say its clusters */
};

/* A kernel, or a function that it calls. */
struct ptx_kernel {
    const char *name;
    struct ptx_variable
        *params; /* in order; address is the offset in the parameter bank */
    struct ptx_variable *returns; /* of a function; of a register (space NONE), as among
                                     its params, address is the number */
    uint64_t param_bytes;
    enum ptx_type *regs; /* type of each virtual register */
    size_t reg_count, reg_cap;
    struct ptx_statement *statements;
    size_t statement_count, statement_cap;
    struct ptx_label *labels; /* in order of position */
    size_t label_count, label_cap;
    struct ptx_names label_names;
    bool needs_link;        /* it calls, or branches by a table */
    uint32_t *scope_parent; /* scope 0 is the body; an outermost one is its own parent */
    size_t scope_count, scope_cap;
    struct ptx_variable *variables; /* .shared and .local of the body, latest first */
    struct ptx_bounds bounds;
};

/* sm_80 and later keep these for the system: CUDA C++ Programming Guide, table of compute
 * capabilities. */
enum { PTX_RESERVED_SHARED_BYTES = 1024 };

struct ptx_module {
    struct hone_arena arena;        /* owns everything */
    struct ptx_variable *variables; /* of module scope, latest first */
    struct ptx_file *files;
    struct ptx_names variable_names, function_names;
    struct ptx_kernel *kernel; /* the entry asked for, its calls copied into it; NULL when
                                  it is not there */
    unsigned target;           /* 90 for sm_90a */
    uint32_t reserved_shared_bytes; /* that the system keeps in front of a block's own,
                                       where the kernel asks for their place; else 0 */
    bool syncs_grid;                /* it asks for the grid's workspace: grid.sync() */
};

/* Parse text (size bytes, NUL-terminated) and the body of entry. EINPUT with the PTX line
 * when it is malformed, ENOTFOUND when entry is absent, EUNSUPPORTED for 32-bit
 * addresses, for recursive calls, and for texts, bodies and variables that are too
 * large. Release the module with ptx_module_fini in every case. */
enum hone_status hone_ptx_parse(struct ptx_module *out, const char *text, size_t size,
                                const char *entry, struct hone_error *err);
void hone_ptx_module_fini(struct ptx_module *module);

/* The label that a branch in scope means by name; NULL when there is none. */
const struct ptx_label *hone_ptx_find_label(const struct ptx_kernel *kernel,
                                            uint32_t scope, const char *name);

#endif
