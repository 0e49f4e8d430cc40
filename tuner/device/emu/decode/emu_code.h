/* A kernel decoded for execution: fixed-size instructions whose operands are byte offsets
 * into a warp's register file. A 32-bit register is 32 lanes of 4 bytes, a 64-bit one 32
 * lanes of 8, a predicate one word with a bit a lane. Narrow values are kept in 32-bit
 * lanes, zero-extended. Immediates and special registers are registers too, written once
 * before the kernel runs. */
#ifndef HONE_DEVICE_EMU_CODE_H
#define HONE_DEVICE_EMU_CODE_H

#include "base/narrow.h"
#include "ptx/ptx.h"

enum { HONE_EMU_LANES = 32, HONE_EMU_DST = 8, HONE_EMU_SRC = 16 };

/* What an instruction costs: the pipes that the model knows. */
/* clang-format off */
#define HONE_EMU_CLASS_LIST(X)                                                           \
    X(FREE,    "free")    /* folded into other instructions by ptxas */                  \
    X(FP32,    "fp32")  X(FP64, "fp64")  X(INT, "int")                                   \
    X(SFU,     "sfu")     /* transcendental and conversions */                           \
    X(SHARED,  "shared")  X(GLOBAL, "global")  X(LOCAL, "local")  X(ATOMIC, "atomic")    \
    X(WARP,    "warp")    /* shuffles, votes */                                          \
    X(TENSOR,  "tensor")  /* mma */                                                      \
    X(CONTROL, "control") X(BARRIER, "barrier") X(ASYNC, "async")

/* How far a result can be trusted to be what the GPU gives. */
#define HONE_EMU_FIDELITY_LIST(X)                                                        \
    X(EXACT,  "exact")  X(APPROX, "approximate")  X(TIMING, "depends on time")

#define HONE_EMU_OP_LIST(X)                                                              \
    X(ADD) X(SUB) X(MUL) X(MULHI) X(MULWIDE) X(MAD) X(MADHI) X(MADWIDE) X(FMA) X(DIV)    \
    X(REM)                                                                               \
    X(ADDSAT) X(SUBSAT) X(ABS) X(NEG) X(MIN) X(MAX) X(SAD) X(MUL24) X(MAD24) X(DP4A)     \
    X(ADDC) X(SUBC) X(MADLOC) X(MADHIC)     /* with a carry */                           \
    X(DP2ALO) X(DP2AHI) X(BMSK) X(SZEXT) X(FNS) X(CVTPACK) X(ABSDIFF4) X(ABSDIFF2)       \
    X(PRMTMODE)                                                                          \
    X(MUL24HI) X(MAD24HI) X(ADD2) X(MIN2) X(MAX2) X(FMIN) X(FMAX) X(POLICY)              \
    X(AND) X(OR) X(XOR) X(NOT) X(CNOT) X(SHL) X(SHR) X(SHFL) X(SHFR) X(SHFLC) X(SHFRC)   \
    X(LOP3) X(PRMT) X(BFE) X(BFI) X(BFIND) X(BREV) X(POPC) X(CLZ)                        \
    X(MOV) X(PACK) X(UNPACK) X(CLOCK) X(CVT) X(ADDWINDOW) X(SUBWINDOW) X(ISSPACE)        \
    X(SETP) X(SET) X(SELP) X(SLCT) X(TESTP) X(COPYSIGN) X(RCP) X(SQRT) X(RSQRT) X(EX2)   \
    X(LG2) X(SIN) X(COS) X(TANH)                                                         \
    X(LD) X(ST) X(ATOM) X(NOP) X(CPASYNC) X(CPCOMMIT) X(CPWAIT)                          \
    X(BRA) X(EXIT) X(TRAP) X(PRINT) X(ASSERT)                                            \
    X(BARSYNC) X(BARARRIVE) X(BARRED) X(WARPSYNC) X(INCREGS) X(DECREGS)                  \
    X(SHUFFLE) X(VOTE) X(MATCH) X(ACTIVEMASK) X(REDUX) X(ELECT)                         \
    X(HADD) X(HSUB) X(HMUL) X(HFMA) X(HNEG) X(HABS) X(HMIN) X(HMAX) X(HEX2) X(HTANH)    \
    X(HSETP) X(PAIRADD) X(PAIRSUB) X(PAIRMUL) X(PAIRFMA) X(CVTPAIR) X(LDMATRIX)         \
    X(STMATRIX) X(MOVMATRIX) X(MMA)                                                     \
    X(CPARRIVE) X(CPARRIVEINC) X(MBINIT) X(MBINVAL) X(MBEXPECT) X(MBLAND) X(MBARRIVE)    \
    X(MBARRIVETX) X(MBARRIVENC) X(MBDROP) X(MBDROPTX) X(MBDROPNC) X(MBPARITY) X(MBSTATE) \
    X(MBPENDING) X(WGMMA) X(WGFENCE) X(WGCOMMIT) X(WGWAIT)                               \
    X(BULKLOAD) X(BULKCAST) X(BULKPEER) X(BULKSTORE) X(BULKPREFETCH) X(BULKCOMMIT)       \
    X(BULKWAIT) X(BULKWAITREAD) X(STASYNC) X(REDASYNC) X(MAPA) X(CTARANK) X(CLARRIVE)    \
    X(CLWAIT)                                                                            \
    X(TMALOAD) X(TMACAST) X(TMASTORE) X(TMAPREFETCH) X(MAPREPLACE) X(MAPPUBLISH)         \
    X(MAPACQUIRE)
