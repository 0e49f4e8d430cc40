// Reference for attention: one warp a query of a head.
//
//   arguments, choices   as in templates/attention.cu, but K and V with equal strides
//   grid     x: queries, y: heads, z: sequences
//   block    x: 32
//   result   in double, rounded once to fp32, then to TYPE

#include "attention_row.cuh"

#ifndef CAUSAL
#define CAUSAL 1
#endif
#ifndef VARLEN
#define VARLEN 0
#endif

struct Tokens {
    long long first;
    int count;

    __device__ Tokens(const int *starts, int unit, int length)
    {
        const int b = blockIdx.z;
        first = VARLEN ? (long long)starts[b] * unit : (long long)b * length;
        count = VARLEN ? (int)((long long)starts[b + 1] * unit - first) : length;
    }
};

extern "C" __global__ void
attention_reference(const TYPE *Q, const TYPE *K, const TYPE *V, TYPE *O, float *lse,
                    const int *starts_q, const int *starts_k, int unit, int seq_q,
                    int seq_k, int heads, int group, int q_token, int q_head, int k_token,
                    int k_head, int v_token, int v_head, int o_token, int o_head,
                    long long lse_head, int window, float scale, float cap)
{
    const Tokens queries(starts_q, unit, seq_q), keys(starts_k, unit, seq_k);
    const long long i = blockIdx.x, head = blockIdx.y, key_head = head / group;
    if (i >= queries.count) return;
    const long long position = i + keys.count - queries.count;
    long long begin = 0, end = keys.count;
    if (LOCAL && position - window > begin) begin = position - window;
    if (LOCAL && position + window + 1 < end) end = position + window + 1;
    if (CAUSAL && position + 1 < end) end = position + 1;

    const long long token = queries.first + i;
    const AttentionRow row(Q + token * q_token + head * q_head, scale, cap);
    row.attend(O + token * o_token + head * o_head,
               lse ? lse + head * lse_head + token : nullptr, begin, end,
               K + keys.first * k_token + key_head * k_head,
               V + keys.first * v_token + key_head * v_head,
               [=](long long j) { return j * k_token; });
}
