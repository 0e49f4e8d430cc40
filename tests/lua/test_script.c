// Scripts to definitions: every field of a good one, the message of every bad one, the
// counts of the public spaces.
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "hone_test.h"
#include "script_test.h"

static struct hone_script *load(const char *path,
                                const struct hone_script_options *options)
{
    struct hone_script *script;
    struct hone_error err = {0};
    assert_ok(hone_script_load(&script, path, options, &err), err);
    return script;
}

static void check_value(struct hone_value value, enum hone_type type, const char *text)
{
    char buf[64];
    hone_value_print(buf, sizeof buf, value);
    assert_int_equal(value.type, type);
    assert_string_equal(buf, text);
}

static void check_param(const struct hone_param *param, const char *name,
                        enum hone_type type, const char *values)
{
    char all[256] = "";
    for (size_t i = 0; i < param->count; i++) {
        char buf[64];
        hone_value_print(buf, sizeof buf, param->values[i]);
        strcat(strcat(all, i ? " " : ""), buf);
        assert_int_equal(param->values[i].type, type);
    }
    assert_string_equal(param->name, name);
    assert_string_equal(all, values);
}

static void check_problems(const struct hone_kernel_def *def, const int64_t sizes[3][2])
{
    static const double weights[] = {3, 1, 1};
    assert_int_equal(def->problems_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_true(def->weights[i] == weights[i]);
        for (size_t k = 0; k < 2; k++)
            assert_int_equal(def->problems[i].values[k].i, sizes[i][k]);
    }
}

static void problems_are_read_with_their_weights(void **state)
{
    (void)state;
    struct hone_script_options options = TEST_OPTIONS;
    struct hone_script *script = load("tests/lua/good/problems.lua", &options);
    const struct hone_kernel_def *def = hone_script_def(script);
    assert_int_equal(def->problem_count, 2);
    assert_int_equal(def->space.constants[1].value.i, 8);
    check_problems(def, (const int64_t[3][2]){{2, 8}, {2, 16}, {5, 9}});
    hone_script_free(script);
    const struct hone_script_set set = {.name = "N", .value = "4"};
    options.set = &set;
    options.set_count = 1;
    script = load("tests/lua/good/problems.lua", &options);
    check_problems(hone_script_def(script),
                   (const int64_t[3][2]){{2, 4}, {2, 4}, {5, 4}});
    hone_script_free(script);
}

static void a_range_that_was_changed_is_a_list(void **state)
{
    (void)state;
    const struct hone_script_options options = TEST_OPTIONS;
    struct hone_script *script = load("tests/lua/good/changed_range.lua", &options);
    const struct hone_kernel_def *def = hone_script_def(script);
    assert_int_equal(def->draw_count, 1);
    const struct hone_draw_choice *choice = &def->draws[0].choices[0];
    assert_non_null(choice->values);
    assert_int_equal(choice->count, 8);
    for (int i = 0; i < 8; i++)
        assert_int_equal(choice->values[i].i, i == 3 ? 100 : i + 1);
    hone_script_free(script);
}

static void names_are_sorted_and_values_keep_their_order(void **state)
{
    (void)state;
    const struct hone_script_options options = TEST_OPTIONS;
    struct hone_script *script = load("tests/lua/good/gemm.lua", &options);
    const struct hone_kernel_def *def = hone_script_def(script);
    assert_int_equal(hone_script_kind(script), HONE_SCRIPT_KERNEL);
    assert_int_equal(def->space.param_count, 4);
    check_param(&def->space.params[0], "ALPHA", HONE_FLOAT, "1.0 0.5");
    check_param(&def->space.params[1], "FAST", HONE_BOOL, "false true");
    check_param(&def->space.params[2], "TILE", HONE_INT, "16 32 48");
    check_param(&def->space.params[3], "TYPE", HONE_STRING, "float double");
    const char *const problem[] = {"K", "M", "N", "alpha", "beta_zero", "layout"};
    const char *const values[] = {"32", "64", "96", "1.5", "true", "row"};
    assert_int_equal(def->problem_count, 6);
    for (size_t i = 0; i < 6; i++) {
        char buf[64];
        hone_value_print(buf, sizeof buf, def->space.constants[i].value);
        assert_string_equal(def->space.constants[i].name, problem[i]);
        assert_string_equal(buf, values[i]);
    }
    assert_string_equal(def->space.constants[6].name, "device.cc_major");
    assert_int_equal(def->space.constants[6].value.i, 9);
    hone_script_free(script);
}

