// The options that a kernel may give its compiler. Every other one is refused: those that
// name files or folders, those that take the next option for a value, spellings that
// are near an allowed one, and what no compiler knows yet.
#include <string.h>

#include "base/compiler_options.h"
#include "hone_test.h"

static const char *const allowed[] = {
    "-DA",
    "-DA=1",
    "-D A=1",
    "-DNAME=float2",
    "-DEXPR=(1+2)*3",
    "-DTEXT=\"a b\"",
    "-DA=",
    "--define-macro=A=1",
    "-define-macro=A",
    "-UA",
    "--undefine-macro=A",
    "--std=c++11",
    "-std=c++17",
    "--std=c++20",
    "-use_fast_math",
    "--use_fast_math",
    "--fmad=true",
    "-fmad=false",
    "--ftz=true",
    "--prec-div=false",
    "--prec-sqrt=true",
    "--maxrregcount=64",
    "-maxrregcount=255",
    "--extra-device-vectorization",
    "--restrict",
    "-restrict",
    "-lineinfo",
    "--generate-line-info",
    "--device-int128",
    "-dopt=on",
    "-default-device",
    "--device-as-default-execution-space",
    "--ptxas-options=-O2",
    "--ptxas-options=--opt-level=3",
    "-Xptxas=-v",
    "--ptxas-options=-dlcm=cg",
    "--ptxas-options=--def-load-cache=ca",
    "--ptxas-options=-warn-spills",
    "--split-compile=2",
    "-w",
    "--disable-warnings",
    "--diag-suppress=177,550",
    "--brief-diagnostics=true",
    "-Ofc=max",
    "-G",
};

static const char *const refused[] = {
    "",
    "-",
    "--",
    "x",
    "@response",
    "-I",
    "-I/etc",
    "-I.",
    "-Iinclude",
    "-I include",
    "--include-path=/etc",
    "-include-path=/etc",
    "--include-path",
    "-include",
    "x.cuh",
    "--pre-include=/etc/passwd",
    "-pre-include=x",
    "--preinclude=x",
    "-isystem/etc",
    "--time=/tmp/t",
    "-time=t",
    "--time",
    "--fdevice-time-trace=t",
    "-fdevice-time-trace=t",
    "--fdevice-time-trace",
    "--pch",
    "-pch",
    "--create-pch=x",
    "-create-pch=x",
    "--create_pch=x",
    "--use-pch=x",
    "--use_pch=x",
    "--pch-dir=/tmp",
    "--pch_dir=/tmp",
    "-pch-dir=/tmp",
    "--pch-messages=true",
    "-optf=x",
    "--options-file=x",
    "--keep",
    "--keep-dir=/tmp",
    "-arch=sm_80",
    "--gpu-architecture=sm_80",
    "--gpu-architecture",
    "--no-cache",
    "--modify-stack-limit=true",
    "--no-source-include",
    "--enable-cache-trace",
    "--dlink-time-opt",
    "-dlto",
    "-rdc=true",
    "--relocatable-device-code=true",
    "-dc",
    "-dw",
    "--extensible-whole-program",
    "-ewp",
    "--gen-opt-lto",
    "--optix-ir",
    "-nvvm-version=nvvm70",
    "-Xcudafe",
    "-Xcudafe=-I/etc",
    "-Xnvvm=x",
    "-Xopt=x",
    "-Xllc=x",
    "-Xptxas",
    "--ptxas-options",
    "--ptxas-options=",
    "--ptxas-options=-o=/tmp/x",
    "--ptxas-options=-o",
    "--ptxas-options=--output-file=/tmp/x",
    "--ptxas-options=-optf=x",
    "--ptxas-options=--options-file=x",
    "--ptxas-options=-O2,-optf=x",
    "--ptxas-options=-O2 -optf=x",
    "--ptxas-options=--input-as-string=x",
    "--ptxas-options=/etc/passwd",
    "-Xptxas=-arch=sm_80",
    "-D",
    "-D ",
    "-U",
    "-D=",
    "-D1",
    "-DA B",
    "-DA(x)=x",
    "-DC(a,b)=a##b",
    "-DA=#",
    "-DA=a\nb",
    "-DA=a\\",
    "-DA=/*",
    "-DA=//",
    "-DA=%:",
    "-DA=?"
    "?=",
    "-DA=\r",
    "-DA=\xc3\xa4",
    "-D__has_include=1",
    "-DA=__has_include(\"/etc/passwd\")",
    "-D-I/etc",
    "-UA=1",
    "-U__has_include",
    "--DA",
    "---restrict",
    "--std",
    "--std=",
    "--std=c++03",
    "--std=c++17 ",
    "--std=c++",
    "--std c++17",
    "--use_fast_mat",
    "--use_fast_math=true",
    "--fmad",
    "--fmad=",
    "--fmad=yes",
    "--fmad=true false",
    "--maxrregcount",
    "--maxrregcount=",
    "-maxrregcount=x",
    "--maxrregcount=64 -I/etc",
    "--restrict=/etc",
    "--restrict -I/etc",
    "-lineinfo=x",
    "-dopt",
    "-dopt=/tmp/x",
    "--diag-suppress",
    "--diag-suppress=/etc",
    "-W",
    "-Wall",
    " -w",
    "-w ",
    "-O3",
    "--frandom-seed=x",
    "--jump-table-density=x",
    "--fma=true",
    "--max=64",
    "--res",
    "--gpu-arch=sm_80",
    "--inc=/etc",
    "--tim=x",
};

