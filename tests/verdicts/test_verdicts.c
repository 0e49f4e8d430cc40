// What verification says of kernels whose verdict is known: of correct ones nothing, of
// planted bugs the finding and its line. HONE_VERDICT=NAME runs one kernel alone.
#include "verdict_file.h"
#include "verdict_run.h"
#include "verdict_tally.h"

#include "base/file.h"
#include "hone/evaluate.h"
#include "hone_test.h"

#include <string.h>

// The file of each case, in the order of the list below; NULL behind the last.
static const char *file_at(size_t number);

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
    for (size_t i = 0; file_at(i); i++)
        if (has_kernel(file_at(i), kernel)) return true;
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

static void check_file(void **state)
{
    const char *name = *state;
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
    for (size_t i = 0; file_at(i); i++)
        verdict_tally_add(&tally, file_at(i), &exceptions);
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
    for (size_t i = 0; file_at(i); i++)
        verdict_tally_add(&tally, file_at(i), &exceptions);
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

// Those without a file come last.
static const struct CMUnitTest tests[] = {
    cmocka_unit_test_of(values_that_do_not_matter_are_no_findings, "correct/hoisted.cu"),
    cmocka_unit_test_of(tails_and_early_exits_are_no_findings, "correct/exits.cu"),
    cmocka_unit_test_of(tiles_are_no_findings, "correct/tiles.cu"),
    cmocka_unit_test_of(exchanges_within_warps_are_no_findings, "correct/warps.cu"),
    cmocka_unit_test_of(packed_values_are_no_findings, "correct/packed.cu"),
    cmocka_unit_test_of(blocks_that_work_together_are_no_findings, "correct/blocks.cu"),
    cmocka_unit_test_of(sums_by_atomic_operations_are_no_findings, "correct/atomics.cu"),
    cmocka_unit_test_of(algorithms_are_no_findings, "correct/algorithms.cu"),
    cmocka_unit_test_of(unused_parts_of_words_are_no_findings, "correct/parts.cu"),
    cmocka_unit_test_of(loads_that_are_dropped_are_no_findings, "correct/dropped.cu"),
    cmocka_unit_test_of(cooperative_groups_are_no_findings, "correct/groups.cu"),
    cmocka_unit_test_of(primitives_of_cub_are_no_findings, "correct/cub.cu"),
    cmocka_unit_test_of(planted_barriers_are_found, "planted/barriers.cu"),
    cmocka_unit_test_of(planted_bugs_within_warps_are_found, "planted/warps.cu"),
    cmocka_unit_test_of(planted_asynchronous_copies_are_found, "planted/copies.cu"),
    cmocka_unit_test_of(planted_accesses_out_of_bounds_are_found, "planted/bounds.cu"),
    cmocka_unit_test_of(planted_unwritten_values_are_found, "planted/unwritten.cu"),
    cmocka_unit_test_of(planted_bugs_between_blocks_are_found, "planted/blocks.cu"),
    cmocka_unit_test_of(planted_kernels_that_do_not_end_are_found, "planted/ends.cu"),
    cmocka_unit_test_of(planted_bugs_in_a_part_are_found, "planted/parts.cu"),
    cmocka_unit_test_of(planted_races_whose_values_matter_are_found, "planted/races.cu"),
    cmocka_unit_test_of(guesses_for_atomic_operations_are_no_findings,
                        "correct/guesses.cu"),
    cmocka_unit_test_of(planted_guesses_that_decide_more_are_found, "planted/guesses.cu"),
    cmocka_unit_test_of(undefined_bits_in_workspaces_are_no_findings,
                        "correct/workspaces.cu"),
    cmocka_unit_test_of(planted_uses_of_workspaces_are_found, "planted/workspaces.cu"),
    cmocka_unit_test_of(plain_stores_before_atomics_are_no_findings, "correct/masked.cu"),
    cmocka_unit_test_of(planted_stores_behind_atomics_are_found, "planted/masked.cu"),
    cmocka_unit_test_of(blocks_that_run_in_any_order_are_no_findings,
                        "correct/turned.cu"),
    cmocka_unit_test_of(planted_orders_of_blocks_are_found, "planted/turned.cu"),
    cmocka_unit_test_of(arrivals_that_order_are_no_findings, "correct/arrivals.cu"),
    cmocka_unit_test_of(planted_arrivals_are_found, "planted/arrivals.cu"),
    cmocka_unit_test_of(fragments_of_wmma_are_no_findings, "correct/fragments.cu"),
    cmocka_unit_test_of(bulk_copies_are_no_findings, "correct/hopper_copies.cu"),
    cmocka_unit_test_of(products_of_warp_groups_are_no_findings,
                        "correct/hopper_gemm.cu"),
    cmocka_unit_test_of(clusters_are_no_findings, "correct/hopper_clusters.cu"),
    cmocka_unit_test_of(tensor_maps_that_are_published_are_no_findings,
                        "correct/hopper_maps.cu"),
    cmocka_unit_test_of(planted_uses_of_two_proxies_are_found,
                        "planted/hopper_proxies.cu"),
    cmocka_unit_test_of(planted_waits_for_stages_are_found, "planted/hopper_waits.cu"),
    cmocka_unit_test_of(planted_counts_of_objects_are_found, "planted/hopper_counts.cu"),
    cmocka_unit_test_of(planted_refills_of_stages_are_found, "planted/hopper_stages.cu"),
    cmocka_unit_test_of(planted_products_of_warp_groups_are_found,
                        "planted/hopper_products.cu"),
    cmocka_unit_test_of(planted_uses_of_other_blocks_are_found,
                        "planted/hopper_clusters.cu"),
    cmocka_unit_test_of(counts_of_a_cluster_are_no_findings, "correct/hopper_tallies.cu"),
    cmocka_unit_test_of(planted_looks_at_counts_of_a_cluster_are_found,
                        "planted/hopper_tallies.cu"),
    cmocka_unit_test_of(planted_disagreements_of_blocks_are_found,
                        "planted/hopper_agreements.cu"),
    cmocka_unit_test_of(planted_tensor_maps_are_found, "planted/hopper_maps.cu"),
    cmocka_unit_test_of(copies_that_write_the_same_are_no_findings,
                        "correct/hopper_stores.cu"),
    cmocka_unit_test_of(planted_copies_that_meet_are_found, "planted/hopper_stores.cu"),
    cmocka_unit_test_of(launches_that_are_not_plain_are_no_findings,
                        "correct/launches.cu"),
    cmocka_unit_test_of(planted_barriers_of_the_grid_are_found, "planted/launches.cu"),
    cmocka_unit_test_of(device_memory_fenced_for_copies_has_no_findings,
                        "correct/hopper_device.cu"),
    cmocka_unit_test_of(planted_device_memory_without_fences_is_found,
                        "planted/hopper_device.cu"),
    cmocka_unit_test_of(planted_refills_of_another_block_are_found,
                        "planted/hopper_refills.cu"),
    cmocka_unit_test_of(styles_of_public_kernels_are_no_findings,
                        "correct/hopper_styles.cu"),
    cmocka_unit_test_of(copies_of_libcuda_are_no_findings, "correct/hopper_libcuda.cu"),
    cmocka_unit_test_of(waits_for_the_right_phase_are_no_findings,
                        "correct/hopper_phases.cu"),
    cmocka_unit_test_of(planted_waits_for_another_phase_are_found,
                        "planted/hopper_phases.cu"),
    cmocka_unit_test_of(blocks_that_end_behind_their_copies_are_no_findings,
                        "correct/hopper_ends.cu"),
    cmocka_unit_test_of(planted_blocks_that_end_too_early_are_found,
                        "planted/hopper_ends.cu"),
    cmocka_unit_test_of(objects_that_other_blocks_see_are_no_findings,
                        "correct/hopper_begins.cu"),
    cmocka_unit_test_of(planted_objects_that_nobody_sees_are_found,
                        "planted/hopper_begins.cu"),
    cmocka_unit_test_of(launches_behind_another_are_no_findings,
                        "correct/hopper_dependent.cu"),
    cmocka_unit_test_of(planted_uses_of_the_launch_before_are_found,
                        "planted/hopper_dependent.cu"),
    cmocka_unit_test_of(protocols_at_their_edges_are_no_findings,
                        "correct/hopper_protocols.cu"),
    cmocka_unit_test_of(planted_bugs_in_protocols_are_found,
                        "planted/hopper_protocols.cu"),
    cmocka_unit_test_of(exchanges_within_a_cluster_are_no_findings,
                        "correct/hopper_exchanges.cu"),
    cmocka_unit_test_of(planted_bugs_in_exchanges_are_found,
                        "planted/hopper_exchanges.cu"),
    cmocka_unit_test_of(attention_beside_its_softmax_has_no_findings,
                        "correct/hopper_attention.cu"),
    cmocka_unit_test_of(planted_bugs_in_attention_are_found,
                        "planted/hopper_attention.cu"),
    cmocka_unit_test_of(producers_of_more_than_tiles_are_no_findings,
                        "correct/hopper_producers.cu"),
    cmocka_unit_test_of(planted_bugs_of_producers_are_found,
                        "planted/hopper_producers.cu"),
    cmocka_unit_test_of(operands_that_are_no_rows_are_no_findings,
                        "correct/hopper_operands.cu"),
    cmocka_unit_test_of(planted_operands_of_products_are_found,
                        "planted/hopper_operands.cu"),
    cmocka_unit_test_of(blocks_that_join_are_no_findings, "correct/hopper_joined.cu"),
    cmocka_unit_test_of(planted_bugs_where_blocks_join_are_found,
                        "planted/hopper_joined.cu"),
    cmocka_unit_test_of(results_that_leave_from_a_ring_are_no_findings,
                        "correct/hopper_results.cu"),
    cmocka_unit_test_of(planted_results_in_a_ring_are_found, "planted/hopper_results.cu"),
    cmocka_unit_test_of(lanes_that_tell_what_they_know_are_no_findings,
                        "correct/hopper_lanes.cu"),
    cmocka_unit_test_of(planted_lanes_that_tell_of_others_are_found,
                        "planted/hopper_lanes.cu"),
    cmocka_unit_test_of(asynchronous_operations_behind_copies_are_no_findings,
                        "correct/hopper_flights.cu"),
    cmocka_unit_test_of(planted_asynchronous_operations_over_copies_are_found,
                        "planted/hopper_flights.cu"),
    cmocka_unit_test_of(copies_that_are_fenced_behind_their_end_are_no_findings,
                        "correct/hopper_filled.cu"),
    cmocka_unit_test_of(planted_fences_before_the_end_of_copies_are_found,
                        "planted/hopper_filled.cu"),
    cmocka_unit_test_of(fences_for_lanes_and_other_blocks_are_no_findings,
                        "correct/hopper_fences.cu"),
    cmocka_unit_test_of(planted_fences_of_too_few_are_found, "planted/hopper_fences.cu"),
    cmocka_unit_test_of(signals_for_others_are_right, "correct/signals.cu"),
    cmocka_unit_test_of(planted_signals_for_others_are_found, "planted/signals.cu"),
    cmocka_unit_test_of(flags_that_tell_of_others_are_right, "correct/flags.cu"),
    cmocka_unit_test_of(planted_flags_for_others_are_found, "planted/flags.cu"),
    cmocka_unit_test_of(looks_ahead_of_their_signal_are_right, "correct/looks.cu"),
    cmocka_unit_test_of(planted_looks_behind_their_signal_are_found, "planted/looks.cu"),
    cmocka_unit_test_of(blocks_that_hear_by_others_are_no_findings,
                        "correct/large_grids.cu"),
    cmocka_unit_test_of(clusters_that_tell_the_grid_are_no_findings,
                        "correct/hopper_grids.cu"),
    cmocka_unit_test_of(planted_clusters_that_tell_too_little_are_found,
                        "planted/hopper_grids.cu"),
    cmocka_unit_test_of(scales_loaded_ahead_of_products_are_no_findings,
                        "correct/hopper_scales.cu"),
    cmocka_unit_test_of(planted_scales_that_copies_write_over_are_found,
                        "planted/hopper_scales.cu"),
    cmocka_unit_test_of(stores_over_what_lanes_have_exchanged_are_no_findings,
                        "correct/exchanged.cu"),
    cmocka_unit_test_of(planted_stores_over_what_nobody_exchanged_are_found,
                        "planted/exchanged.cu"),
    cmocka_unit_test_of(what_comes_back_by_another_way_is_no_finding,
                        "correct/hopper_returns.cu"),
    cmocka_unit_test_of(planted_ways_that_lack_a_link_are_found,
                        "planted/hopper_returns.cu"),
    cmocka_unit_test_of(planted_fences_of_one_block_of_many_are_found,
                        "planted/large_grids.cu"),
    cmocka_unit_test_of(messages_within_their_scope_are_no_findings,
                        "correct/hopper_scopes.cu"),
    cmocka_unit_test_of(planted_messages_beyond_their_scope_are_found,
                        "planted/hopper_scopes.cu"),
    cmocka_unit_test_of(protocols_between_blocks_are_no_findings,
                        "correct/hopper_schedules.cu"),
    cmocka_unit_test_of(handovers_between_warps_are_no_findings,
                        "correct/hopper_handovers.cu"),
    cmocka_unit_test_of(kernels_that_compilers_make_are_no_findings,
                        "correct/hopper_generated.cu"),
    cmocka_unit_test_of(planted_bugs_that_a_compiler_made_are_found,
                        "planted/hopper_generated.cu"),
    cmocka_unit_test_of(planted_bugs_of_schedules_are_found,
                        "planted/hopper_schedules.cu"),
    cmocka_unit_test_of(planted_bugs_of_handovers_are_found,
                        "planted/hopper_handovers.cu"),
    cmocka_unit_test_of(buffers_and_stages_in_turns_are_no_findings,
                        "correct/hopper_turns.cu"),
    cmocka_unit_test_of(planted_turns_are_found, "planted/hopper_turns.cu"),
    cmocka_unit_test_of(edges_of_clusters_fences_and_tiles_are_no_findings,
                        "correct/hopper_edges.cu"),
    cmocka_unit_test_of(planted_uses_beyond_an_edge_are_found, "planted/hopper_edges.cu"),
    cmocka_unit_test_of(accesses_in_any_interleaving_are_no_findings,
                        "correct/interleaved.cu"),
    cmocka_unit_test_of(planted_interleavings_are_found, "planted/interleaved.cu"),
    cmocka_unit_test_of(styles_of_libraries_are_no_findings, "correct/styles.cu"),
    cmocka_unit_test_of(planted_bugs_in_styles_of_libraries_are_found,
                        "planted/styles.cu"),
    cmocka_unit_test_of(kernels_as_libraries_mended_them_are_no_findings,
                        "correct/hopper_shipped.cu"),
    cmocka_unit_test_of(planted_bugs_that_libraries_shipped_are_found,
                        "planted/hopper_shipped.cu"),
    cmocka_unit_test(blocks_too_many_to_be_turned_are_told),
    cmocka_unit_test(at_most_3_percent_of_planted_bugs_are_known_misses),
    cmocka_unit_test(the_page_has_the_tally),
};

static const char *file_at(size_t number)
{
    return number < sizeof tests / sizeof *tests ? tests[number].initial_state : NULL;
}

HONE_TEST_MAIN_WITH(tests, open_machine, close_machine)
