// A warp's sums, as mma leaves them, to a row-major matrix.

#include "element.cuh"

template <class T> struct Output {
    T *data;
    int rows, columns;
    long long stride;
};

// count neighbours of a row, of which those past the end are left out.
template <int count, class T>
__device__ inline void write_run(const Output<T> &out, int row, int column,
                                 const float (&x)[count])
{
    struct alignas(count * sizeof(T)) Run {
        T element[count];
    } run;
#pragma unroll
    for (int i = 0; i < count; i += 2)
        narrow_pair(&run.element[i], x[i], x[i + 1]);
    T *to = out.data + row * out.stride + column;
    const bool aligned = (unsigned long long)to % sizeof(Run) == 0;
    if (row >= out.rows) return;
    if (aligned && column + count <= out.columns) {
        *reinterpret_cast<Run *>(to) = run;
        return;
    }
#pragma unroll
    for (int i = 0; i < count; i++)
        if (column + i < out.columns) to[i] = run.element[i];
}

// Sums of 16 rows in shared memory: the warp's columns and some, so that the pairs which
// the lanes store, 8 rows of 4, lie in different banks (a row is 8 or 24 banks on).
template <int warp_columns> __device__ constexpr int staging_width()
{
    return warp_columns + 8;
}
template <int warp_columns> __device__ constexpr int staging_bytes()
{
    return 16 * staging_width<warp_columns>() * 4;
}

// count neighbours from staging. Of 8 they are two halves, and lanes take them in
// opposite order by turns of four, so that 8 lanes read 8 different groups of banks.
template <int count> __device__ inline void read_run(float (&x)[count], const float *from)
{
    const float4 *half = reinterpret_cast<const float4 *>(from);
    if constexpr (count == 4) {
        *reinterpret_cast<float4 *>(x) = half[0];
    } else {
        static_assert(count == 8, "runs are of 4 or 8");
        const int turn = threadIdx.x / 4 % 2;
        const float4 first = half[turn], second = half[1 - turn];
        *reinterpret_cast<float4 *>(x) = turn ? second : first;
        *reinterpret_cast<float4 *>(x + 4) = turn ? first : second;
    }
}

template <bool staged, int warp_rows, int warp_columns, class T>
__device__ inline void
write_sums(const Output<T> &out, const float (&sums)[warp_rows / 16][warp_columns / 8][4],
           int row, int column, unsigned char *staging)
{
    const int lane = threadIdx.x % 32;
    if constexpr (!staged) {
#pragma unroll
        for (int i = 0; i < warp_rows / 16 * 2; i++)
#pragma unroll
            for (int j = 0; j < warp_columns / 8; j++) {
                const float pair[2] = {sums[i / 2][j][i % 2 * 2],
                                       sums[i / 2][j][i % 2 * 2 + 1]};
                write_run(out, row + i * 8 + lane / 4, column + j * 8 + lane % 4 * 2,
                          pair);
            }
        return;
    }
    constexpr int width = staging_width<warp_columns>();
    constexpr int run_length = sizeof(T) == 4 ? 4 : 8;
    constexpr int runs = 16 * warp_columns / run_length;
    float *const stage = reinterpret_cast<float *>(staging);
#pragma unroll
    for (int i = 0; i < warp_rows / 16; i++) {
        if (i) __syncwarp();
#pragma unroll
        for (int j = 0; j < warp_columns / 8 * 2; j++)
            *reinterpret_cast<float2 *>(stage + (lane / 4 + j % 2 * 8) * width +
                                        j / 2 * 8 + lane % 4 * 2) =
                make_float2(sums[i][j / 2][j % 2 * 2], sums[i][j / 2][j % 2 * 2 + 1]);
        __syncwarp();
#pragma unroll
        for (int first = 0; first < runs; first += 32) {
            const int run = first + lane, r = run / (warp_columns / run_length),
                      c = run % (warp_columns / run_length) * run_length;
            alignas(16) float x[run_length];
            read_run(x, stage + r * width + c);
            write_run(out, row + i * 16 + r, column + c, x);
        }
    }
}
