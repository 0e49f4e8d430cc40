// Heat on a chip: steps of an explicit 5-point stencil, several of them in shared memory
// between two visits to global memory (temporal tiling).
//
//   out(y, x) after a step: t + cap * (power + (north + south - 2 t) * ry +
//                           (east + west - 2 t) * rx + (ambient - t) * rz)
//   where a neighbour lies outside the grid t stands in for it
//
//   in, power, out [height][width]   fp32, row-major, dense; height, width from 1
//   steps    from 0; phases = max(1, ceil(steps / temporal_tiling_factor))
//   scratch  with more than one phase: [height][width], of any contents
//   counters with more than one phase: [2], 0 before and after
//   grid     x: phases * ceil(width / OUT_WIDTH) * ceil(height / OUT_HEIGHT), below 2^31
//   block    block_size_x, block_size_y
//   shared   4 * (2 + sh_power) * TILE_WIDTH * TILE_HEIGHT bytes, dynamic; 16 static
//   align    none demanded
//   arch     sm_70 and newer
//   result   each step in one order of fmaf: equal bits at every configuration
//
// A block takes a tile with a border of temporal_tiling_factor cells, and makes as many
// steps of it, each on one ring of cells less. So that one launch makes all steps, blocks
// of a phase wait until those of the phase before are done. Which tile a block takes is
// by a ticket: who holds a lower one runs already, so that whoever waits is waited for.

#include "common/meeting.cuh"

#ifndef block_size_x // threads a block
#define block_size_x 32
#endif
#ifndef block_size_y
#define block_size_y 8
#endif
#ifndef tile_size_x // cells of out a thread
#define tile_size_x 2
#endif
#ifndef tile_size_y
#define tile_size_y 4
#endif
#ifndef temporal_tiling_factor // steps between two visits to global memory
#define temporal_tiling_factor 4
#endif
#ifndef loop_unroll_factor_t // of the loop over them
#define loop_unroll_factor_t 2
#endif
#ifndef sh_power // power in shared memory, not read from global memory in each step
#define sh_power 1
#endif
#ifndef blocks_per_sm // that registers must allow; 0: as many as they do
#define blocks_per_sm 0
#endif

constexpr int OUT_WIDTH = block_size_x * tile_size_x; // of a block
constexpr int OUT_HEIGHT = block_size_y * tile_size_y;
constexpr int BORDER = temporal_tiling_factor;
constexpr int TILE_WIDTH = OUT_WIDTH + 2 * BORDER; // of its input
constexpr int TILE_HEIGHT = OUT_HEIGHT + 2 * BORDER;
constexpr int UNROLL_T = loop_unroll_factor_t;
constexpr int CELLS = TILE_WIDTH * TILE_HEIGHT;

static_assert(block_size_x >= 1 && block_size_y >= 1, "a block needs threads");
static_assert(block_size_x * block_size_y <= 1024, "at most 1024 threads a block");
static_assert(tile_size_x >= 1 && tile_size_y >= 1, "a thread needs cells");
static_assert(temporal_tiling_factor >= 1, "a phase needs a step");
static_assert(loop_unroll_factor_t >= 1 &&
                  temporal_tiling_factor % loop_unroll_factor_t == 0,
              "loop_unroll_factor_t must divide temporal_tiling_factor");
static_assert(sh_power == 0 || sh_power == 1, "sh_power must be 0 or 1");
static_assert(blocks_per_sm >= 0, "blocks_per_sm must be 0 or more");

struct Field {
    const float *data;
    int width, height;

    __device__ bool has(int y, int x) const
    {
        return x >= 0 && x < width && y >= 0 && y < height;
    }
    __device__ long long at(int y, int x) const
    {
        return (long long)y * width + x;
    }
};

struct Factors {
    float cap, rx, ry, rz, ambient;
};

// Calls work(row, column) for every cell of the tile that lies at least margin from its
// border, each in the same thread at any margin.
template <class Work> __device__ inline void for_cells(int margin, Work work)
{
    constexpr int COLUMNS = (TILE_WIDTH - 1) / block_size_x + 1; // of a thread
    constexpr int UNROLL = COLUMNS <= 12 ? COLUMNS : 1;
    for (int y = threadIdx.y; y < TILE_HEIGHT; y += block_size_y) {
        if ((unsigned)(y - margin) >= TILE_HEIGHT - 2 * margin) continue;
#pragma unroll UNROLL
        for (int i = 0; i < COLUMNS; i++) {
            const int x = threadIdx.x + i * block_size_x;
            if ((unsigned)(x - margin) < TILE_WIDTH - 2 * margin) work(y, x);
        }
    }
}

