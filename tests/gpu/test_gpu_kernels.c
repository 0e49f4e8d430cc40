// The kernels of the GPU tests compile for every architecture, so a machine with a GPU is
// not the first to see a mistake in them.
#include "gpu/gpu_kit.h"

static void kernels_of_the_gpu_tests_compile(void **state)
{
    (void)state;
    const char *const arches[] = {"sm_75",  "sm_80",   "sm_89",
                                  "sm_90a", "sm_100a", "sm_120"};
    const char *const entries[] = {"add_one", "copy",  "spin",       "reverse", "wide",
                                   "tile",    "touch", "misaligned", "trap_now"};
    struct hone_builder *builder = NULL;
    struct hone_error err = {0};
    const struct hone_builder_options options = {.cache_folder = "", .threads = 2};
    if (hone_builder_new(&builder, &options, &err) == HONE_ENODEVICE)
        SKIP("%s", err.text);
    for (size_t i = 0; i < sizeof arches / sizeof *arches; i++) {
        const char *entry = entries[i % (sizeof entries / sizeof *entries)];
        const struct hone_build_request request = {.source =
                                                       (const char *)gpu_kernels_source,
                                                   .source_name = "kernels.cu",
                                                   .entry = entry,
                                                   .arch = arches[i]};
        const struct hone_build *build = NULL;
        uint64_t ticket = 0;
        assert_ok(hone_builder_submit(builder, &request, &ticket, &err), err);
        assert_ok(hone_builder_take(builder, ticket, &build, &err), err);
        if (build->outcome != HONE_VALID) fail_msg("%s: %s", arches[i], build->reason);
        for (size_t e = 0; e < sizeof entries / sizeof *entries; e++)
            assert_non_null(strstr(build->ptx, entries[e]));
        hone_build_release(build);
    }
    hone_builder_free(builder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(kernels_of_the_gpu_tests_compile),
};
HONE_TEST_MAIN(tests)
