// Sum, largest element or its place, of an array or of each of its parts:
//
//   OP sum      out[p] = in[0] + in[1] + ...
//   OP max      out[p] = the largest; NaN where there is one
//   OP argmax   the same, and index[p] = where it is: of equal ones the lowest index, of
//               any number of NaN, which count as the largest, too; -0 equals 0
//
//   in       [N] of TYPE; part p is in[p * part] to in[(p + 1) * part - 1], cut at N.
//            Nothing at all: sum 0, max -inf, index 0xffffffff
//   out      [parts] of f32, with ACCUMULATE out[p] + sum or max(out[p], max)
//   index    [parts], with OP argmax; N below 2^32 then
//   in_index [N], with INDEXED: the index of in[i]; increasing. Else i itself
//   partials, counters   with FINISH 1 and several blocks a part: blocks of 4 bytes, of
//            argmax 8, of any contents; one a part, 0 before and after
//   grid     x: any number of blocks a part, which stride over it; BLOCKS_PER_SM on each
//            multiprocessor run at once; y: parts
//   block    x: BLOCK
//   shared   static, 4 bytes (argmax 8) a warp where there are several, without SHUFFLE a
//            thread; with BULK dynamic, BULK * (BLOCK * ITEMS * 16 + 8) bytes
//   align    none demanded; vectors of VEC bytes move where rows allow it
//   arch     sm_75 and newer; OP max, PREFETCH 256 and EVICT sm_80, BULK sm_90
//   result   the order of additions depends on the configuration, with FINISH 0 that of
//            blocks on the run too
//
// A thread loads ITEMS vectors before it looks at them, so that this many loads are in
// flight; with BULK bulk copies bring tiles to shared memory ahead of their use. The
// results of a block's threads meet by shuffles or in shared memory, those of blocks by
// atomic operations or in the block that comes last. An array in two passes: parts first,
// one block each, then the array of their results.

#ifndef BLOCK // threads a block
#define BLOCK 256
#endif
#ifndef BLOCKS_PER_SM // blocks that registers must allow on a multiprocessor
#define BLOCKS_PER_SM 4
#endif
#ifndef ITEMS // vectors of a thread in flight
#define ITEMS 4
#endif
#ifndef SHUFFLE // 1: combine a block by shuffles, 0: as a tree in shared memory
#define SHUFFLE 1
#endif
#ifndef FINISH // blocks meet 0 by atomic operations, 1 in the last one, in their order
#define FINISH 0
#endif
#ifndef BULK // tiles in shared memory; 0: threads load their elements
#define BULK 0
#endif
#ifndef OP // sum, max, argmax
#define OP sum
#endif
#ifndef ACCUMULATE // 1: out takes part
#define ACCUMULATE 1
#endif
#ifndef INDEXED // 1: in_index holds indices
#define INDEXED 0
#endif
#ifndef TYPE
#define TYPE f32
#endif
#ifndef LOAD // what a plain load of read-only memory becomes
#define LOAD 1
#endif

#include "common/bulk_pieces.cuh"
#include "common/group.cuh"
#include "common/tile.cuh"

enum class Op { sum, max, argmax };

typedef Tile<BLOCK, ITEMS> ArrayTile;
#define MINUS_INFINITY __uint_as_float(0xff800000)
constexpr bool FINDS = Op::OP == Op::argmax;

static_assert(BLOCK % 32 == 0 && BLOCK <= 1024, "a block is 1 to 32 warps");
static_assert((BLOCK & (BLOCK - 1)) == 0, "BLOCK must be a power of two");
static_assert(ITEMS >= 1 && (ITEMS & (ITEMS - 1)) == 0, "ITEMS must be a power of two");
static_assert(BLOCKS_PER_SM >= 1, "BLOCKS_PER_SM must be at least 1");
static_assert(SHUFFLE == 0 || SHUFFLE == 1, "SHUFFLE must be 0 or 1");
static_assert(FINISH == 0 || FINISH == 1, "FINISH must be 0 or 1");
static_assert(BULK == 0 || (BULK >= 2 && BULK <= 8), "BULK must be 0 or 2 to 8");
static_assert(BULK == 0 || VEC == 16, "bulk copies move 16 bytes and multiples of them");
static_assert(FINISH == 1 || ACCUMULATE, "atomic operations add to what is there");
static_assert(!FINDS || !ACCUMULATE, "argmax takes no part of out");
static_assert(FINDS || !INDEXED, "only argmax has indices");

// Pairs of neighbours, then pairs of their results: short chains, small error.
template <int count, class Combine>
__device__ inline float combine_tree(const float *x, Combine combine)
{
    if constexpr (count == 1)
        return x[0];
    else
        return combine(combine_tree<count / 2>(x, combine),
                       combine_tree<count / 2>(x + count / 2, combine));
}

