/* The block size that the header chose for an H200. */
#include "scale_tuned.h"
#ifdef SCALE_OVERRIDES
#include "scale_tuned_runtime.h"
#endif

int scaled_block(void);
int scaled_is_tuned(void);

int scaled_block(void)
{
    return scale_select(9, 0, 132, 5000, 0)->BLOCK;
}

int scaled_is_tuned(void)
{
#ifdef SCALE_NOT_TUNED
    return 0;
#else
    return 1;
#endif
}
