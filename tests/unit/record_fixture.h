/* What the journal suites share: a scratch file, a small kernel with a parameter of each
 * type, and four trials of it. */
#ifndef RECORD_FIXTURE_H
#define RECORD_FIXTURE_H

#include "fast_folder.h"
#include "hone_test.h"

#include <string.h>

#include "base/file.h"
#include "hone/record.h"

static char folder[64];
static char path[80];

// Each case has the path of a journal that does not exist yet.
static inline int setup(void **state)
{
    (void)state;
    if (folder[0]) return 0;
    snprintf(folder, sizeof folder, "%s/hone-record-XXXXXX", fast_folder());
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/j.jsonl", folder);
    return 0;
}

static inline int clean(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

static inline int teardown(void **state)
{
    (void)state;
    return rmdir(folder);
}

static inline char *contents(void)
{
    char *text = NULL;
    struct hone_error err = {0};
    assert_ok(hone_file_read(&text, NULL, path, &err), err);
    return text;
}

static inline void write_text(const char *text, size_t size)
{
    struct hone_error err = {0};
    assert_ok(hone_file_write(path, text, size, &err), err);
}

static inline struct hone_recording *load(void)
{
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    assert_ok(hone_recording_load(&recording, path, &err), err);
    return recording;
}

static const struct hone_value bm_values[] = {{.type = HONE_INT, .i = 32},
                                              {.type = HONE_INT, .i = 64}};
static const struct hone_value mode_values[] = {{.type = HONE_STRING, .s = "row"},
                                                {.type = HONE_STRING, .s = "col"}};
static const struct hone_value scale_values[] = {{.type = HONE_FLOAT, .f = 0.5},
                                                 {.type = HONE_FLOAT, .f = 2.0}};
static const struct hone_value flag_values[] = {{.type = HONE_BOOL, .b = false},
                                                {.type = HONE_BOOL, .b = true}};
static const struct hone_param params[] = {{"BM", bm_values, 2},
                                           {"MODE", mode_values, 2},
                                           {"SCALE", scale_values, 2},
                                           {"SWAP", flag_values, 2}};
static const struct hone_constant problem[] = {{"M", {.type = HONE_INT, .i = 4096}},
                                               {"alpha", {.type = HONE_FLOAT, .f = 1.0}}};
static const uint16_t defaults[] = {1, 0, 1, 0};
static const struct hone_derived derived[] = {{"THREADS", "BM * 2", 7}};
static const struct hone_record_arg args[] = {
    {.kind = "input", .name = "A", .dtype = "f32", .size = "M * BM"}};

static inline struct hone_record_info small_info(void)
{
    return (struct hone_record_info){
        .kernel = "toy",
        .params = params,
        .param_count = 4,
        .problem = problem,
        .problem_count = 2,
        .device_name = "NVIDIA H200",
        .device_id = "cuda:0",
        .driver = "570.1",
        .clock = "cupti",
        .objective = "time_us",
        .template_name = "toy.cu",
        .template_hash = "aa",
        .space_hash = "bb",
        .options_hash = "cc",
        .hone_version = "0.1.0",
        .nvrtc_version = "13.0",
        .box = "process time",
        .verified = HONE_VERIFIED_REFERENCE,
        .strategy = "random",
        .seed = UINT64_MAX,
        .space_count = 16,
        .defaults = defaults,
        .entry = "toy",
        .derived = derived,
        .derived_count = 1,
        .grid = {"ceil_div(M, BM)"},
        .block = {"THREADS", NULL, "2"},
        .shared = "BM * 4",
        .cluster = {"BM // 64", NULL, "1"},
        .launch_flags = HONE_LAUNCH_COOPERATIVE | HONE_LAUNCH_DEPENDENT,
        .args = args,
        .arg_count = 1,
        .flops = "2 * M",
        .bytes = "4 * M",
    };
}

static const uint16_t choices_of[4][4] = {
    {0, 0, 0, 0}, {1, 1, 1, 1}, {0, 1, 0, 1}, {1, 0, 1, 0}};

static inline struct hone_trial small_trial(size_t i)
{
    struct hone_trial trial = hone_trial_make(0, i == 1 ? HONE_CRASHED : HONE_VALID);
    if (i == 1) {
        trial.reason = "illegal \"address\"\n";
        return trial;
    }
    trial.time_us = 553.6 + (double)i;
    trial.rel_std = 0.00471239;
    trial.samples = 32;
    trial.build_ms = 918.61234;
    return trial;
}

static inline void write_small(size_t trials, unsigned flags)
{
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    struct hone_record_info info = small_info();
    assert_ok(hone_journal_create(&journal, path, &info, flags, &err), err);
    for (size_t i = 0; i < trials; i++) {
        struct hone_trial trial = small_trial(i);
        assert_ok(hone_journal_append(journal, &trial, choices_of[i], &err), err);
    }
    assert_ok(hone_journal_close(journal, &err), err);
}

#endif
