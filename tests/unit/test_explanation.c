// What an explanation says of journals written by hand: figures worked out on paper.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "hone_test.h"
#include "insight/beside.h"
#include "insight/roles.h"
#include "report/explanation.h"

// 100 multiprocessors that hold 32 warps, at 1 GHz.
#define FIRST                                                                            \
    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":["                     \
    "{\"name\":\"A\",\"values\":[1,2,3]},{\"name\":\"B\",\"values\":[1,2]}],"            \
    "\"problem\":{\"N\":1000000},\"default\":[1,1],"                                     \
    "\"launch\":{\"grid\":[\"A * 105\"],\"block\":[\"256\"]},"                           \
    "\"work\":{\"flops\":\"2 * N\",\"bytes\":\"100 * N\"},"                              \
    "\"device\":{\"name\":\"some\",\"limits\":{\"name\":\"some\",\"arch\":\"sm_80\","    \
    "\"cc_major\":8,\"sm_count\":100,\"warp_size\":32,\"max_threads_per_block\":1024,"   \
    "\"max_threads_per_sm\":1024,\"max_blocks_per_sm\":16,\"registers_per_sm\":65536,"   \
    "\"registers_per_block\":65536,\"max_shared_bytes\":65536,"                          \
    "\"shared_bytes_per_sm\":65536,\"sm_clock_khz\":1000000,"                            \
    "\"memory_bandwidth_mbs\":1000000}}}\n"

struct fixture {
    struct hone_recording *recording;
    struct hone_explanation explanation;
};

// Explain the trial of A and B.
static void open_journal(struct fixture *f, const char *lines, uint16_t a, uint16_t b)
{
    char path[] = "/tmp/hone-explanation-XXXXXX";
    struct hone_error err = {0};
    const uint16_t row[2] = {(uint16_t)(a - 1), (uint16_t)(b - 1)};
    uint64_t index;
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    fprintf(file, "%s%s", FIRST, lines);
    fclose(file);
    assert_ok(hone_recording_load(&f->recording, path, &err), err);
    unlink(path);
    assert_int_equal(hone_space_index(hone_recording_space(f->recording), row, &index),
                     HONE_OK);
    assert_ok(hone_explanation_make(&f->explanation, f->recording,
                                    hone_recording_find(f->recording, index), NULL, &err),
              err);
}

static void close_journal(struct fixture *f)
{
    hone_explanation_fini(&f->explanation);
    hone_recording_free(f->recording);
}

static void every_cause_and_limit_has_its_section(void **state)
{
    (void)state;
    struct hone_error err = {0};
    char *page = NULL, line[128];
    size_t size;
    assert_ok(hone_file_read(&page, &size, HONE_SOURCE_DIR "/docs/causes.md", &err), err);
    for (int i = 0; i < HONE_CAUSE_COUNT + HONE_LIMIT_COUNT; i++) {
        const char *section =
            i < HONE_CAUSE_COUNT
                ? hone_cause_section((enum hone_cause)i)
                : hone_limit_section((enum hone_limit)(i - HONE_CAUSE_COUNT));
        bool found = false;
        for (const char *at = page; (at = strstr(at, "\n## ")); at++) {
            snprintf(line, sizeof line, "%.*s", (int)strcspn(at + 4, "\n"), at + 4);
            for (char *c = line; *c; c++)
                *c = *c == ' ' ? '-' : (char)(*c >= 'A' && *c <= 'Z' ? *c + 32 : *c);
            found |= strcmp(line, section) == 0;
        }
        if (!found) fail_msg("docs/causes.md has no section '%s'", section);
    }
    free(page);
}

