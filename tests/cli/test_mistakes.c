// What people who know CUDA but not Hone do wrong first, and the message that must lead
// them to the cause without the source. Each row changes one thing in what "hone new"
// writes.
#include <string.h>

#include "hone_test.h"
#include "nvrtc.h"
#include "program.h"

struct mistake {
    const char *script;   // sed on k.lua; "" none
    const char *template; // sed on k.cu; "" none
    int code;
    const char *message; // in what it prints
};

static void make(const struct mistake *row, const char *run, int code)
{
    char line[1024];
    snprintf(line, sizeof line,
             "rm -rf t; mkdir t; cd t; \"$HONE\" new k > /dev/null; sed -i '%s' k.lua; "
             "sed -i '%s' k.cu; ",
             row->script, row->template);
    program_run_with(line, run);
    if (program.code != code ||
        (!strstr(program.err, row->message) && !strstr(program.out, row->message)))
        fail_msg("%s %s\n  ended with %d, not %d, and said: %s%s  expected: %s",
                 row->script, row->template, program.code, code, program.out, program.err,
                 row->message);
}

#define CHECK "check k.lua --device emu:a100 --sample 1 --quiet"

static void all(const struct mistake *rows, size_t count)
{
    need_nvrtc();
    for (size_t i = 0; i < count; i++)
        make(&rows[i], CHECK, rows[i].code);
}

static void words_of_other_tuners_are_understood(void **state)
{
    (void)state;
    static const struct mistake rows[] = {
        {"s/    where /    constraints /", "", 2,
         "'constraints' in hone.kernel; did you "
         "mean 'where'?"},
        {"s/    where /    restrictions /", "", 2, "did you mean 'where'?"},
        {"s/    tune /    tune_params /", "", 2, "did you mean 'tune'?"},
        {"s/    tune /    parameters /", "", 2, "did you mean 'tune'?"},
        {"s/launch   = {/block_size = 32, &/", "", 2, "did you mean 'launch'?"},
        {"s/{ grid = /{ grid_size = /", "", 2,
         "launch of hone.kernel; did you mean "
         "'grid'?"},
        {"s/    template /    source /", "", 2, "did you mean 'template'?"},
        {"s/    args /    arguments /", "", 2, "did you mean 'args'?"},
        {"s/relative = 0/rtol = 0/", "", 2, "did you mean 'relative'?"},
        {"s/hone.f32(/hone.float(/", "", 2, "scalars are hone.f32, hone.f64"},
    };
    all(rows, sizeof rows / sizeof *rows);
}

static void scripts_that_cannot_be_name_line_and_way_out(void **state)
{
    (void)state;
    static const struct mistake rows[] = {
        {"s/^return/local x = os.getenv(\"N\") &/", "", 2, "without --allow-io"},
        {"s/^return/local x = io.open(\"N\") &/", "", 2, "without --allow-io"},
        {"s/^local hone.*//", "", 2, "local hone = require \"hone\" comes first"},
        {"s/^return hone/local k = hone/", "", 2, "the script must return hone.kernel"},
        {"s/, block = { \"BLOCK\" } }/ }/", "", 2, "launch of hone.kernel needs 'block'"},
        {"s/\"k.cu\"/\"kernels\\/k.cu\"/", "", 2, "no template 'kernels/k.cu' in"},
        {"s/\"BLOCK \\* ITEMS\"/\"BLOK * ITEMS\"/", "", 2,
         "unknown variable 'BLOK', did you mean 'BLOCK'?"},
        {"s/\"ITEMS % VEC == 0\"/\"ITEMS > 100\"/", "", 2,
         "no configuration is valid: constraint 'ITEMS > 100' rejects all"},
        {"s/ITEMS % VEC == 0\"/& \\&\\& BLOCK > 32\"/;s/0\" \\&\\&/0 \\&\\&/", "", 2,
         "unknown operator '&&', did you mean 'and'?"},
        {"s/\"ITEMS % VEC == 0\"/\"ITEMS != 3\"/", "", 2,
         "unknown operator '!=', did you mean '~='?"},
        {"s/N = 1 << 24/N = \"16\"/", "", 2, "in problem it is a string"},
        {"s/tolerance = {.*}/tolerance = 1e-5/", "", 2,
         "'tolerance' in hone.kernel must be a table, got a number"},
        {"s/{ N = 1 }/{ M = 1 }/", "", 2, "unknown key 'M' in verify size 3"},
        {"s/{ N = 1 }/{ N = -1 }/", "", 2,
         "is 0, must be an integer in 1 .. 2147483647, at N=-1"},
        {"s/BLOCK = 256, ITEMS/BLOCK = 250, ITEMS/", "", 2,
         "default BLOCK = 250 is not among the values of 'BLOCK'"},
    };
    all(rows, sizeof rows / sizeof *rows);
}

