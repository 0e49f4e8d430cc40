// Random kernels, compiled by NVRTC and run on the emulator, against the same text
// compiled by the host's compiler: bit by bit. HONE_RANDOM_KERNELS and HONE_RANDOM_SEED
// ask for more of them than a test run does, with a line of progress now and then; one that
// differs is written to the file that HONE_RANDOM_TEXT names.
#include "emu_kernel.h"

#include <dlfcn.h>

#include "random_kernel.h"

enum { BATCH = 16, PROGRESS = 10 * BATCH, WORDS = RANDOM_THREADS * RANDOM_WORDS };

typedef void host_kernel(const unsigned *in, unsigned *out);

static struct hone_builder *open_builder(void)
{
    struct hone_builder *builder = NULL;
    struct hone_error err = {0};
    const struct hone_builder_options options = {.cache_folder = "", .threads = 1};
    enum hone_status status = hone_builder_new(&builder, &options, &err);
    if (status == HONE_ENODEVICE) SKIP("%s", err.text);
    assert_ok(status, err);
    return builder;
}

static void add_file(struct hone_strbuf *text, const char *name)
{
    char path[512];
    char *file = NULL;
    struct hone_error err = {0};
    snprintf(path, sizeof path, "%s/tests/random/%s", HONE_SOURCE_DIR, name);
    assert_ok(hone_file_read(&file, NULL, path, &err), err);
    hone_strbuf_add(text, file);
    free(file);
}

static char *write_batch(uint64_t seed, bool device)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    add_file(&text, device ? "device.cuh" : "host.h");
    add_file(&text, "common.h");
    for (uint64_t k = 0; k < BATCH; k++) {
        char name[16];
        struct hone_rng rng;
        hone_rng_seed(&rng, seed + k);
        snprintf(name, sizeof name, "k%d", (int)k);
        random_kernel(&text, name, &rng, device);
    }
    return hone_strbuf_steal(&text);
}

static const struct hone_build *build_device(struct hone_builder *builder, uint64_t seed)
{
    static const char *const options[] = {"--fmad=false"};
    struct hone_error err = {0};
    const struct hone_build *build = NULL;
    char *source = write_batch(seed, true);
    uint64_t ticket;
    struct hone_build_request request = {.source = source,
                                         .entry = "k0",
                                         .arch = "compute_80",
                                         .options = options,
                                         .option_count = 1};
    assert_ok(hone_builder_submit(builder, &request, &ticket, &err), err);
    assert_ok(hone_builder_take(builder, ticket, &build, &err), err);
    if (build->outcome != HONE_VALID) fail_msg("%s\n%s", build->log, source);
    free(source);
    return build;
}

// The batch as a shared object in a folder of its own, which is removed at once. Without
// -frounding-math gcc 12 takes 0.0f - (float)i for -(float)i, which has another sign.
static void *build_host(uint64_t seed)
{
    char folder[] = "/tmp/hone-random-XXXXXX", path[64], command[256];
    struct hone_error err = {0};
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/k.c", folder);
    char *source = write_batch(seed, false);
    assert_ok(hone_file_write(path, source, strlen(source), &err), err);
    free(source);
    snprintf(command, sizeof command,
             "cc -w -O0 -ffp-contract=off -frounding-math -shared -fPIC "
             "-o %s/k.so %s/k.c -lm",
             folder, folder);
    int failed = system(command);
    snprintf(path, sizeof path, "%s/k.so", folder);
    void *library = failed ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command) != 0 || failed) SKIP("no working cc");
    assert_non_null(library);
    return library;
}

static void fill(unsigned *in, uint64_t seed)
{
    struct hone_rng rng;
    hone_rng_seed(&rng, seed);
    for (int i = 0; i < WORDS; i++) {
        uint64_t x = hone_rng_next(&rng);
        in[i] = x % 3 == 0 ? (unsigned)(x >> 8) % 64 : (unsigned)(x >> 32);
    }
}

static void run_emulated(struct emu *emu, const struct hone_build *build,
                         const char *name, const unsigned *in, unsigned *out)
{
    if (!emu_load(emu, build->ptx, name)) fail_msg("%s: %s", name, emu->fault.reason);
    hone_devptr from = emu_buffer(emu, in, WORDS * 4),
                to = emu_buffer(emu, NULL, WORDS * 4);
    struct emu_args args = {0};
    EMU_ARG(args, from), EMU_ARG(args, to);
    struct hone_launch launch = emu_geometry(&args, 1, RANDOM_THREADS);
    launch.check = true;
    if (!emu_run(emu, &launch)) fail_msg("%s: %s", name, emu->fault.reason);
    emu_fetch(emu, out, to, WORDS * 4);
    emu->dev->fns->free(emu->dev, from);
    emu->dev->fns->free(emu->dev, to);
}

static void keep_text(uint64_t seed)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    struct hone_rng rng;
    const char *path = getenv("HONE_RANDOM_TEXT");
    for (int device = 0; path && device < 2; device++) {
        hone_rng_seed(&rng, seed);
        random_kernel(&text, device ? "on_device" : "on_host", &rng, device);
    }
    if (path) hone_file_write(path, text.data, text.len, NULL);
    hone_strbuf_fini(&text);
}

static void compare(struct emu *emu, const struct hone_build *build, void *library,
                    uint64_t seed, int k)
{
    static unsigned in[WORDS], out[WORDS], expected[WORDS];
    char name[16];
    host_kernel *host;
    snprintf(name, sizeof name, "k%d", k);
    fill(in, seed + (uint64_t)k);
    void *symbol = dlsym(library, name);
    memcpy(&host, &symbol, sizeof host);
    host(in, expected);
    run_emulated(emu, build, name, in, out);
    if (memcmp(out, expected, sizeof out) != 0) keep_text(seed + (uint64_t)k);
    for (int i = 0; i < WORDS; i++)
        if (out[i] != expected[i])
            fail_msg("seed %llu: word %d of thread %d is 0x%x, on the host 0x%x",
                     (unsigned long long)(seed + (uint64_t)k), i % RANDOM_WORDS,
                     i / RANDOM_WORDS, out[i], expected[i]);
}

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *value = getenv(name);
    return value ? strtoull(value, NULL, 10) : otherwise;
}

static void print_progress(uint64_t done, uint64_t count)
{
    if (done % PROGRESS != 0 && done < count) return;
    printf("%llu kernels agree\n", (unsigned long long)done);
    fflush(stdout);
}

static void random_kernels_equal_the_host(void **state)
{
    struct emu emu;
    uint64_t count = setting("HONE_RANDOM_KERNELS", BATCH);
    uint64_t seed = setting("HONE_RANDOM_SEED", 1);
    (void)state;
    struct hone_builder *builder = open_builder();
    emu_open(&emu);
    for (uint64_t done = 0; done < count; done += BATCH, seed += BATCH) {
        const struct hone_build *build = build_device(builder, seed);
        void *library = build_host(seed);
        for (int k = 0; k < BATCH; k++)
            compare(&emu, build, library, seed, k);
        dlclose(library);
        hone_build_release(build);
        if (count > BATCH) print_progress(done + BATCH, count);
    }
    emu_close(&emu);
    hone_builder_free(builder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_kernels_equal_the_host),
};

HONE_TEST_MAIN(tests)
