// Reference for attention by warp groups: one warp a query of a head.
//
//   arguments, choices   as in templates/attention_sm90.cu; pointers where it has maps
//   grid     x: queries, y: heads, z: sequences
//   block    x: 32
//   result   in double, rounded once to fp32, then to TYPE

#include "attention_query.cuh"

extern "C" __global__ void attention_sm90_reference(
    const TYPE *Q, const TYPE *K, const TYPE *V, OUT *O, float *lse,
    const float *score_scale, const float *value_scale, const int *starts_q,
    const int *starts_k, int unit, int seq_q, int seq_k, int, int heads, int group,
    int q_token, int q_head, int k_token, int k_head, int v_token, int v_head,
    int v_element, long long k_sequence, long long v_sequence, int o_token, int o_head,
    long long lse_head, int window, float scale, float cap)
{
    AttentionQueries all = {Q,        K,        V,      O,       lse,    starts_q,
                            starts_k, unit,     seq_q,  seq_k,   group,  q_token,
                            q_head,   k_token,  k_head, v_token, v_head, o_token,
                            o_head,   lse_head, window, scale,   cap};
    all.v_element = v_element;
    if (sizeof(TYPE) == 1) {
        all.k_sequence = k_sequence;
        all.v_sequence = v_sequence;
        all.key_heads = heads / group;
        all.score_scale = score_scale;
        all.value_scale = value_scale;
    }
    all.attend(blockIdx.x, blockIdx.y, blockIdx.z);
}