/* clang-format on */

enum hone_emu_class {
#define HONE_EMU_CLASS_ENUM(name, text) HONE_EMU_##name,
    HONE_EMU_CLASS_LIST(HONE_EMU_CLASS_ENUM)
#undef HONE_EMU_CLASS_ENUM
        HONE_EMU_CLASS_COUNT
};
enum hone_emu_fidelity {
#define HONE_EMU_FIDELITY_ENUM(name, text) HONE_EMU_##name,
    HONE_EMU_FIDELITY_LIST(HONE_EMU_FIDELITY_ENUM)
#undef HONE_EMU_FIDELITY_ENUM
};
enum hone_emu_op {
#define HONE_EMU_OP_ENUM(name) EMU_##name,
    HONE_EMU_OP_LIST(HONE_EMU_OP_ENUM)
#undef HONE_EMU_OP_ENUM
        EMU_OP_COUNT
};
const char *hone_emu_class_name(enum hone_emu_class class);

/* clang-format off */
enum emu_round { ROUND_NONE, ROUND_RN = HONE_ROUND_EVEN, ROUND_RZ = HONE_ROUND_ZERO,
                 ROUND_RM = HONE_ROUND_DOWN, ROUND_RP = HONE_ROUND_UP,
                 ROUND_RNA = HONE_ROUND_AWAY,
                 ROUND_RNI, ROUND_RZI, ROUND_RMI, ROUND_RPI };
enum emu_cmp { CMP_NONE, CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE,
               CMP_EQU, CMP_NEU, CMP_LTU, CMP_LEU, CMP_GTU, CMP_GEU, CMP_NUM, CMP_NAN };
/* What atom, red, redux and bar.red do; the first three also join the results of setp. */
enum emu_logic { LOGIC_NONE, LOGIC_AND, LOGIC_OR, LOGIC_XOR, LOGIC_ADD, LOGIC_MIN,
                 LOGIC_MAX,
                 LOGIC_INC, LOGIC_DEC, LOGIC_CAS, LOGIC_EXCH, LOGIC_POPC };
/* A choice within a form: see the table in optab.def. */
enum emu_mode { MODE_NONE, MODE_UP, MODE_DOWN, MODE_BFLY, MODE_IDX,
                MODE_ALL, MODE_ANY, MODE_UNI, MODE_BALLOT,
                MODE_FINITE, MODE_INFINITE, MODE_NUMBER, MODE_NOTANUMBER, MODE_NORMAL,
                MODE_SUBNORMAL, MODE_SHIFTAMT,
                MODE_CLAMP, MODE_WRAP,
                MODE_F4E, MODE_B4E, MODE_RC8, MODE_ECL, MODE_ECR, MODE_RC16,
                MODE_TRANS,
                /* what a tensor map gives: pixels, a box, pixels without offsets */
                MODE_IM2COL, MODE_TILE, MODE_NO_OFFS,
                /* its fields, the first four of an axis */
                MODE_BOX_DIM, MODE_GLOBAL_DIM, MODE_ELEMENT_STRIDE, MODE_GLOBAL_STRIDE,
                MODE_GLOBAL_ADDRESS, MODE_RANK, MODE_ELEMTYPE, MODE_INTERLEAVE,
                MODE_SWIZZLE, MODE_FILL };
