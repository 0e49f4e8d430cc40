// Whole scripts: hashes, the message of every bad one, the counts of the public spaces,
// the kernels that come with hone.
#include "script_frame.h"

static void same_script_gives_the_same_hashes(void **state)
{
    (void)state;
    const struct hone_script_options options = TEST_OPTIONS;
    char hashes[3][2][33];
    for (size_t i = 0; i < 3; i++) {
        struct hone_script *script = load("tests/lua/good/gemm.lua", &options);
        struct hone_space *space;
        struct hone_kernel *kernel;
        struct hone_error err = {0};
        const struct hone_kernel_def *def = hone_script_def(script);
        assert_ok(hone_space_new(&space, &def->space, &err), err);
        assert_ok(hone_kernel_new(&kernel, def, space, &err), err);
        hone_script_free(script); // the kernel has its own copy
        struct hone_job job;
        assert_ok(hone_kernel_job(&job, kernel, 0, NULL, &err), err);
        hone_job_fini(&job);
        strcpy(hashes[i][0], hone_kernel_space_hash(kernel));
        strcpy(hashes[i][1], hone_kernel_template_hash(kernel));
        hone_kernel_free(kernel);
        hone_space_free(space);
        assert_memory_equal(hashes[i], hashes[0], sizeof hashes[0]);
    }
}

// Load, then check against space and template, as the program does.
static enum hone_status check_script(const char *path, struct hone_error *err)
{
    struct hone_script_options options = TEST_OPTIONS;
    const char *const folders[] = {"tests/lua/extra"};
    options.template_path = folders;
    options.template_path_count = 1;
    struct hone_script *script = NULL;
    struct hone_space *space = NULL;
    struct hone_kernel *kernel = NULL;
    enum hone_status status = hone_script_load(&script, path, &options, err);
    if (status == HONE_OK)
        status = hone_space_new(&space, &hone_script_def(script)->space, err);
    if (status == HONE_OK && hone_script_kind(script) == HONE_SCRIPT_KERNEL)
        status = hone_kernel_new(&kernel, hone_script_def(script), space, err);
    hone_kernel_free(kernel);
    hone_space_free(space);
    hone_script_free(script);
    return status;
}

// The rest of the first line after prefix.
static void first_line(const char *path, const char *prefix, char *out, size_t size)
{
    char line[600] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, prefix, strlen(prefix)) != 0)
        fail_msg("%s starts with: %s", path, line);
    snprintf(out, size, "%s", line + strlen(prefix));
}

static int is_script(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".lua") == 0;
}

static void broken_scripts_give_the_expected_message(void **state)
{
    (void)state;
    struct dirent **entries;
    int count = scandir("tests/lua/bad", &entries, is_script, alphasort), wrong = 0;
    assert_true(count > 90);
    for (int i = 0; i < count; i++) {
        char path[320], expected[600], wanted[1000], got[1000];
        snprintf(path, sizeof path, "tests/lua/bad/%s", entries[i]->d_name);
        first_line(path, "-- expect: ", expected, sizeof expected);
        struct hone_error err = {0};
        enum hone_status status = check_script(path, &err);
        bool elsewhere = strncmp(expected, "tests/", 6) == 0;
        snprintf(wanted, sizeof wanted, "%s%s%s", elsewhere ? "" : path,
                 elsewhere ? "" : ":", expected);
        snprintf(got, sizeof got, "%s:%d: %s", err.source, err.line, err.text);
        bool right =
            strcmp(wanted, got) == 0 && (status == HONE_EINPUT || status == HONE_ELIMIT);
        if (!right)
            printf("%s, status %d\n  wanted %s\n  got    %s\n", path, status, wanted,
                   got);
        wrong += !right;
        free(entries[i]);
    }
    free(entries);
    assert_int_equal(wrong, 0);
}

static void missing_script_is_named(void **state)
{
    (void)state;
    struct hone_error err = {0};
    assert_int_equal(check_script("tests/lua/gone.lua", &err), HONE_ENOTFOUND);
    assert_string_equal(err.text,
                        "cannot read 'tests/lua/gone.lua': No such file or directory");
    err = (struct hone_error){0};
    assert_int_equal(check_script("tests/lua", &err), HONE_EINPUT);
    assert_string_equal(err.text, "'tests/lua' is not a file");
}

