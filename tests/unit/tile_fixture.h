/* A made-up kernel whose best tile depends on the sizes, tuned for several problems on
 * several GPUs: journals with two layouts, for nearest rows and trees. */
#ifndef TILE_FIXTURE_H
#define TILE_FIXTURE_H

#include "emit_fixture.h"

#include <math.h>

#include "hone/rng.h"

static const struct hone_value bm_values[] = {{.type = HONE_INT, .i = 16},
                                              {.type = HONE_INT, .i = 32},
                                              {.type = HONE_INT, .i = 64},
                                              {.type = HONE_INT, .i = 128}};
static const struct hone_value vec_values[] = {{.type = HONE_INT, .i = 1},
                                               {.type = HONE_INT, .i = 4}};
static const struct hone_param params[] = {
    {"BM", bm_values, 4}, {"BN", bm_values, 4}, {"VEC", vec_values, 2}};
enum { ALL = 32 };
static const struct hone_derived derived[] = {{"SMEM", "(BM + BN) * 512", 0},
                                              {"THREADS", "BM * BN // 16", 0}};
static const struct hone_record_constraint where[] = {
    {.text = "M % VEC == 0"},
    {.text = "SMEM <= device.max_shared_bytes"},
    {.text = "THREADS >= 16"},
    {.text = "layout ~= 'nt' or BN <= 64"}};
static const uint16_t defaults[] = {1, 1, 0};
static const struct hone_record_arg args[] = {
    {"input", "x", "f32", "M * N", NULL, NULL, NULL},
    {"workspace", "partials", "f16", "M * BN", NULL, NULL, NULL},
    {"output", "y", "bf16", "M", NULL, NULL, NULL},
    {"scalar", "alpha", "f32", "2.0", NULL, NULL, NULL},
    {"scalar", "M", "i32", "M", NULL, NULL, NULL},
    {"constant", "table", "i32", "16", NULL, NULL, NULL}};

static const struct hone_limits gpus[] = {{.name = "A",
                                           .cc_major = 8,
                                           .sm_count = 108,
                                           .max_shared_bytes = 166912,
                                           .l2_bytes = 40 << 20,
                                           .memory_bytes = 40LL << 30},
                                          {.name = "B",
                                           .cc_major = 8,
                                           .sm_count = 108,
                                           .max_shared_bytes = 166912,
                                           .l2_bytes = 40 << 20,
                                           .memory_bytes = 80LL << 30},
                                          {.name = "C",
                                           .cc_major = 8,
                                           .cc_minor = 6,
                                           .sm_count = 84,
                                           .max_shared_bytes = 101376,
                                           .l2_bytes = 6 << 20,
                                           .memory_bytes = 24LL << 30},
                                          {.name = "D",
                                           .cc_major = 9,
                                           .sm_count = 132,
                                           .max_shared_bytes = 232448,
                                           .l2_bytes = 50 << 20,
                                           .memory_bytes = 80LL << 30}};
enum { GPUS = 4 };

/* Time of a tile on a device: waves of blocks, each as long as its work, in part wasted at
 * the edges. */
static inline double time_of(const struct hone_limits *gpu, const int64_t c[3], int64_t m,
                             int64_t n)
{
    const double blocks = ceil((double)m / (double)c[0]) * ceil((double)n / (double)c[1]);
    const double waves = ceil(blocks / (double)gpu->sm_count);
    const double reuse = (double)(c[0] * c[1]) / (double)(c[0] + c[1]);
    return waves * (double)(c[0] * c[1]) * (1 + 40 / reuse) / (c[2] == 4 ? 1.25 : 1) /
               1e3 +
           2;
}

static inline bool is_valid(const struct hone_limits *gpu, const int64_t c[3], int64_t m,
                            const char *layout)
{
    return m % c[2] == 0 && (c[0] + c[1]) * 512 <= gpu->max_shared_bytes &&
           c[0] * c[1] / 16 <= 1024 && (strcmp(layout, "nt") != 0 || c[1] <= 64);
}

struct sizes {
    int64_t m, n;
    const char *layout;
};

