/* What the addresses of a warp's lanes have in common, summed up over all of them so that
 * the compiler makes vector code of it. */
#ifndef HONE_DEVICE_EMU_SHAPE_H
#define HONE_DEVICE_EMU_SHAPE_H

#include "decode/emu_code.h"

struct hone_emu_shape {
    bool inside;     /* bytes at each lie in [base, base + size), aligned to bytes */
    bool uniform;    /* all are equal */
    bool contiguous; /* lane l is at lane 0's plus l * bytes */
};

static inline struct hone_emu_shape
hone_emu_shape_of(const uint64_t *addresses, uint64_t base, uint64_t size, uint32_t bytes)
{
    int64_t room = (int64_t)size - bytes, wrong = 0; // by their signs
    uint64_t low = 0, differs = 0, strays = 0, first = addresses[0];
    for (int l = 0; l < HONE_EMU_LANES; l++) {
        uint64_t at = addresses[l];
        int64_t offset = (int64_t)(at - base);
        wrong |= offset | (room - offset);
        low |= at;
        differs |= at ^ first;
        strays |= at ^ (first + (uint64_t)l * bytes);
    }
    return (struct hone_emu_shape){.inside = wrong >= 0 && (low & (bytes - 1)) == 0,
                                   .uniform = differs == 0,
                                   .contiguous = strays == 0};
}

#endif
