/* Instructions of the machine (SASS) of an image by class, from NVIDIA's disassembler
 * nvdisasm where that is there. */
#ifndef HONE_BUILD_SASS_H
#define HONE_BUILD_SASS_H

#include "hone/build.h"

/* clang-format off */
#define HONE_SASS_LIST(X)                                                               \
    X(FP32,     "fp32")     /* FADD, FMUL, FFMA, ... */                                 \
    X(FP16,     "fp16")     /* in pairs */                                              \
    X(FP64,     "fp64")                                                                 \
    X(INT,      "int")      /* arithmetic and logic */                                  \
    X(MOVE,     "move")     /* between registers, predicates, special registers */      \
    X(CONVERT,  "convert")                                                              \
    X(SPECIAL,  "special")  /* MUFU: reciprocal, sine, ... */                           \
    X(TENSOR,   "tensor")                                                               \
    X(GLOBAL,   "global")                                                               \
    X(SHARED,   "shared")                                                               \
    X(LOCAL,    "local")    /* spills and arrays of a thread */                         \
    X(ATOMIC,   "atomic")                                                               \
    X(ASYNC,    "async")    /* copies by cp.async, bulk copies, tensor maps */          \
    X(CONSTANT, "constant") /* loads of arguments and constants */                      \
    X(UNIFORM,  "uniform")  /* of the unit that works once for a warp */                \
    X(WARP,     "warp")     /* between the lanes of a warp */                           \
    X(SYNC,     "sync")     /* barriers and fences */                                   \
    X(CONTROL,  "control")  /* branches, calls, exits */                                \
    X(OTHER,    "other")
/* clang-format on */

enum hone_sass_class {
#define HONE_SASS_ENUM(name, word) HONE_SASS_##name,
    HONE_SASS_LIST(HONE_SASS_ENUM)
#undef HONE_SASS_ENUM
        HONE_SASS_CLASSES
};
const char *hone_sass_name(enum hone_sass_class kind); /* "fp32" */

struct hone_sass {
    uint32_t counts[HONE_SASS_CLASSES]; /* as they stand there, not as they are run */
    uint32_t total;
    bool inside; /* of the kernel: while lines are read */
};

/* One line of `nvdisasm -c`; those of the kernel of that name count, without padding. */
void hone_sass_add_line(struct hone_sass *sass, const char *line, const char *entry);

/* Count those of a valid build. The program is the one that $HONE_NVDISASM names, else
 * that of PATH, of the toolkit or the wheel that NVRTC's library is from, or of
 * /usr/local/cuda. ENOTFOUND with what to install where there is none; EIO where it fails
 * or finds nothing of the kernel, or takes over a minute. */
enum hone_status hone_sass_of(struct hone_sass *out, const struct hone_build *build,
                              const char *entry, const char *nvrtc,
                              struct hone_error *err);

#endif
