// Reference for attention to a cache of keys: one warp a new token of a head.
//
//   arguments, choices   as in templates/attention_decode.cu
//   grid     x: new tokens of a sequence, y: heads, z: sequences
//   block    x: 32
//   result   in double, rounded once to fp32, then to TYPE

#include "attention_row.cuh"

#ifndef PAGE
#define PAGE 16
#endif

#ifndef CACHE
#define CACHE TYPE
#endif

extern "C" __global__ void attention_decode_reference(
    const TYPE *Q, const CACHE *K, const CACHE *V, TYPE *O, float *lse, const int *table,
    const int *lengths, const float *k_scale, const float *v_scale, const float *,
    const unsigned *, int unit, int more, int seq_q, int heads, int group, int table_row,
    int q_token, int q_head, long long kv_page, int kv_token, int kv_head, int o_token,
    int o_head, long long lse_head, int window, float scale, float cap)
{
    const long long i = blockIdx.x, head = blockIdx.y, b = blockIdx.z;
    const long long keys = (long long)lengths[b] * unit + more;
    const long long position = i + keys - seq_q;
    const long long begin = LOCAL && position > window ? position - window : 0;

    const long long token = b * seq_q + i, key_head = head / group;
    const bool scaled = sizeof(CACHE) == 1;
    AttentionRow row(Q + token * q_token + head * q_head,
                     (double)scale * (scaled && k_scale ? k_scale[key_head] : 1), cap);
    if (scaled && v_scale) row.value_scale = v_scale[key_head];
    row.attend(O + token * o_token + head * o_head,
               lse ? lse + head * lse_head + token : nullptr, begin, position + 1,
               K + key_head * kv_head, V + key_head * kv_head, [=](long long j) {
                   const long long page =
                       PAGE ? table[b * table_row + j / max(PAGE, 1)] : b;
                   return page * kv_page + (PAGE ? j % max(PAGE, 1) : j) * kv_token;
               });
}