/* clang-format on */
/* What a memory access, a fence or a barrier says about order. */
enum emu_order {
    ORDER_STRONG = 1, /* volatile, relaxed and what orders: may meet others of its kind */
    ORDER_ACQUIRE = 2,
    ORDER_RELEASE = 4,
    ORDER_BLOCK = 8,      /* .cta: among the threads of a block only */
    ORDER_ALIGNED = 16,   /* of a barrier: whole warps come to it together */
    ORDER_READ_ONLY = 32, /* .nc, ldu: what the launch does not store */
    ORDER_CLUSTER = 64    /* .cluster: among the threads of a cluster only */
};

/* Registers read without being declared; what they hold is known at different moments. */
/* clang-format off */
#define HONE_EMU_SPECIAL_LIST(X) /* name, text, bits, when written */                    \
    X(TID_X, "%tid.x", 32, BLOCK) X(TID_Y, "%tid.y", 32, BLOCK)                          \
    X(TID_Z, "%tid.z", 32, BLOCK)                                                        \
    X(NTID_X, "%ntid.x", 32, BLOCK) X(NTID_Y, "%ntid.y", 32, BLOCK)                      \
    X(NTID_Z, "%ntid.z", 32, BLOCK) X(CTAID_X, "%ctaid.x", 32, BLOCK)                    \
    X(CTAID_Y, "%ctaid.y", 32, BLOCK) X(CTAID_Z, "%ctaid.z", 32, BLOCK)                  \
    X(NCTAID_X, "%nctaid.x", 32, BLOCK) X(NCTAID_Y, "%nctaid.y", 32, BLOCK)              \
    X(NCTAID_Z, "%nctaid.z", 32, BLOCK) X(LANEID, "%laneid", 32, BLOCK)                  \
    X(WARPID, "%warpid", 32, BLOCK) X(NWARPID, "%nwarpid", 32, BLOCK)                    \
    X(SMID, "%smid", 32, BLOCK) X(NSMID, "%nsmid", 32, BLOCK)                            \
    X(GRIDID, "%gridid", 64, BLOCK)                                                      \
    X(LT, "%lanemask_lt", 32, BLOCK) X(LE, "%lanemask_le", 32, BLOCK)                    \
    X(EQ, "%lanemask_eq", 32, BLOCK) X(GE, "%lanemask_ge", 32, BLOCK)                    \
    X(GT, "%lanemask_gt", 32, BLOCK) X(DYNSMEM, "%dynamic_smem_size", 32, BLOCK)         \
    X(TOTALSMEM, "%total_smem_size", 32, BLOCK)                                          \
    X(AGGRSMEM, "%aggr_smem_size", 32, BLOCK)                                            \
    X(RESERVED_BEGIN, "%reserved_smem_offset_begin", 32, BLOCK)                          \
    X(RESERVED_END, "%reserved_smem_offset_end", 32, BLOCK)                              \
    X(RESERVED_CAP, "%reserved_smem_offset_cap", 32, BLOCK)                              \
    X(RESERVED_0, "%reserved_smem_offset_0", 32, BLOCK)                                  \
    X(RESERVED_1, "%reserved_smem_offset_1", 32, BLOCK)                                  \
    X(CLUSTERID_X, "%clusterid.x", 32, BLOCK) X(CLUSTERID_Y, "%clusterid.y", 32, BLOCK)  \
    X(CLUSTERID_Z, "%clusterid.z", 32, BLOCK)                                            \
    X(CL_CTAID_X, "%cluster_ctaid.x", 32, BLOCK)                                         \
    X(CL_CTAID_Y, "%cluster_ctaid.y", 32, BLOCK)                                         \
    X(CL_CTAID_Z, "%cluster_ctaid.z", 32, BLOCK)                                         \
    X(CL_RANK, "%cluster_ctarank", 32, BLOCK)                                            \
    X(NCLUSTERID_X, "%nclusterid.x", 32, BLOCK)                                          \
    X(NCLUSTERID_Y, "%nclusterid.y", 32, BLOCK)                                          \
    X(NCLUSTERID_Z, "%nclusterid.z", 32, BLOCK)                                          \
    X(CL_NCTAID_X, "%cluster_nctaid.x", 32, BLOCK)                                       \
    X(CL_NCTAID_Y, "%cluster_nctaid.y", 32, BLOCK)                                       \
    X(CL_NCTAID_Z, "%cluster_nctaid.z", 32, BLOCK)                                       \
    X(CL_NRANK, "%cluster_nctarank", 32, BLOCK)                                          \
    X(CL_EXPLICIT, "%is_explicit_cluster", 1, BLOCK)                                     \
    X(ENVREG1, "%envreg1", 32, BLOCK) X(ENVREG2, "%envreg2", 32, BLOCK)                  \
    X(CLOCK, "%clock", 32, READ)             \
    X(CLOCK_HI, "%clock_hi", 32, READ) X(CLOCK64, "%clock64", 64, READ)                  \
    X(GLOBALTIMER, "%globaltimer", 64, READ)                                             \
    X(GLOBALTIMER_LO, "%globaltimer_lo", 32, READ)                                       \
    X(GLOBALTIMER_HI, "%globaltimer_hi", 32, READ)
