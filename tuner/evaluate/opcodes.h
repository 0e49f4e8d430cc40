/* What the instructions of a PTX text are called, in their order. */
#ifndef HONE_EVALUATE_OPCODES_H
#define HONE_EVALUATE_OPCODES_H

#include "base/hash.h"

/* Add them with their modifiers ("ld.volatile.shared.u32"), but no registers, lines,
 * labels, variables or comments. An emulated device runs PTX and holds it to PTX's
 * rules: what ptxas makes the same code of (a volatile load and a plain one, a barrier
 * of a warp and none) is not the same there. */
void hone_hash_opcodes(struct hone_hash *hash, const char *ptx);

#endif
