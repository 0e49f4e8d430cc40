// What a build reads, from outside: exit codes and messages for options, folders and
// links that lead elsewhere, and that a changed header is a new build.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hone_test.h"
#include "nvrtc.h"
#include "program.h"

static const char *const script =
    "mkdir -p lib; printf '#pragma once\\n#include \"deep.h\"\\n' > lib/add.h;"
    "printf '#define ADD 1.0f\\n' > lib/deep.h;"
    "printf '%s\\n' 'local hone = require \"hone\"' 'return hone.kernel {' "
    "'name = \"k\", template = \"k.cu\", problem = { N = 256 }, tune = { B = { 64 } },'"
    " 'launch = { grid = \"N // B\", block = \"B\" },' "
    "'args = { hone.input(\"x\", \"f32\", \"N\"), hone.output(\"y\", \"f32\", \"N\") },'"
    " 'reference = { template = \"r.cu\", entry = \"r\", "
    "launch = { grid = \"N // 64\", block = 64 } },' \"$EXTRA\" '}' > k.lua;"
    "printf '%s\\n' '#ifndef B' '#define B 64' '#endif' '#include <add.h>' "
    "'extern \"C\" __global__ void k(const float *x, float *y)' "
    "'{ int i = blockIdx.x * B + threadIdx.x; y[i] = x[i] + ADD; }' > k.cu;"
    "printf '%s\\n' 'extern \"C\" __global__ void r(const float *x, float *y)' "
    "'{ int i = blockIdx.x * 64 + threadIdx.x; y[i] = x[i] + 1.0f; }' > r.cu;";

static void run(const char *extra, const char *more, const char *args)
{
    char prefix[4096];
    snprintf(prefix, sizeof prefix, "EXTRA='%s'; %s %s", extra, script, more);
    program_run_with(prefix, args);
}

static void expect_refusal(const char *extra, const char *more, const char *words)
{
    run(extra, more, "check k.lua --device emu:h200 --cache \"\"");
    if (program.code != 2 || !strstr(program.err, words))
        fail_msg("exit code %d: %s", program.code, program.err);
}

#define INCLUDE "include = { \"lib\" },"

static void a_changed_header_is_a_new_build(void **state)
{
    (void)state;
    need_nvrtc();
    run(INCLUDE, "rm -rf cache j.jsonl;", "check k.lua --device emu:h200 --cache cache");
    if (program.code) fail_msg("%s%s", program.out, program.err);
    assert_non_null(strstr(program.out, "1 valid"));
    program_expect("tune k.lua --device emu:h200 --cache cache --journal j.jsonl", 0);
    run(INCLUDE, "echo '#define ADD 2.0f' > lib/deep.h;",
        "check k.lua --device emu:h200 --cache cache");
    assert_int_equal(program.code, 1);
    assert_non_null(strstr(program.out, "wrong_result"));
    program_run("tune k.lua --device emu:h200 --cache cache --journal j.jsonl --resume");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "its template_hash is"));
}

static void workers_get_the_headers(void **state)
{
    (void)state;
    need_nvrtc();
    run(INCLUDE, "", "tune k.lua --device emu:h200 --isolate yes --journal w.jsonl");
    if (program.code) fail_msg("%s%s", program.out, program.err);
    assert_non_null(strstr(program.out, "1 valid"));
}