// 105 blocks of which 100 run at once: 1.05 rounds take 2.
static void a_tail_shows_by_the_geometry_alone(void **state)
{
    (void)state;
    struct fixture f;
    struct hone_strbuf words = HONE_STRBUF_INIT;
    open_journal(&f,
                 "{\"config\":[1,1],\"outcome\":\"valid\",\"time_us\":1000,"
                 "\"registers\":32,\"blocks_per_sm\":1}\n",
                 1, 1);
    const struct hone_found_cause *tail =
        hone_diagnosis_find(&f.explanation.subject.diagnosis, HONE_CAUSE_TAIL);
    assert_non_null(tail);
    assert_true(fabs(tail->gain - (1 - 1.05 / 2)) < 1e-9);
    hone_cause_words(&words, tail, &f.explanation.subject);
    assert_string_equal(words.data,
                        "105 blocks, of which 100 run at once, take 2 rounds; the last "
                        "has 5.");
    assert_int_equal(f.explanation.subject.diagnosis.usage.limit, HONE_LIMIT_UNKNOWN);
    hone_strbuf_fini(&words);
    close_journal(&f);
}

// 100 MB at 1 TB/s take 100 us.
static void a_near_roof_is_the_limit_where_there_are_no_counts(void **state)
{
    (void)state;
    struct fixture f;
    open_journal(&f, "{\"config\":[1,1],\"outcome\":\"valid\",\"time_us\":125}\n", 1, 1);
    assert_int_equal(f.explanation.subject.usage.limit, HONE_LIMIT_DRAM);
    assert_true(fabs(f.explanation.subject.usage.roof_share - 0.8) < 1e-9);
    assert_true(f.explanation.subject.usage.roof_is_memory);
    close_journal(&f);
}

// 2 million operations in 0.01 us are more than 100 multiprocessors of 64 lanes can do.
static void tensor_cores_are_not_taken_for_fp32(void **state)
{
    (void)state;
    struct fixture f;
    open_journal(&f, "{\"config\":[1,1],\"outcome\":\"valid\",\"time_us\":0.01}\n", 1, 1);
    assert_true(f.explanation.subject.usage.beyond_fp32);
    assert_true(f.explanation.subject.usage.limit != HONE_LIMIT_ALU);
    close_journal(&f);
}

static void no_time_makes_a_share_infinite(void **state)
{
    (void)state;
    static const char *const times[] = {"1e-308", "1e308"};
    for (size_t i = 0; i < 2; i++) {
        struct fixture f;
        char line[512];
        snprintf(
            line, sizeof line,
            "{\"config\":[1,1],\"outcome\":\"valid\",\"predicted_us\":%s,\"metrics\":{"
            "\"grid_blocks\":10500,\"blocks_per_sm\":1,\"warps_per_block\":8,"
            "\"issue_cycles\":100,\"alu_cycles\":50,\"memory_cycles\":80}}\n",
            times[i]);
        open_journal(&f, line, 1, 1);
        const struct hone_usage *usage = &f.explanation.subject.diagnosis.usage;
        for (int k = 0; k < HONE_LIMIT_COUNT; k++)
            assert_true(isinf(usage->part_us[k] / usage->us) == 0);
        assert_true(isfinite(usage->roof_share));
        close_journal(&f);
    }
}

// One round of blocks of which the last one ends late is no round too many.
static void blocks_of_unlike_length_are_told_as_that(void **state)
{
    (void)state;
    struct fixture f;
    struct hone_strbuf words = HONE_STRBUF_INIT;
    open_journal(
        &f,
        "{\"config\":[1,1],\"outcome\":\"valid\",\"predicted_us\":300,\"metrics\":{"
        "\"grid_blocks\":104,\"blocks_per_sm\":1,\"warps_per_block\":8,"
        "\"path_cycles\":10,\"issue_cycles\":100000,\"alu_cycles\":50,"
        "\"memory_cycles\":80,\"stretch\":2.5}}\n",
        1, 1);
    assert_int_equal(f.explanation.subject.diagnosis.usage.limit, HONE_LIMIT_WAVES);
    hone_limit_words(&words, &f.explanation.subject);
    if (!strstr(words.data, "ends after 2.50 times the time of"))
        fail_msg("%s", words.data);
    hone_strbuf_fini(&words);
    close_journal(&f);
}