/* clang-format on */
enum emu_special {
#define HONE_EMU_SPECIAL_ENUM(name, text, bits, when) SPECIAL_##name,
    HONE_EMU_SPECIAL_LIST(HONE_EMU_SPECIAL_ENUM)
#undef HONE_EMU_SPECIAL_ENUM
        SPECIAL_COUNT
};

struct hone_emu_warp;
struct hone_emu_insn;
typedef void hone_emu_handler(struct hone_emu_warp *warp,
                              const struct hone_emu_insn *insn);

#define HONE_EMU_NO_GUARD UINT32_MAX

struct hone_emu_insn {
    hone_emu_handler *run;
    uint32_t dst[HONE_EMU_DST]; /* while decoding: register numbers; then: byte offsets */
    uint32_t src[HONE_EMU_SRC];
    int64_t offset;  /* of the address */
    int64_t offset2; /* of a second address */
    int64_t imm;     /* an immediate that some forms have; offset of a third address */
    uint32_t guard;  /* predicate, or HONE_EMU_NO_GUARD */
    uint32_t target; /* of a branch: an instruction; of wgmma: its place in wgmmas */
    uint32_t line;
    uint16_t form; /* row of the table */
    uint8_t op, type, type2, round, cmp, logic, mode, space;
    uint8_t type3, type4; /* of mma: D, A, B, C are of type, type2, type3, type4 */
    uint16_t shape[3];    /* of m16n8k8: 16, 8, 8; of a tensor map: its axes */
    uint8_t lanes;        /* registers of a vector access */
    uint8_t dst_count, src_count;
    uint8_t negate; /* bit i: source predicate i is negated */
    uint8_t wide;   /* bit i: register i of a load or store has 64 bits; address: bit 7 */
    bool guard_negated, ftz, sat, relu;
    bool nan;                /* min and max of a NaN are NaN */
    bool finite;             /* .satfinite */
    bool magnitude, xorsign; /* .abs, .xorsign of min, max and redux */
    bool sparse;   /* mma.sp: half of A is there, imm is the selector of its metadata */
    bool policy;   /* a cache policy is the last operand */
    bool cluster;  /* .shared::cluster: the memory may be that of another block */
    uint8_t order; /* enum emu_order, joined */
};

/* What a wgmma.mma_async has beyond the fields of every instruction. Its sources are the
 * descriptor of B, the predicate scale-d, then, where it has them, the descriptor of A
 * and the sparsity metadata. */
struct hone_emu_wgmma {
    uint32_t *regs;   /* of D, then of A: numbers, then byte offsets */
    uint16_t d_count; /* registers of D */
    uint16_t a_count; /* of A; 0: it is in shared memory */
    bool sparse;
    bool negative;                 /* the product is subtracted */
    bool transpose_a, transpose_b; /* the matrix is MN-major */
};
enum { HONE_EMU_WGMMA_B, HONE_EMU_WGMMA_SCALE, HONE_EMU_WGMMA_A };

/* A register written before the kernel runs. */
struct hone_emu_constant {
    uint32_t reg;  /* number, then byte offset */
    uint32_t bits; /* 1, 32 or 64 */
    uint64_t value;
    const struct ptx_variable
        *of; /* the shared array that it is an address of, or NULL */
};
struct hone_emu_special_use {
    uint32_t reg;
    enum emu_special which;
};