template <class Combine>
__device__ inline float combine_tile(const ArrayTile &x, Combine combine)
{
    float value[ITEMS * PER];
#pragma unroll
    for (int i = 0; i < ITEMS * PER; i++)
        value[i] = x.value(i / PER, i % PER);
    return combine_tree<ITEMS * PER>(value, combine);
}

// A part of the array: its elements, and where its result goes.
struct Part {
    const TYPE *data;
    long long first, count; // in the array
    float *out;
    unsigned *index;
    const unsigned *in_index;
};

// An operation is what nothing gives, what elements outside the array are, what two
// values give, what a thread's elements of a tile give (the first has index first), and
// how the result gets to memory.
struct Sum {
    typedef float Value;

    __device__ static Value nothing()
    {
        return 0.0f;
    }
    __device__ Value operator()(Value a, Value b) const
    {
        return a + b;
    }
    __device__ static unsigned outside()
    {
        return 0;
    }
    __device__ static Value of_tile(const ArrayTile &x, unsigned)
    {
        return combine_tile(x, Sum());
    }
    __device__ static void write(const Part &part, Value x)
    {
        *part.out = ACCUMULATE ? *part.out + x : x;
    }
    __device__ static void write_atomic(const Part &part, Value x)
    {
        atomicAdd(part.out, x);
    }
};

struct Max {
    typedef float Value;

    __device__ static Value nothing()
    {
        return MINUS_INFINITY;
    }
    __device__ Value operator()(Value a, Value b) const
    {
        asm("max.NaN.f32 %0, %1, %2;" : "=f"(a) : "f"(a), "f"(b));
        return a;
    }
    __device__ static unsigned outside()
    {
        return minus_infinity();
    }
    __device__ static Value of_tile(const ArrayTile &x, unsigned)
    {
        return combine_tile(x, Max());
    }
    __device__ static void write(const Part &part, Value x)
    {
        *part.out = ACCUMULATE ? Max()(*part.out, x) : x;
    }
    // Bits of floats from 0 on rise as integers, with NaN, 0x7fffffff, on top; the others
    // fall as unsigned integers.
    __device__ static void write_atomic(const Part &part, Value x)
    {
        const int bits = __float_as_int(x);
        if (bits >= 0)
            atomicMax(reinterpret_cast<int *>(part.out), bits);
        else
            atomicMin(reinterpret_cast<unsigned *>(part.out), (unsigned)bits);
    }
};

// A value is the bits of an element, made to rise as unsigned integers, above its
// inverted index: the largest is the first of the largest.
struct ArgMax {
    typedef unsigned long long Value;

    __device__ static Value nothing() // nor of elements that are all -inf
    {
        return 0;
    }
    __device__ Value operator()(Value a, Value b) const
    {
        return a < b ? b : a;
    }
    __device__ static unsigned outside()
    {
        return minus_infinity();
    }
    __device__ static Value of_tile(const ArrayTile &x, unsigned first)
    {
        float best = MINUS_INFINITY;
        unsigned place = ~0u;
#pragma unroll
        for (int i = 0; i < ITEMS * PER; i++) {
            const float value = x.value(i / PER, i % PER);
            const bool larger = !(value <= best) && best == best; // NaN is, once
            best = larger ? value : best;
            place = larger ? i / PER * ArrayTile::step + i % PER : place;
        }
        return place == ~0u ? nothing() : pack(best, first + place);
    }
    __device__ static Value pack(float x, unsigned index)
    {
        const unsigned bits = __float_as_uint(x == 0.0f ? 0.0f : x);
        const unsigned rising = x != x ? ~0u : bits >> 31 ? ~bits : bits | 1u << 31;
        return (Value)rising << 32 | ~index;
    }
    __device__ static void write(const Part &part, Value x)
    {
        if (x == nothing()) x = pack(MINUS_INFINITY, (unsigned)part.first);
        const unsigned rising = x >> 32, place = ~(unsigned)x;
        *part.out = __uint_as_float(rising >> 31 ? rising & ~(1u << 31) : ~rising);
        *part.index = part.count == 0 ? ~0u : INDEXED ? part.in_index[place] : place;
    }
};

template <Op op> struct Operation {
    typedef Sum type;
};
template <> struct Operation<Op::max> {
    typedef Max type;
};
template <> struct Operation<Op::argmax> {
    typedef ArgMax type;
};
typedef Operation<Op::OP>::type Reduce;
typedef Reduce::Value Value;

// What the threads of a block have; thread 0 gets it.
__device__ inline Value combine_block(Value x)
{
    if constexpr (SHUFFLE)
        return combine_group<BLOCK, BLOCK>(x, Reduce());
    else
        return combine_in_shared<BLOCK>(x, Reduce());
}