static inline void append_all(struct hone_journal *journal, const struct hone_limits *gpu,
                              const struct sizes *sizes)
{
    for (uint16_t i = 0; i < ALL; i++) {
        const uint16_t choices[3] = {i / 8, i / 2 % 4, i % 2};
        const int64_t c[3] = {bm_values[choices[0]].i, bm_values[choices[1]].i,
                              vec_values[choices[2]].i};
        struct hone_error err = {0};
        struct hone_trial trial = hone_trial_make(0, HONE_VALID);
        if (!is_valid(gpu, c, sizes->m, sizes->layout)) continue;
        trial.time_us = time_of(gpu, c, sizes->m, sizes->n);
        assert_ok(hone_journal_append(journal, &trial, choices, &err), err);
    }
}

static inline struct hone_recording *record(const struct hone_limits *gpu,
                                            const struct sizes *sizes, size_t count)
{
    char path[64];
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    struct hone_recording *recording = NULL;
    struct hone_value(*values)[3] = calloc(count, sizeof *values);
    struct hone_record_problem *problems = calloc(count, sizeof *problems);
    for (size_t p = 0; p < count; p++) {
        values[p][0] = (struct hone_value){.type = HONE_INT, .i = sizes[p].m};
        values[p][1] = (struct hone_value){.type = HONE_INT, .i = sizes[p].n};
        values[p][2] = (struct hone_value){.type = HONE_STRING, .s = sizes[p].layout};
        problems[p] = (struct hone_record_problem){values[p], 1};
    }
    const struct hone_constant first[] = {
        {"M", values[0][0]}, {"N", values[0][1]}, {"layout", values[0][2]}};
    const struct hone_record_info info = {.kernel = "tile",
                                          .params = params,
                                          .param_count = 3,
                                          .problem = first,
                                          .problem_count = 3,
                                          .problems = problems,
                                          .problems_count = count,
                                          .device_name = gpu->name,
                                          .limits = gpu,
                                          .clock = "cupti",
                                          .objective = "time_us",
                                          .defaults = defaults,
                                          .derived = derived,
                                          .derived_count = 2,
                                          .where = where,
                                          .where_count = 4,
                                          .template_hash = "tile.cu",
                                          .entry = "tile",
                                          .args = args,
                                          .arg_count = sizeof args / sizeof *args,
                                          .grid = {"ceil_div(M, BM)", "ceil_div(N, BN)"},
                                          .block = {"THREADS"},
                                          .shared = "SMEM"};
    snprintf(path, sizeof path, "%s/j.jsonl", folder);
    assert_ok(hone_journal_create(&journal, path, &info, 0, &err), err);
    for (size_t p = 0; p < count; p++) {
        hone_journal_set_problem(journal, p);
        append_all(journal, gpu, &sizes[p]);
    }
    assert_ok(hone_journal_close(journal, &err), err);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    unlink(path);
    free(values);
    free(problems);
    return recording;
}

static inline int64_t random_size(struct hone_rng *rng)
{
    const int64_t size =
        1 + (int64_t)(hone_rng_next(rng) >> (50 + hone_rng_below(rng, 13)));
    return hone_rng_below(rng, 2) ? (size + 3) / 4 * 4 : size;
}

static inline void random_sizes(struct sizes *out, size_t count, const char *layout,
                                struct hone_rng *rng)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (struct sizes){random_size(rng), random_size(rng), layout};
}

enum { MOST_SIZES = 40 };

/* Four devices, two layouts on most of them, in lists of different lengths: nearest rows
 * and trees. */
static inline void load_all(struct loaded *loaded, struct sizes *sizes)
{
    static const size_t nn[GPUS] = {12, 1, 38, 6}, nt[GPUS] = {5, 0, 2, 30};
    struct hone_rng rng;
    hone_rng_seed(&rng, 31);
    for (size_t d = 0; d < GPUS; d++) {
        random_sizes(sizes, nn[d], "nn", &rng);
        random_sizes(sizes + nn[d], nt[d], "nt", &rng);
        loaded->list[loaded->count++] = record(&gpus[d], sizes, nn[d] + nt[d]);
    }
}

#endif
