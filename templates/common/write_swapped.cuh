// Sums of the transposed D, as wgmma leaves them in registers, to D: through shared
// memory, 16 columns of 16 rows of D at a time, or of the last 8 rows.
#pragma once

#include "epilogue.cuh"
#include "write_sums.cuh"

constexpr int SWAPPED = 20; // words of a row of 16, so that warps write to all banks
constexpr int SWAPPED_BYTES = 4 * 16 * SWAPPED * 4; // of a warp group

// memory: SWAPPED_BYTES for each of the warp groups that multiply. Sums are of 64 columns
// of D for each of pieces, of 8 rows for each of groups.
template <class Out, class Sum, int pieces, int groups> class SwappedWriter {
    const Epilogue<Out> &epilogue;
    Sum *const stage; // the warp's

  public:
    __device__ SwappedWriter(const Epilogue<Out> &epilogue, Out *, unsigned char *memory,
                             int group)
        : epilogue(epilogue), stage(reinterpret_cast<Sum *>(memory) +
                                    (group * 4 + warp_columns() / 16) * 16 * SWAPPED)
    {
    }
    // column, row: of D
    __device__ void write(const Sum (&sums)[pieces][groups][4], int column, int row) const
    {
#pragma unroll
        for (int i = 0; i < pieces; i++)
#pragma unroll
            for (int j = 0; j < groups; j += 2) {
                const int to = column + i * 64 + warp_columns();
                if (j + 1 < groups)
                    write_rows<2>(&sums[i][j], to, row + j * 8);
                else
                    write_rows<1>(&sums[i][j], to, row + j * 8);
            }
    }
    __device__ void finish() const {}

  private:
    // Where a warp of the group begins in 64 columns.
    __device__ static int warp_columns()
    {
        return threadIdx.x % 128 / 32 * 16;
    }
    template <int count>
    __device__ void write_rows(const Sum (*sums)[4], int column, int row) const
    {
        __syncwarp(); // all have read what was there
        fill<count>(sums);
        __syncwarp();
        end<count * 8>(column, row);
    }
    // What the thread has of count times 8 rows.
    template <int count> __device__ void fill(const Sum (*sums)[4]) const
    {
        const int lane = threadIdx.x % 32;
#pragma unroll
        for (int i = 0; i < 4 * count; i++) {
            const int row = i / 4 * 8 + lane % 4 * 2 + i % 2;
            stage[row * SWAPPED + i % 4 / 2 * 8 + lane / 4] = sums[i / 4][i % 4];
        }
    }
    template <int rows> __device__ void end(int column, int row) const
    {
        constexpr int run = Epilogue<Out>::run, runs = 16 / run; // of a row
#pragma unroll
        for (int first = 0; first < rows * runs; first += 32) {
            const int at = first + threadIdx.x % 32;
            const int r = at / runs, c = at % runs * run;
            if (rows * runs % 32 != 0 && at >= rows * runs) break;
            Sum x[run];
            read_staging(x, stage + r * SWAPPED + c);
            epilogue.finish(x, row + r, column + c);
        }
    }
};