// The last round costs what it costs where blocks are alike: what unlike ones add is none
// of its gain.
static void a_tail_gains_nothing_by_unlike_blocks(void **state)
{
    (void)state;
    double gain[2];
    for (int unlike = 0; unlike < 2; unlike++) {
        struct fixture f;
        char line[512];
        snprintf(line, sizeof line,
                 "{\"config\":[1,1],\"outcome\":\"valid\",\"predicted_us\":300,"
                 "\"metrics\":{\"grid_blocks\":120,\"blocks_per_sm\":1,"
                 "\"warps_per_block\":8,\"path_cycles\":10,\"issue_cycles\":100000,"
                 "\"alu_cycles\":50,\"memory_cycles\":80%s}}\n",
                 unlike ? ",\"stretch\":2.5" : "");
        open_journal(&f, line, 1, 1);
        const struct hone_found_cause *tail =
            hone_diagnosis_find(&f.explanation.subject.diagnosis, HONE_CAUSE_TAIL);
        assert_non_null(tail);
        gain[unlike] = tail->gain;
        close_journal(&f);
    }
    assert_true(gain[1] < 0.5 * gain[0]);
}

static void spills_are_named_from_four_registers_on(void **state)
{
    (void)state;
    for (int bytes = 28; bytes <= 36; bytes += 4) {
        struct fixture f;
        char line[256];
        snprintf(line, sizeof line,
                 "{\"config\":[1,1],\"outcome\":\"valid\",\"time_us\":1000,"
                 "\"registers\":32,\"spill_store_bytes\":16,\"spill_load_bytes\":%d}\n",
                 bytes - 16);
        open_journal(&f, line, 1, 1);
        assert_int_equal(hone_diagnosis_find(&f.explanation.subject.diagnosis,
                                             HONE_CAUSE_SPILLS) != NULL,
                         bytes >= 32);
        close_journal(&f);
    }
}

// A parameter at a time, from either side; what was not tried is not made up.
static void differences_are_of_one_parameter(void **state)
{
    (void)state;
    struct fixture f;
    open_journal(&f,
                 "{\"config\":[1,1],\"outcome\":\"valid\",\"time_us\":200}\n"
                 "{\"config\":[1,2],\"outcome\":\"valid\",\"time_us\":150}\n"
                 "{\"config\":[3,2],\"outcome\":\"valid\",\"time_us\":100}\n"
                 "{\"config\":[2,2],\"outcome\":\"wrong_result\",\"reason\":\"no\"}\n",
                 3, 2);
    const struct hone_explanation *e = &f.explanation;
    assert_int_equal(e->difference_count, 2);
    assert_true(fabs(e->differences[0].back - 1.5) < 1e-9);
    assert_true(isnan(e->differences[0].alone));
    assert_true(isnan(e->differences[1].back));
    assert_true(fabs(e->differences[1].alone - 0.75) < 1e-9);
    assert_int_equal(e->neighbours.count, 2);
    assert_true(fabs(e->neighbours.items[0].ratio - 1.5) < 1e-9);
    assert_true(e->neighbours.items[1].ratio == (double)INFINITY);
    close_journal(&f);
}

// Eight blocks of 8 warps fit by registers alone, two by shared memory.
#define COUNTED                                                                          \
    "{\"config\":[1,1],\"outcome\":\"valid\",\"predicted_us\":100,\"registers\":32,"     \
    "\"dynamic_shared_bytes\":60000,\"static_shared_bytes\":0,\"blocks_per_sm\":1,"      \
    "\"metrics\":{\"grid_blocks\":10500,\"blocks_per_sm\":1,\"warps_per_block\":8,"      \
    "\"issue_cycles\":100,\"alu_cycles\":50,\"memory_cycles\":80,\"path_cycles\":900,"   \
    "\"active_lanes\":32}}\n"

