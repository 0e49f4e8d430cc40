#ifndef TILE
#define TILE 16
#endif
#ifndef ALPHA
#define ALPHA 1.0
#endif
#ifndef FAST
#define FAST 1
#endif
#ifndef TYPE
#define TYPE float
#endif
extern "C" __global__ void gemm_kernel() { TYPE x = ALPHA * TILE + FAST; }