// Where the block stands: cell (0, 0) of the tile is cell (y0, x0) of the grid. Inside,
// no cell of the tile lies outside of the grid; one on the grid's edge is on the tile's
// too, where no step is made.
template <bool inside> struct Tile {
    Field power;
    Factors factors;
    int y0, x0;

    __device__ bool has(int y, int x) const
    {
        return inside || power.has(y0 + y, x0 + x);
    }

    // Past L1, which does not see what other blocks have written.
    __device__ void load(float *to, const float *from) const
    {
        for_cells(0, [&](int y, int x) {
            if (has(y, x))
                to[y * TILE_WIDTH + x] = __ldcg(from + power.at(y0 + y, x0 + x));
        });
    }

    __device__ void load_power(float *to) const
    {
        for_cells(1, [&](int y, int x) {
            if (has(y, x))
                to[y * TILE_WIDTH + x] = __ldg(power.data + power.at(y0 + y, x0 + x));
        });
    }

    __device__ float next(const float *t, float heat, int y, int x) const
    {
        const int gy = y0 + y, gx = x0 + x;
        const float c = t[0];
        const float north = inside || gy > 0 ? t[-TILE_WIDTH] : c;
        const float south = inside || gy < power.height - 1 ? t[TILE_WIDTH] : c;
        const float west = inside || gx > 0 ? t[-1] : c;
        const float east = inside || gx < power.width - 1 ? t[1] : c;
        heat = fmaf(factors.ry, fmaf(-2.0f, c, north + south), heat);
        heat = fmaf(factors.rx, fmaf(-2.0f, c, east + west), heat);
        heat = fmaf(factors.rz, factors.ambient - c, heat);
        return fmaf(factors.cap, heat, c);
    }

    // A step: to becomes what follows from.
    __device__ void step(float *to, const float *from, const float *heat,
                         int margin) const
    {
        for_cells(margin, [&](int y, int x) {
            if (!has(y, x)) return;
            const int cell = y * TILE_WIDTH + x;
            const float p =
                sh_power ? heat[cell] : __ldg(power.data + power.at(y0 + y, x0 + x));
            to[cell] = next(from + cell, p, y, x);
        });
    }

    __device__ void store(float *to, const float *from) const
    {
        for_cells(BORDER, [&](int y, int x) {
            if (has(y, x)) to[power.at(y0 + y, x0 + x)] = from[y * TILE_WIDTH + x];
        });
    }
};

// The steps of a phase; wait() returns when from may be read.
template <bool inside, class Wait>
__device__ inline void run(const Tile<inside> &tile, float *to, const float *from,
                           int steps, Wait wait)
{
    extern __shared__ float shared[];
    float *now = shared, *then = shared + CELLS, *const heat = shared + 2 * CELLS;
    if (sh_power) tile.load_power(heat);
    wait();
    tile.load(now, from);
    __syncthreads();
#pragma unroll UNROLL_T
    for (int s = 0; s < temporal_tiling_factor; s++) {
        if (s == steps) break;
        tile.step(then, now, heat, s + 1);
        __syncthreads();
        float *const free = now;
        now = then;
        then = free;
    }
    tile.store(to, now);
}

// Until count blocks have called finish.
__device__ inline void wait_for(const unsigned *done, unsigned count)
{
    if (is_first_thread()) wait_for_count(done, count);
    __syncthreads();
}

// counters: tickets, done. The last of all blocks leaves them as it found them.
__device__ inline void finish(unsigned *counters)
{
    __threadfence();
    __syncthreads();
    if (is_first_thread() && atomicAdd(&counters[1], 1u) == gridDim.x - 1)
        counters[1] = 0;
}

#if blocks_per_sm > 0
#define BOUNDS __launch_bounds__(block_size_x *block_size_y, blocks_per_sm)
#else
#define BOUNDS __launch_bounds__(block_size_x *block_size_y)
#endif

extern "C" __global__ void BOUNDS stencil(const float *in, const float *power, float *out,
                                          float *scratch, unsigned *counters, int width,
                                          int height, int steps, float cap, float rx,
                                          float ry, float rz, float ambient)
{
    const int columns = (width - 1) / OUT_WIDTH + 1;
    const int tiles = columns * ((height - 1) / OUT_HEIGHT + 1);
    const int phases = gridDim.x / tiles;
    const int ticket = phases > 1 ? take_ticket(counters) : blockIdx.x;
    const int phase = ticket / tiles;
    // From the middle on: what a prediction samples should be no edge.
    const int index = (ticket % tiles + (tiles + columns) / 2) % tiles;
    // The last phase writes out, the one before scratch, and so on.
    float *const to = (phases - phase) % 2 ? out : scratch;
    const float *const from = phase == 0 ? in : (phases - phase) % 2 ? scratch : out;
    const int left = steps - phase * temporal_tiling_factor;
    const int y0 = index / columns * OUT_HEIGHT - BORDER;
    const int x0 = index % columns * OUT_WIDTH - BORDER;
    const Field field = {power, width, height};
    const Factors factors = {cap, rx, ry, rz, ambient};
    const auto wait = [&] {
        if (phase > 0) wait_for(&counters[1], phase * tiles);
    };
    if (y0 >= 0 && x0 >= 0 && y0 + TILE_HEIGHT <= height && x0 + TILE_WIDTH <= width)
        run(Tile<true>{field, factors, y0, x0}, to, from, left, wait);
    else
        run(Tile<false>{field, factors, y0, x0}, to, from, left, wait);
    if (phases > 1) finish(counters);
}
