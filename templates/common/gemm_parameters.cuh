// What products on tensor cores can be told, with defaults: first what is computed, then
// how (docs/templates/gemm_mma.md).
#pragma once

#ifndef TYPE // of A and B: bf16 f16 tf32 i8, on sm_89 and newer e4m3 e5m2
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

#ifndef BM // rows of D a block
#define BM 128
#endif
#ifndef BN // columns of D a block
#define BN 128
#endif
#ifndef BK // depth of a tile, in bytes
#define BK 64
#endif
#ifndef WM // rows of D a warp
#define WM 64
#endif
#ifndef WN // columns of D a warp
#define WN 64
#endif
#ifndef STAGES // tiles of each operand in shared memory
#define STAGES 4
#endif
#ifndef REGPIPE // sets of fragments: 2 hide the reads of one behind the other
#define REGPIPE 2
#endif
#ifndef GROUP_M // rows of blocks that run together, for reuse of B in L2
#define GROUP_M 8
#endif
#ifndef STAGE_D // D goes through shared memory, to be written 16 bytes at a time
#define STAGE_D 1
#endif
#ifndef PREFETCH // bytes that a copy may bring to L2
#define PREFETCH 128
#endif
#ifndef MIN_BLOCKS // blocks a multiprocessor that registers must allow
#define MIN_BLOCKS 1
#endif
