/* A kernel as its script describes it, and a job: one configuration of it resolved to
 * source text, geometry and arguments. A definition is made by the Lua binding (or by
 * hand in C). */
#ifndef HONE_KERNEL_H
#define HONE_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "hone/finding.h"
#include "hone/geometry.h"
#include "hone/limits.h"
#include "hone/source.h"
#include "hone/space.h"
#include "hone/tensor_map.h"

/* clang-format off */
#define HONE_DTYPE_LIST(X) /* name, bytes */                                            \
    X(F64, "f64", 8) X(F32, "f32", 4) X(F16, "f16", 2) X(BF16, "bf16", 2)               \
    X(E4M3, "e4m3", 1) X(E5M2, "e5m2", 1)                                               \
    X(I64, "i64", 8) X(I32, "i32", 4) X(I16, "i16", 2) X(I8, "i8", 1)                   \
    X(U64, "u64", 8) X(U32, "u32", 4) X(U16, "u16", 2) X(U8, "u8", 1)
/* clang-format on */

enum hone_dtype {
#define HONE_DTYPE_ENUM(name, text, bytes) HONE_##name,
    HONE_DTYPE_LIST(HONE_DTYPE_ENUM)
#undef HONE_DTYPE_ENUM
};
size_t hone_dtype_size(enum hone_dtype dtype);
const char *hone_dtype_name(enum hone_dtype dtype);
enum hone_status hone_dtype_parse(enum hone_dtype *out, const char *name); /* ENOTFOUND */

/* clang-format off */
#define HONE_ARG_LIST(X)                                                                \
    X(INPUT,     "input")     /* device buffer, filled before, unchanged after */       \
    X(OUTPUT,    "output")    /* device buffer, poisoned before, compared after */      \
    X(INOUT,     "inout")     /* device buffer, filled before, compared after */        \
    X(SCALAR,    "scalar")                                                              \
    X(CONSTANT,  "constant")  /* values in the parameter itself, a struct of an array;  \
                                 filled */                                              \
    X(WORKSPACE, "workspace") /* device buffer of any contents, before and after; its   \
                                 size may be 0 and may depend on parameters */          \
    X(SYMBOL,    "symbol")    /* no parameter: a __constant__ or __device__ array of    \
                                 the module, filled before, unchanged after */
/* clang-format on */

enum hone_arg_kind {
#define HONE_ARG_ENUM(name, text) HONE_ARG_##name,
    HONE_ARG_LIST(HONE_ARG_ENUM)
#undef HONE_ARG_ENUM
        HONE_ARG_COUNT
};
const char *hone_arg_kind_name(enum hone_arg_kind kind); /* "input", ... */

/* Distribution of an input buffer. Random data: zeros draw less power and time too fast.
 */
/* clang-format off */
#define HONE_FILL_LIST(X)                                                               \
    X(UNIFORM,  "uniform")  /* [-1, 1]; integers -8 .. 8 */                             \
    X(ZERO,     "zero")                                                                 \
    X(ONE,      "one")                                                                  \
    X(INDEX,    "index")                                                                \
    X(OFFSETS,  "offsets")  /* 0, then 0 .. 8 more each time, 4 on average */           \
    X(NORMAL,   "normal")   /* mean 0, standard deviation 1; floating types only */     \
    X(INTEGERS, "integers") /* whole numbers low .. high, each as likely */             \
    X(CONSTANT, "constant") /* low */                                                   \
    X(FILE,     "file")     /* elements of the buffer's type, again and again */
/* clang-format on */

enum hone_fill {
#define HONE_FILL_ENUM(name, text) HONE_FILL_##name,
    HONE_FILL_LIST(HONE_FILL_ENUM)
#undef HONE_FILL_ENUM
        HONE_FILL_COUNT
};

enum { HONE_FILL_FILE_MAX = 4 << 20 }; /* bytes: they travel with each job to a worker */

/* What a fill needs besides its name. */
struct hone_fill_data {
    double low, high;  /* INTEGERS, CONSTANT; finite in the buffer's type, which rounds */
    const void *bytes; /* FILE: a whole number of elements, at least one */
    size_t size;       /* of bytes */
};

/* By how much results may differ from the reference's. Expressions. */
struct hone_tolerance_def {
    const char *relative, *absolute; /* NULL means 0 */
    const char *scale;               /* multiplies both; NULL means 1 */
    const char *mean;                /* of all elements together; NULL: not looked at */
    int line;                        /* in the script; 0: not known */
};

struct hone_arg_def {
    const char *name;
    enum hone_arg_kind kind;
    enum hone_dtype dtype;
    const char *size; /* scalars: the value; others: number of elements; an expression */
    /* An expression, for input, output, inout: the kernel gets the address of an array
     * of so many addresses on the device, of equal parts of the buffer one after another.
     * NULL: it gets the buffer's own. */
    const char *pointers;
    /* The same of a tensor map of the buffer; NULL: none. The reference gets the buffer's
     * address. */
    const struct hone_map_def *map;
    const struct hone_tolerance_def *tolerance; /* of an output; NULL: the kernel's */
    enum hone_fill fill;
    bool early; /* of an input: no launch before writes it, so a dependent launch may read
                   it ahead of griddepcontrol.wait */
    int line;
    struct hone_fill_data data;
};

