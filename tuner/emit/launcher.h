/* What a header is launched from, and the functions over it. */
#ifndef HONE_EMIT_LAUNCHER_H
#define HONE_EMIT_LAUNCHER_H

#include "emit_plan.h"

/* payload.c: what the header is launched from. Nothing without a payload. */
enum hone_status hone_emit_check_payload(struct emit_plan *plan);
enum hone_status hone_emit_payload(struct hone_strbuf *out, struct emit_plan *plan);
/* Does the header hold images, and is a GPU one that those of some arch run on? Whether a
 * configuration compiles for that arch is not asked. */
bool hone_emit_has_images(const struct emit_plan *plan);
bool hone_emit_has_image_for(const struct emit_plan *plan, const struct hone_limits *gpu);
/* payload_print.c: the functions over it. */
void hone_emit_payload_includes(struct hone_strbuf *out, const struct emit_plan *plan);
/* First: are the arguments of kinds that can be passed? What they read gets its functions
 * among the geometry. */
enum hone_status hone_emit_prepare_launcher(struct emit_plan *plan);
enum hone_status hone_emit_launcher(struct hone_strbuf *out, struct emit_plan *plan);

/* payload_maps.c: room for tensor maps, as A_arg_map, and the calls that fill it. */
bool hone_emit_has_maps(const struct emit_plan *plan);
void hone_emit_map_rooms(struct hone_strbuf *out, const struct emit_plan *plan);
enum hone_status hone_emit_maps(struct hone_strbuf *out, struct emit_plan *plan);

/* payload_symbols.c: variables of the kernel's module, which are no parameters of it. */
bool hone_emit_is_symbol(const struct hone_record_arg *arg);
bool hone_emit_has_symbols(const struct emit_plan *plan);
void hone_emit_symbols_comment(struct hone_strbuf *out, const struct emit_plan *plan);
void hone_emit_symbols(struct hone_strbuf *out, const struct emit_plan *plan);

#endif
