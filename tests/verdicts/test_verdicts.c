// What verification says of kernels whose verdict is known: of correct ones nothing, of
// planted bugs the finding and its line. HONE_VERDICT=NAME runs one kernel alone.
#include "verdict_file.h"
#include "verdict_run.h"
#include "verdict_tally.h"

#include "base/file.h"
#include "hone/evaluate.h"
#include "hone_test.h"

#include <assert.h>
#include <string.h>

// The files: one case below each.
static const char *const files[] = {
    "correct/hoisted.cu",
    "correct/exits.cu",
    "correct/tiles.cu",
    "correct/warps.cu",
    "correct/packed.cu",
    "correct/blocks.cu",
    "correct/algorithms.cu",
    "correct/parts.cu",
    "correct/dropped.cu",
    "correct/groups.cu",
    "correct/cub.cu",
    "planted/barriers.cu",
    "planted/warps.cu",
    "planted/copies.cu",
    "planted/bounds.cu",
    "planted/unwritten.cu",
    "planted/blocks.cu",
    "planted/ends.cu",
    "planted/parts.cu",
    "planted/races.cu",
    "correct/guesses.cu",
    "planted/guesses.cu",
    "correct/workspaces.cu",
    "planted/workspaces.cu",
    "correct/masked.cu",
    "planted/masked.cu",
    "correct/turned.cu",
    "planted/turned.cu",
    "correct/arrivals.cu",
    "planted/arrivals.cu",
    "correct/fragments.cu",
    "correct/hopper_copies.cu",
    "correct/hopper_gemm.cu",
    "correct/hopper_clusters.cu",
    "correct/hopper_maps.cu",
    "planted/hopper_proxies.cu",
    "planted/hopper_stages.cu",
    "planted/hopper_products.cu",
    "planted/hopper_clusters.cu",
    "planted/hopper_maps.cu",
    "correct/hopper_stores.cu",
    "planted/hopper_stores.cu",
    "correct/launches.cu",
    "planted/launches.cu",
    "correct/hopper_device.cu",
    "planted/hopper_device.cu",
    "planted/hopper_refills.cu",
    "correct/hopper_styles.cu",
    "correct/hopper_libcuda.cu",
    "correct/hopper_phases.cu",
    "planted/hopper_phases.cu",
    "correct/hopper_ends.cu",
    "planted/hopper_ends.cu",
    "correct/hopper_begins.cu",
    "planted/hopper_begins.cu",
    "correct/hopper_dependent.cu",
    "planted/hopper_dependent.cu",
    "correct/hopper_protocols.cu",
    "planted/hopper_protocols.cu",
    "correct/hopper_kernels.cu",
    "planted/hopper_kernels.cu",
    "planted/hopper_operands.cu",
    "planted/hopper_joined.cu",
    "correct/hopper_lanes.cu",
    "planted/hopper_lanes.cu",
    "correct/hopper_flights.cu",
    "planted/hopper_flights.cu",
    "correct/hopper_filled.cu",
    "planted/hopper_filled.cu",
    "correct/hopper_fences.cu",
    "planted/hopper_fences.cu",
    "correct/signals.cu",
    "planted/signals.cu",
    "correct/large_grids.cu",
    "correct/hopper_grids.cu",
    "planted/hopper_grids.cu",
    "correct/hopper_scales.cu",
    "planted/hopper_scales.cu",
    "correct/exchanged.cu",
    "planted/exchanged.cu",
    "correct/hopper_returns.cu",
    "planted/hopper_returns.cu",
    "planted/large_grids.cu",
    "correct/hopper_scopes.cu",
    "planted/hopper_scopes.cu",
    "correct/hopper_schedules.cu",
    "correct/hopper_generated.cu",
    "planted/hopper_generated.cu",
    "planted/hopper_schedules.cu",
    "correct/hopper_turns.cu",
    "planted/hopper_turns.cu",
    "correct/hopper_edges.cu",
    "planted/hopper_edges.cu",
    "correct/interleaved.cu",
    "planted/interleaved.cu",
    "correct/styles.cu",
    "planted/styles.cu",
    "correct/hopper_shipped.cu",
    "planted/hopper_shipped.cu",
};
enum { FILES = sizeof files / sizeof *files };