static void arguments_that_a_kernel_does_not_take_are_named(void **state)
{
    (void)state;
    static const struct mistake rows[] = {
        {"s/hone.i32(\"N\")/hone.f32(\"N\")/", "", 2,
         "k.lua:39: argument 4 'N' is hone.f32, 4 bytes; parameter 4 of 'k_reference' is "
         "'int N', 4 bytes: use hone.i32"},
        {"s/hone.inout(\"y\", \"f32\"/hone.inout(\"y\", \"f64\"/", "", 2,
         "argument 2 'y' is hone.inout of f64; parameter 2 of 'k_reference' is 'float *"},
        {"s/hone.inout(\"y\", \"f32\"/hone.inout(\"y\", \"i32\"/", "", 2,
         "argument 2 'y' is hone.inout of i32; parameter 2 of 'k_reference' is 'float *"},
        {"s/, hone.i32(\"N\"),/,/", "", 2, "3 arguments, 'k_reference' takes 4"},
        {"s/hone.i32(\"N\"),/& hone.i32(\"M\", 3),/", "", 2,
         "5 arguments, 'k_reference' takes 4: argument 5 'M' is too many"},
        {"s/hone.f32(\"alpha\", \"1.5\")/hone.f32(\"alpha\")/", "", 2,
         "unknown variable 'alpha'"},
        {"", "s/float alpha, int N)/float alpha, int N, int unused)/", 2,
         "4 arguments, 'k' takes 5: parameter 5, 'int unused', 4 bytes, gets none"},
    };
    all(rows, sizeof rows / sizeof *rows);
}

static void kernels_that_cannot_be_say_where(void **state)
{
    (void)state;
    static const struct mistake rows[] = {
        {"s/block = { \"BLOCK\" }/&, shared = \"1 << 20\"/", "", 1,
         "needs 1048576 bytes of shared memory, device allows"},
        {"s/block = { \"BLOCK\" }/&, shared = \"1 << 20\"/", "", 1,
         "\n  see docs/troubleshooting.md#rejected\n"},
        {"", "s/int N)/int M)/", 1, "\n  see docs/troubleshooting.md#build_failed\n"},
        {"s/\"ceil_div(N, TILE)\"/1, &/", "", 1,
         "  the launch (k.lua:35) has blocks along y, the template never reads "
         "blockIdx.y\n"},
        {"s/\"ceil_div(N, TILE)\"/1, &/", "", 1,
         "  the launch (k.lua:35) has one block along x, the template reads "
         "blockIdx.x\n"},
        {"s/block = { \"BLOCK\" }/block = { \"BLOCK * 64\" }/", "", 1,
         "must be an integer in 1 .. 1024"},
        // some configurations only: no limit of the device, so a failure all the same
        {"s/ceil_div(N, TILE)/N \\/ TILE/", "", 1,
         "ceil_div(N, TILE), which is (N + TILE - 1) // TILE, rounds up, at N="},
        {"", "s/__launch_bounds__(BLOCK)/__launch_bounds__(32)/", 1,
         "its launch bounds say 32"},
        {"", "s/extern \"C\" //", 2, "declare it extern \"C\" __global__"},
        {"s/\"k.cu\",/& entry = \"saxpy\",/", "", 2, "has no kernel 'saxpy': it has 'k'"},
        {"", "s/float alpha, int N)/float alpha int N)/", 1, "k.cu:"},
        {"", "s/blockIdx.x \\* TILE/blockIdx.x * BLOK/", 1,
         "\"BLOK\" is undefined: did you mean parameter 'BLOCK'?"},
        {"s/TILE/SPAN/", "s/blockIdx.x \\* TILE/blockIdx.x * SPAN/", 1,
         "SPAN is derived in the script (k.lua:25), and no macro of the template: define "
         "it "
         "there, as (BLOCK * ITEMS)"},
        {"s/hone.i32(\"N\")/hone.i32(\"n\", \"N\")/", "s/, int N)/, int n)/", 1,
         "N is a size of the script: pass it as an argument, or name it in defines"},
        {"s/{ 1, 2, 4, 8, 16 }/&, FOO = { 1, 2 }/;s/default  = {/& FOO = 1,/", "", 0,
         "template 'k.cu' never uses parameter 'FOO'"},
        // everywhere: the kernel is right with the value that the template has itself
        {"s/ITEMS/ITEM_COUNT/g", "s/ITEMS/ITEM_CONT/g", 0,
         "template 'k.cu' never uses parameter 'ITEM_COUNT', which decides the launch; "
         "did you mean it by 'ITEM_CONT'?"},
        {"s/VEC/VECTOR_SIZE/g", "s/VEC/VECTORSIZE/g", 1,
         "never uses parameter 'VECTOR_SIZE'; did you mean it by 'VECTORSIZE'?"},
    };
    all(rows, sizeof rows / sizeof *rows);
}