enum { HONE_EMU_MOST_ARRAYS = 255 };
struct hone_emu_code {
    struct hone_arena *arena; /* the module's */
    const char *name;
    struct hone_emu_insn *insns;
    size_t count;
    struct ptx_place *places; /* of each instruction */
    const struct ptx_file *files;
    struct hone_emu_wgmma *wgmmas;
    size_t wgmma_count, wgmma_cap;
    uint8_t *reg_bits; /* of each register number: 1, 32 or 64 */
    size_t reg_count, reg_cap;
    struct hone_emu_constant *constants;
    size_t constant_count, constant_cap;
    struct hone_emu_special_use *specials;
    size_t special_count, special_cap;
    uint32_t register_bytes; /* of a warp's register file */
    /* Where its registers of 32 and of 64 bits begin; those before are predicates. */
    uint32_t words_at, doubles_at;
    uint64_t static_shared_bytes, local_bytes, param_bytes;
    uint64_t dynamic_shared_at;     /* offset of extern shared arrays */
    uint32_t reserved_shared_bytes; /* at the beginning, not the kernel's own */
    /* Shared arrays, and of each instruction the number of the one that it touches bytes
     * of, if its address was computed from that one alone; 0: not known, 1: the first. */
    const struct ptx_variable **arrays;
    size_t array_count;
    uint8_t *owners; /* NULL: there are no arrays */
    bool maps;       /* addresses of other blocks' shared memory (mapa) */
    struct ptx_bounds bounds;
};

/* Address windows of the generic space; global addresses lie below all of them. */
#define HONE_EMU_SHARED_WINDOW (UINT64_C(1) << 56)
#define HONE_EMU_LOCAL_WINDOW  (UINT64_C(2) << 56)
#define HONE_EMU_PARAM_WINDOW  (UINT64_C(3) << 56)
#define HONE_EMU_WINDOW_MASK   (~((UINT64_C(1) << 56) - 1))

/* Does it ask for what other blocks may write meanwhile? A plain load says that they do
 * not. */
static inline bool hone_emu_asks_others(const struct hone_emu_insn *insn)
{
    const bool elsewhere = insn->space == PTX_GLOBAL || insn->space == PTX_GENERIC;
    return elsewhere && insn->dst_count &&
           (insn->op == EMU_ATOM || (insn->op == EMU_LD && insn->order & ORDER_STRONG));
}
/* Does it wait for others of its block, or read what they may write? */
static inline bool hone_emu_reads_memory(const struct hone_emu_insn *insn)
{
    return (insn->op == EMU_LD && insn->space != PTX_PARAM && insn->space != PTX_CONST) ||
           insn->op == EMU_ATOM || insn->op == EMU_LDMATRIX || insn->op == EMU_MBPARITY ||
           insn->op == EMU_MBSTATE || insn->op == EMU_WGMMA;
}

/* Whether register k of a load or store has 64 bits; those of a vector of eight have
 * not. */
static inline bool hone_emu_is_wide(const struct hone_emu_insn *insn, unsigned k)
{
    return insn->lanes < 8 && (insn->wide >> k & 1);
}

static inline const struct hone_emu_wgmma *
hone_emu_wgmma_of(const struct hone_emu_code *code, const struct hone_emu_insn *insn)
{
    return insn->op == EMU_WGMMA ? &code->wgmmas[insn->target] : NULL;
}
/* Warp groups keep few bits of their sums of 8-bit floats. */
static inline bool hone_emu_is_narrow(const struct hone_emu_insn *insn)
{
    return insn->op == EMU_WGMMA && (insn->type2 == PTX_E4M3 || insn->type2 == PTX_E5M2);
}

/* One row of the instruction table. */
struct hone_emu_form {
    const char *name; /* the words that every spelling starts with: "mul.wide" */
    enum hone_emu_op op;
    uint32_t types; /* bit 1 << enum ptx_type; 0: none */
    uint32_t mods;  /* modifier kinds allowed beyond the name */
    const char *operands;
    enum hone_emu_class class;
    enum hone_emu_fidelity fidelity;
};
extern const struct hone_emu_form hone_emu_forms[];
extern const size_t hone_emu_form_count;

/* The mode of an mma joins these: A, B are given by columns. */
enum { HONE_EMU_A_COLUMNS = 2, HONE_EMU_B_COLUMNS = 1 };