static void public_spaces_have_their_known_counts(void **state)
{
    (void)state;
    struct dirent **entries;
    int count =
        scandir(HONE_SOURCE_DIR "/../shared/spaces", &entries, is_script, alphasort);
    if (count <= 0) SKIP("no ../shared/spaces here");
    for (int i = 0; i < count; i++) {
        char path[512], header[600];
        double cartesian = 0;
        unsigned long long valid = 0;
        snprintf(path, sizeof path, HONE_SOURCE_DIR "/../shared/spaces/%s",
                 entries[i]->d_name);
        first_line(path, "-- ", header, sizeof header);
        const char *figures = strstr(header, ": ");
        assert_non_null(figures);
        assert_int_equal(
            sscanf(figures, ": %lf combinations, %llu valid", &cartesian, &valid), 2);
        const struct hone_script_options options = {.limits = &test_limits};
        struct hone_script *script = load(path, &options);
        struct hone_space *space;
        struct hone_error err = {0};
        assert_ok(hone_space_new(&space, &hone_script_def(script)->space, &err), err);
        assert_int_equal(hone_space_count(space), valid);
        assert_true(hone_space_cartesian(space) == cartesian);
        hone_space_free(space);
        hone_script_free(script);
        free(entries[i]);
    }
    free(entries);
}

// Every problem of the kernel at a spread of its configurations.
static void make_jobs(const struct hone_kernel *kernel)
{
    const struct hone_kernel_def *def = hone_kernel_get_def(kernel);
    uint64_t count = hone_space_count(hone_kernel_space(kernel)), step = count / 50 + 1;
    for (size_t i = 0; i <= def->verify_count; i++) {
        const struct hone_problem *problem = i ? &def->verify[i - 1] : NULL;
        struct hone_error err = {0};
        struct hone_job job;
        assert_ok(hone_kernel_reference_job(&job, kernel, problem, &err), err);
        hone_job_fini(&job);
        for (uint64_t index = 0; index < count; index += step) {
            assert_ok(hone_kernel_job(&job, kernel, index, problem, &err), err);
            assert_int_equal(job.arg_count, def->arg_count);
            hone_job_fini(&job);
        }
    }
}

static void count_line(void *context, enum hone_log_level level, const char *line)
{
    if (level > HONE_LOG_WARNING) return;
    printf("%s\n", line);
    ++*(int *)context;
}

static void shipped_kernels_make_jobs_without_warnings(void **state)
{
    (void)state;
    struct dirent **entries;
    int count = scandir("kernels", &entries, is_script, alphasort), warnings = 0;
    assert_true(count >= 2);
    for (int i = 0; i < count; i++) {
        char path[300];
        snprintf(path, sizeof path, "kernels/%s", entries[i]->d_name);
        const struct hone_script_options options = {.limits = &test_limits};
        struct hone_script *script = load(path, &options);
        const struct hone_kernel_def *def = hone_script_def(script);
        struct hone_space *space;
        struct hone_kernel *kernel;
        struct hone_error err = {0};
        assert_ok(hone_space_new(&space, &def->space, &err), err);
        hone_log_set(count_line, &warnings);
        assert_ok(hone_kernel_new(&kernel, def, space, &err), err);
        hone_log_set(NULL, NULL);
        make_jobs(kernel);
        assert_non_null(def->defaults);
        hone_kernel_free(kernel);
        hone_space_free(space);
        hone_script_free(script);
        free(entries[i]);
    }
    free(entries);
    assert_int_equal(warnings, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(same_script_gives_the_same_hashes),
    cmocka_unit_test(broken_scripts_give_the_expected_message),
    cmocka_unit_test(missing_script_is_named),
    cmocka_unit_test(public_spaces_have_their_known_counts),
    cmocka_unit_test(shipped_kernels_make_jobs_without_warnings),
};
HONE_TEST_MAIN(tests)
