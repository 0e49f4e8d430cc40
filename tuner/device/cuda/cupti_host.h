/* The part of CUPTI that knows chips: names, plans. It needs neither GPU nor driver.
 * Declared here as cupti_profiler_host.h of CUDA 12.6 and later has it, since that header
 * is C++ and older toolkits lack it. Each struct tells its size, by which later versions
 * know which fields it has. */
#ifndef HONE_DEVICE_CUPTI_HOST_H
#define HONE_DEVICE_CUPTI_HOST_H

#include <stddef.h>
#include <stdint.h>

#include "hone/status.h"

struct hone_cupti_host_object;

/* A struct of CUPTI's begins with its size, which reaches to its last field. */
#define HONE_CUPTI_SIZE(type, last) (offsetof(type, last) + sizeof(((type *)0)->last))

struct hone_cupti_host_initialize {
    size_t size;
    void *priv;
    int profiler_type; /* 0: the range profiler */
    const char *chip;
    const uint8_t *availability; /* NULL: all counters are free */
    struct hone_cupti_host_object *object;
};

struct hone_cupti_host_deinitialize {
    size_t size;
    void *priv;
    struct hone_cupti_host_object *object;
};

struct hone_cupti_host_properties {
    size_t size;
    void *priv;
    struct hone_cupti_host_object *object;
    const char *name;
    const char *description, *hardware_unit, *dimension;
    int metric_type;
};

struct hone_cupti_host_add {
    size_t size;
    void *priv;
    struct hone_cupti_host_object *object;
    const char **names;
    size_t count;
};

struct hone_cupti_host_image_size {
    size_t size;
    void *priv;
    struct hone_cupti_host_object *object;
    size_t bytes;
};

struct hone_cupti_host_image {
    size_t size;
    void *priv;
    struct hone_cupti_host_object *object;
    size_t bytes;
    uint8_t *image;
};

struct hone_cupti_host_passes {
    size_t size;
    void *priv;
    size_t bytes;
    uint8_t *image;
    size_t passes;
};

/* Each returns 0 or CUPTI's error. */
struct hone_cupti_host {
    int (*initialize)(struct hone_cupti_host_initialize *params);
    int (*deinitialize)(struct hone_cupti_host_deinitialize *params);
    int (*properties)(struct hone_cupti_host_properties *params);
    int (*add_metrics)(struct hone_cupti_host_add *params);
    int (*image_size)(struct hone_cupti_host_image_size *params);
    int (*image)(struct hone_cupti_host_image *params);
    int (*passes)(struct hone_cupti_host_passes *params);
};

/* CUPTI's library: $HONE_CUPTI, else from the usual places. ENODEVICE with the reason. */
enum hone_status hone_cupti_library(void **out, struct hone_error *err);

/* Open it, once a process; borrowed. ENODEVICE with the reason. */
enum hone_status hone_cupti_host_open(const struct hone_cupti_host **out,
                                      struct hone_error *err);

#endif