// Kernels whose verdict is not true yet, with what it takes; a mend takes them off.
static const struct verdict_exception not_yet[] = {
    {NULL, NULL},
};

// Planted bugs that nothing finds, with the reason.
static const struct verdict_exception known_misses[] = {
    {NULL, NULL},
};

static const struct verdict_exceptions exceptions = {not_yet, known_misses};

static struct verdict_machine machine;

static bool has_kernel(const char *file_name, const char *kernel)
{
    struct verdict_file *file = verdict_file_read(file_name);
    bool found = false;
    for (size_t i = 0; i < file->count; i++)
        found |= strcmp(kernel, file->kernels[i].name) == 0;
    verdict_file_free(file);
    return found;
}

// A name that no file has would run nothing, and pass.
static bool is_known(const char *kernel)
{
    for (size_t i = 0; i < FILES; i++)
        if (has_kernel(files[i], kernel)) return true;
    return false;
}

static int open_machine(void **state)
{
    const char *only = getenv("HONE_VERDICT");
    (void)state;
    if (only && !is_known(only)) {
        fprintf(stderr, "HONE_VERDICT=%s: no kernel of tests/verdicts has that name\n",
                only);
        return -1;
    }
    verdict_machine_open(&machine);
    return 0;
}

static int close_machine(void **state)
{
    (void)state;
    verdict_machine_close(&machine);
    return 0;
}

// A finding without a place, as of a value that differs, stands for every line.
static bool is_expected(const struct hone_found *found, const struct verdict_file *file,
                        const struct verdict_expect *expect)
{
    if (!(expect->findings >> found->finding & 1)) return false;
    return !found->line ||
           (found->line == expect->line && strcmp(found->file, file->name) == 0);
}

// "" where the verdict is the one that the file expects.
static void judge(char *out, size_t size, const struct verdict_file *file,
                  const struct verdict_kernel *kernel, const struct hone_trial *trial)
{
    const bool valid = trial->outcome == HONE_VALID;
    out[0] = 0;
    if (valid == !kernel->expect_count) {
        if (valid) return;
        for (size_t i = 0; i < kernel->expect_count; i++)
            if (is_expected(trial->found, file, &kernel->expects[i])) return;
    }
    snprintf(out, size, "%s:%u: %s: %s, %s at line %u: %s", file->name,
             kernel->first_line, kernel->name, hone_outcome_name(trial->outcome),
             hone_finding_name(trial->found->finding), trial->found->line, trial->reason);
}

static const char *why_excepted(const char *kernel)
{
    const char *reason = verdict_exception_find(not_yet, kernel);
    return reason ? reason : verdict_exception_find(known_misses, kernel);
}

// A planted bug is found when any of its launches shows it, a correct kernel has to be
// right in all of them.
static size_t check_kernel(const struct verdict_file *file,
                           const struct verdict_kernel *kernel)
{
    char text[1024] = "";
    size_t wrong = 0;
    for (size_t i = 0; i < kernel->launch_count; i++) {
        const struct hone_trial trial =
            verdict_run(&machine, file, kernel, &kernel->launches[i]);
        char verdict[sizeof text];
        judge(verdict, sizeof verdict, file, kernel, &trial);
        wrong += verdict[0] != 0;
        if (verdict[0]) memcpy(text, verdict, sizeof text);
    }
    if (kernel->expect_count) wrong = wrong == kernel->launch_count;
    const char *excepted = why_excepted(kernel->name);
    if (wrong) printf("%s: %s\n", excepted ? "excepted" : "wrong", text);
    if (!wrong && excepted)
        printf("true now, take it off the list: %s (%s)\n", kernel->name, excepted);
    return (wrong != 0) != (excepted != NULL); // a list that is out of date fails too
}

