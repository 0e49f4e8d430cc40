// The arguments of a driver's encoders as a map of this program.
#include "driver_maps.h"

#include <stdint.h>

#include "hone/tensor_map.h"

static struct hone_map_modes modes_of(CUtensorMapInterleave interleave,
                                      CUtensorMapSwizzle swizzle,
                                      CUtensorMapL2promotion promotion,
                                      CUtensorMapFloatOOBfill fill)
{
    static const struct {
        uint32_t bytes, atom, flip;
    } swizzles[] = {{0, 0, 0},    {32, 0, 0},   {64, 0, 0},  {128, 0, 0},
                    {128, 32, 0}, {128, 32, 1}, {128, 64, 0}};
    const uint32_t known = sizeof swizzles / sizeof *swizzles, at = (uint32_t)swizzle;
    struct hone_map_modes modes = {.interleave = (uint32_t)interleave * 16,
                                   .swizzle = at < known ? swizzles[at].bytes : 1,
                                   .promotion = promotion ? 32U << promotion : 0,
                                   .nan_fill = (uint32_t)fill};
    if (at < known) {
        modes.atom = swizzles[at].atom;
        modes.flip = swizzles[at].flip;
    }
    return modes;
}

// False where the rank alone is wrong: then the arrays are of unknown length.
static bool fill_axes(struct hone_tensor_map *out, CUtensorMapDataType type,
                      cuuint32_t rank, const cuuint64_t *size, const cuuint64_t *stride,
                      const cuuint32_t *step)
{
    if (rank < 1 || rank > HONE_MAP_RANK_MAX) return false;
    out->rank = rank;
    out->type = (uint32_t)type;
    out->stride_bytes[0] = hone_map_type_bytes(out->type);
    for (cuuint32_t i = 0; i < rank; i++) {
        out->size[i] = size[i];
        out->step[i] = step[i] ? step[i] : UINT32_MAX; // a driver wants one
        if (i) out->stride_bytes[i] = stride[i - 1];
    }
    return true;
}

static CUresult finish(CUtensorMap *map, const struct hone_tensor_map *filled, void *base)
{
    char why[128];
    if ((uintptr_t)map % HONE_MAP_ALIGNMENT) return CUDA_ERROR_INVALID_VALUE;
    return hone_map_encode(filled, (uintptr_t)base, map, why, sizeof why)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

CUresult driver_encode_tiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                             void *base, const cuuint64_t *size, const cuuint64_t *stride,
                             const cuuint32_t *box, const cuuint32_t *step,
                             CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                             CUtensorMapL2promotion promotion,
                             CUtensorMapFloatOOBfill fill)
{
    struct hone_tensor_map filled = {.modes =
                                         modes_of(interleave, swizzle, promotion, fill)};
    if (!fill_axes(&filled, type, rank, size, stride, step))
        return CUDA_ERROR_INVALID_VALUE;
    for (cuuint32_t i = 0; i < rank; i++)
        filled.box[i] = box[i];
    return finish(map, &filled, base);
}

CUresult driver_encode_im2col(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                              void *base, const cuuint64_t *size,
                              const cuuint64_t *stride, const int *lower,
                              const int *upper, cuuint32_t channels, cuuint32_t pixels,
                              const cuuint32_t *step, CUtensorMapInterleave interleave,
                              CUtensorMapSwizzle swizzle,
                              CUtensorMapL2promotion promotion,
                              CUtensorMapFloatOOBfill fill)
{
    struct hone_tensor_map filled = {.modes =
                                         modes_of(interleave, swizzle, promotion, fill),
                                     .pixels = {.channels = channels, .count = pixels}};
    if (!channels || !fill_axes(&filled, type, rank, size, stride, step))
        return CUDA_ERROR_INVALID_VALUE;
    for (cuuint32_t i = 0; i + 2 < rank; i++) {
        filled.pixels.lower[i] = lower[i];
        filled.pixels.upper[i] = upper[i];
    }
    return finish(map, &filled, base);
}

CUresult driver_replace_address(CUtensorMap *map, void *base)
{
    struct hone_tensor_map filled;
    uint64_t before;
    if (!hone_map_unpack(map, &filled, &before)) return CUDA_ERROR_INVALID_VALUE;
    return finish(map, &filled, base);
}
