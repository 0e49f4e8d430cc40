/* What each stage of loading made of a kernel, as text for people: a line a statement,
 * variable or instruction. */
#ifndef HONE_DEVICE_DUMP_H
#define HONE_DEVICE_DUMP_H

#include "hone/strbuf.h"
#include "launch/emu_device.h"

/* "12 rows.cu:5 ld.global.f32 r4, [r2+8]", calls copied in, labels where they stand. */
void hone_emu_dump_statements(struct hone_strbuf *out, const struct hone_module *module);
/* Space, place in it, bytes, alignment and name of each variable. */
void hone_emu_dump_variables(struct hone_strbuf *out, const struct hone_module *module);
/* Form, class, registers read and written of each instruction: by number, and after they
 * were placed by their byte offset in the register file. */
void hone_emu_dump_code(struct hone_strbuf *out, const struct hone_module *module);
/* The parameters whose data decide what is executed or which memory is touched. */
void hone_emu_dump_steering(struct hone_strbuf *out, const struct hone_module *module);

#endif
