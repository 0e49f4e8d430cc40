// Softmax of rows whose scores come tile by tile (Milakov and Gimelshein, "Online
// normalizer calculation for softmax", 2018). Scores and outputs are sums as mma leaves
// them: of a piece of 16 rows lane l holds parts of rows l / 4 and l / 4 + 8, so four
// neighbours share a row.
#pragma once

constexpr float LOG2_E = 1.44269504088896f, LN_2 = 0.693147180559945f;

__device__ inline float minus_infinity()
{
    return __int_as_float(0xff800000);
}

// 2^x within 2 units in the last place; 0 of minus infinity.
__device__ inline float power_of_two(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// cap * tanh(x / cap) is cap * squash(x / cap), to 2^-23: tanh.approx leaves 2^-11, which
// a cap of 50 would make 0.02.
__device__ inline float squash(float x)
{
    return 1.0f - __fdividef(2.0f, 1.0f + power_of_two(2.0f * LOG2_E * x));
}

__device__ inline float highest_of_row(float x)
{
    x = fmaxf(x, __shfl_xor_sync(~0u, x, 1));
    return fmaxf(x, __shfl_xor_sync(~0u, x, 2));
}
__device__ inline float sum_of_row(float x)
{
    x += __shfl_xor_sync(~0u, x, 1);
    return x + __shfl_xor_sync(~0u, x, 2);
}

// Powers are 2^lift times as large, so that a narrow type keeps small ones.
template <int pieces, int lift = 0> struct OnlineSoftmax {
    // Exponent that a row's powers are below: factor times its highest score, or nearly.
    float base[pieces][2];
    float sum[pieces][2]; // of this lane's powers

    __device__ OnlineSoftmax()
    {
#pragma unroll
        for (int i = 0; i < 2 * pieces; i++) {
            base[i / 2][i % 2] = minus_infinity();
            sum[i / 2][i % 2] = 0;
        }
    }

    // Scores of further keys become 2^(factor * score - base), factor > 0. What was
    // summed before, in outputs too, is brought to the highest score of now once one of
    // the warp's rows has grown by more than SLACK powers of 2: until then bases stay, as
    // any within that are as good (FlashAttention-4). hidden: a score may be minus
    // infinity, which counts nothing.
    template <bool hidden, int columns, int outs>
    __device__ void absorb(float (&scores)[pieces][columns][4],
                           float (&outputs)[pieces][outs][4], float factor)
    {
        constexpr float SLACK = lift ? 0 : 8; // of 2^15 that f16 has
        float highest[pieces][2];
        bool grown = false;
#pragma unroll
        for (int i = 0; i < 2 * pieces; i++) {
            const float now = highest_of(scores[i / 2], i % 2);
            grown |= fmaf(now, factor, -base[i / 2][i % 2]) > SLACK;
            highest[i / 2][i % 2] = now;
        }
        if (__any_sync(~0u, grown))
#pragma unroll
            for (int i = 0; i < 2 * pieces; i++)
                rescale(outputs[i / 2], i % 2,
                        raise<hidden>(i / 2, i % 2, highest[i / 2][i % 2] * factor));
#pragma unroll
        for (int i = 0; i < 2 * pieces; i++)
            add_powers<hidden>(scores[i / 2], i / 2, i % 2, factor);
    }

    // Of one of the lane's rows, 8 * half further than the first of piece i: what outputs
    // are to be multiplied by.
    template <bool hidden, int columns>
    __device__ float absorb_row(float (&scores)[columns][4], int i, int half,
                                float factor)
    {
        return take_row<hidden>(scores, i, half, factor,
                                highest_of(scores, half) * factor);
    }
    // The same for those who know the highest exponent of now, or another base: one that
    // powers fit.
    template <bool hidden, int columns>
    __device__ float take_row(float (&scores)[columns][4], int i, int half, float factor,
                              float now)
    {
        const float scale = raise<hidden>(i, half, now);
        add_powers<hidden>(scores, i, half, factor);
        return scale;
    }

    template <int columns>
    __device__ static float highest_of(const float (&scores)[columns][4], int half)
    {
        float highest = scores[0][2 * half];
#pragma unroll
        for (int j = 1; j < 2 * columns; j++)
            highest = fmaxf(highest, scores[j / 2][2 * half + j % 2]);
        return highest_of_row(highest);
    }
    // Any finite base will do for a row that has seen no key yet.
    template <bool hidden> __device__ static float finite(float base)
    {
        return hidden && base == minus_infinity() ? 0.0f : base;
    }
    // The row's base becomes now, where that is higher.
    template <bool hidden> __device__ float raise(int i, int half, float now)
    {
        const float before = base[i][half];
        base[i][half] = fmaxf(before, now);
        const float scale = power_of_two(before - finite<hidden>(base[i][half]));
        sum[i][half] *= scale;
        return scale;
    }
    template <bool hidden, int columns>
    __device__ void add_powers(float (&scores)[columns][4], int i, int half, float factor)
    {
        const float below = finite<hidden>(base[i][half]) - lift;
        float more;
#pragma unroll
        for (int j = 0; j < 2 * columns; j++) {
            float &score = scores[j / 2][2 * half + j % 2];
            score = power_of_two(score * factor - below);
            more = j == 0 ? score : more + score;
        }
        sum[i][half] += more;
    }
    template <int outs>
    __device__ static void rescale(float (&outputs)[outs][4], int half, float scale)
    {
#pragma unroll
        for (int j = 0; j < 2 * outs; j++)
            outputs[j / 2][2 * half + j % 2] *= scale;
    }

    // Outputs become means, 0 of a row that saw no key. At the end sum is the natural
    // logarithm of the sum of exp(factor * ln(2) * score), minus infinity of such rows.
    template <int outs> __device__ void finish(float (&outputs)[pieces][outs][4])
    {
#pragma unroll
        for (int i = 0; i < pieces; i++)
#pragma unroll
            for (int half = 0; half < 2; half++) {
                const float total = sum_of_row(sum[i][half]);
                const float inverse = 1.0f / fmaxf(total, 1e-30f);
#pragma unroll
                for (int j = 0; j < 2 * outs; j++)
                    outputs[i][j / 2][2 * half + j % 2] *= inverse;
                sum[i][half] = LN_2 * (base[i][half] + (__log2f(total) - lift));
            }
    }
};
