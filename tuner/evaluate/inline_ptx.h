/* What ptxas has to judge in the inline PTX of a text that NVRTC wrote. */
#ifndef HONE_EVALUATE_INLINE_PTX_H
#define HONE_EVALUATE_INLINE_PTX_H

#include <stdbool.h>

/* Has the PTX an asm that ptxas might refuse: any but loads and stores with a cache
 * operator as the compiler's own header writes them (__ldg, __stcs)? An asm with a
 * comment in its text that begins or ends an asm is such an other, unless it spells the
 * end of one load or store and the beginning of the next just as the compiler does. */
bool hone_inline_ptx_is_open(const char *ptx);

#endif
