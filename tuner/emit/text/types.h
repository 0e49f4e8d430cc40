/* The types of a table's rows (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_TYPES_H
#define HONE_EMIT_TEXT_TYPES_H

/* text */
/* only: names */
#if IS_A_NAME_DEFINED
#error "HEADER_NAME: include this header before its parameters or sizes are macros"
#endif

/* end */
INCLUDES;
/* What the kernel is compiled with. */
typedef struct kernel_config {
    PARAM_FIELDS;
    DEVICE_FIELDS;
    LAUNCH_FIELDS;
} kernel_config;
/* only: plain_gpu */
/* A GPU: kernel_gpu_of makes one, set what is known better; 0 is unknown. */
/* end */
/* only: read_gpu */
/* A GPU: kernel_gpu_of makes one, set what is known better; 0 is unknown, and 0 to
 * constraints and launches that read it: READ_FIELDS. */
/* end */
/* in one line */
typedef struct kernel_gpu {
    int cc_major, cc_minor, sm_count;
    long long l2_bytes, memory_bytes, max_shared_bytes;
    FURTHER_FIELDS;
} kernel_gpu;
/* end of line */
/* in one line */
typedef struct {
    const char *name;
    kernel_gpu gpu;
    /* only: groups */
    int first, count; /* groups of rows */
    /* end */
    const char *provenance;
} kernel_device;
/* end of line */
/* only: problem */
/* in one line */
typedef struct {
    PROBLEM_FIELDS;
} kernel_problem;
/* end of line */
/* end */
/* in one line */
typedef struct {
    int device, config;
    /* only: problem */
    kernel_problem problem;
    /* end */
    /* only: sizes */
    int lg[SIZES]; /* of the sizes */
    /* end */
    double TIME_FIELD;
} kernel_row;
/* end of line */
/* only: nearest */
/* Rows that one rule serves; tree is -1: the nearest row serves. */
/* end */
/* only: trees */
/* Rows that one rule serves; tree: its first node; -1: the nearest row serves. */
/* end */
/* only: models */
/* Rows that one rule serves; tree: its first node; -1: the nearest row serves; below: the
 * model that begins at -2 - tree of kernel_models. */
/* end */
/* only: groups */
typedef struct kernel_group {
    CHOICE_FIELDS;
    int first, count, tree;
    int configs, config_count; /* in kernel_preferences, the best first */
} kernel_group;
/* end */
/* end of text */

#endif