static bool has_headers(const struct verdict_file *file)
{
    char path[512];
    if (!file->needs[0]) return true;
    snprintf(path, sizeof path, "%s/%s", HONE_CUDA_INCLUDE, file->needs);
    if (hone_file_exists(path)) return true;
    snprintf(path, sizeof path, "%s/cccl/%s", HONE_CUDA_INCLUDE, file->needs);
    return hone_file_exists(path);
}

static void check_file(const char *name)
{
    if (!machine.builder) SKIP("no NVRTC or no emulator");
    struct verdict_file *file = verdict_file_read(name);
    if (!has_headers(file)) {
        verdict_file_free(file);
        SKIP("%s needs headers that the toolkit lacks", name);
    }
    const char *only = getenv("HONE_VERDICT");
    size_t wrong = 0;
    for (size_t i = 0; i < file->count; i++)
        if (!only || strcmp(only, file->kernels[i].name) == 0)
            wrong += check_kernel(file, &file->kernels[i]);
    verdict_file_free(file);
    if (wrong) fail_msg("%s: %zu verdicts are not those expected", name, wrong);
}

// ---- how many there are ----

static char *read_page(const char *path)
{
    struct hone_error err;
    char *page;
    assert_int_equal(hone_file_read(&page, NULL, path, &err), HONE_OK);
    return page;
}

static void expect_words(const char *page, const char *words)
{
    if (!strstr(page, words)) fail_msg("a page does not say: %s", words);
}

static void the_page_has_the_tally(void **state)
{
    struct verdict_tally tally = {0};
    (void)state;
    for (size_t i = 0; i < FILES; i++)
        verdict_tally_add(&tally, files[i], &exceptions);
    char *page = read_page(HONE_SOURCE_DIR "/docs/verification.md");
    char *readme = read_page(HONE_SOURCE_DIR "/README.md");
    assert_int_equal(verdict_tally_missing_rows(&tally, page), 0);
    char words[128];
    snprintf(words, sizeof words, "`correct/` has %zu that", tally.correct);
    expect_words(page, words);
    snprintf(words, sizeof words, "%zu of Hopper among them, and %zu of the planted bugs",
             tally.hopper_correct, tally.hopper_planted);
    expect_words(page, words);
    snprintf(words, sizeof words, "all of %zu planted bugs, nothing in %zu right kernels",
             tally.hopper_planted, tally.hopper_correct);
    expect_words(readme, words);
    free(readme);
    free(page);
}

static double blocks_not_turned(const struct verdict_file *file,
                                const struct verdict_kernel *kernel, size_t launch)
{
    const struct hone_trial trial =
        verdict_run(&machine, file, kernel, &kernel->launches[launch]);
    assert_int_equal(trial.outcome, HONE_VALID);
    for (uint32_t i = 0; i < trial.metric_count; i++)
        if (strcmp(trial.metrics[i].name, HONE_METRIC_UNTURNED) == 0)
            return trial.metrics[i].value;
    return 0;
}

static void blocks_too_many_to_be_turned_are_told(void **state)
{
    struct verdict_file *file = verdict_file_read("correct/turned.cu");
    (void)state;
    const struct verdict_kernel *waits = verdict_file_find(file, "scan_that_looks_back"),
                                *counts =
                                    verdict_file_find(file, "sum_by_the_last_block");
    assert_true(blocks_not_turned(file, waits, 0) == 0);
    assert_true(blocks_not_turned(file, waits, 1) == 300);
    assert_true(blocks_not_turned(file, counts, 0) == 0);
    verdict_file_free(file);
}