static void check_waivers(const struct hone_kernel_def *def)
{
    assert_int_equal(def->waiver_count, 2);
    assert_int_equal(def->waivers[0].finding, HONE_FINDING_RACE);
    assert_string_equal(def->waivers[0].file, "gemm.cu");
    assert_int_equal(def->waivers[0].line, 12);
    assert_null(def->waivers[0].buffer);
    assert_string_equal(def->waivers[0].reason, "either will do");
    assert_int_equal(def->waivers[1].finding, HONE_FINDING_UNWRITTEN);
    assert_null(def->waivers[1].file);
    assert_string_equal(def->waivers[1].buffer, "room");
    assert_string_equal(def->waivers[1].reason, "nobody reads it");
    assert_int_equal(def->waivers[1].script_line, def->waivers[0].script_line + 4);
}

static void every_key_reaches_the_definition(void **state)
{
    (void)state;
    const struct hone_script_options options = TEST_OPTIONS;
    struct hone_script *script = load("tests/lua/good/gemm.lua", &options);
    const struct hone_kernel_def *def = hone_script_def(script);
    assert_string_equal(def->name, "gemm");
    assert_string_equal(def->entry, "gemm_kernel");
    assert_string_equal(def->source, "tests/lua/good/gemm.lua");
    assert_string_equal(def->template_path, "tests/lua/good/gemm.cu");
    assert_string_equal(def->reference.template_path, "tests/lua/good/reference/gemm.cu");
    assert_string_equal(def->reference.entry, "gemm_reference");
    assert_true(def->reference.wide);
    assert_string_equal(def->reference.launch.grid[1], "N");
    assert_string_equal(def->reference.launch.block[0], "1");
    assert_string_equal(def->launch.grid[0], "ceil_div(N, TILE)");
    assert_null(def->launch.grid[2]);
    assert_string_equal(def->launch.block[1], "16");
    assert_string_equal(def->launch.shared, "BYTES");
    assert_string_equal(def->launch.cluster[0], "TILE // 16");
    assert_string_equal(def->launch.cluster[1], "1");
    assert_null(def->launch.cluster[2]);
    assert_int_equal(def->launch.flags, HONE_LAUNCH_COOPERATIVE);
    assert_null(def->reference.launch.cluster[0]);
    assert_int_equal(def->reference.launch.flags, 0);
    assert_string_equal(def->tolerance_relative, "1.0000000000000001e-05");
    assert_string_equal(def->tolerance_absolute, "1e-6");
    assert_string_equal(def->tolerance_scale, "sqrt(K)");
    assert_string_equal(def->tolerance_mean, "2^-20");
    assert_string_equal(def->work_flops, "2 * M * N * K");
    assert_string_equal(def->work_bytes, "4 * M * N");
    assert_int_equal(def->define_count, 2);
    assert_string_equal(def->defines[1], "layout");
    assert_string_equal(def->options[0], "--use_fast_math");
    check_waivers(def);
    check_value(def->defaults[0], HONE_FLOAT, "1.0");
    check_value(def->defaults[1], HONE_BOOL, "true");
    check_value(def->defaults[3], HONE_STRING, "float");
    assert_int_equal(def->verify_count, 2);
    check_value(def->verify[0].values[1], HONE_INT, "17");
    check_value(def->verify[1].values[0], HONE_INT, "32"); // K of the problem
    check_value(def->verify[1].values[1], HONE_INT, "33");
    hone_script_free(script);
}