#define FLOOR "s/ceil_div(N, TILE)/N \\/\\/ TILE/"

// A size of verify that a rounded down grid makes none of is no limit of the device.
static void a_launch_that_no_size_allows_is_the_scripts(void **state)
{
    (void)state;
    static const struct mistake rows[] = {
        {FLOOR, "", 1,
         "launch_failed (formula): k.lua:35: grid x 'N // TILE' is 0, must be an integer "
         "in "
         "1 ..\n      2147483647: ceil_div(N, TILE), which is (N + TILE - 1) // TILE, "
         "rounds "
         "up, at N=1"},
        {"s/ceil_div(N, TILE)/BLOCKS/;s/TILE = /BLOCKS = \"N \\/\\/ TILE\", &/", "", 1,
         "grid x 'BLOCKS', derived as 'N // TILE', is 0"},
        {"s/\"BLOCK\" } }/\"BLOCK \\/\\/ 128\" } }/", "", 1,
         "block x 'BLOCK // 128' is 0"},
        {"s/{ \"BLOCK\" }/&, shared = \"N - 2\"/", "", 1,
         "(formula): k.lua:35: shared bytes 'N - 2' is -1"},
        {"s/ceil_div(N, TILE)/N \\/\\/ (ITEMS - 1)/", "", 1,
         "(formula): k.lua:35: grid x"},
    };
    need_nvrtc();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        make(&rows[i],
             "check k.lua --device emu:a100 --set VEC=1 --set ITEMS=4 --all --quiet",
             rows[i].code);
}

// Nor does a search pass over it in silence, whatever else it found.
static void a_search_says_what_it_lost_and_whether_the_default_is_lost(void **state)
{
    (void)state;
    static const char run[] =
        "tune k.lua --device emu:a100 --set VEC=4 --set ITEMS=4 --budget 6 --quiet";
    static const struct mistake rows[] = {
        {FLOOR ";s/N = 20011/N = 8192/;s/N = 1 }/N = 2048 }/", "", 0,
         "lost to a formula of the script: k.lua:35: grid x 'N // TILE' is 0"},
        {FLOOR ";s/N = 20011/N = 8192/;s/N = 1 }/N = 512 }/", "", 0,
         "lost to a formula of the script, the default among them: k.lua:35:"},
        {"", "s/at < left/& \\&\\& BLOCK != 256/", 0,
         "  the default is wrong_result: y["},
        {"", "s/at < left/& \\&\\& BLOCK == 256/", 0, "  wrong_result with BLOCK="},
    };
    need_nvrtc();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        make(&rows[i], run, rows[i].code);
}