// The cases below hold every kernel that is no exception to its verdict, so what is
// found is all but the exceptions.
static void at_most_3_percent_of_planted_bugs_are_known_misses(void **state)
{
    struct verdict_tally tally = {0};
    (void)state;
    for (size_t i = 0; i < FILES; i++)
        verdict_tally_add(&tally, files[i], &exceptions);
    verdict_tally_print(&tally);
    assert_true(tally.correct >= 60);
    assert_true(tally.all.planted >= 80);
    assert_true(tally.class_count >= 15);
    for (size_t i = 0; i < tally.class_count; i++)
        assert_true(tally.classes[i].count.planted >= 3);
    assert_true(100 * (tally.all.missed + tally.all.not_yet) <= 3 * tally.all.planted);
    assert_int_equal(tally.all.not_yet + tally.correct_not_yet,
                     verdict_exception_count(not_yet));
    assert_int_equal(tally.all.missed, verdict_exception_count(known_misses));
}

#define CASE(name, file)                                                                 \
    static void name(void **state)                                                       \
    {                                                                                    \
        (void)state;                                                                     \
        check_file(file);                                                                \
    }
CASE(values_that_do_not_matter_are_no_findings, files[0])
CASE(tails_and_early_exits_are_no_findings, files[1])
CASE(tiles_are_no_findings, files[2])
CASE(exchanges_within_warps_are_no_findings, files[3])
CASE(packed_values_are_no_findings, files[4])
CASE(blocks_that_work_together_are_no_findings, files[5])
CASE(algorithms_are_no_findings, files[6])
CASE(unused_parts_of_words_are_no_findings, files[7])
CASE(loads_that_are_dropped_are_no_findings, files[8])
CASE(cooperative_groups_are_no_findings, files[9])
CASE(primitives_of_cub_are_no_findings, files[10])
CASE(planted_barriers_are_found, files[11])
CASE(planted_bugs_within_warps_are_found, files[12])
CASE(planted_asynchronous_copies_are_found, files[13])
CASE(planted_accesses_out_of_bounds_are_found, files[14])
CASE(planted_unwritten_values_are_found, files[15])
CASE(planted_bugs_between_blocks_are_found, files[16])
CASE(planted_kernels_that_do_not_end_are_found, files[17])
CASE(planted_bugs_in_a_part_are_found, files[18])
CASE(planted_races_whose_values_matter_are_found, files[19])
CASE(guesses_for_atomic_operations_are_no_findings, files[20])
CASE(planted_guesses_that_decide_more_are_found, files[21])
CASE(undefined_bits_in_workspaces_are_no_findings, files[22])
CASE(planted_uses_of_workspaces_are_found, files[23])
CASE(plain_stores_before_atomics_are_no_findings, files[24])
CASE(planted_stores_behind_atomics_are_found, files[25])
CASE(blocks_that_run_in_any_order_are_no_findings, files[26])
CASE(planted_orders_of_blocks_are_found, files[27])
CASE(arrivals_that_order_are_no_findings, files[28])
CASE(planted_arrivals_are_found, files[29])
CASE(fragments_of_wmma_are_no_findings, files[30])
CASE(bulk_copies_are_no_findings, files[31])
CASE(products_of_warp_groups_are_no_findings, files[32])
CASE(clusters_are_no_findings, files[33])
CASE(tensor_maps_that_are_published_are_no_findings, files[34])
CASE(planted_uses_of_two_proxies_are_found, files[35])
CASE(planted_stages_and_phases_are_found, files[36])
CASE(planted_products_of_warp_groups_are_found, files[37])
CASE(planted_uses_of_other_blocks_are_found, files[38])
CASE(planted_tensor_maps_are_found, files[39])
CASE(copies_that_write_the_same_are_no_findings, files[40])
CASE(planted_copies_that_meet_are_found, files[41])
CASE(launches_that_are_not_plain_are_no_findings, files[42])
CASE(planted_barriers_of_the_grid_are_found, files[43])
CASE(device_memory_fenced_for_copies_has_no_findings, files[44])
CASE(planted_device_memory_without_fences_is_found, files[45])
CASE(planted_refills_of_another_block_are_found, files[46])
CASE(styles_of_public_kernels_are_no_findings, files[47])
CASE(copies_of_libcuda_are_no_findings, files[48])
CASE(waits_for_the_right_phase_are_no_findings, files[49])
CASE(planted_waits_for_another_phase_are_found, files[50])
CASE(blocks_that_end_behind_their_copies_are_no_findings, files[51])
CASE(planted_blocks_that_end_too_early_are_found, files[52])
CASE(objects_that_other_blocks_see_are_no_findings, files[53])
CASE(planted_objects_that_nobody_sees_are_found, files[54])
CASE(launches_behind_another_are_no_findings, files[55])
CASE(planted_uses_of_the_launch_before_are_found, files[56])
CASE(protocols_at_their_edges_are_no_findings, files[57])
CASE(planted_bugs_in_protocols_are_found, files[58])
CASE(whole_kernels_in_public_styles_are_no_findings, files[59])
CASE(planted_bugs_in_whole_kernels_are_found, files[60])
CASE(planted_operands_of_products_are_found, files[61])
CASE(planted_bugs_where_blocks_join_are_found, files[62])
CASE(lanes_that_tell_what_they_know_are_no_findings, files[63])
CASE(planted_lanes_that_tell_of_others_are_found, files[64])
CASE(asynchronous_operations_behind_copies_are_no_findings, files[65])
CASE(planted_asynchronous_operations_over_copies_are_found, files[66])
CASE(copies_that_are_fenced_behind_their_end_are_no_findings, files[67])
CASE(planted_fences_before_the_end_of_copies_are_found, files[68])
CASE(fences_for_lanes_and_other_blocks_are_no_findings, files[69])
CASE(planted_fences_of_too_few_are_found, files[70])
CASE(signals_for_others_are_right, files[71])
CASE(planted_signals_for_others_are_found, files[72])
CASE(blocks_that_hear_by_others_are_no_findings, files[73])
CASE(clusters_that_tell_the_grid_are_no_findings, files[74])
CASE(planted_clusters_that_tell_too_little_are_found, files[75])
CASE(scales_loaded_ahead_of_products_are_no_findings, files[76])
CASE(planted_scales_that_copies_write_over_are_found, files[77])
CASE(stores_over_what_lanes_have_exchanged_are_no_findings, files[78])
CASE(planted_stores_over_what_nobody_exchanged_are_found, files[79])
CASE(what_comes_back_by_another_way_is_no_finding, files[80])
CASE(planted_ways_that_lack_a_link_are_found, files[81])
CASE(planted_fences_of_one_block_of_many_are_found, files[82])
CASE(messages_within_their_scope_are_no_findings, files[83])
CASE(planted_messages_beyond_their_scope_are_found, files[84])
CASE(protocols_between_blocks_and_warps_are_no_findings, files[85])
CASE(kernels_that_compilers_make_are_no_findings, files[86])
CASE(planted_bugs_that_a_compiler_made_are_found, files[87])
CASE(planted_bugs_between_blocks_and_warps_are_found, files[88])
CASE(buffers_and_stages_in_turns_are_no_findings, files[89])
CASE(planted_turns_are_found, files[90])
CASE(edges_of_clusters_fences_and_tiles_are_no_findings, files[91])
CASE(planted_uses_beyond_an_edge_are_found, files[92])
CASE(accesses_in_any_interleaving_are_no_findings, files[93])
CASE(planted_interleavings_are_found, files[94])
CASE(styles_of_libraries_are_no_findings, files[95])
CASE(planted_bugs_in_styles_of_libraries_are_found, files[96])
CASE(kernels_as_libraries_mended_them_are_no_findings, files[97])
CASE(planted_bugs_that_libraries_shipped_are_found, files[98])

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(values_that_do_not_matter_are_no_findings),
    cmocka_unit_test(tails_and_early_exits_are_no_findings),
    cmocka_unit_test(tiles_are_no_findings),
    cmocka_unit_test(exchanges_within_warps_are_no_findings),
    cmocka_unit_test(packed_values_are_no_findings),
    cmocka_unit_test(blocks_that_work_together_are_no_findings),
    cmocka_unit_test(algorithms_are_no_findings),
    cmocka_unit_test(unused_parts_of_words_are_no_findings),
    cmocka_unit_test(loads_that_are_dropped_are_no_findings),
    cmocka_unit_test(cooperative_groups_are_no_findings),
    cmocka_unit_test(primitives_of_cub_are_no_findings),
    cmocka_unit_test(planted_barriers_are_found),
    cmocka_unit_test(planted_bugs_within_warps_are_found),
    cmocka_unit_test(planted_asynchronous_copies_are_found),
    cmocka_unit_test(planted_accesses_out_of_bounds_are_found),
    cmocka_unit_test(planted_unwritten_values_are_found),
    cmocka_unit_test(planted_bugs_between_blocks_are_found),
    cmocka_unit_test(planted_kernels_that_do_not_end_are_found),
    cmocka_unit_test(planted_bugs_in_a_part_are_found),
    cmocka_unit_test(planted_races_whose_values_matter_are_found),
    cmocka_unit_test(guesses_for_atomic_operations_are_no_findings),
    cmocka_unit_test(planted_guesses_that_decide_more_are_found),
    cmocka_unit_test(undefined_bits_in_workspaces_are_no_findings),
    cmocka_unit_test(planted_uses_of_workspaces_are_found),
    cmocka_unit_test(plain_stores_before_atomics_are_no_findings),
    cmocka_unit_test(planted_stores_behind_atomics_are_found),
    cmocka_unit_test(blocks_that_run_in_any_order_are_no_findings),
    cmocka_unit_test(planted_orders_of_blocks_are_found),
    cmocka_unit_test(arrivals_that_order_are_no_findings),
    cmocka_unit_test(planted_arrivals_are_found),
    cmocka_unit_test(fragments_of_wmma_are_no_findings),
    cmocka_unit_test(bulk_copies_are_no_findings),
    cmocka_unit_test(products_of_warp_groups_are_no_findings),
    cmocka_unit_test(clusters_are_no_findings),
    cmocka_unit_test(tensor_maps_that_are_published_are_no_findings),
    cmocka_unit_test(planted_uses_of_two_proxies_are_found),
    cmocka_unit_test(planted_stages_and_phases_are_found),
    cmocka_unit_test(planted_products_of_warp_groups_are_found),
    cmocka_unit_test(planted_uses_of_other_blocks_are_found),
    cmocka_unit_test(planted_tensor_maps_are_found),
    cmocka_unit_test(copies_that_write_the_same_are_no_findings),
    cmocka_unit_test(planted_copies_that_meet_are_found),
    cmocka_unit_test(launches_that_are_not_plain_are_no_findings),
    cmocka_unit_test(planted_barriers_of_the_grid_are_found),
    cmocka_unit_test(device_memory_fenced_for_copies_has_no_findings),
    cmocka_unit_test(planted_device_memory_without_fences_is_found),
    cmocka_unit_test(planted_refills_of_another_block_are_found),
    cmocka_unit_test(styles_of_public_kernels_are_no_findings),
    cmocka_unit_test(copies_of_libcuda_are_no_findings),
    cmocka_unit_test(waits_for_the_right_phase_are_no_findings),
    cmocka_unit_test(planted_waits_for_another_phase_are_found),
    cmocka_unit_test(blocks_that_end_behind_their_copies_are_no_findings),
    cmocka_unit_test(planted_blocks_that_end_too_early_are_found),
    cmocka_unit_test(objects_that_other_blocks_see_are_no_findings),
    cmocka_unit_test(planted_objects_that_nobody_sees_are_found),
    cmocka_unit_test(launches_behind_another_are_no_findings),
    cmocka_unit_test(planted_uses_of_the_launch_before_are_found),
    cmocka_unit_test(protocols_at_their_edges_are_no_findings),
    cmocka_unit_test(planted_bugs_in_protocols_are_found),
    cmocka_unit_test(whole_kernels_in_public_styles_are_no_findings),
    cmocka_unit_test(planted_bugs_in_whole_kernels_are_found),
    cmocka_unit_test(planted_operands_of_products_are_found),
    cmocka_unit_test(planted_bugs_where_blocks_join_are_found),
    cmocka_unit_test(lanes_that_tell_what_they_know_are_no_findings),
    cmocka_unit_test(planted_lanes_that_tell_of_others_are_found),
    cmocka_unit_test(asynchronous_operations_behind_copies_are_no_findings),
    cmocka_unit_test(planted_asynchronous_operations_over_copies_are_found),
    cmocka_unit_test(copies_that_are_fenced_behind_their_end_are_no_findings),
    cmocka_unit_test(planted_fences_before_the_end_of_copies_are_found),
    cmocka_unit_test(fences_for_lanes_and_other_blocks_are_no_findings),
    cmocka_unit_test(planted_fences_of_too_few_are_found),
    cmocka_unit_test(signals_for_others_are_right),
    cmocka_unit_test(planted_signals_for_others_are_found),
    cmocka_unit_test(blocks_that_hear_by_others_are_no_findings),
    cmocka_unit_test(clusters_that_tell_the_grid_are_no_findings),
    cmocka_unit_test(planted_clusters_that_tell_too_little_are_found),
    cmocka_unit_test(scales_loaded_ahead_of_products_are_no_findings),
    cmocka_unit_test(planted_scales_that_copies_write_over_are_found),
    cmocka_unit_test(stores_over_what_lanes_have_exchanged_are_no_findings),
    cmocka_unit_test(planted_stores_over_what_nobody_exchanged_are_found),
    cmocka_unit_test(what_comes_back_by_another_way_is_no_finding),
    cmocka_unit_test(planted_ways_that_lack_a_link_are_found),
    cmocka_unit_test(planted_fences_of_one_block_of_many_are_found),
    cmocka_unit_test(messages_within_their_scope_are_no_findings),
    cmocka_unit_test(planted_messages_beyond_their_scope_are_found),
    cmocka_unit_test(protocols_between_blocks_and_warps_are_no_findings),
    cmocka_unit_test(kernels_that_compilers_make_are_no_findings),
    cmocka_unit_test(planted_bugs_that_a_compiler_made_are_found),
    cmocka_unit_test(planted_bugs_between_blocks_and_warps_are_found),
    cmocka_unit_test(buffers_and_stages_in_turns_are_no_findings),
    cmocka_unit_test(planted_turns_are_found),
    cmocka_unit_test(edges_of_clusters_fences_and_tiles_are_no_findings),
    cmocka_unit_test(planted_uses_beyond_an_edge_are_found),
    cmocka_unit_test(accesses_in_any_interleaving_are_no_findings),
    cmocka_unit_test(planted_interleavings_are_found),
    cmocka_unit_test(styles_of_libraries_are_no_findings),
    cmocka_unit_test(planted_bugs_in_styles_of_libraries_are_found),
    cmocka_unit_test(kernels_as_libraries_mended_them_are_no_findings),
    cmocka_unit_test(planted_bugs_that_libraries_shipped_are_found),
    cmocka_unit_test(blocks_too_many_to_be_turned_are_told),
    cmocka_unit_test(at_most_3_percent_of_planted_bugs_are_known_misses),
    cmocka_unit_test(the_page_has_the_tally),
};
enum { OTHERS = 3, CASES_OF_ALL = sizeof tests / sizeof *tests };
static_assert(CASES_OF_ALL == FILES + OTHERS, "each file has a case, which runs it");

HONE_TEST_MAIN_WITH(tests, open_machine, close_machine)
