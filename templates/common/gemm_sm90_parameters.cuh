// What products by warp groups can be told, with defaults: first what is computed, then
// how (docs/templates/gemm_sm90.md).
#pragma once

#ifndef TYPE // of A and B: bf16 f16 tf32 i8 e4m3 e5m2
#define TYPE bf16
#endif
#ifndef OUT // type of D: bf16 f16 f32 e4m3 e5m2 i8, of sums of i8 also i32
#define OUT bf16
#endif
#ifndef TRANS_A // A is stored [K][M]
#define TRANS_A 0
#endif
#ifndef TRANS_B // B is stored [N][K]
#define TRANS_B 1
#endif
#ifndef PROMOTE // sums of 8-bit floats to fp32 every 128 of k; SCALE block does
#define PROMOTE 0
#endif
#ifndef STORE // how D leaves: by its map, or direct, by threads: rows begin anywhere
#define STORE map
#endif

#ifndef SWAP // tiles of the transposed D: BM columns, BN rows, of which there may be few
#define SWAP 0
#endif
#ifndef BM // rows of D a tile
#define BM 128
#endif
#ifndef BN // columns of D a tile
#define BN 256
#endif
#ifndef MATH // warp groups that multiply
#define MATH 2
#endif
#ifndef PINGPONG // each of them a tile of its own, in turns
#define PINGPONG 0
#endif
#ifndef INFLIGHT // stages whose products may be under way while the next one is awaited
#define INFLIGHT 1
#endif
#ifndef PANELS // of D in shared memory, a warp group
#define PANELS 2
#endif
#ifndef CLUSTER_M // blocks, one below the other, that share what they copy of B
#define CLUSTER_M 1
#endif
#ifndef CLUSTER_N // blocks side by side that share what they copy of A
#define CLUSTER_N 1
#endif
#ifndef SPLIT_K // warp groups that share the k of a tile
#define SPLIT_K 1
#endif
#ifndef STREAM // 1: blocks share the k of tiles that leave some of them idle
#define STREAM 0
#endif
#ifndef GROUP // rows of tiles that run together, with RASTER columns
#define GROUP 8
#endif
#ifndef RASTER // the order of tiles: 0 down columns, 1 along rows
#define RASTER 0
#endif
