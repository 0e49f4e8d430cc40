// Attention forward by warp groups of sm_90a, for each sequence and head O = softmax(
// scale * Q * K^T) * V, as FlashAttention-3: no score leaves the registers.
//
//   Q, K     [tokens][heads][HEAD], [tokens][heads / group][HEAD], V [tokens][heads /
//            group][HEAD_V] of type TYPE, O [tokens][heads][HEAD_V] of OUT: query heads
//            h * group and on share key head h. Of e4m3 K has sequences of a multiple of
//            16 tokens, and V is [sequences][heads / group][HEAD_V][tokens]
//   q, k, v  maps of four axes: elements of a head, heads, tokens of a sequence,
//            sequences; boxes of 128 bytes x 1 x 64 * MATH (k, v: BLOCK_N) x 1, swizzle
//            128. With VARLEN all tokens are one sequence. Of e4m3 the axes of k are
//            elements of all heads, 2 tokens, 4 of every fourth, 2 of every second, and
//            16 after 16 tokens of all sequences, boxes 128 bytes x 2 x 4 x 2 x BLOCK_N /
//            16; those of v tokens, elements, heads, sequences, boxes 128 bytes x HEAD_V
//            x 1 x 1
//   scales   of e4m3: [sequences][heads / group], positive factors of scores, and factors
//            of values; each may be null: 1
//   O        o_token, o_head: elements from one token, and from one head, to the next
//   lse      [heads][lse_head]: logarithm of the sum of exp(score) for each token; may be
//            null
//   tokens   sequence b has tokens b * seq_q and on of Q and O, b * seq_k and on of K and
//            V. With VARLEN starts_q[b] * unit .. starts_q[b + 1] * unit - 1, those of K
//            and V by starts_k, and seq_q is the largest number of queries. Lengths from
//            0 to 2^30 - 512
//   masks    query i of n stands at position i + m - n of m keys. CAUSAL: it sees no key
//            behind its position; LOCAL: none further than window away
//   SOFTCAP  a score is cap * tanh(scale * q * k / cap); scale and cap are positive
//   grid     x: with PERSISTENT blocks, from 1 on; else one for each task:
//            ceil(seq_q / (64 * MATH)) * heads * sequences, 2^30 at most
//   block    x: 128 * (MATH + 1)
//   shared   the panels of a tile of queries and STAGES of keys and of values, and 32 *
//            STAGES + 24 bytes, dynamic (common/attention_copier.cuh)
//   align    tokens and heads of Q, K and V begin at multiples of 16 bytes; O anywhere,
//            rows at such multiples are written faster
//   result   a query that sees no key has outputs 0 and lse minus infinity. Sums in fp32,
//            powers are rounded to TYPE before they meet V; order depends on BLOCK_N
//
// A tile of queries is 64 for each of MATH warp groups, which walk tiles of BLOCK_N keys
// from the last to the first and keep the softmax online. One warp of the last warp group
// brings tiles by tensor map. With OVERLAP a group's softmax runs while the products of
// the tile before and of the scores behind it do, with PINGPONG while another group's do.

#include "common/attention_sm90_parameters.cuh"

#include "common/attention_group.cuh"
#include "common/attention_output.cuh"
#include "common/swizzle.cuh"

// Outputs leave through the place of the queries.
typedef Tile<OUT, BLOCK_M, OUT_PANELS * 64, false> OutputTile;

// Of 8 bits each key head of a sequence has a factor of its scores and one of its values.
struct FactorsOfHead {
    float score = 1, value = 1;

    __device__ FactorsOfHead(const float *scores, const float *values, const Task &task,
                             int key_heads, int group)
    {
        if (!EIGHT) return;
        const long long at = (long long)task.sequence * key_heads + task.head / group;
        if (scores) score = scores[at];
        if (values) value = values[at];
    }
};

// What a group computed, to outputs and lse of its head; then the queries' place is free.
__device__ inline void write(GroupAttention &own, const Task &task, float value_scale,
                             const HeadRows<OUT> &outputs, float *lse,
                             unsigned char *shared)
{
    int first = own.turns.group * 64 + threadIdx.x % 128 / 32 * 16;
    asm volatile("" : "+r"(first)); // addresses are not kept from task to task
    const RowWriter<OUT, OutputTile, HEAD_V> writer = {shared, first};
    own.softmax.finish(own.outputs);
    if (EIGHT)
#pragma unroll
        for (int i = 0; i < HEAD_V / 2; i++)
            own.outputs[0][i / 4][i % 4] *= value_scale;
    named_sync<OWN, MATH>(own.turns.group, 128); // all have read the queries
    writer.stage(own.outputs);
    __syncwarp();
    writer.template write<16>(outputs, task.row + first);
    const int row = task.row + own.lane_row();
    if (lse && threadIdx.x % 4 == 0)
#pragma unroll
        for (int half = 0; half < 2; half++)
            if (row + 8 * half < outputs.count)
                lse[row + 8 * half] = own.softmax.sum[0][half];
    if (!PERSISTENT) return;
    fence_async();
    barrier_arrive(own.memory.queries_empty());
}

extern "C" __global__ void __launch_bounds__(128 * (MATH + 1), 1)
    attention_sm90(const __grid_constant__ TensorMap q,
                   const __grid_constant__ TensorMap k,
                   const __grid_constant__ TensorMap v, OUT *O, float *lse,
                   const float *score_scale, const float *value_scale,
                   const int *starts_q, const int *starts_k, int unit, int seq_q,
                   int seq_k, int sequences, int heads, int group, int, int, int, int,
                   int, int, int, long long, long long, int o_token, int o_head,
                   long long lse_head, int window, float scale, float cap)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    const Memory memory = {shared_address(shared)};
    if (threadIdx.x == 0) memory.init();
    __syncthreads();
    const Tasks tasks = {starts_q, starts_k, unit,      seq_q,
                         seq_k,    heads,    sequences, window};
    const int index = warpgroup_index();
    if (index == MATH) {
        give_registers<registers_of_copies(MATH)>();
        if (threadIdx.x % 128 >= 32) return;
        Copier copier = {q, k, v, memory, group};
        tasks.each([&](const Task &task) { copier.copy(task); });
        return;
    }
    take_registers<registers_of_sums(MATH)>();
    GroupAttention own(memory, index, Scoring(scale, cap));
    unsigned parity = 0;
    own.turns.begin();
    tasks.each([&](const Task &task) {
        barrier_wait(memory.queries_full(), parity);
        parity ^= 1;
        const FactorsOfHead factors(score_scale, value_scale, task, heads / group, group);
        if (EIGHT) own.scoring = Scoring(scale * factors.score, cap);
        own.attend(task);
        write(own, task, factors.value, task.queries.head(O, o_token, task.head * o_head),
              lse ? lse + task.head * lse_head + task.queries.first : nullptr, shared);
    });
    own.turns.end();
}
