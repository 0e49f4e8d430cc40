/* cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col of drivers that are none: what they
 * write is what the emulator reads (hone/tensor_map.h). */
#ifndef HONE_TEST_DRIVER_MAPS_H
#define HONE_TEST_DRIVER_MAPS_H

#include <cuda.h>

CUresult driver_encode_tiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                             void *base, const cuuint64_t *size, const cuuint64_t *stride,
                             const cuuint32_t *box, const cuuint32_t *step,
                             CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                             CUtensorMapL2promotion promotion,
                             CUtensorMapFloatOOBfill fill);
CUresult driver_encode_im2col(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                              void *base, const cuuint64_t *size,
                              const cuuint64_t *stride, const int *lower,
                              const int *upper, cuuint32_t channels, cuuint32_t pixels,
                              const cuuint32_t *step, CUtensorMapInterleave interleave,
                              CUtensorMapSwizzle swizzle,
                              CUtensorMapL2promotion promotion,
                              CUtensorMapFloatOOBfill fill);
CUresult driver_replace_address(CUtensorMap *map, void *base);

#endif
