// One query of one head against the keys that it sees, for the references: one warp, of
// which a lane has every 32nd element of the head; two passes over the keys, the first
// for the highest score.
#pragma once

#include "../common/attention_parameters.cuh"

constexpr int ELEMENTS = HEAD / 32, OUTPUTS = HEAD_V / 32; // of a lane

__device__ inline double sum_of_warp(double x)
{
    for (int by = 16; by > 0; by /= 2)
        x += __shfl_xor_sync(~0u, x, by);
    return x;
}

__device__ inline void store(OUT *to, double x)
{
    struct alignas(4) {
        OUT element[2];
    } pair;
    narrow_pair(pair.element, (float)x, 0.0f);
    *to = pair.element[0];
}

struct AttentionRow {
    double query[ELEMENTS];
    double scale, cap;
    double value_scale = 1;
    long long value_element = 1; // from one element of a value to the next

    __device__ AttentionRow(const TYPE *q, double scale, double cap)
        : scale(scale), cap(cap)
    {
        for (int e = 0; e < ELEMENTS; e++)
            query[e] = to_float(q[threadIdx.x + 32 * e]);
    }

    template <class Cache> __device__ double score(const Cache *key) const
    {
        double sum = 0;
        for (int e = 0; e < ELEMENTS; e++)
            sum += query[e] * to_float(key[threadIdx.x + 32 * e]);
        const double score = scale * sum_of_warp(sum);
        return SOFTCAP ? cap * tanh(score / cap) : score;
    }

    // Keys begin .. end - 1; key j is place(j) elements behind k, its value
    // value_place(j) behind v.
    template <class Cache, class Place, class ValuePlace>
    __device__ void attend(OUT *o, float *lse, long long begin, long long end,
                           const Cache *k, const Cache *v, Place place,
                           ValuePlace value_place) const
    {
        double highest = -1e300, total = 0, output[OUTPUTS] = {};
        for (long long j = begin; j < end; j++)
            highest = fmax(highest, score(k + place(j)));
        for (long long j = begin; j < end; j++) {
            const double power = exp(score(k + place(j)) - highest);
            const Cache *value = v + value_place(j) + threadIdx.x * value_element;
            total += power;
            for (int e = 0; e < OUTPUTS; e++)
                output[e] += power * to_float(value[32 * e * value_element]);
        }
        for (int e = 0; e < OUTPUTS; e++)
            store(o + threadIdx.x + 32 * e,
                  total > 0 ? value_scale * output[e] / total : 0);
        if (lse && threadIdx.x == 0)
            *lse = total > 0 ? (float)(highest + log(total)) : __int_as_float(0xff800000);
    }
    template <class Cache, class Place>
    __device__ void attend(OUT *o, float *lse, long long begin, long long end,
                           const Cache *k, const Cache *v, Place place) const
    {
        attend(o, lse, begin, end, k, v, place, place);
    }
};