static void what_leaves_no_room_is_told(void **state)
{
    (void)state;
    struct fixture f;
    open_journal(&f, COUNTED, 1, 1);
    const struct hone_found_cause *found =
        hone_diagnosis_find(&f.explanation.subject.diagnosis, HONE_CAUSE_OCCUPANCY);
    assert_non_null(found);
    assert_int_equal(found->by, HONE_OCCUPANCY_SHARED);
    assert_true(found->have == 8 && found->want == 32);
    assert_int_equal(f.explanation.subject.diagnosis.usage.limit, HONE_LIMIT_LATENCY);
    close_journal(&f);
}

// 2048 multiply-adds a cycle and multiprocessor; the time of roles is simulated, 90 us of
// which 10.5 are arithmetic: 100 cycles of each of 105 blocks a multiprocessor.
static void kernels_with_roles_have_their_own_peak_and_time(void **state)
{
    (void)state;
    struct fixture f;
    open_journal(&f,
                 "{\"config\":[1,1],\"outcome\":\"valid\",\"predicted_us\":100,"
                 "\"metrics\":{\"grid_blocks\":10500,\"blocks_per_sm\":1,"
                 "\"warps_per_block\":8,\"issue_cycles\":10,\"alu_cycles\":100,"
                 "\"memory_cycles\":80,\"path_cycles\":0,\"active_lanes\":32,"
                 "\"tensor_half_macs\":204800,\"tensor_group_cycles\":100,"
                 "\"sm_us\":90,\"tensor_share\":0.1}}\n",
                 1, 1);
    const struct hone_usage *usage = &f.explanation.subject.usage;
    assert_true(fabs(usage->roof_gflops - 2.0 * 2048 * 100) < 1e-6);
    assert_true(fabs(usage->part_us[HONE_LIMIT_LATENCY] - 79.5) < 1e-6);
    assert_true(isnan(usage->part_us[HONE_LIMIT_WAVES]));
    assert_int_equal(usage->limit, HONE_LIMIT_LATENCY);
    close_journal(&f);
}

