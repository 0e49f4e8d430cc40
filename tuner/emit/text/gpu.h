/* What the table knows of a GPU: the tuner asks by it as well (payload.h says how it is
 * read). */
#ifndef HONE_EMIT_TEXT_GPU_H
#define HONE_EMIT_TEXT_GPU_H

/* text */
/* only: read */
/* Limits from the table; of other architectures as set below, else the table's least. */
/* end */
/* only: unread */
/* Limits from the table; max_shared_bytes, for which nothing asks, is 0 elsewhere. */
/* end */
static inline kernel_gpu kernel_gpu_of(int cc_major, int cc_minor, int sm_count)
{
    kernel_gpu gpu = LEAST_GPU;
    /* only: devices */
    int i, found = 0;
    for (i = 0; i < KERNEL_DEVICES; i++) {
        const kernel_gpu *known = &kernel_devices[i].gpu;
        if (known->cc_major != cc_major || known->cc_minor != cc_minor) continue;
        if (found && (gpu.sm_count == sm_count || known->sm_count != sm_count)) continue;
        gpu = *known;
        found = 1;
    }
    /* end */
    /* only: unread */
    if (IS_UNKNOWN) gpu.max_shared_bytes = 0;
    /* end */
    /* only: read */
    const long long cc = cc_minor >= 0 && cc_minor < 10 ? cc_major * 10LL + cc_minor : 0;
    /* end */
    /* only: facts */
    if (IS_UNKNOWN) {
        FACTS_OF_CC;
    }
    /* end */
    /* only: shared */
    if (IS_UNKNOWN) gpu.max_shared_bytes = SHARED_OF_CC;
    /* end */
    gpu.cc_major = cc_major, gpu.cc_minor = cc_minor, gpu.sm_count = sm_count;
    return gpu;
}
/* end of text */

#endif