struct hone_launch_def {
    const char *grid[3];  /* expressions, in blocks; NULL means 1 */
    const char *block[3]; /* expressions, in threads; NULL means 1 */
    const char *shared;   /* expression, dynamic shared bytes; NULL means 0 */
    const char
        *cluster[3]; /* expressions, in blocks; all NULL: the launch does not say */
    uint32_t flags;  /* as in struct hone_geometry */
    int line;
};

struct hone_reference_def {
    const char *template_path; /* resolved file; NULL when the kernel has no reference */
    const char *entry;
    struct hone_launch_def
        launch; /* may use problem sizes and device.*, not parameters */
    bool wide;  /* it computes in double precision: its floating arguments are f64 */
};

/* Problem sizes to try or to tune: one value for each problem constant, in their
 * order. */
struct hone_problem {
    const struct hone_value *values;
};

/* What one size is drawn from: a list of values, or first, first + step, ... */
struct hone_draw_choice {
    const struct hone_value *values; /* NULL: integers by first and step */
    int64_t first, step;             /* step above 0 */
    uint64_t count;                  /* at least 1 */
};

/* Problem sizes to verify at that are drawn by a seed (docs/verification.md). */
struct hone_draw {
    const struct hone_draw_choice *choices; /* one for each problem constant */
    size_t count;                           /* how many to draw, at most */
    int line;                               /* in the script */
};

/* A folder of headers that templates include. */
struct hone_include_folder {
    const char *name;   /* as messages call it: the script's word for it */
    const char *folder; /* resolved */
    const char *place;  /* where it lies; for fixed_folders */
};

struct hone_kernel_def {
    const char *name;          /* a C identifier */
    const char *source;        /* script file */
    const char *template_path; /* resolved file */
    /* Where templates and what they include may lie, after links are followed; none:
     * beside the template and the reference's. */
    const char *const *template_folders;
    size_t template_folder_count;
    const struct hone_include_folder *includes; /* may be read as well */
    size_t include_count;
    bool reads_anywhere; /* every folder will do */
    /* Those folders and the places of includes are absolute and without links. Else links
     * are followed when the template is read, once for all its files. */
    bool fixed_folders;
    const char *entry;           /* kernel function; extern "C" in the template */
    struct hone_space_def space; /* its constants are the problem, then device.* */
    size_t problem_count;        /* how many of space.constants are the problem's */
    /* What to tune together, with weights above 0; count 0: space's own problem. A
     * hone_kernel is of one problem and does not keep them. */
    const struct hone_problem *problems;
    const double *weights;
    size_t problems_count;
    const struct hone_value
        *defaults; /* one for each parameter, in parameter order; NULL: none */
    struct hone_launch_def launch;
    const struct hone_arg_def *args; /* in the order of the kernel's parameters; symbols
                                        stand anywhere between them */
    size_t arg_count;
    struct hone_reference_def reference;
    const struct hone_problem *verify; /* small sizes to verify at, one ragged */
    size_t verify_count;
    int verify_line;               /* in the script; 0: not known */
    const struct hone_draw *draws; /* further sizes, drawn anew by each seed */
    size_t draw_count;
    struct hone_tolerance_def tolerance; /* of outputs */
    const char *work_flops;              /* of one launch; NULL: unknown */
    const char *work_bytes;              /* least traffic of one launch; NULL: unknown */
    int work_line;
    const char *const *defines; /* problem names that the template needs as #define */
    size_t define_count;
    const char *const *options; /* further NVRTC options, as hone_builder_submit allows */
    size_t option_count;
    int options_line;                  /* in the script; 0: not known */
    uint64_t l2_set_aside;             /* bytes, for lines that it keeps; 0: none */
    const struct hone_waiver *waivers; /* findings that are no faults, with reasons */
    size_t waiver_count;
};

/* A definition checked against its space: every expression parsed and bound, template
 * read. */
struct hone_kernel;

/* def and everything it points to is copied; space is borrowed and must outlive the
 * kernel. */
enum hone_status hone_kernel_new(struct hone_kernel **out,
                                 const struct hone_kernel_def *def,
                                 const struct hone_space *space, struct hone_error *err);
void hone_kernel_free(struct hone_kernel *kernel);
const struct hone_kernel_def *hone_kernel_get_def(const struct hone_kernel *kernel);
/* Whether the launch or an argument depends on that parameter, be it by derived values:
 * a template that does not mention it runs otherwise with each of its values. */
bool hone_kernel_launch_reads(const struct hone_kernel *kernel, size_t param);
/* Whether the launch depends on that parameter and the kernel cannot know its value: not
 * by name, nor by an argument, nor by asking for its grid or block. */
