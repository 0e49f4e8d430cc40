// All-pairs gravity with softening: the acceleration of every body by all others,
//
//   acc_i = sum over j of mass_j * (p_j - p_i) / (|p_j - p_i|^2 + softening2)^(3/2)
//
//   LAYOUT   aos: bodies [N][4] (x, y, z, mass), acc [N][3]
//            soa: bodies [4][N], acc [3][N]
//   N        from 1 to 2^29
//   softening2 the square of the softening length, above 0: a body does not act on itself
//   grid     x: ceil(N / (BLOCK * BODIES))
//   block    x: BLOCK
//   shared   with SHARED: 16 * TILE bytes, static
//   align    none demanded: bodies of aos are read at once from multiples of 16 bytes,
//            VEC values of soa without SHARED from multiples of theirs
//   arch     sm_70 and newer
//   result   fp32; rsqrt.approx (2^-22.9) and sums in the order of j
//
// A thread computes BODIES accelerations, so that a source, once in registers, serves
// several of them. Sources come tile by tile through shared memory, where all lanes of a
// warp read the same one, as records of 16 bytes or VEC values of each of four planes.

#ifndef LAYOUT // of bodies and acc
#define LAYOUT aos
#endif
#ifndef BLOCK // threads a block
#define BLOCK 128
#endif
#ifndef BODIES // accelerations a thread
#define BODIES 2
#endif
#ifndef TILE // sources in shared memory
#define TILE 512
#endif
#ifndef UNROLL // sources a round of the inner loop
#define UNROLL 8
#endif
#ifndef SHARED // 1: sources through shared memory, 0: each warp reads them by the cache
#define SHARED 1
#endif
#ifndef PLANES // in shared memory 1: four planes, 0: records
#define PLANES 0
#endif
#ifndef VEC // sources of which a load from planes brings a value
#define VEC 1
#endif
#ifndef MIN_BLOCKS // blocks a multiprocessor that registers must allow
#define MIN_BLOCKS 4
#endif

enum class Layout { aos, soa };
constexpr bool RECORDS = Layout::LAYOUT == Layout::aos;
constexpr int ROUND = UNROLL; // sources of a round of the inner loop
constexpr int LOADS = ROUND / VEC;

static_assert(BLOCK % 32 == 0 && BLOCK >= 32 && BLOCK <= 1024,
              "a block is 1 to 32 warps");
static_assert(BODIES >= 1, "a thread needs a body");
static_assert(TILE >= 32 && TILE <= 3072, "a tile has at most 48 KiB");
static_assert(VEC == 1 || VEC == 2 || VEC == 4, "VEC must be 1, 2 or 4");
static_assert(UNROLL >= VEC && UNROLL % VEC == 0, "a round takes whole loads");
static_assert(TILE % UNROLL == 0, "a tile takes whole rounds");
static_assert(SHARED == 0 || SHARED == 1, "SHARED must be 0 or 1");
static_assert(PLANES == 0 || (PLANES == 1 && SHARED == 1), "PLANES are in shared memory");
static_assert(VEC == 1 || (SHARED ? PLANES : !RECORDS), "records are read one by one");
static_assert(MIN_BLOCKS >= 1, "MIN_BLOCKS must be at least 1");

struct Body {
    float x, y, z, mass;
};

struct Bodies {
    const float *data;
    int count;
    bool aligned; // records, or VEC values of every plane, may be read at once

    __device__ static Bodies make(const float *data, int count)
    {
        const unsigned long long at = (unsigned long long)data;
        return {data, count,
                RECORDS ? at % 16 == 0 : at % (4 * VEC) == 0 && count % VEC == 0};
    }
    __device__ const float *value(int plane, int i) const
    {
        return RECORDS ? data + 4ll * i + plane : data + (long long)plane * count + i;
    }
    __device__ Body at(int i) const
    {
        if (RECORDS && aligned) {
            const float4 all = __ldg(reinterpret_cast<const float4 *>(data) + i);
            return {all.x, all.y, all.z, all.w};
        }
        return {__ldg(value(0, i)), __ldg(value(1, i)), __ldg(value(2, i)),
                __ldg(value(3, i))};
    }
    // Past the last there is nothing, of no mass.
    __device__ Body at_or_none(int i) const
    {
        return i < count ? at(i) : Body{};
    }
};

// VEC values of a plane; from must be aligned to them.
struct alignas(4 * VEC) Values {
    float v[VEC];
};
struct Sources {
    Values x, y, z, mass;
};