static void the_role_that_others_wait_for_is_named(void **state)
{
    (void)state;
    static const struct {
        int busy[3], multiply, copy; // percent
        enum hone_role_limit limit;
        const char *text;
    } rows[] = {{{95, 90, 30},
                 10,
                 80,
                 HONE_ROLE_UNITS,
                 "time: the tensor cores 95 %, shared memory 90 %."},
                {{95, 80, 30}, 10, 80, HONE_ROLE_TENSOR, "time: the tensor cores 95 %."},
                {{30, 50, 97}, 60, 70, HONE_ROLE_SUPPLY, "time: what L2 brings 97 %."},
                {{50, 40, 30}, 50, 10, HONE_ROLE_PRODUCER, "data comes too late"},
                {{50, 40, 30}, 10, 80, HONE_ROLE_CONSUMER, "such as their epilogue"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture f;
        struct hone_roles roles;
        struct hone_strbuf words = HONE_STRBUF_INIT;
        char line[768];
        snprintf(line, sizeof line,
                 "{\"config\":[1,1],\"outcome\":\"valid\",\"predicted_us\":100,"
                 "\"metrics\":{\"grid_blocks\":10500,\"blocks_per_sm\":1,"
                 "\"warps_per_block\":8,\"issue_cycles\":10,\"alu_cycles\":100,"
                 "\"memory_cycles\":80,\"path_cycles\":0,\"sm_us\":90,"
                 "\"tensor_share\":0.%02d,\"port_share\":0.%02d,\"supply_share\":0.%02d,"
                 "\"multiply_waits\":0.%02d,\"copy_waits\":0.%02d}}\n",
                 rows[i].busy[0], rows[i].busy[1], rows[i].busy[2], rows[i].multiply,
                 rows[i].copy);
        open_journal(&f, line, 1, 1);
        assert_true(hone_roles_find(&roles, f.explanation.subject.counted));
        assert_int_equal(roles.limit, rows[i].limit);
        hone_roles_words(&words, &f.explanation.subject);
        if (!strstr(words.data, rows[i].text)) fail_msg("%zu: %s", i, words.data);
        hone_strbuf_fini(&words);
        close_journal(&f);
    }
}

static void the_busiest_part_by_counters_is_the_limit(void **state)
{
    (void)state;
    static const struct {
        double issue, dram;
        enum hone_limit limit;
    } rows[] = {{30, 85, HONE_LIMIT_DRAM},
                {75, 20, HONE_LIMIT_ISSUE},
                {30, 55, HONE_LIMIT_LATENCY}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture f;
        char line[512];
        snprintf(line, sizeof line,
                 "{\"config\":[1,1],\"outcome\":\"valid\",\"time_us\":1000,\"counters\":"
                 "{\"issue_active\":{\"value\":%g,\"unit\":\"%%\"},"
                 "\"dram_throughput\":{\"value\":%g,\"unit\":\"%%\"}}}\n",
                 rows[i].issue, rows[i].dram);
        open_journal(&f, line, 1, 1);
        const struct hone_usage *usage = &f.explanation.subject.diagnosis.usage;
        assert_int_equal(usage->limit, rows[i].limit);
        assert_true(fabs(usage->busy - fmax(rows[i].issue, rows[i].dram) / 100) < 1e-12);
        close_journal(&f);
    }
}

// 10500 blocks of 8 turns, two of which conflicts add; 100 cycles of each of 105 blocks.
static void counters_stand_beside_what_the_emulator_counts(void **state)
{
    (void)state;
    struct fixture f;
    struct hone_beside list[HONE_BESIDE_MAX];
    open_journal(&f,
                 "{\"config\":[1,1],\"outcome\":\"valid\",\"predicted_us\":100,"
                 "\"metrics\":{\"grid_blocks\":10500,\"blocks_per_sm\":1,"
                 "\"warps_per_block\":8,\"issue_cycles\":100,\"alu_cycles\":50,"
                 "\"memory_cycles\":80,\"path_cycles\":900,\"shared_wavefronts\":8,"
                 "\"bank_conflicts\":2},\"counters\":{"
                 "\"issue_active\":{\"value\":12,\"unit\":\"% of peak\"},"
                 "\"load_conflicts\":{\"value\":15000,\"unit\":\"wavefronts\"},"
                 "\"store_conflicts\":{\"value\":6500,\"unit\":\"wavefronts\"},"
                 "\"wavefronts\":{\"value\":84001,\"unit\":\"wavefronts\"},"
                 "\"load_sectors\":{\"value\":1,\"unit\":\"sectors\"}}}\n",
                 1, 1);
    const size_t count = hone_beside_find(list, &f.explanation.subject);
    assert_int_equal(count, 3); // loads without stores are no sum
    assert_string_equal(list[0].name, "issue_slots");
    assert_true(list[0].counted == 12 && fabs(list[0].emulated - 10.5) < 1e-9);
    assert_string_equal(list[1].name, "wavefronts");
    assert_true(list[1].counted == 84001 && list[1].emulated == 84000);
    assert_string_equal(list[2].name, "bank_conflicts");
    assert_true(list[2].counted == 21500 && list[2].emulated == 21000);
    assert_true(f.explanation.subject.diagnosis.usage.busy == 0);
    close_journal(&f);
}

// The limit of the counters, where there is room for so many rows beside it; its words.
static size_t find_beside(struct hone_beside list[HONE_BESIDE_MAX], char words[512],
                          const char *counters)
{
    struct fixture f;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    char line[512];
    snprintf(
        line, sizeof line,
        "{\"config\":[1,1],\"outcome\":\"valid\",\"time_us\":1000,\"counters\":{%s}}\n",
        counters);
    open_journal(&f, line, 1, 1);
    const size_t count = hone_beside_find(list, &f.explanation.subject);
    hone_limit_words(&text, &f.explanation.subject);
    snprintf(words, 512, "%s", text.data);
    hone_strbuf_fini(&text);
    close_journal(&f);
    return count;
}

// Anyone may write a journal.
static void counters_that_cannot_be_are_left_out(void **state)
{
    (void)state;
    struct hone_beside list[HONE_BESIDE_MAX];
    char words[512];
    assert_int_equal(
        find_beside(list, words, "\"dram_throughput\":{\"value\":1e308,\"unit\":\"%\"}"),
        1);
    if (!strstr(words, "at 100 % of its peak")) fail_msg("%s", words);
    assert_int_equal(find_beside(list, words,
                                 "\"issue_active\":{\"value\":130,\"unit\":\"%\"},"
                                 "\"dram_throughput\":{\"value\":110,\"unit\":\"%\"},"
                                 "\"load_conflicts\":{\"value\":1.7e308,\"unit\":\"\"},"
                                 "\"store_conflicts\":{\"value\":1.7e308,\"unit\":\"\"},"
                                 "\"load_sectors\":{\"value\":-5,\"unit\":\"\"},"
                                 "\"store_sectors\":{\"value\":3,\"unit\":\"\"}"),
                     2);
    assert_string_equal(list[0].name, "issue_slots");
    assert_string_equal(list[1].name, "dram");
    if (!strstr(words, "at 100 % of its peak")) fail_msg("%s", words);
    assert_int_equal(
        find_beside(list, words, "\"issue_active\":{\"value\":-1,\"unit\":\"%\"}"), 0);
}

// The counters stand alone where what the emulator is said to have counted cannot be.
static void counts_of_the_emulator_that_cannot_be_are_left_out(void **state)
{
    (void)state;
    struct fixture f;
    struct hone_beside list[HONE_BESIDE_MAX];
    open_journal(&f,
                 "{\"config\":[1,1],\"outcome\":\"valid\",\"predicted_us\":100,"
                 "\"metrics\":{\"grid_blocks\":10500,\"blocks_per_sm\":1,"
                 "\"warps_per_block\":8,\"issue_cycles\":100,\"issued_per_block\":3,"
                 "\"shared_wavefronts\":1.7e308,\"bank_conflicts\":-2},\"counters\":{"
                 "\"instructions\":{\"value\":31000,\"unit\":\"\"},"
                 "\"wavefronts\":{\"value\":84001,\"unit\":\"\"},"
                 "\"load_conflicts\":{\"value\":1,\"unit\":\"\"},"
                 "\"store_conflicts\":{\"value\":2,\"unit\":\"\"}}}\n",
                 1, 1);
    assert_int_equal(hone_beside_find(list, &f.explanation.subject), 3);
    assert_true(list[0].counted == 31000 && list[0].emulated == 31500);
    assert_true(list[1].counted == 84001 && isnan(list[1].emulated));
    assert_true(list[2].counted == 3 && isnan(list[2].emulated));
    close_journal(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_cause_and_limit_has_its_section),
    cmocka_unit_test(a_tail_shows_by_the_geometry_alone),
    cmocka_unit_test(a_near_roof_is_the_limit_where_there_are_no_counts),
    cmocka_unit_test(tensor_cores_are_not_taken_for_fp32),
    cmocka_unit_test(no_time_makes_a_share_infinite),
    cmocka_unit_test(blocks_of_unlike_length_are_told_as_that),
    cmocka_unit_test(a_tail_gains_nothing_by_unlike_blocks),
    cmocka_unit_test(spills_are_named_from_four_registers_on),
    cmocka_unit_test(differences_are_of_one_parameter),
    cmocka_unit_test(what_leaves_no_room_is_told),
    cmocka_unit_test(the_role_that_others_wait_for_is_named),
    cmocka_unit_test(the_busiest_part_by_counters_is_the_limit),
    cmocka_unit_test(counters_stand_beside_what_the_emulator_counts),
    cmocka_unit_test(counters_that_cannot_be_are_left_out),
    cmocka_unit_test(counts_of_the_emulator_that_cannot_be_are_left_out),
    cmocka_unit_test(kernels_with_roles_have_their_own_peak_and_time),
};
HONE_TEST_MAIN(tests)
