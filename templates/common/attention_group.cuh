// Attention of one warp group, 64 queries of a tile: scores = Q * K^T and outputs +=
// P * V by wgmma, the softmax between them. Queries, keys and values are read from shared
// memory; powers P stay in registers, where the first product leaves scores as the second
// one takes its first operand.
#pragma once

#include "attention_copier.cuh"
#include "attention_scores.cuh"
#include "warpgroup.cuh"

HONE_WGMMA(BLOCK_N, TYPE);
#if HEAD_V != BLOCK_N
HONE_WGMMA(HEAD_V, TYPE);
#endif

typedef Wgmma<TYPE, BLOCK_N> ScoreProduct;
typedef Wgmma<TYPE, HEAD_V> OutputProduct;

// Named barriers: those of turns, then one of each group's own threads.
constexpr int TURNS = 1, OWN = TURNS + MATH;

// Warp groups multiply one after another, each in its turn. Every group has as many turns
// as the others.
struct Turns {
    int group;

    __device__ void begin() const // the first group's turn
    {
        if (PINGPONG && group == MATH - 1) pass();
    }
    __device__ void await() const
    {
        if (PINGPONG) named_sync<TURNS, MATH>(group, 256);
    }
    __device__ void pass() const
    {
        if (PINGPONG) named_arrive<TURNS, MATH>(group + 1 < MATH ? group + 1 : 0, 256);
    }
    __device__ void end() const // the last group has passed once more
    {
        if (group == 0) await();
    }
};

struct GroupAttention {
    typedef float Scores[BLOCK_N / 8][4];
    static constexpr int steps = BLOCK_N * (int)sizeof(TYPE) / 32; // of keys, a product's
    typedef unsigned Powers[steps][4];               // of TYPE, as wgmma takes them
    typedef OnlineSoftmax<1, EIGHT ? 8 : 0> Softmax; // to 2^8, of 448 that e4m3 has

    Memory memory;
    Turns turns;
    Scoring scoring;
    Descriptor q, k, v; // of the group's queries, of stage 0
    Stages::Place key_place, value_place;
    float outputs[1][HEAD_V / 8][4];
    Softmax softmax;

    __device__ GroupAttention(const Memory &memory, int group, const Scoring &scoring)
        : memory(memory), turns{group}, scoring(scoring),
          q(describe_tile<true>(memory.queries + group * 64 * 128, 0)),
          k(describe_tile<true>(memory.keys(), 0)),
          v(describe_tile<EIGHT>(memory.values(), VALUE_PANEL))
    {
    }

    // This lane's first row of a task.
    __device__ int lane_row() const
    {
        return turns.group * 64 + threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4;
    }

    // All keys of a task, of which there may be none; queries are there.
    __device__ __forceinline__ void attend(const Task &task)
    {
        softmax = Softmax();
#pragma unroll
        for (int i = 0; i < HEAD_V / 2; i++)
            outputs[0][i / 4][i % 4] = 0;
        if (task.needed.end <= task.needed.first) return;
        if (OVERLAP)
            attend_overlapped(task);
        else
            attend_in_order(task);
    }

  private:
    __device__ void attend_in_order(const Task &task)
    {
        const int last = task.needed.end - 1;
        for (int tile = last; tile >= task.needed.first; tile--) {
            Scores scores;
            float scale[2];
            await_keys();
            multiply_keys(scores);
            turns.pass();
            end_keys<0>(scores);
            absorb(scores, scale, task, tile);
            rescale(scale);
            Powers powers;
            narrow(powers, scores);
            await_values();
            turns.await();
            multiply_values(powers);
            turns.pass();
            end_values(powers);
        }
    }