static void arguments_keep_role_type_and_size(void **state)
{
    (void)state;
    const struct hone_script_options options = TEST_OPTIONS;
    struct hone_script *script = load("tests/lua/good/gemm.lua", &options);
    const struct hone_kernel_def *def = hone_script_def(script);
    const struct {
        const char *name;
        enum hone_arg_kind kind;
        enum hone_dtype dtype;
        const char *size;
        enum hone_fill fill;
        int line;
    } expected[] = {
        {"A", HONE_ARG_INPUT, HONE_BF16, "M * K", HONE_FILL_UNIFORM, 29},
        {"C", HONE_ARG_INOUT, HONE_F32, "M * N", HONE_FILL_ZERO, 30},
        {"D", HONE_ARG_OUTPUT, HONE_I64, "M", HONE_FILL_UNIFORM, 31},
        {"M", HONE_ARG_SCALAR, HONE_I32, "M", HONE_FILL_UNIFORM, 32},
        {"scale", HONE_ARG_SCALAR, HONE_F64, "alpha * 2", HONE_FILL_UNIFORM, 33},
        {"room", HONE_ARG_WORKSPACE, HONE_U32, "TILE * M", HONE_FILL_UNIFORM, 33},
    };
    assert_int_equal(def->arg_count, 6);
    for (size_t i = 0; i < def->arg_count; i++) {
        assert_string_equal(def->args[i].name, expected[i].name);
        assert_int_equal(def->args[i].kind, expected[i].kind);
        assert_int_equal(def->args[i].dtype, expected[i].dtype);
        assert_string_equal(def->args[i].size, expected[i].size);
        assert_int_equal(def->args[i].fill, expected[i].fill);
        assert_int_equal(def->args[i].line, expected[i].line);
    }
    hone_script_free(script);
}

static void every_fill_arrives_with_its_data(void **state)
{
    (void)state;
    const struct hone_script_options options = TEST_OPTIONS;
    struct hone_script *script = load("tests/lua/good/fills.lua", &options);
    const struct hone_kernel_def *def = hone_script_def(script);
    const struct {
        enum hone_fill fill;
        double low, high;
    } expected[] = {
        {HONE_FILL_UNIFORM, 0, 0},        {HONE_FILL_NORMAL, 0, 0},
        {HONE_FILL_INTEGERS, -8, 8},      {HONE_FILL_INTEGERS, 0, 40000},
        {HONE_FILL_CONSTANT, -0.5, -0.5}, {HONE_FILL_FILE, 0, 0},
        {HONE_FILL_ZERO, 0, 0},           {HONE_FILL_UNIFORM, 0, 0},
        {HONE_FILL_OFFSETS, 0, 0},
    };
    for (size_t i = 0; i < def->arg_count; i++) {
        assert_int_equal(def->args[i].fill, expected[i].fill);
        assert_int_equal(def->args[i].early, i == 0);
        assert_true(def->args[i].data.low == expected[i].low);
        assert_true(def->args[i].data.high == expected[i].high);
    }
    const float values[] = {1, -2};
    assert_int_equal(def->args[5].data.size, sizeof values);
    assert_memory_equal(def->args[5].data.bytes, values, sizeof values);
    assert_string_equal(def->args[8].pointers, "N // 2");
    assert_null(def->args[8].map);
    const struct hone_map_def *map = def->args[7].map;
    assert_int_equal(map->rank, 2);
    assert_string_equal(map->axes[0].size, "N // 2");
    assert_string_equal(map->axes[0].box, "BLOCK");
    assert_null(map->axes[0].stride);
    assert_string_equal(map->axes[1].stride, "N // 2");
    assert_int_equal(map->modes.swizzle, 128);
    assert_int_equal(map->modes.promotion, 256);
    assert_int_equal(map->modes.interleave, 0);
    assert_int_equal(map->modes.nan_fill, 1);
    assert_null(def->args[0].pointers);
    hone_script_free(script);
}

