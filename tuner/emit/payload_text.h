/* The parts of a payload's functions that are the same in every header, for
 * hone_emit_put. */
#ifndef HONE_EMIT_PAYLOAD_TEXT_H
#define HONE_EMIT_PAYLOAD_TEXT_H

extern const char hone_emit_library_text[]; /* open a library, find a symbol */
extern const char
    hone_emit_state_text[]; /* the driver's functions, what is loaded, a lock */
extern const char hone_emit_encoder_field[], hone_emit_global_field[],
    hone_emit_launch_as_field[];           /* more of them */
extern const char hone_emit_loaded_text[]; /* and the rest */
extern const char hone_emit_find_text[];   /* find the driver's functions */
extern const char hone_emit_encoder_name[], hone_emit_global_name[],
    hone_emit_launch_as_name[], hone_emit_bind_text[]; /* likewise */
extern const char hone_emit_image_text[];              /* load_module of images */
extern const char hone_emit_nvrtc_text[];              /* load_module of source */
extern const char hone_emit_load_text[]; /* load, unload, and the function to launch */

#endif