// Types do not tell x from y, nor the sizes from each other.
static void swapped_arguments_are_told_by_their_names(void **state)
{
    (void)state;
    static const char swapped[] =
        "s/hone.input(\"x\", \"f32\", \"N\"), hone.inout(\"y\", \"f32\", \"N\"),/"
        "hone.inout(\"y\", \"f32\", \"N\"), hone.input(\"x\", \"f32\", \"N\"),/";
    static const struct mistake rows[] = {
        {swapped, "", 2,
         "k.lua:38: argument 1 'y' is passed to parameter 'x' of 'k', and argument 2 'x' "
         "to 'y': args have the kernel's order"},
        {swapped, "", 2, "parameter 'x' of 'k_reference', and argument 2 'x' to 'y'"},
        // the kernel alone, with names that are no mistake but meant
        {"",
         "s/k(const float \\*__restrict__ x, float \\*__restrict__ y/"
         "k(const float *__restrict__ y, float *__restrict__ x/;"
         "s/is_aligned(x) \\&\\& is_aligned(y)/false/;s/(x + first, y + first/(y + "
         "first, x + first/g",
         0, "k.lua:38: argument 1 'x' is passed to parameter 'y' of 'k'"},
    };
    need_nvrtc();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        make(&rows[i], "check k.lua --device emu:a100 --sample 1 --quiet", rows[i].code);
    make(&rows[2], "tune k.lua --device emu:a100 --budget 1 --quiet", 0);
}

// It is most often right: what the script gives it is not.
static void a_reference_that_fails_leads_to_its_arguments(void **state)
{
    (void)state;
    static const struct mistake rows[] = {
        {"s/hone.inout(\"y\", \"f32\", \"N\")/hone.inout(\"y\", \"f32\", \"ceil_div(N, "
         "2)\")/",
         "", 2, "; are args in its order, and of the sizes that it uses?"},
        {"s/hone.i32(\"N\")/hone.i32(\"N\", \"2 * N\")/", "", 2,
         "k.lua:38: the reference 'k_reference.cu' fails"},
        {"s/hone.inout(\"y\"/hone.input(\"y\"/", "", 2,
         "; what it writes is hone.output or hone.inout"},
    };
    all(rows, sizeof rows / sizeof *rows);
}

#define SPELLED                                                                          \
    "s/^#ifndef ITEMS.*/#ifndef OTHER/;s/^#define ITEMS 4/#define OTHER/;"               \
    "/^ *\\/\\//!s/\\bITEMS\\b/4/g"

// Not where a kernel asks for its block, nor where nothing is wrong.
static void a_value_spelled_out_in_a_template_is_named(void **state)
{
    (void)state;
    static const char hint[] = "  the launch depends on ITEMS (./k.lua:19), the template "
                               "never uses it";
    const struct mistake spelled = {"", SPELLED, 1, hint},
                         asked = {"",
                                  SPELLED
                                  ";s/blockIdx.x \\* TILE/blockIdx.x * (blockDim.x * 4)/",
                                  1, "wrong_result"},
                         tuned = {"", SPELLED, 0, hint};
    need_nvrtc();
    make(&spelled, "check ./k.lua --device emu:a100 --set BLOCK=256 --all --quiet", 1);
    assert_null(strstr(program.err, "never uses"));
    make(&tuned, "tune ./k.lua --device emu:a100 --budget 6 --quiet", 0);
    make(&asked, "check k.lua --device emu:a100 --set BLOCK=256 --all --quiet", 1);
    assert_null(strstr(program.out, "never uses"));
}

// A worker finds the script's fault, and none is started after it.
static void a_worker_ends_the_run_for_a_wrong_argument(void **state)
{
    (void)state;
    static const struct mistake row = {
        "", "s/float alpha, int N)/float alpha, int N, int unused)/", 2,
        "4 arguments, 'k' takes 5"};
    need_nvrtc();
    make(&row, "tune k.lua --device emu:a100 --budget 5 --quiet --isolate yes", 2);
    assert_null(strstr(program.err, "a new worker"));
}