static void lines_point_at_the_script(void **state)
{
    (void)state;
    const struct hone_script_options options = TEST_OPTIONS;
    struct hone_script *script = load("tests/lua/good/gemm.lua", &options);
    const struct hone_space_def *space = &hone_script_def(script)->space;
    assert_int_equal(space->line, 10);
    assert_int_equal(space->derived_count, 2);
    assert_string_equal(space->derived[0].name, "BYTES");
    assert_int_equal(space->derived[0].line, 14);
    assert_int_equal(space->constraint_count, 3);
    assert_string_equal(space->constraints[0].text,
                        "THREADS <= device.max_threads_per_block");
    assert_int_equal(space->constraints[0].line, 16);
    assert_string_equal(space->constraints[1].text,
                        "function(TILE, FAST) return FAST or TILE < 48 end");
    assert_int_equal(space->constraints[1].line, 17);
    assert_string_equal(space->constraints[2].text,
                        "function(TILE) return TILE ~= 1 end");
    assert_int_equal(space->constraints[2].line, 18);
    assert_int_equal(hone_script_def(script)->launch.line, 23);
    assert_int_equal(hone_script_def(script)->reference.launch.line, 37);
    hone_script_free(script);
}

static void functions_constrain_like_expressions(void **state)
{
    (void)state;
    const struct hone_script_options options = TEST_OPTIONS;
    struct hone_script *script = load("tests/lua/good/gemm.lua", &options);
    struct hone_space *space;
    struct hone_error err = {0};
    assert_ok(hone_space_new(&space, &hone_script_def(script)->space, &err), err);
    // FAST or TILE < 48 forbids 1 of 6 pairs; ALPHA and TYPE are free.
    assert_int_equal(hone_space_count(space), 5 * 2 * 2);
    hone_space_free(space);
    hone_script_free(script);
}

static void template_is_found_in_templates_beside_the_scripts_folder(void **state)
{
    (void)state;
    const struct hone_script_options options = TEST_OPTIONS;
    struct hone_script *script = load("tests/lua/good/minimal.lua", &options);
    const struct hone_kernel_def *def = hone_script_def(script);
    assert_string_equal(def->template_path, "tests/lua/good/../templates/copy.cu");
    assert_string_equal(def->entry, "copy");
    assert_string_equal(def->launch.grid[0], "1");
    assert_null(def->defaults);
    assert_null(def->reference.template_path);
    assert_int_equal(def->problem_count, 0);
    hone_script_free(script);
}

static void space_script_is_named_after_its_file(void **state)
{
    (void)state;
    const struct hone_script_options options = TEST_OPTIONS;
    struct hone_script *script = load("tests/lua/good/space.lua", &options);
    const struct hone_space_def *space = &hone_script_def(script)->space;
    assert_int_equal(hone_script_kind(script), HONE_SCRIPT_SPACE);
    assert_string_equal(hone_script_def(script)->name, "space");
    check_param(&space->params[0], "A", HONE_INT, "0 1 2 3");
    check_param(&space->params[1], "B", HONE_FLOAT, "1.0 1.25 1.5 1.75 2.0");
    check_param(&space->params[2], "C", HONE_INT, "3 2 1");
    hone_script_free(script);
}

static void settings_change_sizes_and_pin_parameters(void **state)
{
    (void)state;
    struct hone_script_options options = TEST_OPTIONS;
    const struct hone_script_set set[] = {
        {"M", "128"},     {"alpha", "2"},     {"TILE", "32"},     {"FAST", "false"},
        {"ALPHA", "0.5"}, {"TYPE", "double"}, {"beta_zero", "0"}, {"layout", "col"}};
    options.set = set;
    options.set_count = sizeof set / sizeof *set;
    struct hone_script *script = load("tests/lua/good/gemm.lua", &options);
    const struct hone_kernel_def *def = hone_script_def(script);
    check_value(def->space.constants[1].value, HONE_INT, "128");
    check_value(def->space.constants[3].value, HONE_FLOAT, "2.0");
    check_value(def->space.constants[4].value, HONE_BOOL, "false");
    check_value(def->space.constants[5].value, HONE_STRING, "col");
    check_param(&def->space.params[2], "TILE", HONE_INT, "32");
    check_param(&def->space.params[1], "FAST", HONE_BOOL, "false");
    check_value(def->defaults[2], HONE_INT, "32");
    check_value(def->verify[0].values[1], HONE_INT, "17");
    check_value(def->verify[1].values[3], HONE_FLOAT, "2.0");
    hone_script_free(script);
}

