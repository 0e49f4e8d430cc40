/* Findings: what can be wrong with a kernel or its launch, a word each. The words are
 * stable: journals, waivers, `hone check --json` and SARIF name findings by them. */
#ifndef HONE_FINDING_H
#define HONE_FINDING_H

#include <stddef.h>
#include <stdint.h>

#include "hone/status.h"

/* What a waiver of a finding may name: nothing, since the kernel cannot go on or would
 * ship wrong values; a line of the source; a line, or a buffer of the kernel. */
enum hone_waive_by { HONE_WAIVE_NEVER, HONE_WAIVE_LINE, HONE_WAIVE_LINE_OR_BUFFER };

/* X(NAME, "word", waived by, "what it means"). New ones go to the end. */
/* clang-format off */
#define HONE_FINDING_LIST(X)                                                             \
    X(NONE,           "none",           NEVER, "Nothing was found.")                     \
    X(RACE,           "race",           LINE_OR_BUFFER,                                  \
      "Two threads touch the same bytes, one of them writes, and nothing orders them.")  \
    X(UNWRITTEN,      "unwritten",      LINE_OR_BUFFER,                                  \
      "A value that was never written decides something or is stored.")                  \
    X(OUT_OF_BOUNDS,  "out_of_bounds",  NEVER,                                           \
      "An access goes outside the memory that the kernel was given.")                    \
    X(MISALIGNED,     "misaligned",     NEVER,                                           \
      "An address is not a multiple of the size of the access.")                         \
    X(READ_ONLY,      "read_only",      NEVER, "A store goes to read-only memory.")      \
    X(MISSING_WAIT,   "missing_wait",   LINE,                                            \
      "Memory is used before the asynchronous copy to it was waited for.")               \
    X(DEADLOCK,       "deadlock",       NEVER, "No thread of a block can go on.")        \
    X(DIVERGENCE,     "divergence",     NEVER,                                           \
      "An operation of a whole warp or block is not reached by all of its threads.")     \
    X(BARRIER,        "barrier",        NEVER,                                           \
      "A barrier does not exist, or which threads it counts is not sure.")               \
    X(MEMBER_MASK,    "member_mask",    NEVER,                                           \
      "A lane takes part in an operation of the warp whose mask leaves it out.")         \
    X(TIMEOUT,        "timeout",        NEVER,                                           \
      "The kernel did not end within its deadline.")                                     \
    X(TRAP,           "trap",           NEVER, "The kernel stopped itself.")             \
    X(ASSERTION,      "assertion",      NEVER, "An assertion in the kernel failed.")     \
    X(CRASH,          "crash",          NEVER,                                           \
      "The GPU or its driver ended the kernel and does not say why.")                    \
    X(ORDER,          "order",          NEVER,                                           \
      "The result depends on the order in which blocks, warps or lanes run.")            \
    X(WRITES_OUTSIDE, "writes_outside", NEVER,                                           \
      "Bytes before the start or past the end of a buffer changed.")                     \
    X(CHANGES_INPUT,  "changes_input",  NEVER, "An input changed.")                      \
    X(NEVER_WRITES,   "never_writes",   NEVER,                                           \
      "An element of an output is not written.")                                         \
    X(MISMATCH,       "mismatch",       NEVER, "An output differs from the reference.")  \
    X(STATE,          "state",          NEVER,                                           \
      "The result depends on what an earlier launch left behind.")                       \
    X(SCOPE,          "scope",          LINE_OR_BUFFER,                                  \
      "An atomic or a fence has a narrower scope than the threads that it orders.")      \
    X(READ_ONLY_DATA, "read_only_data", LINE_OR_BUFFER,                                  \
      "A value that the launch stores is read through the read-only path.")              \
    X(PRECISION,      "precision",      NEVER,                                           \
      "An output is less accurate on the average than the script allows.")              \
    X(REGISTERS,      "registers",      NEVER,                                           \
      "A setmaxnreg asks for fewer registers than it adds to, or more than it leaves.")  \
    X(PEER,           "peer",           NEVER,                                           \
      "Shared memory of another block of the cluster is used that is not there (yet).")  \
    X(TENSOR_MAP,     "tensor_map",     LINE,                                            \
      "A tensor map is none, does not fit its copy, or was changed without a fence.")    \
    X(PROXY_FENCE,    "proxy_fence",    LINE,                                            \
      "Threads and an asynchronous operation use the same bytes without a proxy fence.") \
    X(IN_FLIGHT,      "in_flight",      LINE,                                            \
      "Memory changes while an asynchronous operation may still use it.")                \
    X(TX_BYTES,       "tx_bytes",       NEVER,                                           \
      "An mbarrier expects other bytes than the asynchronous copies to it bring.")       \
    X(WGMMA_FENCE,    "wgmma_fence",    LINE,                                            \
      "A register that wgmma takes was written since the last wgmma.fence.")             \
    X(FORMULA,        "formula",        NEVER,                                           \
      "A launch or an argument of the script has no value at a size that it is run at.") \
    X(PHASE,          "phase",          NEVER,                                           \
      "A wait at an mbarrier tells of another phase than the one that is needed.")       \
    X(GRID_WAIT,      "grid_wait",      LINE_OR_BUFFER,                                  \
      "Memory of the launch before is used ahead of griddepcontrol.wait.")
/* clang-format on */

enum hone_finding {
#define HONE_FINDING_ENUM(name, text, waive, meaning) HONE_FINDING_##name,
    HONE_FINDING_LIST(HONE_FINDING_ENUM)
#undef HONE_FINDING_ENUM
        HONE_FINDING_COUNT
};

/* A finding of a configuration as its trial keeps it. Names that are longer are cut. */
struct hone_found {
    enum hone_finding finding;
    uint32_t line;   /* of the file; 0: not known */
    char file[48];   /* its name without folders; "" where there is no line */
    char buffer[32]; /* the argument that it concerns; "" where it is not known */
};

/* At most so many a kernel. */
enum { HONE_WAIVER_MAX = 16 };

/* The author's word that one kind of finding at one line, or in one buffer, is no fault.
 * Either file or buffer is given. */
struct hone_waiver {
    enum hone_finding finding;
    const char *file;   /* without folders; NULL: by buffer */
    uint32_t line;      /* of the file; a race is at the lines of both accesses */
    const char *buffer; /* an argument of the kernel; NULL: by line */
    const char *reason; /* not empty */
    int script_line;    /* where it is written; 0 where that is not known */
};

/* "race at file.cu:120" or "race in buffer y". */
void hone_waiver_text(char *out, size_t size, const struct hone_waiver *waiver);

/* "race"; "unknown" for a value outside the enum. */
const char *hone_finding_name(enum hone_finding finding);
/* A sentence for people. */
const char *hone_finding_meaning(enum hone_finding finding);
enum hone_waive_by hone_finding_waive_by(enum hone_finding finding);
/* Those that can be waived: "race, unwritten, ...". */
void hone_finding_waivable(char *out, size_t size);
/* ENOTFOUND for an unknown name; *out stays as it was then. */
enum hone_status hone_finding_parse(enum hone_finding *out, const char *name);

#endif