    // The softmax of a tile runs while the tile before meets its values.
    __device__ void attend_overlapped(const Task &task)
    {
        const int last = task.needed.end - 1;
        Scores scores;
        Powers powers;
        float scale[2];
        await_keys();
        multiply_keys(scores);
        turns.pass();
        end_keys<0>(scores);
        absorb(scores, scale, task, last);
        narrow(powers, scores);
        for (int tile = last - 1; tile >= task.needed.first; tile--) {
            await_keys();
            multiply_keys(scores);
            await_values();
            multiply_values(powers);
            turns.pass();
            end_keys<1>(scores);
            absorb(scores, scale, task, tile);
            end_values(powers);
            rescale(scale);
            narrow(powers, scores);
        }
        await_values();
        turns.await();
        multiply_values(powers);
        turns.pass();
        end_values(powers);
    }

    __device__ void await_keys() const // and the group's turn
    {
        const Stages ring = memory.key_ring();
        ring.wait_full(key_place);
        turns.await();
    }
    __device__ void await_values() const
    {
        const Stages ring = memory.value_ring();
        ring.wait_full(value_place);
    }
    // A stage's descriptors, from which products of it are a constant away.
    __device__ void multiply_keys(Scores &scores) const
    {
        const Descriptor keys = k.on(key_place.stage * K_BYTES);
        warpgroup_fence();
#pragma unroll
        for (int step = 0; step < HEAD * (int)sizeof(TYPE) / 32; step++) {
            const int panel = step / 4, along = step % 4 * product_step<true>();
            ScoreProduct::run<0, 0>(scores, q.on(panel * Q_PANEL + along),
                                    keys.on(panel * KEY_PANEL + along), step > 0);
        }
        warpgroup_commit();
    }
    __device__ void multiply_values(const Powers &powers)
    {
        const Descriptor values = v.on(value_place.stage * V_BYTES);
        warpgroup_fence();
#pragma unroll
        for (int step = 0; step < steps; step++) {
            const int at = EIGHT ? step / 4 * VALUE_PANEL + step % 4 * 32 : step * 2048;
            OutputProduct::run<!EIGHT>(outputs[0], powers[step], values.on(at), true);
        }
        warpgroup_commit();
    }
    template <int open> __device__ void end_keys(Scores &scores)
    {
        warpgroup_wait<open>();
        hold(scores);
        const Stages ring = memory.key_ring();
        ring.release(key_place, threadIdx.x % 128);
        key_place.next();
    }
    __device__ void end_values(const Powers &powers)
    {
        warpgroup_wait<0>();
        hold(outputs[0]);
#pragma unroll
        for (int i = 0; i < 4 * steps; i++) // nothing else is in them until now
            asm volatile("" ::"r"(powers[i / 4][i % 4]) : "memory");
        const Stages ring = memory.value_ring();
        ring.release(value_place, threadIdx.x % 128);
        value_place.next();
    }

    // Scores become powers, scale what outputs of earlier tiles are multiplied by.
    __device__ void absorb(Scores &scores, float (&scale)[2], const Task &task, int tile)
    {
        scoring.bend(scores);
        if (!task.needed.is_clear(tile))
            hide_keys<EIGHT>(scores, task.mask, task.row + lane_row(), tile * BLOCK_N);
#pragma unroll
        for (int half = 0; half < 2; half++)
            scale[half] = softmax.absorb_row<true>(scores, 0, half, scoring.factor);
    }
    __device__ void rescale(const float (&scale)[2])
    {
#pragma unroll
        for (int half = 0; half < 2; half++)
            softmax.rescale(outputs[0], half, scale[half]);
    }
    __device__ static void narrow(Powers &powers, const Scores &scores)
    {
#pragma unroll
        for (int i = 0; i < 4 * steps; i++)
            powers[i / 4][i % 4] = narrow_word(scores, i / 2, i % 2 * 2);
    }
    // One word, from columns of the groups that it has and the row of first.
    __device__ static unsigned narrow_word(const Scores &scores, int word, int first)
    {
        struct alignas(4) {
            TYPE element[4 / sizeof(TYPE)];
        } own;
        constexpr int groups = 2 / sizeof(TYPE);
#pragma unroll
        for (int i = 0; i < groups; i++) {
            const float *pair = &scores[word * groups + i][first];
            narrow_pair(own.element + 2 * i, pair[0], pair[1]);
        }
        return *reinterpret_cast<unsigned *>(&own);
    }
};
