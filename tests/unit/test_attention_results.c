// Attention run on the emulator, one mode after another, against sums computed here.
#include <math.h>
#include <string.h>

#include "template_machine.h"

enum { HEAD = 64, BLOCK_M = 32, BLOCK_N = 16, WARPS = 2, STAGES = 2, MAX_SEQUENCES = 4 };
enum { POISON = 0xff }; // 0xffff and 0xffffffff are NaN

struct attention {
    int sequences, seq_q, seq_k; // tokens of each; with varlen seq_q is the most
    int heads, group;            // query heads, and how many of them share a key head
    bool causal, local, softcap, varlen, no_lse;
    int window;
    float scale, cap;
    int starts_q[MAX_SEQUENCES + 1], starts_k[MAX_SEQUENCES + 1]; // with varlen
};

// bf16 [tokens][heads][HEAD], of o a token more than there are; lse [heads][tokens].
struct tensors {
    int q_tokens, k_tokens;
    uint16_t *q, *k, *v, *o;
    float *lse;
};

// --- running it ---

static uint16_t *random_bf16(struct hone_rng *rng, size_t count)
{
    float *wide = random_floats(rng, count);
    uint16_t *data = malloc(count * sizeof *data);
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &wide[i], sizeof bits);
        data[i] = (uint16_t)(bits >> 16);
    }
    free(wide);
    return data;
}

static double widen(uint16_t x)
{
    const uint32_t bits = (uint32_t)x << 16;
    float wide;
    memcpy(&wide, &bits, sizeof wide);
    return (double)wide;
}

static void *poisoned(size_t bytes)
{
    void *data = malloc(bytes);
    memset(data, POISON, bytes);
    return data;
}

static size_t q_elements(const struct attention *a, int tokens)
{
    return (size_t)(tokens * a->heads * HEAD);
}

static size_t k_elements(const struct attention *a, int tokens)
{
    return (size_t)(tokens * (a->heads / a->group) * HEAD);
}

static struct tensors make_tensors(const struct attention *a)
{
    struct hone_rng rng;
    hone_rng_seed(&rng, 31);
    struct tensors t = {.q_tokens = a->sequences * a->seq_q,
                        .k_tokens = a->sequences * a->seq_k};
    if (a->varlen) {
        t.q_tokens = a->starts_q[a->sequences];
        t.k_tokens = a->starts_k[a->sequences];
    }
    t.q = random_bf16(&rng, q_elements(a, t.q_tokens));
    t.k = random_bf16(&rng, k_elements(a, t.k_tokens + 1));
    t.v = random_bf16(&rng, k_elements(a, t.k_tokens + 1));
    t.o = poisoned(q_elements(a, t.q_tokens + 1) * sizeof *t.o);
    t.lse = poisoned((size_t)(a->heads * t.q_tokens) * sizeof *t.lse);
    return t;
}

static void free_tensors(struct tensors *t)
{
    free(t->q);
    free(t->k);
    free(t->v);
    free(t->o);
    free(t->lse);
}

static const struct hone_build *build_attention(const struct attention *a)
{
    static const char *const names[] = {"HEAD",   "BLOCK_M",      "BLOCK_N", "WARPS",
                                        "STAGES", "CAUSAL",       "LOCAL",   "SOFTCAP",
                                        "VARLEN", "LONGEST_FIRST"};
    const int values[] = {HEAD,      BLOCK_M,  BLOCK_N,    WARPS,     STAGES,
                          a->causal, a->local, a->softcap, a->varlen, a->causal};
    return build_template(
        "attention.cu", "attention",
        print_parameters(names, values, sizeof values / sizeof *values));
}

static void launch_attention(const struct attention *a, const hone_devptr *buffers,
                             int q_tokens)
{
    const int q_token = a->heads * HEAD, k_token = a->heads / a->group * HEAD;
    const int head = HEAD, unit = 1;
    const int64_t lse_head = q_tokens;
    const void *params[] = {
        &buffers[0], &buffers[1], &buffers[2], &buffers[3], &buffers[4], &buffers[5],
        &buffers[6], &unit,       &a->seq_q,   &a->seq_k,   &a->heads,   &a->group,
        &q_token,    &head,       &k_token,    &head,       &k_token,    &head,
        &q_token,    &head,       &lse_head,   &a->window,  &a->scale,   &a->cap};
    const size_t widths[] = {8, 8, 8, 8, 8, 8, 8, 4, 4, 4, 4, 4,
                             4, 4, 4, 4, 4, 4, 4, 4, 8, 4, 4, 4};
    const struct hone_launch recipe = {
        .grid = {ceil_div(a->seq_q, BLOCK_M) * (uint32_t)(a->heads * a->sequences), 1, 1},
        .block = {32 * WARPS, 1, 1},
        .shared_bytes = 2 * HEAD * (BLOCK_M + 2 * STAGES * BLOCK_N),
        .params = params,
        .param_sizes = widths,
        .param_count = sizeof widths / sizeof *widths};
    const struct hone_build *build = build_attention(a);
    launch(build, "attention", &recipe);
    hone_build_release(build);
}

