// Jobs: what the compiler gets, what the launch looks like, what is refused.
#include "render/fill_data.h"
#include "render_frame.h"

static uint64_t index_of(const struct fixture *f, uint16_t bm, uint16_t fast, uint16_t t)
{
    const uint16_t choices[] = {bm, fast, 0, t};
    uint64_t index = 0;
    assert_int_equal(hone_space_index(f->space, choices, &index), HONE_OK);
    return index;
}

static void source_is_defines_then_template_with_includes(void **state)
{
    struct fixture *f = *state;
    struct hone_error err = {0};
    struct hone_job job;
    assert_ok(make(f, &err), err);
    assert_ok(hone_kernel_job(&job, f->kernel, index_of(f, 1, 1, 0), NULL, &err), err);
    assert_string_equal(job.source, "#define BM 64\n"
                                    "#define FAST 1\n"
                                    "#define SCALE 0.5\n"
                                    "#define T float4\n"
                                    "#define N 7\n"
                                    "#line 1 \"k.cu\"\n"
                                    "#ifndef BM\n#define BM 64\n#endif\n"
                                    "#line 1 \"common/tile.cuh\"\n"
                                    "#line 1 \"common/deep.cuh\"\n"
                                    "__device__ int deep;\n"
                                    "#line 2 \"common/tile.cuh\"\n"
                                    "__device__ int tile;\n"
                                    "#line 5 \"k.cu\"\n"
                                    "int f = BM; T g; bool h = FAST; float s = SCALE;\n");
    assert_string_equal(job.source_name, "k.cu");
    assert_string_equal(job.entry, "k");
    assert_int_equal(job.option_count, 1);
    assert_string_equal(job.options[0], "--use_fast_math");
    hone_job_fini(&job);
}

static void geometry_args_and_figures_follow_the_configuration(void **state)
{
    struct fixture *f = *state;
    struct hone_error err = {0};
    struct hone_job job;
    assert_ok(make(f, &err), err);
    for (uint16_t i = 0; i < 3; i++) {
        uint32_t bm = 32u << i;
        assert_ok(hone_kernel_job(&job, f->kernel, index_of(f, i, 0, 1), NULL, &err),
                  err);
        assert_int_equal(job.geometry.grid[0], (100 + bm - 1) / bm * 7);
        assert_int_equal(job.geometry.grid[1], 1);
        assert_int_equal(job.geometry.block[0], 32);
        assert_int_equal(job.geometry.block[1], bm / 16);
        assert_int_equal(job.geometry.block[2], 1);
        assert_int_equal(job.geometry.shared_bytes, bm * 4);
        assert_int_equal(job.arg_count, 3);
        assert_int_equal(job.args[0].count, 700);
        assert_int_equal(job.args[1].dtype, HONE_F64);
        assert_int_equal(job.args[2].value.i, 100);
        assert_true(fabs(job.tolerance.relative - 3e-5) < 1e-18);
        assert_true(job.tolerance.absolute == 0);
        assert_true(job.flops == 1400);
        assert_true(isnan(job.bytes));
        hone_job_fini(&job);
    }
}

static void problem_replaces_constants_and_what_derives_from_them(void **state)
{
    struct fixture *f = *state;
    struct hone_error err = {0};
    struct hone_job job;
    assert_ok(make(f, &err), err);
    const struct hone_kernel_def *def = hone_kernel_get_def(f->kernel);
    assert_ok(
        hone_kernel_job(&job, f->kernel, index_of(f, 0, 0, 0), &def->verify[0], &err),
        err);
    assert_int_equal(job.geometry.grid[0], 2 * 5); // ceil(33 / 32) * 5
    assert_int_equal(job.args[0].count, 33 * 5);
    assert_int_equal(job.args[2].value.i, 33);
    assert_non_null(strstr(job.source, "#define N 5\n"));
    hone_job_fini(&job);
}

