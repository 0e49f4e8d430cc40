/* What ptxas has to judge in the inline PTX of a text that NVRTC wrote. */
#ifndef HONE_EVALUATE_INLINE_PTX_H
#define HONE_EVALUATE_INLINE_PTX_H

#include <stdbool.h>

/* Has the PTX an asm that ptxas might refuse: any but loads and stores with a cache
 * operator as the compiler's own header writes them (__ldg, __stcs)? */
bool hone_inline_ptx_is_open(const char *ptx);

#endif
