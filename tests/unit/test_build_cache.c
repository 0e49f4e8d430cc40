// The cache of builds: its entries, its keys, folders that are not to be trusted, what is
// kept in memory.
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/log.h"
#include "build/cache.h"
#include "hone/build.h"
#include "hone/rng.h"
#include "hone_test.h"

// A folder of our own below the build folder, emptied by the next run.
static char *scratch(const char *name)
{
    char command[512], path[400];
    snprintf(path, sizeof path, "%s/scratch/%s", HONE_BINARY_DIR, name);
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    assert_int_equal(system(command), 0);
    return strdup(path);
}

static struct hone_output sample_output(void)
{
    static char ptx[] = "ptx text", cubin[] = {0, 1, 2, 3}, log[] = "fine\n";
    return (struct hone_output){.compiled = true,
                                .ptx = ptx,
                                .ptx_size = strlen(ptx),
                                .cubin = cubin,
                                .cubin_size = sizeof cubin,
                                .log = log,
                                .log_size = strlen(log),
                                .build_ms = 12.5};
}

static const char *const key = "0123456789abcdef0123456789abcdef";

static void cache_returns_what_was_put(void **state)
{
    (void)state;
    char *folder = scratch("cache_put");
    struct hone_cache cache;
    struct hone_output in = sample_output(), out = {0};
    assert_ok(hone_cache_init(&cache, folder, 0, NULL), (struct hone_error){0});
    assert_false(hone_cache_get(&cache, &out, key));
    hone_cache_put(&cache, key, &in);
    assert_true(hone_cache_get(&cache, &out, key));
    assert_true(out.compiled);
    assert_string_equal(out.ptx, "ptx text");
    assert_int_equal(out.cubin_size, 4);
    assert_memory_equal(out.cubin, in.cubin, 4);
    assert_string_equal(out.log, "fine\n");
    assert_true(out.build_ms == 12.5);
    hone_output_fini(&out);
    hone_cache_fini(&cache);
    free(folder);
}

// Every cut and every flipped bit of an entry must be noticed.
static void damaged_entry_counts_as_absent(void **state)
{
    (void)state;
    char *folder = scratch("cache_damage");
    struct hone_cache cache;
    struct hone_output in = sample_output(), out = {0};
    assert_ok(hone_cache_init(&cache, folder, 0, NULL), (struct hone_error){0});
    hone_cache_put(&cache, key, &in);
    char path[600];
    snprintf(path, sizeof path, "%s/%.2s/%s", folder, key, key + 2);
    char *entry = NULL;
    size_t size = 0;
    struct hone_error err = {0};
    assert_ok(hone_file_read(&entry, &size, path, &err), err);
    for (size_t length = 0; length < size; length++) {
        assert_ok(hone_file_write(path, entry, length, &err), err);
        assert_false(hone_cache_get(&cache, &out, key));
    }
    for (size_t bit = 0; bit < size * 8; bit++) {
        entry[bit / 8] = (char)(entry[bit / 8] ^ 1 << bit % 8);
        assert_ok(hone_file_write(path, entry, size, &err), err);
        assert_false(hone_cache_get(&cache, &out, key));
        entry[bit / 8] = (char)(entry[bit / 8] ^ 1 << bit % 8);
    }
    hone_cache_put(&cache, key, &in);
    assert_true(hone_cache_get(&cache, &out, key));
    hone_output_fini(&out);
    free(entry);
    hone_cache_fini(&cache);
    free(folder);
}

