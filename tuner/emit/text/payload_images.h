/* The images of a payload (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_PAYLOAD_IMAGES_H
#define HONE_EMIT_TEXT_PAYLOAD_IMAGES_H

/* text */
/* Images, each for a compute capability and later ones; bound: 1: of its major version,
 * 2: for no other. */
typedef struct kernel_image {
    int config, cc_major, cc_minor, bound;
    const unsigned char *bytes;
} kernel_image;

static const kernel_image kernel_images[] = {
    IMAGE_ROWS,
    {-1, 0, 0, 0, 0},
};
/* end of text */

#endif
