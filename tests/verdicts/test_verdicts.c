// What verification says of kernels whose verdict is known: of correct ones nothing, of
// planted bugs the finding and its line. HONE_VERDICT=NAME runs one kernel alone.
#include "verdict_file.h"
#include "verdict_run.h"

#include "file.h"
#include "hone_test.h"

#include <string.h>

// The files: one case below each.
static const char *const files[] = {
    "correct/hoisted.cu",    "correct/exits.cu",  "correct/tiles.cu",
    "correct/warps.cu",      "correct/packed.cu", "correct/blocks.cu",
    "correct/algorithms.cu", "correct/parts.cu",  "correct/dropped.cu",
    "correct/groups.cu",     "correct/cub.cu",
};
enum { FILES = sizeof files / sizeof *files };

struct exception {
    const char *kernel, *reason;
};

// Kernels whose verdict is not true yet, with what it takes; a mend takes them off.
#define PART  "a load of which only a part that is dropped is in a race"
#define GUESS "a plain load that is only a guess for an atomic operation"
static const struct exception not_yet[] = {
    {"maximum_of_floats_by_compare_and_swap", GUESS},
    {"plain_look_before_an_atomic_maximum", GUESS},
    {"vector_of_which_one_component_is_in_a_race", PART},
    {"own_byte_of_a_word_in_a_race", PART},
    {"half_of_a_long_word_in_a_race", PART},
    {"sums_of_eighths_with_masks_of_their_own",
     "lanes of one instruction with masks of their own"},
    {"halves_synchronised_by_masks", "lanes of one instruction with masks of their own"},
    {"aggregated_by_match", "lanes of one instruction with masks of their own"},
    {"tiles_of_a_block", "lanes of one instruction with masks of their own"},
    {"padding_moved_to_a_workspace", "padding stored to global memory"},
    {NULL, NULL},
};

// Planted bugs that nothing finds, with the reason.
static const struct exception known_misses[] = {
    {NULL, NULL},
};

static struct verdict_machine machine;

static int open_machine(void **state)
{
    (void)state;
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
            if (is_expected(&trial->found, file, &kernel->expects[i])) return;
    }
    snprintf(out, size, "%s:%u: %s: %s, %s at line %u: %s", file->name,
             kernel->first_line, kernel->name, hone_outcome_name(trial->outcome),
             hone_finding_name(trial->found.finding), trial->found.line, trial->reason);
}

static const char *find_exception(const struct exception *list, const char *kernel)
{
    for (; list->kernel; list++)
        if (strcmp(list->kernel, kernel) == 0) return list->reason;
    return NULL;
}

static const char *why_excepted(const char *kernel)
{
    const char *reason = find_exception(not_yet, kernel);
    return reason ? reason : find_exception(known_misses, kernel);
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
    return wrong && !excepted;
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
    if (!machine.device) SKIP("no NVRTC or no emulator");
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
};

HONE_TEST_MAIN_WITH(tests, open_machine, close_machine)