static void options_that_only_shape_the_code_are_allowed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        struct hone_error err = {0};
        assert_ok(hone_compiler_option_check(allowed[i], &err), err);
    }
}

static void every_other_option_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct hone_error err = {0};
        if (hone_compiler_option_check(refused[i], &err) != HONE_EINPUT)
            fail_msg("'%s' is allowed", refused[i]);
        assert_non_null(strstr(err.text, "is not allowed"));
    }
    print_message("%zu options refused\n", sizeof refused / sizeof *refused);
}

// A cut allowed option is none: NVRTC takes no abbreviations, a later one might.
static void no_abbreviation_of_an_option_is_allowed(void **state)
{
    (void)state;
    static const char *const whole[] = {"--use_fast_math", "--extra-device-vectorization",
                                        "--maxrregcount=64", "--ptxas-options=-v",
                                        "--disable-warnings"};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        const size_t length = strcspn(whole[i], "=");
        for (size_t cut = 3; cut < length; cut++) {
            char option[64];
            snprintf(option, sizeof option, "%.*s%s", (int)cut, whole[i],
                     whole[i] + length);
            if (hone_compiler_option_check(option, NULL) != HONE_EINPUT)
                fail_msg("'%s' is allowed", option);
        }
    }
}

static void refusal_names_the_way_out(void **state)
{
    (void)state;
    static const struct {
        const char *option, *words;
    } cases[] = {
        {"-I/usr/include", "script's key 'include'"},
        {"--include-path=x", "script's key 'include'"},
        {"--use_fast_mth", "the nearest that is: --use_fast_math"},
        {"--fma=true", "the nearest that is: --fmad=true or =false"},
        {"--fmad=yes", "the nearest that is: --fmad=true or =false"},
        {"--std=c++03", "the nearest that is: --std= and one of c++11"},
        {"--maxregcount=64", "the nearest that is: --maxrregcount=<number>"},
        {"--ptxas-options=-dlc=cg", "the nearest that is: -dlcm= and one of ca"},
        {"--pch", "such as -DNAME=1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_error err = {0};
        assert_int_equal(hone_compiler_option_check(cases[i].option, &err), HONE_EINPUT);
        if (!strstr(err.text, cases[i].words)) fail_msg("%s", err.text);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(options_that_only_shape_the_code_are_allowed),
    cmocka_unit_test(every_other_option_is_refused),
    cmocka_unit_test(no_abbreviation_of_an_option_is_allowed),
    cmocka_unit_test(refusal_names_the_way_out),
};

HONE_TEST_MAIN(tests)
