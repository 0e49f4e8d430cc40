// One query of one head of a sequence, for the references of templates/attention.cu and
// templates/attention_sm90.cu: one warp, by attention_row.cuh.
#pragma once

#include "attention_row.cuh"

#ifndef CAUSAL
#define CAUSAL 1
#endif
#ifndef VARLEN
#define VARLEN 0
#endif

// What the templates' arguments of the same names are.
struct AttentionQueries {
    const TYPE *Q, *K, *V;
    OUT *O;
    float *lse;
    const int *starts_q, *starts_k;
    int unit, seq_q, seq_k, group;
    long long q_token, q_head, k_token, k_head, v_token, v_head, o_token, o_head;
    long long lse_head;
    int window;
    float scale, cap;
    // Of templates/attention_sm90.cu alone.
    long long v_element = 1, k_sequence = -1,
              v_sequence = -1; // -1: tokens of all sequences follow
    int key_heads = 0;
    const float *score_scale = nullptr, *value_scale = nullptr;

    struct Tokens {
        long long first;
        int count;

        __device__ Tokens(const int *starts, int unit, int b, int length)
        {
            first = VARLEN ? (long long)starts[b] * unit : (long long)b * length;
            count = VARLEN ? (int)((long long)starts[b + 1] * unit - first) : length;
        }
    };

    // Query i, of which a sequence may have fewer, of sequence b.
    __device__ void attend(long long i, long long head, int b) const
    {
        const Tokens queries(starts_q, unit, b, seq_q), keys(starts_k, unit, b, seq_k);
        if (i >= queries.count) return;
        const long long position = i + keys.count - queries.count;
        long long begin = 0, end = keys.count;
        if (LOCAL && position - window > begin) begin = position - window;
        if (LOCAL && position + window + 1 < end) end = position + window + 1;
        if (CAUSAL && position + 1 < end) end = position + 1;

        const long long token = queries.first + i, key_head = head / group;
        const long long at = b * (long long)key_heads + key_head;
        AttentionRow row(Q + token * q_token + head * q_head,
                         (double)scale * (score_scale ? score_scale[at] : 1), cap);
        const long long first_key =
            k_sequence < 0 ? keys.first * k_token : b * k_sequence;
        row.value_scale = value_scale ? value_scale[at] : 1;
        row.value_element = v_element;
        const long long first_value =
            v_sequence < 0 ? keys.first * v_token : b * v_sequence;
        row.attend(
            O + token * o_token + head * o_head,
            lse ? lse + head * lse_head + token : nullptr, begin, end,
            K + first_key + key_head * k_head, V + first_value + key_head * v_head,
            [this](long long j) { return j * k_token; },
            [this](long long j) { return j * v_token; });
    }
};