static void reference_sees_the_problem_only(void **state)
{
    struct fixture *f = *state;
    struct hone_error err = {0};
    struct hone_job job;
    assert_ok(make(f, &err), err);
    assert_ok(hone_kernel_reference_job(&job, f->kernel, NULL, &err), err);
    assert_int_equal(job.geometry.grid[0], 1);
    assert_int_equal(job.geometry.block[0], 256);
    assert_string_equal(job.entry, "k_reference");
    assert_int_equal(job.args[0].count, 700);
    assert_string_equal(job.source,
                        "#define N 7\n#line 1 \"k.cu\"\n"
                        "#line 1 \"../common/deep.cuh\"\n__device__ int deep;\n"
                        "#line 2 \"k.cu\"\n");
    hone_job_fini(&job);
    f->def.reference.template_path = NULL;
    assert_ok(make(f, &err), err);
    assert_int_equal(hone_kernel_reference_job(&job, f->kernel, NULL, &err),
                     HONE_ENOTFOUND);
}

// They are the kernel's, so a reference, which has no parameters, makes none of them.
static void tolerances_may_depend_on_parameters(void **state)
{
    struct fixture *f = *state;
    struct hone_error err = {0};
    struct hone_job job;
    f->own.absolute = "64 // BM + 0.5";
    assert_ok(make(f, &err), err);
    assert_ok(hone_kernel_reference_job(&job, f->kernel, NULL, &err), err);
    assert_false(job.args[1].bounded);
    hone_job_fini(&job);
    assert_ok(hone_kernel_job(&job, f->kernel, index_of(f, 0, 0, 1), NULL, &err), err);
    assert_true(hone_job_tolerance(&job, "C")->absolute == 2.5); // BM 32
    assert_true(hone_job_tolerance(&job, "A")->absolute == 0);   // the kernel's
    hone_job_fini(&job);
}

static void workspace_may_depend_on_parameters(void **state)
{
    struct fixture *f = *state;
    struct hone_error err = {0};
    struct hone_job job;
    f->args[0] = (struct hone_arg_def){.name = "W",
                                       .kind = HONE_ARG_WORKSPACE,
                                       .dtype = HONE_F32,
                                       .size = "BM * M - 3200",
                                       .line = 21};
    assert_ok(make(f, &err), err);
    assert_ok(hone_kernel_reference_job(&job, f->kernel, NULL, &err), err);
    assert_int_equal(job.args[0].count, 0);
    hone_job_fini(&job);
    assert_ok(hone_kernel_job(&job, f->kernel, index_of(f, 0, 0, 1), NULL, &err), err);
    assert_int_equal(job.args[0].count, 0); // 32 * 100 - 3200: none is enough
    hone_job_fini(&job);
    f->args[0].kind = HONE_ARG_INOUT;
    assert_int_equal(make(f, &err), HONE_EINPUT);
}

static void tensor_maps_follow_configuration_and_problem(void **state)
{
    struct fixture *f = *state;
    struct hone_error err = {0};
    struct hone_job job;
    char plain[40];
    assert_ok(make(f, &err), err);
    strcpy(plain, hone_kernel_space_hash(f->kernel));
    struct hone_map_def map = {.rank = 3,
                               .axes = {{.size = "N * 16", .box = "BM"},
                                        {.size = "N + 1", .box = "2"},
                                        {.size = "3", .box = "1", .stride = "N * 1600"}},
                               .modes = {.promotion = 64}};
    f->args[0].map = &map;
    assert_ok(make(f, &err), err);
    assert_string_not_equal(hone_kernel_space_hash(f->kernel), plain);
    assert_ok(hone_kernel_job(&job, f->kernel, index_of(f, 0, 0, 1), NULL, &err), err);
    const struct hone_tensor_map *made = &job.args[0].map;
    const uint64_t element = hone_dtype_size(job.args[0].dtype);
    assert_int_equal(made->rank, 3);
    assert_int_equal(made->type, hone_map_type(hone_dtype_name(job.args[0].dtype)));
    assert_int_equal(made->size[0], 7 * 16);
    assert_int_equal(made->size[1], 8);
    assert_int_equal(made->stride_bytes[0], element);
    assert_int_equal(made->stride_bytes[1], 7 * 16 * element); // packed
    assert_int_equal(made->stride_bytes[2], 7 * 1600 * element);
    assert_int_equal(made->box[1], 2);
    assert_int_equal(made->modes.promotion, 64);
    assert_int_equal(job.args[1].map.rank, 0);
    const uint32_t box = made->box[0];
    hone_job_fini(&job);
    assert_ok(hone_kernel_job(&job, f->kernel, index_of(f, 1, 0, 1), NULL, &err), err);
    assert_int_not_equal(job.args[0].map.box[0], box); // another BM
    hone_job_fini(&job);
    assert_ok(hone_kernel_reference_job(&job, f->kernel, f->problems, &err), err);
    assert_int_equal(job.args[0].map.rank, 0);
    hone_job_fini(&job);
    map.axes[1].box = "300";
    assert_ok(make(f, &err), err);
    assert_int_equal(hone_kernel_job(&job, f->kernel, index_of(f, 0, 0, 1), NULL, &err),
                     HONE_EINPUT);
    assert_non_null(strstr(err.text, "tensor map of argument 'A' has a box of 300 in "
                                     "axis 2, from 1 to 256 are allowed"));
    map.axes[1].box = "nothing";
    assert_int_equal(make(f, &(struct hone_error){0}), HONE_EINPUT);
}

