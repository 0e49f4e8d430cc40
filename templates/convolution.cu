// 2-D convolution in fp32 with a small filter:
// out(y, x) = sum of in(y + i, x + j) * filter(i, j).
//
//   in     [height + filter_height - 1][width + filter_width - 1]   row-major, dense
//   filter [filter_height][filter_width]   by value: it lies in the constant bank
//   out    [height][width]                 height, width from 1; in below 2^31 elements
//   grid   x: ceil(width / (block_size_x * tile_size_x)), y likewise
//   block  block_size_x, block_size_y
//   shared with use_shmem: 4 * PITCH * TILE_HEIGHT bytes, dynamic
//   align  none demanded
//   arch   sm_70 and newer
//   result fmaf over the filter's rows, then columns: equal bits at every configuration
//
// A thread computes tile_size_y x tile_size_x elements, a block apart from one another,
// so that the threads of a warp read and write neighbours. Parameters have the names of
// the recordings of this space (docs/templates/convolution.md).

#ifndef block_size_x // threads a block
#define block_size_x 32
#endif
#ifndef block_size_y
#define block_size_y 4
#endif
#ifndef tile_size_x // elements a thread
#define tile_size_x 1
#endif
#ifndef tile_size_y
#define tile_size_y 3
#endif
#ifndef read_only // input through the read-only path
#define read_only 1
#endif
#ifndef use_padding // rows in shared memory that do not meet in the same banks
#define use_padding 0
#endif
#ifndef use_shmem // input staged in shared memory
#define use_shmem 1
#endif
#ifndef use_cmem // filter in the constant bank
#define use_cmem 1
#endif
#ifndef filter_height
#define filter_height 15
#endif
#ifndef filter_width
#define filter_width 15
#endif

constexpr int OUT_HEIGHT = block_size_y * tile_size_y; // of a block
constexpr int OUT_WIDTH = block_size_x * tile_size_x;
constexpr int TILE_HEIGHT = OUT_HEIGHT + filter_height - 1; // of its input
constexpr int TILE_WIDTH = OUT_WIDTH + filter_width - 1;
// Padded, rows start block_size_x banks apart: the threads of a warp, whatever rows they
// stand in, then read 32 different banks.
constexpr int PADDING =
    use_padding ? (block_size_x + 32 - TILE_WIDTH % 32) % 32 : 0;
constexpr int PITCH = TILE_WIDTH + PADDING;

static_assert(block_size_x >= 1 && block_size_y >= 1, "a block needs threads");
static_assert(block_size_x * block_size_y <= 1024, "at most 1024 threads a block");
static_assert(tile_size_x >= 1 && tile_size_y >= 1, "a thread needs elements");
static_assert(filter_height >= 1 && filter_width >= 1, "a filter needs elements");
static_assert(filter_height * filter_width <= 960, "filter beyond a kernel's parameters");
static_assert(read_only == 0 || read_only == 1, "read_only must be 0 or 1");
static_assert(use_padding == 0 || use_padding == 1, "use_padding must be 0 or 1");
static_assert(use_shmem == 0 || use_shmem == 1, "use_shmem must be 0 or 1");
static_assert(use_shmem || !use_padding, "only shared memory is padded");
static_assert(use_cmem == 1, "the filter is passed by value");

struct Filter {
    float weight[filter_height][filter_width];
};

struct Image {
    const float *data;
    int width, height;
};

__device__ inline float load(const float *p)
{
    return read_only ? __ldg(p) : *p;
}

// Elements of a thread in a row of the tile, and rows that it loads at once: up to eight
// loads are in flight before the first is stored.
constexpr int STEPS = (TILE_WIDTH + block_size_x - 1) / block_size_x;
constexpr int ROWS = STEPS < 8 ? 8 / STEPS : 1;

// The block's input, zero where it reaches past the image.
template <bool INSIDE>
__device__ inline void stage(float (&tile)[TILE_HEIGHT][PITCH], const Image &in, int x0,
                             int y0)
{
    for (int i0 = threadIdx.y; i0 < TILE_HEIGHT; i0 += ROWS * block_size_y) {
        float part[ROWS][STEPS];
#pragma unroll
        for (int n = 0; n < ROWS * STEPS; n++) {
            const int i = i0 + n / STEPS * block_size_y;
            const int j = threadIdx.x + n % STEPS * block_size_x;
            const int x = x0 + j, y = y0 + i;
            const bool inside = INSIDE || (x < in.width && y < in.height);
            part[n / STEPS][n % STEPS] = 0.0f;
            if (i < TILE_HEIGHT && j < TILE_WIDTH && inside)
                part[n / STEPS][n % STEPS] = load(in.data + y * in.width + x);
        }
#pragma unroll
        for (int n = 0; n < ROWS * STEPS; n++) {
            const int i = i0 + n / STEPS * block_size_y;
            const int j = threadIdx.x + n % STEPS * block_size_x;
            if (i < TILE_HEIGHT && j < TILE_WIDTH)
                tile[i][j] = part[n / STEPS][n % STEPS];
        }
    }
}

// Most blocks lie inside, where no load needs to be checked.
__device__ inline void stage(float (&tile)[TILE_HEIGHT][PITCH], const Image &in, int x0,
                             int y0)
{
    if (x0 + TILE_WIDTH <= in.width && y0 + TILE_HEIGHT <= in.height)
        stage<true>(tile, in, x0, y0);
    else
        stage<false>(tile, in, x0, y0);
}

// read(y, x): the input at a distance from the block's first element.
template <typename Read>
__device__ inline void convolve(float (&sum)[tile_size_y][tile_size_x],
                                const Filter &filter, Read read)
{
#pragma unroll
    for (int i = 0; i < filter_height; i++)
#pragma unroll
        for (int j = 0; j < filter_width; j++)
#pragma unroll
            for (int ty = 0; ty < tile_size_y; ty++)
#pragma unroll
                for (int tx = 0; tx < tile_size_x; tx++)
                    sum[ty][tx] = fmaf(read(threadIdx.y + ty * block_size_y + i,
                                            threadIdx.x + tx * block_size_x + j),
                                       filter.weight[i][j], sum[ty][tx]);
}

extern "C" __global__ void __launch_bounds__(block_size_x *block_size_y)
    convolution(const float *input, const __grid_constant__ Filter filter, float *output,
                int width, int height)
{
    const int x0 = blockIdx.x * OUT_WIDTH, y0 = blockIdx.y * OUT_HEIGHT;
    const Image in = {input, width + filter_width - 1, height + filter_height - 1};
    float sum[tile_size_y][tile_size_x] = {};
#if use_shmem
    extern __shared__ float shared[];
    float(&tile)[TILE_HEIGHT][PITCH] =
        *reinterpret_cast<float(*)[TILE_HEIGHT][PITCH]>(shared);
    stage(tile, in, x0, y0);
    __syncthreads();
    convolve(sum, filter, [&](int y, int x) { return tile[y][x]; });
#else
    // Past the image the last row and column stand in: their sums are not written.
    convolve(sum, filter, [&](int y, int x) {
        return load(in.data + min(y0 + y, in.height - 1) * in.width +
                    min(x0 + x, in.width - 1));
    });
#endif
#pragma unroll
    for (int ty = 0; ty < tile_size_y; ty++)
#pragma unroll
        for (int tx = 0; tx < tile_size_x; tx++) {
            const int x = x0 + threadIdx.x + tx * block_size_x;
            const int y = y0 + threadIdx.y + ty * block_size_y;
            if (x < width && y < height) output[y * width + x] = sum[ty][tx];
        }
}
