// What attention by warp groups can be told, with defaults: first what is computed, then
// how (docs/templates/attention_sm90.md).
#pragma once

#include "attention_parameters.cuh"

#ifndef CAUSAL // no query sees keys behind its position
#define CAUSAL 1
#endif
#ifndef VARLEN // sequences begin where starts_q and starts_k say
#define VARLEN 0
#endif

#ifndef BLOCK_N // keys a tile
#define BLOCK_N 128
#endif
#ifndef MATH // warp groups that multiply, with 64 queries each
#define MATH 2
#endif
#ifndef STAGES // tiles of K, and of V, in shared memory
#define STAGES 2
#endif
#ifndef OVERLAP // the softmax of a tile while the next scores are multiplied
#define OVERLAP 1
#endif
#ifndef PINGPONG // warp groups take turns with the tensor cores
#define PINGPONG 1
#endif
#ifndef PERSISTENT // blocks have several tiles of queries, one after another
#define PERSISTENT 1
#endif
#ifndef HEAD_GROUP // heads whose blocks run together, for the reuse of K and V in L2
#define HEAD_GROUP 8
#endif
#ifndef LONGEST_FIRST // of a causal head the tiles with most keys begin
#define LONGEST_FIRST 1
#endif

constexpr bool EIGHT = sizeof(TYPE) == 1; // bits

static_assert(same_type<TYPE, bf16>::value || same_type<TYPE, f16>::value ||
                  same_type<TYPE, e4m3>::value,
              "TYPE must be bf16, f16 or e4m3");
static_assert(same_type<OUT, bf16>::value || same_type<OUT, f16>::value,
              "OUT must be bf16 or f16");
static_assert(!EIGHT || !VARLEN, "8 bits know no VARLEN: V has tokens contiguous");
static_assert(!EIGHT || BLOCK_N % 32 == 0, "of 8 bits BLOCK_N is a multiple of 32");
static_assert(HEAD_V % 32 == 0 && HEAD_V <= HEAD, "HEAD_V: a multiple of 32 up to HEAD");
static_assert(BLOCK_N >= 16 && BLOCK_N <= 256 && BLOCK_N % 16 == 0,
              "BLOCK_N: 16 to 256 in steps of 16");
static_assert(MATH >= 1 && MATH <= 3, "MATH must be 1, 2 or 3");
static_assert(STAGES >= 2, "STAGES must be at least 2");
static_assert(OVERLAP == 0 || OVERLAP == 1, "OVERLAP must be 0 or 1");
static_assert(PINGPONG == 0 || (PINGPONG == 1 && MATH >= 2),
              "warp groups take turns where there are several");
static_assert(PERSISTENT == 0 || PERSISTENT == 1, "PERSISTENT must be 0 or 1");
static_assert(LONGEST_FIRST == 0 || (LONGEST_FIRST == 1 && CAUSAL),
              "LONGEST_FIRST must be 0 or 1, and 0 without CAUSAL");
static_assert(HEAD_GROUP >= 1, "HEAD_GROUP must be at least 1");
