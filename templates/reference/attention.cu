// Reference for attention: one warp a query of a head; two passes over the keys, the
// first for the highest score.
//
//   arguments, choices   as in templates/attention.cu
//   grid     x: queries, y: heads, z: sequences
//   block    x: 32; a lane has every 32nd element of the head
//   result   in double, rounded once to fp32, then to TYPE

#include "../common/element.cuh"

#ifndef TYPE
#define TYPE bf16
#endif
#ifndef HEAD
#define HEAD 128
#endif
#ifndef CAUSAL
#define CAUSAL 1
#endif
#ifndef LOCAL
#define LOCAL 0
#endif
#ifndef SOFTCAP
#define SOFTCAP 0
#endif
#ifndef VARLEN
#define VARLEN 0
#endif

constexpr int ELEMENTS = HEAD / 32; // of a lane

__device__ inline double sum_of_warp(double x)
{
    for (int by = 16; by > 0; by /= 2)
        x += __shfl_xor_sync(~0u, x, by);
    return x;
}

__device__ inline void store(TYPE *to, double x)
{
    struct alignas(4) {
        TYPE element[2];
    } pair;
    narrow_pair(pair.element, (float)x, 0.0f);
    *to = pair.element[0];
}

struct Query {
    double element[ELEMENTS];
    double scale, cap;

    __device__ double score(const TYPE *key) const
    {
        double sum = 0;
        for (int e = 0; e < ELEMENTS; e++)
            sum += element[e] * to_float(key[threadIdx.x + 32 * e]);
        const double score = scale * sum_of_warp(sum);
        return SOFTCAP ? cap * tanh(score / cap) : score;
    }
};

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
    const int i = blockIdx.x, head = blockIdx.y, lane = threadIdx.x;
    if (i >= queries.count) return;
    const long long token = queries.first + i;
    Query query = {{}, scale, cap};
    for (int e = 0; e < ELEMENTS; e++)
        query.element[e] =
            to_float(Q[token * q_token + (long long)head * q_head + lane + 32 * e]);

    const long long position = (long long)i + keys.count - queries.count;
    long long begin = 0, end = keys.count;
    if (LOCAL && position - window > begin) begin = position - window;
    if (LOCAL && position + window + 1 < end) end = position + window + 1;
    if (CAUSAL && position + 1 < end) end = position + 1;
    const TYPE *k = K + keys.first * k_token + (long long)(head / group) * k_head;
    const TYPE *v = V + keys.first * v_token + (long long)(head / group) * v_head + lane;
    double highest = -1e300, total = 0, output[ELEMENTS] = {};
    for (long long j = begin; j < end; j++)
        highest = fmax(highest, query.score(k + j * k_token));
    for (long long j = begin; j < end; j++) {
        const double power = exp(query.score(k + j * k_token) - highest);
        total += power;
        for (int e = 0; e < ELEMENTS; e++)
            output[e] += power * to_float(v[j * v_token + 32 * e]);
    }
    TYPE *o = O + token * o_token + (long long)head * o_head + lane;
    for (int e = 0; e < ELEMENTS; e++)
        store(o + 32 * e, total > 0 ? output[e] / total : 0);
    if (lse && lane == 0)
        lse[head * lse_head + token] =
            total > 0 ? (float)(highest + log(total)) : __int_as_float(0xff800000);
}