// The caller frees the tensors.
static struct tensors attend(struct attention *a)
{
    const struct tensors t = make_tensors(a);
    const size_t q_bytes = q_elements(a, t.q_tokens) * sizeof *t.q,
                 o_bytes = q_elements(a, t.q_tokens + 1) * sizeof *t.o,
                 k_bytes = k_elements(a, t.k_tokens + 1) * sizeof *t.k,
                 lse_bytes = (size_t)(a->heads * t.q_tokens) * sizeof *t.lse;
    hone_devptr buffers[] = {to_device(t.q, q_bytes),
                             to_device(t.k, k_bytes),
                             to_device(t.v, k_bytes),
                             to_device(t.o, o_bytes),
                             a->no_lse ? 0 : to_device(t.lse, lse_bytes),
                             to_device(a->starts_q, sizeof a->starts_q),
                             to_device(a->starts_k, sizeof a->starts_k)};
    launch_attention(a, buffers, t.q_tokens);
    from_device(t.o, buffers[3], o_bytes);
    if (!a->no_lse) from_device(t.lse, buffers[4], lse_bytes);
    static const size_t inputs[] = {0, 1, 2, 5, 6};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        device->fns->free(device, buffers[inputs[i]]);
    return t;
}

// --- what it should be ---

struct row {
    double output[HEAD], lse;
    int keys; // that the query sees
};

static double score(const struct attention *a, const uint16_t *query, const uint16_t *key)
{
    double sum = 0;
    for (int e = 0; e < HEAD; e++)
        sum += widen(query[e]) * widen(key[e]);
    sum *= (double)a->scale;
    return a->softcap ? (double)a->cap * tanh(sum / (double)a->cap) : sum;
}

// What a query should make of keys begin .. end - 1, tokens of K.
static struct row expect_row(const struct attention *a, const struct tensors *t,
                             const uint16_t *query, int key_head, int begin, int end)
{
    const int stride = a->heads / a->group * HEAD;
    struct row row = {.lse = -INFINITY, .keys = end > begin ? end - begin : 0};
    double total = 0;
    for (int j = begin; j < end; j++) {
        const int at = j * stride + key_head * HEAD;
        const double power = exp(score(a, query, &t->k[at])); // scores are small
        total += power;
        for (int e = 0; e < HEAD; e++)
            row.output[e] += power * widen(t->v[at + e]);
    }
    if (total > 0) row.lse = log(total);
    for (int e = 0; e < HEAD && total > 0; e++)
        row.output[e] /= total;
    return row;
}

struct place {
    int sequence, query, head; // query: in its sequence
    int token;                 // of Q
};

static struct row expect(const struct attention *a, const struct tensors *t,
                         const struct place *p, int queries)
{
    const int b = p->sequence;
    const int first = a->varlen ? a->starts_k[b] : b * a->seq_k;
    const int keys = a->varlen ? a->starts_k[b + 1] - first : a->seq_k;
    const int position = p->query + keys - queries;
    int begin = 0, end = keys;
    if (a->local && position - a->window > begin) begin = position - a->window;
    if (a->local && position + a->window + 1 < end) end = position + a->window + 1;
    if (a->causal && position + 1 < end) end = position + 1;
    const uint16_t *query = &t->q[(p->token * a->heads + p->head) * HEAD];
    return expect_row(a, t, query, p->head / a->group, first + begin, first + end);
}

// Powers are rounded to bf16 before they weigh V, and outputs after: by 2^-9 each.
static bool is_right(const struct attention *a, const struct tensors *t,
                     const struct place *p, const struct row *row)
{
    const uint16_t *output = &t->o[(p->token * a->heads + p->head) * HEAD];
    const double lse = (double)t->lse[p->head * t->q_tokens + p->token];
    bool right = true;
    for (int e = 0; e < HEAD; e++) {
        const double got = widen(output[e]), want = row->output[e];
        right &= row->keys ? fabs(got - want) <= 0x1p-8 * (1 + fabs(want)) : got == 0;
    }
    if (a->no_lse) return right && isnan(lse);
    return right && (row->keys ? fabs(lse - row->lse) <= 1e-4 : lse == row->lse);
}