// Some bodies and the forces on them.
struct Group {
    float x[BODIES], y[BODIES], z[BODIES];
    float ax[BODIES], ay[BODIES], az[BODIES];

    // Of those past the last one stands in for it: it is not written.
    __device__ Group(const Bodies &bodies, int first)
    {
#pragma unroll
        for (int k = 0; k < BODIES; k++) {
            const int i = min(first + k * BLOCK, bodies.count - 1);
            x[k] = *bodies.value(0, i);
            y[k] = *bodies.value(1, i);
            z[k] = *bodies.value(2, i);
            ax[k] = ay[k] = az[k] = 0.0f;
        }
    }

    __device__ void attract(Body source, float softening2)
    {
#pragma unroll
        for (int k = 0; k < BODIES; k++) {
            const float dx = source.x - x[k], dy = source.y - y[k], dz = source.z - z[k];
            const float r2 = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, softening2)));
            const float inverse = rsqrtf(r2);
            const float pull = source.mass * inverse * (inverse * inverse);
            ax[k] = fmaf(pull, dx, ax[k]);
            ay[k] = fmaf(pull, dy, ay[k]);
            az[k] = fmaf(pull, dz, az[k]);
        }
    }
    __device__ void attract(const Sources &s, float softening2)
    {
#pragma unroll
        for (int k = 0; k < VEC; k++)
            attract(Body{s.x.v[k], s.y.v[k], s.z.v[k], s.mass.v[k]}, softening2);
    }

    __device__ void store(float *acc, int first, int count) const
    {
        const long long along = RECORDS ? 3 : 1, across = RECORDS ? 1 : count;
#pragma unroll
        for (int k = 0; k < BODIES; k++) {
            const int i = first + k * BLOCK;
            if (i >= count) return;
            acc[i * along] = ax[k];
            acc[i * along + across] = ay[k];
            acc[i * along + 2 * across] = az[k];
        }
    }
};

// --- sources through shared memory ---

union Staged {
    Body record[TILE];
    float plane[4][TILE];
};

__device__ inline void stage(Staged &tile, const Bodies &bodies, int first)
{
    for (int j = threadIdx.x; j < TILE; j += BLOCK) {
        const Body body = bodies.at_or_none(first + j);
        if (PLANES) {
            tile.plane[0][j] = body.x;
            tile.plane[1][j] = body.y;
            tile.plane[2][j] = body.z;
            tile.plane[3][j] = body.mass;
        } else {
            tile.record[j] = body;
        }
    }
}

__device__ inline Values values(const float *from)
{
    return *reinterpret_cast<const Values *>(from);
}

__device__ inline void attract_by_tile(Group &group, const Staged &tile, float softening2)
{
#pragma unroll LOADS
    for (int j = 0; j < TILE; j += VEC) {
        if (PLANES)
            group.attract(Sources{values(&tile.plane[0][j]), values(&tile.plane[1][j]),
                                  values(&tile.plane[2][j]), values(&tile.plane[3][j])},
                          softening2);
        else
            group.attract(tile.record[j], softening2);
    }
}

__device__ inline void attract_by_tiles(Group &group, const Bodies &bodies,
                                        float softening2)
{
    __shared__ alignas(16) Staged tile;
    for (int first = 0; first < bodies.count; first += TILE) {
        if (first > 0) __syncthreads(); // all have read the tile before
        stage(tile, bodies, first);
        __syncthreads();
        attract_by_tile(group, tile, softening2);
    }
}

// --- sources by the cache: every lane reads the same ---

__device__ inline void attract_by_cache(Group &group, const Bodies &bodies,
                                        float softening2)
{
    if (VEC == 1 || !bodies.aligned) {
#pragma unroll ROUND
        for (int j = 0; j < bodies.count; j++)
            group.attract(bodies.at(j), softening2);
        return;
    }
#pragma unroll LOADS
    for (int j = 0; j < bodies.count; j += VEC)
        group.attract(Sources{values(bodies.value(0, j)), values(bodies.value(1, j)),
                              values(bodies.value(2, j)), values(bodies.value(3, j))},
                      softening2);
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    nbody(const float *__restrict__ bodies, float *__restrict__ acc, int N,
          float softening2)
{
    const Bodies all = Bodies::make(bodies, N);
    const int first = blockIdx.x * BLOCK * BODIES + threadIdx.x;
    Group group(all, first);
    if constexpr (SHARED)
        attract_by_tiles(group, all, softening2);
    else
        attract_by_cache(group, all, softening2);
    group.store(acc, first, N);
}