static void key_depends_on_every_part_of_a_request(void **state)
{
    (void)state;
    const char *const fast[] = {"-use_fast_math"};
    const struct hone_build_request base = {
        .source = "s", .source_name = "n", .entry = "e", .arch = "sm_80"};
    const struct hone_build_header header = {"h", "x"}, renamed = {"g", "x"},
                                   changed = {"h", "y"};
    enum { VARIANTS = 9 };
    struct hone_build_request variants[VARIANTS];
    for (size_t i = 0; i < VARIANTS; i++)
        variants[i] = base;
    variants[1].source = "t";
    variants[2].source_name = "m";
    variants[3].entry = "f";
    variants[4].arch = "sm_90a";
    variants[5].options = fast;
    variants[5].option_count = 1;
    variants[6].headers = &header;
    variants[7].headers = &renamed;
    variants[8].headers = &changed;
    for (size_t i = 6; i < VARIANTS; i++)
        variants[i].header_count = 1;
    char keys[VARIANTS + 1][HONE_HASH_TEXT], again[HONE_HASH_TEXT];
    for (size_t i = 0; i < VARIANTS; i++)
        hone_cache_key(keys[i], &variants[i], "13.0/1");
    hone_cache_key(keys[VARIANTS], &base, "13.0/2");
    for (size_t i = 0; i <= VARIANTS; i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(keys[i], keys[j]);
    hone_cache_key(again, &base, "13.0/1");
    assert_string_equal(again, keys[0]);
}

// The same texts, told apart by what they are.
static void key_tells_options_from_headers(void **state)
{
    (void)state;
    const char *const options[] = {"a", "b", "c", "d"};
    const struct hone_build_header headers[] = {{"a", "b"}, {"c", "d"}};
    struct hone_build_request base = {
        .source = "s", .source_name = "n", .entry = "e", .arch = "sm_80"};
    char keys[3][HONE_HASH_TEXT];
    for (size_t pairs = 0; pairs < 3; pairs++) {
        base.options = options;
        base.option_count = 2 * pairs;
        base.headers = headers + pairs;
        base.header_count = 2 - pairs;
        hone_cache_key(keys[pairs], &base, "13.0/1");
        for (size_t i = 0; i < pairs; i++)
            assert_string_not_equal(keys[i], keys[pairs]);
    }
}

static int warnings;

static void count_warning(void *context, enum hone_log_level level, const char *line)
{
    (void)context;
    assert_int_equal(level, HONE_LOG_WARNING);
    assert_non_null(strstr(line, "builds are not kept: cannot make folder"));
    warnings++;
}

static void unwritable_cache_warns_once(void **state)
{
    (void)state;
    struct hone_cache cache;
    struct hone_output in = sample_output(), out;
    warnings = 0;
    hone_log_set(count_warning, NULL);
    assert_ok(hone_cache_init(&cache, "/dev/null/cache", 0, NULL),
              (struct hone_error){0});
    hone_cache_put(&cache, key, &in);
    hone_cache_put(&cache, key, &in);
    hone_log_set(NULL, NULL);
    assert_int_equal(warnings, 1);
    assert_false(hone_cache_get(&cache, &out, key));
    hone_cache_fini(&cache);
}

static char last_warning[512];

static void keep_warning(void *context, enum hone_log_level level, const char *line)
{
    (void)context;
    (void)level;
    snprintf(last_warning, sizeof last_warning, "%s", line);
    warnings++;
}

// Can a new cache of this folder return what lies there?
static bool is_trusted(const char *folder)
{
    struct hone_cache cache;
    struct hone_output out;
    assert_ok(hone_cache_init(&cache, folder, 0, NULL), (struct hone_error){0});
    const bool found = hone_cache_get(&cache, &out, key);
    if (found) hone_output_fini(&out);
    const struct hone_output in = sample_output();
    if (!found) hone_cache_put(&cache, key, &in);
    hone_cache_fini(&cache);
    return found;
}

// What others can write would run on the GPU.
static void what_others_may_write_is_not_trusted(void **state)
{
    (void)state;
    char *folder = scratch("cache_trust"), path[600], part[500], other[700];
    struct stat info;
    const mode_t before = umask(0);
    is_trusted(folder);
    assert_true(is_trusted(folder));
    umask(before);
    assert_int_equal(stat(folder, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    snprintf(part, sizeof part, "%s/%.2s", folder, key);
    snprintf(path, sizeof path, "%s/%s", part, key + 2);
    chmod(path, 0600);
    hone_log_set(keep_warning, NULL);
    static const struct {
        mode_t folder, part, entry;
        bool fine;
    } modes[] = {{0700, 0700, 0600, true},  {0755, 0755, 0644, true},
                 {01777, 0700, 0600, true}, {0777, 0700, 0600, false},
                 {0702, 0700, 0600, false}, {0700, 0777, 0600, false},
                 {0700, 0700, 0602, false}, {01777, 0700, 0666, false}};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        warnings = 0;
        chmod(folder, modes[i].folder);
        chmod(part, modes[i].part);
        chmod(path, modes[i].entry);
        if (is_trusted(folder) != modes[i].fine) fail_msg("case %zu", i);
        // A folder is a warning; an entry that is wrong is built again.
        if (!modes[i].fine && modes[i].folder & 2 && !(modes[i].folder & 01000)) {
            assert_int_equal(warnings, 1);
            assert_non_null(strstr(last_warning, "may be written by others"));
        }
    }
    chmod(folder, 0700);
    chmod(part, 0700);
    chmod(path, 0600);
    assert_true(is_trusted(folder));
    snprintf(other, sizeof other, "%s.moved", path);
    assert_int_equal(rename(path, other), 0);
    assert_int_equal(symlink(other, path), 0);
    assert_false(is_trusted(folder)); // and the link is built over
    if (geteuid() == 0) {
        assert_int_equal(chown(folder, 12345, 12345), 0);
        warnings = 0;
        assert_false(is_trusted(folder));
        assert_int_equal(warnings, 1);
        assert_non_null(strstr(last_warning, "belongs to user 12345"));
        assert_int_equal(chown(folder, 0, 0), 0);
    }
    hone_log_set(NULL, NULL);
    free(folder);
}

static void no_cache_keeps_nothing(void **state)
{
    (void)state;
    struct hone_cache cache;
    struct hone_output in = sample_output(), out;
    assert_ok(hone_cache_init(&cache, "", 0, NULL), (struct hone_error){0});
    hone_cache_put(&cache, key, &in);
    assert_false(hone_cache_get(&cache, &out, key));
    hone_cache_fini(&cache);
}

// The latest that fit, each as it was put; the same key again takes no room.
static void memory_keeps_the_latest_builds(void **state)
{
    (void)state;
    struct hone_cache cache;
    struct hone_output in = sample_output(), out;
    const size_t entry = 56 + in.ptx_size + in.cubin_size + in.log_size;
    char keys[4][HONE_HASH_TEXT];
    assert_ok(hone_cache_init(&cache, "", 3 * entry, NULL), (struct hone_error){0});
    for (int i = 0; i < 4; i++) {
        snprintf(keys[i], sizeof keys[i], "%032x", (unsigned)i);
        in.build_ms = i;
        hone_cache_put(&cache, keys[i], &in);
        hone_cache_put(&cache, keys[i], &in);
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(hone_cache_get(&cache, &out, keys[i]), i > 0);
        if (!i) continue;
        assert_true(out.build_ms == i);
        assert_string_equal(out.ptx, in.ptx);
        hone_output_fini(&out);
    }
    hone_cache_fini(&cache);
    assert_ok(hone_cache_init(&cache, "", entry - 1, NULL), (struct hone_error){0});
    hone_cache_put(&cache, keys[0], &in);
    assert_false(hone_cache_get(&cache, &out, keys[0]));
    hone_cache_fini(&cache);
}

static void cache_folder_comes_from_the_environment(void **state)
{
    (void)state;
    struct hone_cache cache;
    setenv("HONE_CACHE", "/tmp/a", 1);
    setenv("XDG_CACHE_HOME", "/tmp/b", 1);
    setenv("HOME", "/tmp/c", 1);
    static const char *const expected[] = {"/tmp/a", "/tmp/b/hone", "/tmp/c/.cache/hone"};
    static const char *const unset[] = {"HONE_CACHE", "XDG_CACHE_HOME", "HOME"};
    for (size_t i = 0; i < 3; i++) {
        assert_ok(hone_cache_init(&cache, NULL, 0, NULL), (struct hone_error){0});
        assert_string_equal(cache.folder, expected[i]);
        hone_cache_fini(&cache);
        unsetenv(unset[i]);
    }
    assert_ok(hone_cache_init(&cache, NULL, 0, NULL), (struct hone_error){0});
    assert_null(cache.folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(cache_returns_what_was_put),
    cmocka_unit_test(damaged_entry_counts_as_absent),
    cmocka_unit_test(key_depends_on_every_part_of_a_request),
    cmocka_unit_test(key_tells_options_from_headers),
    cmocka_unit_test(unwritable_cache_warns_once),
    cmocka_unit_test(what_others_may_write_is_not_trusted),
    cmocka_unit_test(no_cache_keeps_nothing),
    cmocka_unit_test(memory_keeps_the_latest_builds),
    cmocka_unit_test(cache_folder_comes_from_the_environment),
};
HONE_TEST_MAIN(tests)
