/* A table: what of it are no rows of data (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_TABLE_DATA_H
#define HONE_EMIT_TEXT_TABLE_DATA_H

/* text */
enum {
    KERNEL_DEFAULT_CONFIG = DEFAULT_NUMBER,
    KERNEL_CONFIGS = CONFIG_COUNT,
    KERNEL_DEVICES = DEVICE_COUNT,
    KERNEL_ROWS = ROW_COUNT
};
static const kernel_config kernel_configs[KERNEL_CONFIGS] = {
    CONFIG_ROWS,
};
static const char *const kernel_defines[KERNEL_CONFIGS] = {
    DEFINE_ROWS,
};
static const kernel_device kernel_devices[KERNEL_DEVICES] = {
    DEVICE_ROWS,
};
/* only: devices */
static const kernel_gpu kernel_least_gpu = LEAST_LIMITS;
/* end */
static const kernel_row kernel_rows[KERNEL_ROWS] = {ROW_ROWS};
/* only: groups */

/* end */
/* only: trees */
/* A node asks for the logarithm of size a, less that of size b (-1: alone), or the sum of
 * all (-2): up to `at` on to low, else to high; below 0: ~number of a configuration. */
/* in one line */
typedef struct kernel_node {
    int a, b, at, low, high;
} kernel_node;
/* end of line */
static const kernel_node kernel_nodes[] = {
    NODE_ROWS,
};

/* end */
/* only: models */
/* How many configurations, then of each its number and weights. */
static const int kernel_models[] = {
    MODEL_ROWS,
};

/* end */
/* only: groups */
static const int kernel_preferences[] = {
    PREFERENCE_ROWS,
};
static const kernel_group kernel_groups[] = {
    GROUP_ROWS,
};

/* end */
/* end of text */

#endif