bool hone_kernel_hides(const struct hone_kernel *kernel, size_t param);
/* Do launch and template agree that the grid extends along axis 0, 1 or 2? A template
 * that asks for its block in a way that is not followed fits. */
enum hone_axis_use {
    HONE_AXIS_FITS,
    HONE_AXIS_UNREAD, /* there are blocks along it, and blockIdx is not read there */
    HONE_AXIS_SINGLE  /* blockIdx is read there, and the launch has one block */
};
enum hone_axis_use hone_kernel_axis_use(const struct hone_kernel *kernel, size_t axis);
const struct hone_space *hone_kernel_space(const struct hone_kernel *kernel);
/* 32 hexadecimal digits; of the template text with what it includes, and of the
 * definition with the values of problem and device that decide which configurations are
 * valid. */
const char *hone_kernel_template_hash(const struct hone_kernel *kernel);
/* The template as a compiler takes it after its #define lines: files of the template's
 * folders are inlined, those of include folders are headers in memory. */
const char *hone_kernel_template_text(const struct hone_kernel *kernel);
const struct hone_build_header *hone_kernel_headers(const struct hone_kernel *kernel,
                                                    size_t *count);
const char *hone_kernel_space_hash(const struct hone_kernel *kernel);

/* Do the constraints that read what verify names or draws hold for configuration index at
 * problem? One that cannot be evaluated does not; a hone.fn is taken to hold. ENOMEM is
 * the only failure. */
enum hone_status hone_kernel_allows(const struct hone_kernel *kernel, uint64_t index,
                                    const struct hone_problem *problem, bool *allowed,
                                    struct hone_error *err);

/* How far results may be off: an element x by absolute + relative * |ref|; all elements
 * of a floating output together, as the root of their mean square, by mean times that of
 * the reference. */
struct hone_tolerance {
    double relative, absolute;
    double mean; /* 0: not looked at */
};

struct hone_job_arg {
    const char *name;
    enum hone_arg_kind kind;
    enum hone_dtype dtype;
    enum hone_fill fill;
    uint64_t count;    /* elements; 0 of a scalar */
    uint64_t pointers; /* parts of count / pointers elements; 0: passed as a whole */
    struct hone_value value;    /* of a scalar */
    struct hone_tensor_map map; /* rank 0: the kernel gets none */
    bool wide;                  /* of a reference: f64 that holds the values of narrow */
    enum hone_dtype narrow;     /* what the kernel has there; where wide */
    int line;                   /* in the script; 0: not known */
    bool early;                 /* as in struct hone_arg_def */
    struct hone_fill_data data;
    bool bounded; /* an output of a kernel, with a tolerance of its own */
    struct hone_tolerance tolerance;
};

/* One launchable thing: configuration and problem resolved. */
struct hone_job {
    char *source;            /* #define lines, then the template with what it includes */
    bool borrows;            /* source is another job's: hone_job_share_source */
    const char *source_name; /* for NVRTC messages: the template's file name */
    const char *script;      /* the file that describes args; NULL: none */
    const char *entry;
    struct hone_geometry geometry;
    const struct hone_job_arg *args;
    size_t arg_count;
    const char *const *options;
    size_t option_count;
    const struct hone_build_header *headers; /* what source includes; the kernel's */
    size_t header_count;
    struct hone_tolerance tolerance; /* of outputs without one of their own */
    double flops;                    /* NAN when unknown */
    double bytes;                    /* NAN when unknown */
    void *memory;                    /* owns all of the above but headers */
};

/* Resolve configuration index for problem (NULL: the tuned one, def's constants). What is
 * over a limit of all CUDA devices (over 2^31 blocks, over 1024 threads) is EINPUT with
 * the expression: evaluators turn that into a rejected trial. What no device's limit
 * decides (a fraction, no blocks, a scalar that its type does not hold, a division by
 * zero) is EUSAGE, the script's fault: launch_failed. Release with hone_job_fini. */
enum hone_status hone_kernel_job(struct hone_job *out, const struct hone_kernel *kernel,
                                 uint64_t index, const struct hone_problem *problem,
                                 struct hone_error *err);
/* The same for the reference kernel; ENOTFOUND when there is none. Its args are the
 * kernel's, workspaces without an element; those of one in double precision wide. */
enum hone_status hone_kernel_reference_job(struct hone_job *out,
                                           const struct hone_kernel *kernel,
                                           const struct hone_problem *problem,
                                           struct hone_error *err);
/* Is it a reference in double precision, with a wide argument? */
bool hone_job_is_wide(const struct hone_job *job);
/* What its output of that name is held to. */
const struct hone_tolerance *hone_job_tolerance(const struct hone_job *job,
                                                const char *output);
/* Where their sources are equal, let job borrow that of first, which must outlive it:
 * most sizes of a problem share one text. */
void hone_job_share_source(struct hone_job *job, const struct hone_job *first);
void hone_job_fini(struct hone_job *job);

#endif
