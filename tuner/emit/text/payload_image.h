/* Loading the images of a payload (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_PAYLOAD_IMAGE_H
#define HONE_EMIT_TEXT_PAYLOAD_IMAGE_H

/* text */
enum { KERNEL_SAME_MAJOR = IS_CUBIN }; /* WHERE_IT_RUNS */

/* The image of a configuration for a GPU, the most specific one, loaded. */
static inline int kernel_load_module(void **module, int config, const kernel_gpu *gpu)
{
    const unsigned char *best = 0;
    const long long here = gpu->cc_major * 10LL + gpu->cc_minor;
    int i, nearest = -1;
    for (i = 0; kernel_images[i].config >= 0; i++) {
        const kernel_image *image = &kernel_images[i];
        const int cc = image->cc_major * 10 + image->cc_minor;
        if (image->config != config || cc > here || (image->bound == 2 && cc != here))
            continue;
        if ((KERNEL_SAME_MAJOR || image->bound) && image->cc_major != gpu->cc_major)
            continue;
        if (3 * cc + image->bound <= nearest) continue;
        nearest = 3 * cc + image->bound;
        best = image->bytes;
    }
    if (!best) return KERNEL_NO_IMAGE;
    return kernel_state.driver.load(module, best, 0, 0, 0);
}
/* end of text */

#endif
