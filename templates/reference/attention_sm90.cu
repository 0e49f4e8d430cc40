// Reference for attention by warp groups: one warp a query of a head.
//
//   arguments, choices   as in templates/attention_sm90.cu; pointers where it has maps
//   grid     x: queries, y: heads, z: sequences
//   block    x: 32
//   result   in double, rounded once to fp32, then to TYPE

#include "attention_query.cuh"

extern "C" __global__ void attention_sm90_reference(
    const TYPE *Q, const TYPE *K, const TYPE *V, TYPE *O, float *lse, const int *starts_q,
    const int *starts_k, int unit, int seq_q, int seq_k, int, int, int group, int q_token,
    int q_head, int k_token, int k_head, int v_token, int v_head, int o_token, int o_head,
    long long lse_head, int window, float scale, float cap)
{
    const AttentionQueries all = {Q,        K,        V,      O,       lse,    starts_q,
                                  starts_k, unit,     seq_q,  seq_k,   group,  q_token,
                                  q_head,   k_token,  k_head, v_token, v_head, o_token,
                                  o_head,   lse_head, window, scale,   cap};
    all.attend(blockIdx.x, blockIdx.y, blockIdx.z);
}
