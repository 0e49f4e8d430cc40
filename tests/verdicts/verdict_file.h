/* The files of this folder: CUDA kernels whose comments say how each is launched and what
 * must be found in it, and where.
 *
 *     // class: shared memory, no barrier before the read      of the kernels that follow
 *
 *     // launch: grid 1, block 64; in x f32[64] uniform; out y f32[64]; i32 n 64
 *     // reference: copy_reference, block 1
 *     extern "C" __global__ void mirrored(const float *x, float *y, int n)
 *     {
 *         ...
 *         y[t] = s[63 - t]; // expect: race
 *     }
 *
 * A launch has grid, block, shared and cluster (2x3 for two dimensions),
 * cooperative and dependent, then the arguments in
 * order: in, out, inout and work with type, elements and a fill (uniform, zero, one,
 * index, offsets, normal, constant V, integers LOW HIGH), or a scalar's type, name and
 * value ("in x f32[64] early uniform": no launch before writes it); then "tolerance T" and "deadline S" where they are wanted. A buffer's tensor map
 * ends its part: "in a bf16[4096] uniform map 64/64 64/8 swizzle 128" has the size and the
 * box of each axis, the innermost first; the reference gets the buffer itself. A launch whose line
 * ends in ';' goes on in the next; several launches are several verifications. A kernel
 * ends at the first line that begins with "}". Without a line for it the reference is
 * NAME_reference with the geometry of the launch; "none" says that there is none.
 *
 * "needs: HEADER" says that the file is built with the toolkit's folder of headers, and
 * not where that lacks it; "on: emu:h200" that its kernels run there, not on emu:a100;
 * "with: NAME" that they include NAME, which lies beside this folder's files. What stands between a kernel and its first launch or reference
 * line is that kernel's alone, all else outside of kernels belongs to all of them.
 *
 * "expect:" names findings by their words; "or" between two that are both right. A
 * kernel without any is correct. */
#ifndef HONE_TEST_VERDICT_FILE_H
#define HONE_TEST_VERDICT_FILE_H

#include "hone/finding.h"
#include "hone/kernel.h"

enum {
    VERDICT_ARGS = 10,
    VERDICT_LAUNCHES = 4,
    VERDICT_EXPECTS = 8,
    VERDICT_KERNELS = 64
};

struct verdict_arg {
    enum hone_arg_kind kind;
    enum hone_dtype dtype;
    enum hone_fill fill;
    char name[32], size[24]; /* size: elements, or the value of a scalar */
    double low, high;
    bool early;   /* no launch before writes it */
    char map[96]; /* of a tensor map: axes and modes; "": there is none */
};

struct verdict_geometry {
    char grid[3][12], block[3][12], cluster[3][12], shared[12];
    uint32_t flags; /* of the launch: cooperative, dependent */
};

struct verdict_launch {
    struct verdict_geometry geometry;
    struct verdict_arg args[VERDICT_ARGS];
    size_t arg_count;
    char tolerance[24];
    double deadline_s;
};

struct verdict_expect {
    uint64_t findings; /* bits of enum hone_finding */
    uint32_t line;
};

struct verdict_kernel {
    char name[64];
    char class[80];     /* "" of a correct kernel */
    char reference[80]; /* the kernel that says what is right */
    struct verdict_geometry reference_geometry;
    struct verdict_launch launches[VERDICT_LAUNCHES];
    size_t launch_count; /* 0: it is nothing but a reference */
    struct verdict_expect expects[VERDICT_EXPECTS];
    size_t expect_count;
    uint32_t first_line, last_line;
};

struct verdict_file {
    char path[512];
    const char *name; /* points into path */
    char *text;
    char needs[64]; /* a header of the toolkit; "": none */
    char on[32];    /* the device */
    char with[64];  /* a file of this folder that kernels include; "": none */
    struct verdict_kernel kernels[VERDICT_KERNELS];
    size_t count;
};

/* Reads tests/verdicts/NAME; fails the test at a line that it does not understand. */
struct verdict_file *verdict_file_read(const char *name);
void verdict_file_free(struct verdict_file *file);
const struct verdict_kernel *verdict_file_find(const struct verdict_file *file,
                                               const char *name);

/* The text with every other kernel's lines empty, so that lines keep their numbers and
 * what is compiled is one kernel. Freed by the caller. */
char *verdict_file_slice(const struct verdict_file *file,
                         const struct verdict_kernel *kernel);

/* A case that checks the file of that name, in a suite with a function check_file. */
#define cmocka_unit_test_of(case_name, file)                                             \
    {                                                                                    \
        .name = #case_name, .test_func = check_file, .initial_state = (char[])           \
        {                                                                                \
            file                                                                         \
        }                                                                                \
    }

#endif