static void a_journal_that_exists_leads_to_resume(void **state)
{
    (void)state;
    static const struct mistake row = {"", "", 2, "--resume goes on with it"},
                                other = {"", "", 2,
                                         "is of another run: its kernel is \"k\""};
    need_nvrtc();
    make(&row,
         "tune k.lua --device emu:a100 --budget 1 --quiet --journal j.jsonl > /dev/null; "
         "\"$HONE\" tune k.lua --device emu:a100 --budget 1 --quiet --journal j.jsonl",
         2);
    make(&other,
         "tune k.lua --device emu:a100 --budget 1 --quiet --journal j.jsonl > /dev/null; "
         "\"$HONE\" new z > /dev/null; \"$HONE\" tune z.lua --device emu:a100 --budget 1 "
         "--quiet --journal j.jsonl --resume",
         2);
}

// A guard of other devices removes nothing on this one, and is no mistake.
static void what_new_writes_has_no_findings(void **state)
{
    (void)state;
    static const struct mistake row = {"", "", 0, "VEC    1 2 4"};
    make(&row, "space k.lua --device emu:a100 --lint", 0);
    assert_null(strstr(program.out, "removes nothing"));
}

// The user's, so that they are wrong use; the script's own are its configurations'.
static void sizes_that_no_configuration_can_have_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *run, *message;
    } rows[] = {
        {CHECK " --set N=0",
         "k.lua:35: no configuration can be launched at N=0: grid x "},
        {CHECK " --set N=-4", "no configuration can be launched at N=-4: grid x 'ceil_"},
        {CHECK " --set N=99999999999",
         "no configuration can be launched at N=99999999999: "},
        {CHECK " --set N=9999999999999", "grid x 'ceil_div(N, TILE)' is "},
        {"tune k.lua --device emu:a100 --budget 3 --set N=0",
         "be launched at N=0: grid x"},
        {"tune k.lua --device emu:a100 --budget 3 --problems none.txt",
         "no configuration can be launched at N=0: grid x 'ceil_"},
        {"explain k.lua --device emu:a100 --set N=0", "launch_failed: k.lua:35: grid x"},
    };
    need_nvrtc();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        program_run_with("rm -rf t; mkdir t; cd t; \"$HONE\" new k >new.txt; "
                         "printf 'N=0\\nN=-1\\n' >none.txt; ",
                         rows[i].run);
        if (program.code != 2 || !strstr(program.err, rows[i].message))
            fail_msg("%s: %d %s", rows[i].run, program.code, program.err);
    }
    const struct mistake own = {"s/N = 1 << 24/N = 0/", "", 1, "configurations failed"};
    make(&own, CHECK, 1);
    const struct mistake some = {"s/N = 1 << 24/N = 0/", "", 1, "is valid; the first: "};
    make(&some, "tune k.lua --device emu:a100 --budget 3", 1);
}

// Each problem has its own configurations.
static void a_list_of_problems_does_without_the_scripts_own(void **state)
{
    (void)state;
    need_nvrtc();
    const struct mistake large = {"s/\"ITEMS % VEC == 0\"/&, \"N <= 65536\"/", "", 2,
                                  "no configuration is valid: constraint 'N <= 65536'"};
    make(&large, CHECK, 2);
    program_run_with("cd t; echo N=4096 >fit.txt; ",
                     "tune k.lua --device emu:a100 --budget 2 -q --problems fit.txt");
    if (program.code != 0) fail_msg("%s%s", program.out, program.err);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_new_writes_has_no_findings),
    cmocka_unit_test(words_of_other_tuners_are_understood),
    cmocka_unit_test(scripts_that_cannot_be_name_line_and_way_out),
    cmocka_unit_test(arguments_that_a_kernel_does_not_take_are_named),
    cmocka_unit_test(kernels_that_cannot_be_say_where),
    cmocka_unit_test(a_launch_that_no_size_allows_is_the_scripts),
    cmocka_unit_test(a_search_says_what_it_lost_and_whether_the_default_is_lost),
    cmocka_unit_test(swapped_arguments_are_told_by_their_names),
    cmocka_unit_test(a_reference_that_fails_leads_to_its_arguments),
    cmocka_unit_test(a_value_spelled_out_in_a_template_is_named),
    cmocka_unit_test(a_worker_ends_the_run_for_a_wrong_argument),
    cmocka_unit_test(a_journal_that_exists_leads_to_resume),
    cmocka_unit_test(sizes_that_no_configuration_can_have_are_refused),
    cmocka_unit_test(a_list_of_problems_does_without_the_scripts_own),
};
HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