static void pointers_are_counted_by_their_expression(void **state)
{
    struct fixture *f = *state;
    struct hone_error err = {0};
    struct hone_job job;
    char plain[40];
    assert_ok(make(f, &err), err);
    strcpy(plain, hone_kernel_space_hash(f->kernel));
    f->args[0].pointers = "N";
    assert_ok(make(f, &err), err);
    assert_string_not_equal(hone_kernel_space_hash(f->kernel), plain);
    assert_ok(hone_kernel_job(&job, f->kernel, index_of(f, 0, 0, 1), NULL, &err), err);
    assert_int_equal(job.args[0].pointers, 7);
    assert_int_equal(job.args[1].pointers, 0);
    hone_job_fini(&job);
    assert_ok(hone_kernel_reference_job(&job, f->kernel, f->problems, &err), err);
    assert_int_equal(job.args[0].pointers, 5);
    hone_job_fini(&job);
    f->args[0].pointers = "N - 7"; // none
    assert_ok(make(f, &err), err);
    assert_int_equal(hone_kernel_job(&job, f->kernel, index_of(f, 0, 0, 1), NULL, &err),
                     HONE_EUSAGE);
    assert_non_null(strstr(err.text, "pointers of argument 'A' 'N - 7' is 0"));
    f->args[0].pointers = "BM // 16"; // which the reference cannot know
    assert_int_equal(make(f, &err), HONE_EINPUT);
}

