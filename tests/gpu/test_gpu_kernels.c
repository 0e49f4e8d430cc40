// The kernels of the GPU tests compile for every architecture, so a machine with a GPU is
// not the first to see a mistake in them, what raises the clocks is work, and what the
// questions measure is in their code.
#include <dlfcn.h>

#include "build/library.h"
#include "gpu/gpu_kit.h"
#include "own_kernels.h"

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

// The functions of nvJitLink, which assembles PTX as a driver does (its documentation,
// sections 3 and 4).
struct assembler {
    int (*create)(void **handle, uint32_t count, const char **options);
    int (*add)(void *handle, int kind, const void *data, size_t size, const char *name);
    int (*complete)(void *handle);
    int (*size)(void *handle, size_t *size);
    int (*get)(void *handle, void *cubin);
    int (*destroy)(void **handle);
};

static struct assembler find_assembler(void)
{
    static const struct hone_library wanted = {
        .what = "nvJitLink",
        .environment = "HONE_NVJITLINK",
        .sonames = {"libnvJitLink.so.13", "libnvJitLink.so.12"}};
    static const char *const names[] = {
        "nvJitLinkCreate",         "nvJitLinkAddData",
        "nvJitLinkComplete",       "nvJitLinkGetLinkedCubinSize",
        "nvJitLinkGetLinkedCubin", "nvJitLinkDestroy"};
    struct assembler assembler;
    struct hone_error err = {0};
    void *library = NULL;
    if (hone_library_open(&library, &wanted, NULL, &err) != HONE_OK) SKIP("%s", err.text);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *symbol = dlsym(library, names[i]);
        assert_non_null(symbol);
        memcpy((char *)&assembler + i * sizeof symbol, &symbol, sizeof symbol);
    }
    return assembler;
}

// Instructions with these low bits of 16 bytes, in code of sm_75 and later (nvdisasm
// -hex): FFMA in all its forms, and LDG.
enum { FFMA = 0x023, LDG = 0x181 };

static size_t count_instructions(const uint64_t *words, size_t count, unsigned bits)
{
    size_t found = 0;
    for (size_t i = 0; i + 1 < count; i += 2)
        found += (words[i] & 0x1ff) == bits && words[i];
    return found;
}

// An assembler drops work that nobody needs the result of, and an emulator does not: the
// kernels that raise the clocks and read L2 clean would be empty on a GPU alone.
static void work_is_left_by_the_assembler(void **state)
{
    (void)state;
    enum { PTX = 2 };
    const struct assembler as = find_assembler();
    void *handle = NULL;
    const char *options[] = {"-arch=sm_90a"};
    size_t size = 0;
    assert_int_equal(as.create(&handle, 1, options), 0);
    assert_int_equal(as.add(handle, PTX, hone_own_ptx, hone_own_ptx_size + 1, "own"), 0);
    assert_int_equal(as.complete(handle), 0);
    assert_int_equal(as.size(handle, &size), 0);
    uint64_t *cubin = calloc(size / 8 + 1, 8);
    assert_int_equal(as.get(handle, cubin), 0);
    as.destroy(&handle);
    assert_true(count_instructions(cubin, size / 8, FFMA) >= 4);
    assert_true(count_instructions(cubin, size / 8, LDG) >= 1);
    free(cubin);
}

extern const unsigned char gpu_questions_source[];

// Instructions by the low 9 bits of their 16 bytes (nvdisasm -hex, code of sm_90).
enum { HGMMA = 0x1f0, QGMMA = 0x1f3, TENSOR_LOAD = 0x1b4, BULK_LOAD = 0x1ba };

static size_t count_code(const struct hone_build *build, unsigned code)
{
    size_t found = 0;
    for (size_t at = 0; at + 16 <= build->cubin_size; at += 16) {
        uint64_t word;
        memcpy(&word, (const char *)build->cubin + at, sizeof word);
        found += (word & 0x1ff) == code;
    }
    return found;
}

static const struct part {
    const char *define, *entry;
    unsigned code;
    size_t least; // of such instructions
} parts[] = {
    {"-DASK_GENERAL", "carry", 0, 0},
    {"-DASK_ASYNC", "tma_box", TENSOR_LOAD, 2},
    {"-DASK_ASYNC", "tma_box", BULK_LOAD, 2},
    {"-DASK_LAYOUT", "wgmma_a_k", HGMMA, 4},
    {"-DASK_LAYOUT", "wgmma_a_k", QGMMA, 1},
    {"-DASK_CYCLES", "wgmma_rs_8", HGMMA, 2 * 8 * (8 + 72)},
};

static const struct hone_build *build_part(struct hone_builder *builder,
                                           const struct part *part, const char *arch)
{
    const struct hone_build_request request = {.source =
                                                   (const char *)gpu_questions_source,
                                               .source_name = "questions.cu",
                                               .entry = part->entry,
                                               .arch = arch,
                                               .options = &part->define,
                                               .option_count = 1};
    const struct hone_build *build = NULL;
    struct hone_error err = {0};
    uint64_t ticket = 0;
    assert_ok(hone_builder_submit(builder, &request, &ticket, &err), err);
    assert_ok(hone_builder_take(builder, ticket, &build, &err), err);
    if (build->outcome != HONE_VALID) fail_msg("%s: %s", part->define, build->reason);
    return build;
}

// An assembler that serializes wgmma (C7510 to C7520) or drops what is to be measured
// would make an answer about itself.
static void questions_assemble_to_what_they_measure(void **state)
{
    (void)state;
    struct hone_builder *builder = NULL;
    struct hone_error err = {0};
    const struct hone_builder_options options = {.cache_folder = "", .threads = 1};
    if (hone_builder_new(&builder, &options, &err) == HONE_ENODEVICE)
        SKIP("%s", err.text);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const struct part *part = &parts[i];
        const struct hone_build *build = build_part(builder, part, "sm_90a");
        if (strstr(build->log, "C75") || strstr(build->log, "warning"))
            fail_msg("%s: %s", part->define, build->log);
        if (part->least > 0)
            assert_in_range(count_code(build, part->code), part->least, SIZE_MAX);
        hone_build_release(build);
    }
    hone_builder_free(builder);
}

static void questions_for_any_gpu_compile_for_all(void **state)
{
    (void)state;
    const char *const arches[] = {"sm_75", "sm_80", "sm_89", "sm_100a", "sm_120"};
    struct hone_builder *builder = NULL;
    struct hone_error err = {0};
    const struct hone_builder_options options = {.cache_folder = "", .threads = 1};
    if (hone_builder_new(&builder, &options, &err) == HONE_ENODEVICE)
        SKIP("%s", err.text);
    for (size_t i = 0; i < sizeof arches / sizeof *arches; i++)
        hone_build_release(build_part(builder, &parts[0], arches[i]));
    hone_build_release(build_part(builder, &parts[1], "sm_100a"));
    hone_builder_free(builder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(kernels_of_the_gpu_tests_compile),
    cmocka_unit_test(questions_assemble_to_what_they_measure),
    cmocka_unit_test(questions_for_any_gpu_compile_for_all),
    cmocka_unit_test(work_is_left_by_the_assembler),
};
HONE_TEST_MAIN(tests)
