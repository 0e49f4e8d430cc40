// Scripts to definitions: every field of a good one, and settings from outside.
#include "script_frame.h"

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

// 0.3 / 0.1 is less than 3.
static void a_range_of_fractions_has_both_ends(void **state)
{
    (void)state;
    const struct hone_script_options options = TEST_OPTIONS;
    struct hone_script *script = load("tests/lua/good/tenths.lua", &options);
    const struct hone_space_def *def = &hone_script_def(script)->space;
    const struct {
        size_t count;
        double last;
        enum hone_type type;
    } wanted[] = {
        {4, 128, HONE_INT},       // BLOCK
        {4, 0.7, HONE_FLOAT},     // DOWN
        {4, 3e9, HONE_INT},       // FAR
        {2, 0x1p61, HONE_INT},    // HUGE
        {4, 3 * 0.1, HONE_FLOAT}, // SHORT
        {4, 0.3, HONE_FLOAT},     // TENTHS
        {4, 1, HONE_FLOAT},       // THIRDS
    };
    assert_int_equal(def->param_count, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < def->param_count; i++) {
        const struct hone_param *param = &def->params[i];
        double last = 0;
        assert_int_equal(param->count, wanted[i].count);
        for (size_t k = 0; k < param->count; k++)
            assert_int_equal(param->values[k].type, wanted[i].type);
        assert_true(hone_value_to_double(param->values[param->count - 1], &last));
        assert_true(last == wanted[i].last);
    }
    hone_script_free(script);
}

static void a_module_that_could_not_be_loaded_may_be_tried_again(void **state)
{
    (void)state;
    const struct hone_script_options options = TEST_OPTIONS;
    hone_script_free(load("tests/lua/good/require_again.lua", &options));
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
    assert_string_equal(def->tolerance.relative, "1.0000000000000001e-05");
    assert_string_equal(def->tolerance.absolute, "1e-6");
    assert_string_equal(def->tolerance.scale, "sqrt(K)");
    assert_string_equal(def->tolerance.mean, "2^-20");
    assert_null(def->args[0].tolerance);
    assert_string_equal(def->args[1].tolerance->mean, "2 * K");
    assert_null(def->args[1].tolerance->relative);
    assert_int_equal(def->args[1].tolerance->line, def->args[1].line);
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
        {{"THREADS", "32"},
         "--set THREADS: 'THREADS' is derived, computed as TILE * 16: set what that "
         "reads"},
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(problems_are_read_with_their_weights),
    cmocka_unit_test(a_range_of_fractions_has_both_ends),
    cmocka_unit_test(a_module_that_could_not_be_loaded_may_be_tried_again),
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
};
HONE_TEST_MAIN(tests)
