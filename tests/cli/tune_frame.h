/* What the suites of tuning share. */
#ifndef TUNE_FRAME_H
#define TUNE_FRAME_H

#include <stdlib.h>
#include <string.h>

#include "hone_test.h"
#include "nvrtc.h"
#include "program.h"

#define SCALE "$SOURCE/tests/cli/scripts/scale.lua --device emu:h200 "
#define SGEMM                                                                            \
    "$SOURCE/kernels/sgemm.lua --device emu:h200 --set M=256 --set N=256 --set K=64 "

static inline size_t count(const char *text, const char *word)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        n++;
    return n;
}

#endif