/* The sizes of an mma: rows of A, columns of A, and registers of A and B a lane. */
static inline unsigned hone_emu_rows(const struct hone_emu_insn *insn)
{
    return insn->shape[0];
}
static inline unsigned hone_emu_depth(const struct hone_emu_insn *insn)
{
    return insn->shape[2];
}
/* m8n8k4 of f16: four products, each by 8 lanes. */
static inline bool hone_emu_is_quads(const struct hone_emu_insn *insn)
{
    return insn->shape[2] == 4 && insn->type2 == PTX_F16;
}
static inline unsigned hone_emu_a_registers(const struct hone_emu_insn *insn)
{
    if (hone_emu_is_quads(insn)) return 2;
    unsigned bits = hone_ptx_type_bits((enum ptx_type)insn->type2);
    unsigned each = insn->type == PTX_F64 ? 64 : 32;
    const unsigned all = (unsigned)insn->shape[0] * insn->shape[2] * bits / each;
    return all / HONE_EMU_LANES / (insn->sparse ? 2 : 1);
}
static inline unsigned hone_emu_b_registers(const struct hone_emu_insn *insn)
{
    if (hone_emu_is_quads(insn)) return 2;
    unsigned bits = hone_ptx_type_bits((enum ptx_type)insn->type3);
    unsigned each = insn->type == PTX_F64 ? 64 : 32;
    return (unsigned)insn->shape[1] * insn->shape[2] * bits / each / HONE_EMU_LANES;
}

/* Elements of a sparse row that four bits of metadata tell the places of, and how many
 * such chunks a row has. */
static inline unsigned hone_emu_sparse_each(const struct hone_emu_insn *insn)
{
    const unsigned bits = hone_ptx_type_bits((enum ptx_type)insn->type2);
    return bits == 32 ? 1 : bits == 4 ? 4 : 2;
}
static inline unsigned hone_emu_sparse_chunks(const struct hone_emu_insn *insn)
{
    return insn->shape[2] / 2U / hone_emu_sparse_each(insn);
}

/* And of C or D, whose elements are of the type. */
static inline unsigned hone_emu_sum_registers(const struct hone_emu_insn *insn,
                                              enum ptx_type type)
{
    const unsigned elements = hone_emu_is_quads(insn) ? 8 : insn->shape[0] / 4U;
    return elements / (type == PTX_F16 ? 2 : 1);
}

/* The source file, without folders, and the line of instruction number site; "" and 0
 * where the PTX does not tell. */
const char *hone_emu_source_place(const struct hone_emu_code *code, size_t site,
                                  uint32_t *line);

/* "tile.cuh:40, PTX line 812, called at sgemm.cu:203" of instruction number site, or its
 * PTX line alone. Of a name of more than HONE_EMU_NAME_TEXT the end is told. */
enum { HONE_EMU_NAME_TEXT = 44, HONE_EMU_PLACE_TEXT = 144 };
void hone_emu_print_place(char out[HONE_EMU_PLACE_TEXT], const struct hone_emu_code *code,
                          size_t site);

/* Does a bulk copy reduce elements of the type so; peer: to the shared memory of another
 * block? */
bool hone_emu_bulk_reduces(enum emu_logic logic, enum ptx_type of, bool peer);

/* Begin insn as the form that the statement's opcode spells; false when there is none. */
bool hone_emu_find_form(const struct ptx_statement *statement,
                        struct hone_emu_insn *insn);

/* Decode the module's kernel; variables have their addresses. handlers[op][type] (or
 * [op][NONE]) run an instruction. EUNSUPPORTED with "FORM at PTX line N" for a form that
 * is not in the table, EINPUT for one that is misused. Everything is in the module's
 * arena. */
enum hone_status hone_emu_decode(struct hone_emu_code *out, struct ptx_module *module,
                                 hone_emu_handler *const (*handlers)[PTX_TYPE_COUNT],
                                 struct hone_error *err);

/* Find the arrays of the code and whose addresses are which; only ahead of placing. */
enum hone_status hone_emu_find_arrays(struct hone_emu_code *code, struct hone_error *err);

/* Words of 32 bits that live registers take of a thread, where they take most. Only
 * between decoding and placing; numbers the registers anew. */
enum hone_status hone_emu_count_live(struct hone_emu_code *code, uint32_t *words,
                                     struct hone_error *err);

/* Give registers their places in the register file: those whose lives do not overlap
 * share one, if they may. Turns register numbers into byte offsets. */
enum hone_status hone_emu_place_registers(struct hone_emu_code *code, bool share,
                                          struct hone_error *err);

#endif