// Rows that are not what a, which may differ from what was run, says.
static int count_wrong(const struct attention *a, const struct tensors *t)
{
    int wrong = 0;
    for (int b = 0; b < a->sequences; b++) {
        const int first = a->varlen ? a->starts_q[b] : b * a->seq_q;
        const int queries = a->varlen ? a->starts_q[b + 1] - first : a->seq_q;
        for (int i = 0; i < queries * a->heads; i++) {
            const struct place p = {b, i / a->heads, i % a->heads, first + i / a->heads};
            const struct row row = expect(a, t, &p, queries);
            wrong += !is_right(a, t, &p, &row);
        }
    }
    const size_t end = q_elements(a, t->q_tokens);
    for (size_t i = end; i < q_elements(a, t->q_tokens + 1); i++)
        wrong += t->o[i] != 0xffff; // written behind the last token
    return wrong;
}

// Runs a, which must be right, and from which other must differ.
static void check(struct attention a, struct attention other)
{
    need_machine();
    struct tensors t = attend(&a);
    assert_int_equal(count_wrong(&a, &t), 0);
    assert_true(count_wrong(&other, &t) > 0);
    free_tensors(&t);
}

// --- the modes ---

static const struct attention plain = {
    .sequences = 2, .seq_q = 40, .seq_k = 50, .heads = 2, .group = 1, .scale = 0.5f};

// 75 queries end where 20 keys do: the first 55 stand before all of them.
static void queries_that_see_no_key_give_zeros_and_minus_infinity(void **state)
{
    (void)state;
    need_machine();
    struct attention a = plain;
    a.causal = true;
    a.seq_q = 75;
    a.seq_k = 20;
    struct tensors t = attend(&a);
    assert_int_equal(count_wrong(&a, &t), 0);
    for (int i = 0; i < 55 * a.heads * HEAD; i++)
        assert_int_equal(t.o[i] & 0x7fff, 0);
    for (int i = 0; i < 75; i++)
        assert_int_equal(t.lse[i] == -INFINITY, i < 55);
    free_tensors(&t);
}

static void no_keys_at_all_give_zeros(void **state)
{
    (void)state;
    need_machine();
    struct attention a = plain;
    a.seq_k = 0;
    struct tensors t = attend(&a);
    for (size_t i = 0; i < q_elements(&a, t.q_tokens); i++)
        assert_int_equal(t.o[i] & 0x7fff, 0);
    for (int i = 0; i < a.heads * t.q_tokens; i++)
        assert_true(t.lse[i] == -INFINITY);
    free_tensors(&t);
}

static void lse_is_the_logarithm_of_the_sum_of_powers(void **state)
{
    (void)state;
    struct attention twice = plain;
    twice.scale *= 2;
    check(plain, twice);
}

static void lse_may_be_null(void **state)
{
    (void)state;
    struct attention a = plain;
    a.no_lse = true;
    check(a, plain);
}

static void query_heads_of_a_group_share_a_key_head(void **state)
{
    (void)state;
    need_machine();
    struct attention a = plain;
    a.heads = 6;
    a.group = 3;
    struct tensors t = attend(&a);
    assert_int_equal(count_wrong(&a, &t), 0);
    free_tensors(&t);
}

static void causal_queries_see_no_key_behind_them(void **state)
{
    (void)state;
    struct attention a = plain;
    a.causal = true;
    check(a, plain);
}

static void a_window_hides_what_is_further_away(void **state)
{
    (void)state;
    struct attention a = plain;
    a.local = true;
    a.window = 9;
    struct attention wider = a;
    wider.window++;
    check(a, wider);
    a.causal = wider.causal = true;
    check(a, wider);
}

static void softcap_bends_scores(void **state)
{
    (void)state;
    struct attention a = plain;
    a.softcap = true;
    a.cap = 0.5f;
    check(a, plain);
}

// One has no query, one no key, one neither.
static void sequences_begin_where_they_are_said_to(void **state)
{
    (void)state;
    struct attention a = plain, shifted;
    a.varlen = a.causal = true;
    a.sequences = 4;
    a.seq_q = 45;
    const int starts_q[] = {0, 5, 5, 50, 50}, starts_k[] = {0, 7, 16, 16, 16};
    memcpy(a.starts_q, starts_q, sizeof starts_q);
    memcpy(a.starts_k, starts_k, sizeof starts_k);
    shifted = a;
    shifted.starts_k[1]--;
    check(a, shifted);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(queries_that_see_no_key_give_zeros_and_minus_infinity),
    cmocka_unit_test(no_keys_at_all_give_zeros),
    cmocka_unit_test(lse_is_the_logarithm_of_the_sum_of_powers),
    cmocka_unit_test(lse_may_be_null),
    cmocka_unit_test(query_heads_of_a_group_share_a_key_head),
    cmocka_unit_test(causal_queries_see_no_key_behind_them),
    cmocka_unit_test(a_window_hides_what_is_further_away),
    cmocka_unit_test(softcap_bends_scores),
    cmocka_unit_test(sequences_begin_where_they_are_said_to),
};

HONE_TEST_MAIN_WITH(tests, open_machine, close_machine)
