/* What launches return (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_PAYLOAD_CODES_H
#define HONE_EMIT_TEXT_PAYLOAD_CODES_H

/* text */
/* What the functions below return: 0, what the driver said (a CUresult, above 0), or
 * one of these. */
enum {
    KERNEL_OK = 0,            /* done */
    KERNEL_NO_DRIVER = -1,    /* no libcuda, or it lacks a function */
    KERNEL_NO_CONTEXT = -2,   /* the thread has no current CUDA context */
    KERNEL_NO_CONFIG = -3,    /* no configuration may run: KERNEL_NONE */
    KERNEL_NO_IMAGE = -4,     /* no image for this GPU, or none was compiled */
    KERNEL_NO_COMPILER = -5,  /* no libnvrtc */
    KERNEL_NOT_COMPILED = -6, /* NVRTC refused it: standard error has its words */
    KERNEL_NO_ROOM = -7       /* out of memory, or too many contexts */
};
/* end of text */

#endif