static void choices_are_known_while_the_script_runs(void **state)
{
    (void)state;
    struct hone_script_options options = TEST_OPTIONS;
    static const char *const settings[][2] = {{NULL, "32"}, {"f16", "32"}, {"i8", "64"}};
    for (size_t i = 0; i < 3; i++) {
        const struct hone_script_set set = {"TYPE", settings[i][0]};
        options.set = &set;
        options.set_count = settings[i][0] != NULL;
        struct hone_script *script = load("tests/lua/good/choice.lua", &options);
        const struct hone_space_def *space = &hone_script_def(script)->space;
        check_param(&space->params[0], "DEPTH", HONE_INT, settings[i][1]);
        check_value(space->constants[0].value, HONE_STRING, i ? settings[i][0] : "bf16");
        hone_script_free(script);
    }
    const struct hone_script_set wrong = {"TYPE", "f32"};
    struct hone_script *script;
    struct hone_error err = {0};
    options.set = &wrong;
    options.set_count = 1;
    assert_int_not_equal(
        hone_script_load(&script, "tests/lua/good/choice.lua", &options, &err), HONE_OK);
    assert_string_equal(err.text, "--set TYPE=f32: 'TYPE' is one of bf16, f16, i8");
}

static void wrong_settings_are_refused_by_name(void **state)
{
    (void)state;
    const struct {
        struct hone_script_set set;
        const char *text;
    } rows[] = {
        {{"TILES", "32"},
         "--set TILES: the script has no problem size or parameter 'TILES'; did you mean "
         "'TILE'?"},
        {{"TILE", "33"}, "--set TILE=33: parameter 'TILE' has the values 16, 32, 48"},
        {{"TILE", "big"}, "--set TILE=big: parameter 'TILE' has the values 16, 32, 48"},
        {{"M", "4k"}, "--set M=4k: problem size 'M' is an integer"},
        {{"M", "99999999999999999999"},
         "--set M=99999999999999999999: problem size 'M' is an integer"},
        {{"alpha", "nan"}, "--set alpha=nan: problem size 'alpha' is a number"},
        {{"beta_zero", "yes"},
         "--set beta_zero=yes: problem size 'beta_zero' is true or false"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hone_script_options options = TEST_OPTIONS;
        options.set = &rows[i].set;
        options.set_count = 1;
        struct hone_script *script;
        struct hone_error err = {0};
        assert_int_equal(
            hone_script_load(&script, "tests/lua/good/gemm.lua", &options, &err),
            HONE_EUSAGE);
        assert_null(script);
        assert_string_equal(err.text, rows[i].text);
    }
}

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
    cmocka_unit_test(problems_are_read_with_their_weights),
    cmocka_unit_test(a_range_that_was_changed_is_a_list),
    cmocka_unit_test(names_are_sorted_and_values_keep_their_order),
    cmocka_unit_test(every_key_reaches_the_definition),
    cmocka_unit_test(arguments_keep_role_type_and_size),
    cmocka_unit_test(every_fill_arrives_with_its_data),
    cmocka_unit_test(lines_point_at_the_script),
    cmocka_unit_test(functions_constrain_like_expressions),
    cmocka_unit_test(template_is_found_in_templates_beside_the_scripts_folder),
    cmocka_unit_test(space_script_is_named_after_its_file),
    cmocka_unit_test(settings_change_sizes_and_pin_parameters),
    cmocka_unit_test(choices_are_known_while_the_script_runs),
    cmocka_unit_test(wrong_settings_are_refused_by_name),
    cmocka_unit_test(same_script_gives_the_same_hashes),
    cmocka_unit_test(broken_scripts_give_the_expected_message),
    cmocka_unit_test(missing_script_is_named),
    cmocka_unit_test(public_spaces_have_their_known_counts),
    cmocka_unit_test(shipped_kernels_make_jobs_without_warnings),
};
HONE_TEST_MAIN(tests)