static void options_and_folders_that_lead_out_end_with_code_2(void **state)
{
    (void)state;
    static const struct {
        const char *extra, *more, *words;
    } cases[] = {
        {INCLUDE " options = { \"--time=/tmp/x\" },", "",
         "k.lua:7: compiler option '--time=/tmp/x' is not allowed"},
        {INCLUDE " options = { \"-I/etc\" },", "", "script's key 'include'"},
        {INCLUDE " options = { \"--use_fast_mth\" },", "",
         "the nearest that is: --use_fast_math"},
        {"include = { \"/etc\" },", "", "k.lua:7: include folder '/etc' lies neither"},
        {"include = { \"../\" },", "", "k.lua:7: include folder '../' lies neither"},
        {"include = { \"out\" },", "ln -sfn /etc out;",
         "k.lua:7: include folder 'out' leads out"},
        {"include = { \"gone\" },", "", "k.lua:7: no include folder 'gone'"},
        {"include = { \"k.cu\" },", "", "k.lua:7: no include folder 'k.cu'"},
        {"include = { \"a b\" },", "", "k.lua:7: the name of include folder 'a b'"},
        {"include = { 1 },", "", "must be a string"},
        {"", "", "k.cu:4: cannot find included file 'add.h'"},
        {INCLUDE, "sed -i 's/add.h/cuda_fp16.h/' k.cu;", "in the script finds it"},
        {INCLUDE, "sed -i 's/add.h/stdint.h/' k.cu;", "behind #ifndef __CUDACC_RTC__"},
        {INCLUDE, "sed -i 's/add.h/vector/' k.cu;", "behind #ifndef __CUDACC_RTC__"},
        {INCLUDE, "sed -i 's/add.h/vector.h/' k.cu;", "key 'include' names folders"},
        {INCLUDE, "ln -sf /etc/passwd k.cu;", "leads out of"},
        {INCLUDE,
         "ln -sf /etc/passwd lib/deep.h; sed -i 1d lib/add.h;"
         "sed -i 's/<add.h>/\"lib\\/add.h\"/' k.cu;",
         "leads out of"},
        {INCLUDE, "rm -f k.cu; mkfifo k.cu;", "is not a file"},
        {INCLUDE, "mv k.cu 'x;id>PWNED;#.cu'; sed -i 's/k.cu/x;id>PWNED;#.cu/' k.lua;",
         "has a character other than letters"},
        {INCLUDE " options = { \"-DQ=__ha\" },",
         "sed -i '1i #define P(a, b) a##b\\n#define R s_include' k.cu;",
         "can paste (##) to __has_include"},
        {INCLUDE " options = { \"-DQ=P\" },",
         "sed -i '1i #define P(a, b) a##b' k.cu; echo 'int a = Q(__ha, s_include);' >> "
         "k.cu;",
         "can paste (##) to __has_include"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        program_run_with("rm -rf k.cu lib;", "--version");
        expect_refusal(cases[i].extra, cases[i].more, cases[i].words);
    }
}

// s/k.lua, whose templates are in far.
#define MOVED                                                                            \
    "rm -rf far s t templates; mkdir -p far s/templates t; mv k.cu r.cu far; mv k.lua "  \
    "s;"

static void expect_space(const char *more, const char *args, int code, const char *words)
{
    run(INCLUDE, MOVED, "--version");
    program_run_with("mkdir -p s/lib t/lib;", "--version");
    program_run_with(more, args);
    if (program.code != code || !strstr(program.err, words))
        fail_msg("%s: exit code %d: %s", more, program.code, program.err);
}

static void templates_beside_are_no_way_out_of_there(void **state)
{
    (void)state;
    expect_space("ln -s far templates;", "space s/k.lua", 0, "");
    expect_space("mkdir t/k; mv s/k.lua t/k; ln -s ../far t/templates;",
                 "space t/k/k.lua", 2,
                 "template folder 't/k/../templates' is a link that leads out of");
    expect_space("mkdir -p t/k/lib; mv s/k.lua t/k; ln -s ../far t/templates;",
                 "space t/k/k.lua --templates far", 0, "");
    expect_space("mkdir -p t/k/lib; mv s/k.lua t/k; ln -s ../far t/templates;",
                 "space t/k/k.lua --allow-io", 0, "");
}

static void a_linked_script_finds_what_is_beside_its_file(void **state)
{
    (void)state;
    expect_space("mv far/* s; ln -s ../s/k.lua t/l.lua;", "space t/l.lua", 0, "");
    expect_space("mv far templates; ln -s ../s/k.lua t/l.lua; ln -s t/l.lua l.lua;",
                 "space l.lua", 0, "");
    expect_space("ln -s ../s/k.lua t/l.lua;", "space t/l.lua", 2,
                 "no template 'k.cu' in 't', 't/../templates', 't/../s'");
}

static void without_proc_the_message_names_it(void **state)
{
    (void)state;
    if (system("unshare -m umount -l /proc 2>/dev/null") != 0) skip();
    run(INCLUDE, "", "--version");
    program_run_with(
        "hidden() { unshare -m sh -c 'umount -l /proc; exec \"$@\"' - \"$@\"; };"
        "hidden ",
        "space k.lua");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "mount /proc"));
}

static void a_toolkit_is_included_by_name(void **state)
{
    (void)state;
    need_nvrtc();
    run("include = { \"toolkit/include\", \"lib\" },",
        "rm -rf k.cu lib; mkdir -p toolkit/include;", "--version");
    run("include = { \"'$PWD'/toolkit/include\", \"lib\" },",
        "mkdir -p toolkit/include; touch toolkit/include/cuda.h;"
        "echo '#define T float' > toolkit/include/t.h;"
        "sed -i '1i #include <t.h>' k.cu; export CUDA_HOME=$PWD/toolkit;",
        "check k.lua --device emu:h200");
    if (program.code) fail_msg("%s%s", program.out, program.err);
    // a header of the toolkit that includes one of the C++ library, in a branch that only
    // the compiler knows
    run("include = { \"'$PWD'/toolkit/include\", \"lib\" },",
        "mkdir -p toolkit/include/cccl/cuda/std; touch toolkit/include/cuda.h;"
        "touch toolkit/include/cccl/cuda/std/more;"
        "printf \"#if __CUDA_ARCH__ > 1\\n#include <cuda/std/more>\\n#endif\\n\" "
        "> toolkit/include/t.h;"
        "sed -i '1i #include <t.h>' k.cu; export CUDA_HOME=$PWD/toolkit;",
        "check k.lua --device emu:h200");
    assert_int_equal(program.code, 1);
    assert_non_null(
        strstr(program.out, "/toolkit/include/cccl\"} in the script finds it"));
}

static void a_payload_of_source_holds_no_headers(void **state)
{
    (void)state;
    need_nvrtc();
    run(INCLUDE, "rm -f p.jsonl;", "tune k.lua --device emu:h200 --journal p.jsonl");
    if (program.code) fail_msg("%s%s", program.out, program.err);
    program_run("emit p.jsonl --accept-predicted --payload source --script k.lua -o p.h");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "--payload ptx or cubin"));
    program_run("emit p.jsonl --accept-predicted --payload ptx --script k.lua -o p.h");
    if (program.code) fail_msg("%s%s", program.out, program.err);
}

static void the_environment_adds_no_options(void **state)
{
    (void)state;
    need_nvrtc();
    run(INCLUDE, "export NVRTC_APPEND_FLAGS=-I/etc;", "check k.lua --device emu:h200");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "NVRTC_APPEND_FLAGS"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_changed_header_is_a_new_build),
    cmocka_unit_test(workers_get_the_headers),
    cmocka_unit_test(options_and_folders_that_lead_out_end_with_code_2),
    cmocka_unit_test(templates_beside_are_no_way_out_of_there),
    cmocka_unit_test(a_linked_script_finds_what_is_beside_its_file),
    cmocka_unit_test(without_proc_the_message_names_it),
    cmocka_unit_test(a_toolkit_is_included_by_name),
    cmocka_unit_test(a_payload_of_source_holds_no_headers),
    cmocka_unit_test(the_environment_adds_no_options),
};

HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
