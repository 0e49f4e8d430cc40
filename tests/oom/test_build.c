// Building under memory that runs out anywhere, with and without a cache.
#include <string.h>

#include "hone/build.h"
#include "hone_test.h"
#include "oom.h"

static struct hone_builder_options options = {.cache_folder = "", .threads = 1};

static void need_nvrtc(void)
{
    struct hone_builder *builder = NULL;
    struct hone_error err = {0};
    if (hone_builder_new(&builder, &options, &err) == HONE_ENODEVICE)
        SKIP("%s", err.text);
    hone_builder_free(builder);
}

static enum hone_status build_once(struct hone_builder *builder,
                                   const struct hone_build_request *request,
                                   struct hone_error *err)
{
    uint64_t ticket;
    const struct hone_build *build = NULL;
    enum hone_status status = hone_builder_submit(builder, request, &ticket, err);
    if (!status) status = hone_builder_take(builder, ticket, &build, err);
    if (!status) assert_int_equal(build->outcome, HONE_VALID);
    hone_build_release(build);
    return status;
}

// One thread, and the main thread waits while it works: allocations come in one order.
static enum hone_status open_and_build(void *context, struct hone_error *err)
{
    (void)context;
    const char *const flags[] = {"-DA=1", "-DB=2"};
    const struct hone_build_header header = {"c.h", "#define C 3"};
    const struct hone_build_request request = {
        .source = "#include \"c.h\"\n"
                  "extern \"C\" __global__ void k(int *p) { *p = A + B + C; }",
        .source_name = "k.cu",
        .entry = "k",
        .arch = "sm_80",
        .options = flags,
        .option_count = 2,
        .headers = &header,
        .header_count = 1};
    struct hone_builder *builder = NULL;
    enum hone_status status = hone_builder_new(&builder, &options, err);
    if (!status) status = build_once(builder, &request, err);
    hone_builder_free(builder);
    return status;
}

static void build_survives_every_failing_allocation(void **state)
{
    (void)state;
    options.cache_folder = "";
    need_nvrtc();
    oom_check(open_and_build, NULL);
}

static enum hone_status empty_the_cache_and_build(void *context, struct hone_error *err)
{
    char command[512];
    snprintf(command, sizeof command, "rm -rf '%s'", options.cache_folder);
    assert_int_equal(system(command), 0);
    return open_and_build(context, err);
}

static void cache_survives_every_failing_allocation(void **state)
{
    (void)state;
    options.cache_folder = HONE_BINARY_DIR "/scratch/oom_cache";
    need_nvrtc();
    oom_check(empty_the_cache_and_build, NULL);
    oom_check(open_and_build, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(build_survives_every_failing_allocation),
    cmocka_unit_test(cache_survives_every_failing_allocation),
};

HONE_TEST_MAIN(tests)
