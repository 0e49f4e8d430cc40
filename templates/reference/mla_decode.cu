// Reference for latent attention to a cache: one warp a new token of a head.
//
//   arguments, choices   as in templates/mla_decode.cu
//   grid     x: new tokens of a sequence, y: heads, z: sequences
//   block    x: 32
//   result   in double, rounded once to fp32, then to TYPE

#ifndef HEAD
#define HEAD 576
#endif
#ifndef HEAD_V
#define HEAD_V 512
#endif
#ifndef PAGE
#define PAGE 64
#endif

#include "attention_row.cuh"

extern "C" __global__ void
mla_decode_reference(const TYPE *Q, const TYPE *K, TYPE *O, float *lse, const int *table,
                     const int *lengths, const float *, const unsigned *, int unit,
                     int more, int seq_q, int, int table_row, int q_token, int q_head,
                     long long kv_page, int kv_token, int o_token, int o_head,
                     long long lse_head, float scale)
{
    const long long i = blockIdx.x, head = blockIdx.y, b = blockIdx.z;
    const long long keys = (long long)lengths[b] * unit + more;
    const long long token = b * seq_q + i;
    const AttentionRow row(Q + token * q_token + head * q_head, scale, 1);
    row.attend(O + token * o_token + head * o_head,
               lse ? lse + head * lse_head + token : nullptr, 0, i + keys - seq_q + 1, K,
               K, [=](long long j) {
                   const long long page =
                       PAGE ? table[b * table_row + j / max(PAGE, 1)] : b;
                   return page * kv_page + (PAGE ? j % max(PAGE, 1) : j) * kv_token;
               });
}