// A part as tiles, which begin at multiples of VEC bytes: elements skip to end - 1 of
// them are its own.
struct Tiles {
    const TYPE *origin;
    long long index, end; // index: of origin in the array
    int skip;

    __device__ explicit Tiles(const Part &part)
        : origin(part.data), index(part.first), end(part.count),
          skip(elements_before(part.data))
    {
        origin -= skip;
        index -= skip;
        end += skip;
    }
    __device__ bool is_whole(long long at) const
    {
        return at >= skip && at + ArrayTile::size <= end;
    }
    // What this thread's elements of the tile at an element give.
    __device__ Value reduce(long long at) const
    {
        const long long left = end - at;
        const Span span = {at == 0 ? skip : 0,
                           (int)(left < ArrayTile::size ? left : ArrayTile::size)};
        const Line<const TYPE> line(origin + at + span.skip, span);
        ArrayTile tile;
        tile.load<Access::streamed>(line, span, 0, Reduce::outside());
        return Reduce::of_tile(tile, index_at(at));
    }
    // The same of one that is whole, which lies at from.
    template <Access access>
    __device__ Value reduce_whole(const TYPE *from, long long at) const
    {
        ArrayTile tile;
        tile.load_whole<access>(from);
        return Reduce::of_tile(tile, index_at(at));
    }

  private:
    __device__ unsigned index_at(long long at) const // of this thread's first element
    {
        return (unsigned)(index + at) + ArrayTile::start(0);
    }
};

// Tiles from at on, step elements apart. Those that are whole come by bulk copies.
__device__ inline Value reduce_bulk(const Tiles &tiles, long long at, long long step)
{
    extern __shared__ float4 memory[]; // float4 for its alignment
    constexpr int bytes = ArrayTile::size * (int)sizeof(TYPE);
    const long long first = tiles.is_whole(at) ? at : at + step;
    const long long more = tiles.end - first - ArrayTile::size;
    PieceRing<BULK, bytes> ring(memory, tiles.origin + first, step * sizeof(TYPE),
                                more >= 0 ? more / step + 1 : 0);
    Value x = Reduce::nothing();
    for (; at < tiles.end; at += step) {
        if (at >= first && ring.more()) {
            ring.wait();
            const TYPE *const from = (const TYPE *)ring.data();
            x = Reduce()(x, tiles.reduce_whole<Access::shared>(from, at));
            ring.next();
        } else {
            x = Reduce()(x, tiles.reduce(at));
        }
    }
    return x;
}

// What this block's tiles of the part give.
__device__ inline Value reduce_tiles(const Part &part)
{
    const Tiles tiles(part);
    const long long step = (long long)gridDim.x * ArrayTile::size;
    long long at = (long long)blockIdx.x * ArrayTile::size;
    if constexpr (BULK > 0) return combine_block(reduce_bulk(tiles, at, step));
    const TYPE *from = tiles.origin + at;
    Value x = Reduce::nothing();
    for (; at < tiles.end; at += step, from += step)
        x = Reduce()(x, tiles.is_whole(at)
                            ? tiles.reduce_whole<Access::streamed>(from, at)
                            : tiles.reduce(at));
    return combine_block(x);
}

// The last block to come combines what all have left, in their order.
__device__ inline void finish_last(const Part &part, Value x, Value *partials,
                                   unsigned *counter)
{
    bool last = false;
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = x;
        __threadfence();
        last = atomicAdd(counter, 1u) == gridDim.x - 1;
    }
    if (!__syncthreads_or(last)) return;
    __threadfence();
    x = Reduce::nothing();
    for (int i = threadIdx.x; i < gridDim.x; i += BLOCK)
        x = Reduce()(x, __ldcg(&partials[i])); // past L1, which is not kept coherent
    x = combine_block(x);
    if (threadIdx.x != 0) return;
    *counter = 0;
    Reduce::write(part, x);
}

template <class Op>
__device__ inline void finish(const Part &part, Value x, Value *partials,
                              unsigned *counter)
{
    if constexpr (FINISH == 0) {
        if (threadIdx.x == 0) Op::write_atomic(part, x);
    } else if (gridDim.x > 1) {
        finish_last(part, x, partials, counter);
    } else if (threadIdx.x == 0) {
        Op::write(part, x);
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM)
    reduction(const TYPE *in, float *out, long long N, long long part, unsigned *index,
              const unsigned *in_index, Value *partials, unsigned *counters)
{
    const long long p = blockIdx.y, first = p * part, left = max(N - first, 0LL);
    const Part mine = {in + first, first, min(left, part), out + p, index + p, in_index};
    finish<Reduce>(mine, reduce_tiles(mine), partials + p * gridDim.x, counters + p);
}
