/* The text that NVRTC compiles when a payload is loaded (payload.h says how it is
 * read). */
#ifndef HONE_EMIT_TEXT_PAYLOAD_TEMPLATE_H
#define HONE_EMIT_TEXT_PAYLOAD_TEMPLATE_H

/* text */
/* What NVRTC compiles: a configuration's macros, then the template. */
static const char *const kernel_macros[KERNEL_CONFIGS] = {
    MACRO_ROWS,
};

static const char *const kernel_source[] = {
    SOURCE_ROWS,
    0,
};

static const char *const kernel_options[] = {
    OPTION_ROWS,
    0,
};
/* end of text */

#endif