// Each row breaks one text of the definition; the message must name it.
static void broken_definitions_are_refused_by_name(void **state)
{
    struct fixture *f = *state;
    const struct {
        const char **field, *text;
        int line;
        const char *expected;
    } rows[] = {
        {&f->def.launch.grid[0], "BLOKCS", 11, "did you mean 'BLOCKS'"},
        {&f->def.launch.block[1], "BM +", 11, "block y 'BM +'"},
        {&f->args[1].size, "Q", 22, "size of argument 'C' 'Q'"},
        {&f->args[2].size, "M / ", 23, "value of argument 'M'"},
        {&f->args[0].size, "BM", 21, "depends on 'BM'"},
        {&f->def.reference.launch.grid[0], "M // BM", 15, "depends on 'BM'"},
        {&f->def.reference.launch.shared, "TILES", 15, "depends on 'TILES'"},
        {&f->def.reference.launch.cluster[1], "BM", 15, "depends on 'BM'"},
        {&f->def.launch.cluster[2], "BMM", 11, "did you mean 'BM'"},
        {&f->def.launch.cluster[0], "17", 11,
         "cluster x '17' is 17, must be an integer in 1 .. 16"},
        {&f->def.launch.cluster[0], "3 / 2", 11, "cluster x '3 / 2' is 1.5"},
        {&f->def.tolerance.scale, "sqrt(", 17, "scale of the tolerance"},
        {&f->def.tolerance.relative, "-1", 17, "relative tolerance '-1' is -1, must be"},
        {&f->def.tolerance.mean, "1 - 1", 17, "'1 - 1' is 0, must be above 0"},
        {&f->own.absolute, "-1", 22,
         "absolute tolerance of argument 'C' '-1' is -1, must be"},
        {&f->def.work_bytes, "-8", 18, "bytes of the work '-8' is -8, must be"},
        {&f->defines[0], "BM", 3, "'BM' in defines is no problem size"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *before = *rows[i].field;
        *rows[i].field = rows[i].text;
        struct hone_error err = {0};
        assert_int_equal(make(f, &err), HONE_EINPUT);
        assert_string_equal(err.source, "k.lua");
        assert_int_equal(err.line, rows[i].line);
        if (!strstr(err.text, rows[i].expected)) fail_msg("got: %s", err.text);
        *rows[i].field = before;
    }
}

// What only a configuration or a problem shows.
static void impossible_jobs_are_refused_with_the_expression(void **state)
{
    struct fixture *f = *state;
    const struct {
        const char **field, *text, *expected;
        bool of_script;
    } rows[] = {
        {&f->def.launch.grid[0], "M - 100",
         "grid x 'M - 100' is 0, must be an integer in 1 .. 2147483647", true},
        {&f->def.launch.grid[0], "M * 2 // (BM * 64)",
         "ceil_div(M * 2, BM * 64), which is (M * 2 + (BM * 64) - 1) // (BM * 64), "
         "rounds",
         true},
        {&f->def.launch.grid[0], "(M + 1) // 1024", "ceil_div(M + 1, 1024), which", true},
        {&f->def.launch.grid[0], "1 + M // 128 - 1", ": ceil_div(a, b) rounds up,", true},
        {&f->def.launch.grid[0], "M // 128 // 2", ": ceil_div(a, b) rounds up,", true},
        {&f->def.launch.grid[0], "1 << 31", "is 2147483648", false},
        {&f->def.launch.grid[1], "65536", "grid y '65536'", false},
        {&f->def.launch.block[0], "M / 8",
         "is 12.5, must be an integer in 1 .. 1024: ceil_div(M, 8), which is (M + 8 - 1) "
         "// 8, rounds up",
         true},
        {&f->def.launch.block[1], "33", "1056 threads, no device allows more than 1024",
         false},
        {&f->def.launch.block[2], "65", "block z", false},
        {&f->def.launch.shared, "-4", "shared bytes '-4' is -4", true},
        {&f->def.launch.cluster[0], "M", "cluster x 'M' is 100, must be", false},
        {&f->def.launch.cluster[0], "N - 4",
         "grid x 'BLOCKS' is 28 blocks, which clusters of 3 ('N - 4') do not divide: let "
         "it round up, ceil_div(BLOCKS, N - 4) * (N - 4)",
         true},
        {&f->def.launch.cluster[1], "2",
         "grid y '1' is 1 blocks, which clusters of 2 ('2') do not divide", true},
        {&f->def.launch.shared, "M // (N - 7)", "division by zero", true},
        {&f->args[1].size, "M - 101", "size of argument 'C' 'M - 101' is -1", true},
        {&f->args[2].size, "1 << 31", "value of argument 'M'", true},
        {&f->args[2].size, "M == 1", "value of argument 'M' 'M == 1' is false", true},
        {&f->def.tolerance.relative, "M - 101", "relative tolerance", true},
        {&f->def.tolerance.mean, "M - 100",
         "mean tolerance 'M - 100' is 0, must be above 0", true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *before = *rows[i].field;
        *rows[i].field = rows[i].text;
        struct hone_error err = {0};
        struct hone_job job;
        assert_ok(make(f, &err), err);
        // what no limit decides is the script's fault, not the configuration's
        assert_int_equal(hone_kernel_job(&job, f->kernel, 0, NULL, &err),
                         rows[i].of_script ? HONE_EUSAGE : HONE_EINPUT);
        assert_string_equal(err.source, "k.lua");
        if (!strstr(err.text, rows[i].expected)) fail_msg("got: %s", err.text);
        *rows[i].field = before;
    }
}

static void a_cluster_of_too_many_blocks_is_refused_as_a_whole(void **state)
{
    struct fixture *f = *state;
    struct hone_error err = {0};
    struct hone_job job;
    f->def.launch.cluster[0] = "7";
    f->def.launch.cluster[1] = "3";
    assert_int_equal(make(f, &err), HONE_EINPUT); // whatever the configuration
    assert_int_equal(err.line, 11);
    assert_string_equal(err.text,
                        "cluster 7 x 3 x 1 ('7', '3', '1') has 21 blocks, no device "
                        "allows more than 16, and all of them 8");
    f->def.launch.cluster[1] = "BM // 32 + 1";
    f->def.launch.grid[1] = "BM // 32 + 1";
    assert_ok(make(f, &err), err);
    assert_ok(hone_kernel_job(&job, f->kernel, index_of(f, 0, 0, 0), NULL, &err), err);
    hone_job_fini(&job);
    assert_int_equal(hone_kernel_job(&job, f->kernel, index_of(f, 1, 0, 0), NULL, &err),
                     HONE_EINPUT);
    assert_non_null(strstr(err.text, "has 21 blocks"));
}

static void a_launch_may_be_more_than_plain(void **state)
{
    struct fixture *f = *state;
    struct hone_error err = {0};
    struct hone_job job;
    char plain[33];
    assert_ok(make(f, &err), err);
    strcpy(plain, hone_kernel_space_hash(f->kernel));
    f->def.launch.cluster[0] = "N";
    f->def.launch.cluster[2] = "BM // BM";
    f->def.launch.flags = HONE_LAUNCH_COOPERATIVE | HONE_LAUNCH_DEPENDENT;
    assert_ok(make(f, &err), err);
    assert_string_not_equal(hone_kernel_space_hash(f->kernel), plain);
    assert_ok(hone_kernel_job(&job, f->kernel, 0, NULL, &err), err);
    assert_int_equal(job.geometry.cluster[0], 7);
    assert_int_equal(job.geometry.cluster[1], 1);
    assert_int_equal(job.geometry.cluster[2], 1);
    assert_int_equal(job.geometry.flags, 3);
    hone_job_fini(&job);
    assert_ok(hone_kernel_reference_job(&job, f->kernel, NULL, &err), err);
    assert_int_equal(job.geometry.cluster[0], 0); // it has a launch of its own
    assert_int_equal(job.geometry.flags, 0);
    hone_job_fini(&job);
}

static void dtypes_are_found_by_name(void **state)
{
    (void)state;
    enum hone_dtype dtype = HONE_F32;
    assert_int_equal(hone_dtype_parse(&dtype, "bf16"), HONE_OK);
    assert_int_equal(dtype, HONE_BF16);
    assert_int_equal(hone_dtype_size(dtype), 2);
    assert_string_equal(hone_dtype_name(HONE_U64), "u64");
    assert_int_equal(hone_dtype_parse(&dtype, "float"), HONE_ENOTFOUND);
}

// Both ends are numbers of the type, and there is none of it behind them, or no double.
static void each_type_has_the_range_of_its_finite_numbers(void **state)
{
    (void)state;
    static const struct {
        enum hone_dtype dtype;
        double low, high;
        bool whole;
    } rows[] = {
        {HONE_F64, -0x1p53, 0x1p53, false}, {HONE_F32, -0x1p53, 0x1p53, false},
        {HONE_F16, -65504, 65504, false},   {HONE_BF16, -0x1p53, 0x1p53, false},
        {HONE_E4M3, -448, 448, false},      {HONE_E5M2, -57344, 57344, false},
        {HONE_I64, -0x1p53, 0x1p53, true},  {HONE_I32, -2147483648.0, 2147483647, true},
        {HONE_I16, -32768, 32767, true},    {HONE_I8, -128, 127, true},
        {HONE_U64, 0, 0x1p53, true},        {HONE_U32, 0, 4294967295.0, true},
        {HONE_U16, 0, 65535, true},         {HONE_U8, 0, 255, true},
    };
#define ONE_MORE(id, text, bytes) +1
    assert_int_equal(COUNT(rows), 0 HONE_DTYPE_LIST(ONE_MORE));
#undef ONE_MORE
    for (size_t i = 0; i < COUNT(rows); i++) {
        const double low = rows[i].low, high = rows[i].high;
        const struct hone_dtype_range range = hone_dtype_range(rows[i].dtype);
        const char *name = hone_dtype_name(rows[i].dtype);
        if (range.low != low || range.high != high || range.whole != rows[i].whole)
            fail_msg("%s: %g .. %g", name, range.low, range.high);
        for (int fill = HONE_FILL_INTEGERS; fill <= HONE_FILL_CONSTANT; fill++) {
            const struct hone_fill_data both = {.low = low, .high = high};
            const struct hone_fill_data below = {.low = nextafter(low, -INFINITY)};
            const struct hone_fill_data above = {.high = nextafter(high, INFINITY)};
            if (!hone_fill_data_fits(&both, (enum hone_fill)fill, rows[i].dtype) ||
                hone_fill_data_fits(&below, (enum hone_fill)fill, rows[i].dtype) ||
                hone_fill_data_fits(&above, (enum hone_fill)fill, rows[i].dtype))
                fail_msg("%s, fill %d", name, fill);
        }
    }
}

// What the prelude checks in scripts and nobody in messages, C relies on.
static void fills_have_numbers_that_their_type_holds(void **state)
{
    (void)state;
    static const struct {
        enum hone_fill fill;
        enum hone_dtype dtype;
        double low, high;
        bool fits;
    } rows[] = {
        {HONE_FILL_INTEGERS, HONE_F32, -8, 8, true},
        {HONE_FILL_INTEGERS, HONE_F32, -0x1p53, 0x1p53, true},
        {HONE_FILL_INTEGERS, HONE_F32, 1e300, 1e301, false},
        {HONE_FILL_INTEGERS, HONE_F64, -INFINITY, INFINITY, false},
        {HONE_FILL_INTEGERS, HONE_F64, 0, NAN, false},
        {HONE_FILL_INTEGERS, HONE_F32, 0.5, 8, false},
        {HONE_FILL_INTEGERS, HONE_F32, 8, 7, false},
        {HONE_FILL_INTEGERS, HONE_I8, -128, 127, true},
        {HONE_FILL_INTEGERS, HONE_I8, -129, 127, false},
        {HONE_FILL_INTEGERS, HONE_I8, -128, 128, false},
        {HONE_FILL_INTEGERS, HONE_U32, 0, 4294967295.0, true},
        {HONE_FILL_INTEGERS, HONE_U32, 0, 4294967296.0, false},
        {HONE_FILL_INTEGERS, HONE_U64, -1, 8, false},
        {HONE_FILL_INTEGERS, HONE_U64, 0, 0x1p53, true},
        {HONE_FILL_CONSTANT, HONE_F16, 0.5, 0.5, true},
        {HONE_FILL_CONSTANT, HONE_F16, 1e300, 1e300, false},
        {HONE_FILL_CONSTANT, HONE_F64, NAN, NAN, false},
        {HONE_FILL_CONSTANT, HONE_I32, 0.5, 0.5, false},
        {HONE_FILL_UNIFORM, HONE_F32, 0, 0, true},
        {HONE_FILL_UNIFORM, HONE_F32, 1e300, 1e301, false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct hone_fill_data data = {.low = rows[i].low, .high = rows[i].high};
        if (hone_fill_data_fits(&data, rows[i].fill, rows[i].dtype) != rows[i].fits)
            fail_msg("row %zu", i);
    }
    const struct hone_fill_data file = {.bytes = "abcdef", .size = 6};
    assert_true(hone_fill_data_fits(&file, HONE_FILL_FILE, HONE_F16));
    assert_false(hone_fill_data_fits(&file, HONE_FILL_FILE, HONE_F32));
    assert_false(hone_fill_data_fits(&file, HONE_FILL_ZERO, HONE_F16));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(source_is_defines_then_template_with_includes, set_up,
                                    tear_down),
    cmocka_unit_test_setup_teardown(geometry_args_and_figures_follow_the_configuration,
                                    set_up, tear_down),
    cmocka_unit_test_setup_teardown(problem_replaces_constants_and_what_derives_from_them,
                                    set_up, tear_down),
    cmocka_unit_test_setup_teardown(tolerances_may_depend_on_parameters, set_up,
                                    tear_down),
    cmocka_unit_test_setup_teardown(workspace_may_depend_on_parameters, set_up,
                                    tear_down),
    cmocka_unit_test_setup_teardown(tensor_maps_follow_configuration_and_problem, set_up,
                                    tear_down),
    cmocka_unit_test_setup_teardown(pointers_are_counted_by_their_expression, set_up,
                                    tear_down),
    cmocka_unit_test_setup_teardown(reference_sees_the_problem_only, set_up, tear_down),
    cmocka_unit_test_setup_teardown(broken_definitions_are_refused_by_name, set_up,
                                    tear_down),
    cmocka_unit_test_setup_teardown(impossible_jobs_are_refused_with_the_expression,
                                    set_up, tear_down),
    cmocka_unit_test_setup_teardown(a_cluster_of_too_many_blocks_is_refused_as_a_whole,
                                    set_up, tear_down),
    cmocka_unit_test_setup_teardown(a_launch_may_be_more_than_plain, set_up, tear_down),
    cmocka_unit_test(dtypes_are_found_by_name),
    cmocka_unit_test(each_type_has_the_range_of_its_finite_numbers),
    cmocka_unit_test(fills_have_numbers_that_their_type_holds),
};
// clang-format on
HONE_TEST_MAIN(tests)
