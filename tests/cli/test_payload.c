// Headers with a payload: a user's program loads and launches them over the fake driver,
// which runs the kernel that the header names.
#include <stdlib.h>
#include <string.h>

#include "hone_test.h"
#include "nvrtc.h"
#include "program.h"

#define SCALE "$SOURCE/tests/cli/scripts/scale.lua"

static void make_journal(void)
{
    char *journal = program_file("scale.jsonl");
    if (!journal)
        program_expect("tune " SCALE
                       " --device emu:h200 --set MODE=0 --budget 4 --seed 3 "
                       "--journal scale.jsonl",
                       0);
    free(journal);
}

static const char right[] = "no context: -2\n"
                            "loaded: 0, 2 objects\n"
                            "gpu: 0, 9.0\n"
                            "launch: 0, wrong: 0, launch: 0, wrong: 0\n"
                            "none: -3\n"
                            "unloaded: 0, 0 objects\n"
                            "again: 0\n"
                            "wrong: 0\n";

// A program that loads a sanitized library must be sanitized itself.
#ifdef __SANITIZE_ADDRESS__
#define SANITIZE " -fsanitize=address,undefined"
#else
#define SANITIZE ""
#endif

static void use(const char *compiler, const char *environment, const char *expected)
{
    char command[1024];
    snprintf(command, sizeof command,
             "%s" SANITIZE " -O1 -Wall -Wextra -Wpedantic -Werror -I. "
             "$SOURCE/tests/cli/payload_user.c -o user -ldl -pthread && "
             "HONE_LIBCUDA=%s/tests/fake/fake_cuda.so HONE_FAKE_CUDA=%s ./user;",
             compiler, HONE_BINARY_DIR, environment);
    program_run_with(command, "version >/dev/null");
    if (strcmp(program.out, expected) != 0)
        fail_msg("%s\n%s%s", compiler, program.out, program.err);
}

#define C99   "gcc -std=c99 -D_POSIX_C_SOURCE=200809L"
#define CXX11 "g++ -x c++ -std=c++11"

static void emit(const char *kind, const char *more)
{
    char args[512];
    snprintf(args, sizeof args,
             "emit scale.jsonl --accept-predicted --payload %s --script " SCALE
             " %s -o scale.h",
             kind, more);
    program_expect(args, 0);
}

static void images_are_loaded_once_and_launched(void **state)
{
    (void)state;
    need_nvrtc();
    make_journal();
    emit("ptx", "");
    use(C99, "cc=90", right);
    use(CXX11, "cc=90", right);
    emit("cubin", "--arch sm_80 --arch sm_90");
    use(C99, "cc=90", right);
    char *header = program_file("scale.h");
    assert_non_null(strstr(header, "scale_image_0_sm_80[]"));
    assert_non_null(strstr(header, "scale_image_0_sm_90[]"));
    free(header);
}

static void source_is_compiled_where_it_is_loaded(void **state)
{
    (void)state;
    const char *library = need_nvrtc();
    make_journal();
    emit("source", "");
    static const char *const compilers[] = {C99, CXX11};
    for (size_t i = 0; i < 2; i++) {
        char command[600];
        snprintf(command, sizeof command, "export HONE_NVRTC=%s; %s", library,
                 compilers[i]);
        use(command, "cc=90", right);
    }
}

static void what_is_missing_is_a_code(void **state)
{
    (void)state;
    need_nvrtc();
    make_journal();
    emit("cubin", "--arch sm_90a");
    use(C99, "cc=86",
        "no context: -2\nloaded: -4, 0 objects\ngpu: 0, 8.6\n"
        "launch: -4, wrong: 4999, launch: -4, wrong: 69\nnone: -3\n"
        "unloaded: 0, 0 objects\nagain: -4\nwrong: 4999\n");
    emit("source", "");
    use("export HONE_NVRTC=/nowhere.so; " C99, "cc=90",
        "no context: -2\nloaded: -5, 0 objects\ngpu: 0, 9.0\n"
        "launch: -5, wrong: 4999, launch: -5, wrong: 69\nnone: -3\n"
        "unloaded: 0, 0 objects\nagain: -5\nwrong: 4999\n");
}

static void use_clusters(const char *compiler, const char *gpu, const char *expected)
{
    char command[1024];
    snprintf(command, sizeof command,
             "%s" SANITIZE " -Wall -Wextra -Wpedantic -Werror -I. "
             "$SOURCE/tests/cli/clusters_user.c -o clusters_user -ldl && "
             "HONE_EMU_GPU=%s HONE_LIBCUDA=%s/tests/fake/emu_cuda.so ./clusters_user;",
             compiler, gpu, HONE_BINARY_DIR);
    program_run_with(command, "version >/dev/null");
    if (strcmp(program.out, expected) != 0)
        fail_msg("%s on %s\n%s%s", compiler, gpu, program.out, program.err);
}

#define AROUND "$SOURCE/tests/cli/scripts/around.lua"

static void a_header_of_clusters(const char *size)
{
    char args[512];
    snprintf(args, sizeof args,
             "tune " AROUND " --device emu:h100 --budget 4 --set CX=%s --journal "
             "around%s.jsonl",
             size, size);
    program_expect(args, 0);
    snprintf(args, sizeof args,
             "emit around%s.jsonl --accept-predicted --payload ptx --script " AROUND
             " -o around.h",
             size);
    program_expect(args, 0);
}

// Of a size that is tuned, which only the launch says, up to those that are not portable.
static void clusters_are_launched_where_a_gpu_has_them(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("check " AROUND " --device emu:h100 --all", 0);
    assert_non_null(strstr(program.out, "4 valid"));
    a_header_of_clusters("4");
    use_clusters(C99, "h200", "grid: 16, cluster: 4 1 1\nlaunch: 0, wrong: 0\n");
    use_clusters(CXX11, "h200", "grid: 16, cluster: 4 1 1\nlaunch: 0, wrong: 0\n");
    use_clusters(C99, "a100", "grid: 0, cluster: 0 0 0\nlaunch: -3, wrong: 999\n");
    a_header_of_clusters("16");
    use_clusters(C99, "h200", "grid: 16, cluster: 16 1 1\nlaunch: 0, wrong: 0\n");
    use_clusters(C99, "rtx5090", "grid: 0, cluster: 0 0 0\nlaunch: -3, wrong: 999\n");
    a_header_of_clusters("1");
    use_clusters(C99, "h200", "grid: 16, cluster: 1 1 1\nlaunch: 0, wrong: 0\n");
    use_clusters(C99, "rtx5090", "grid: 16, cluster: 1 1 1\nlaunch: -4, wrong: 999\n");
    use_clusters(C99, "a100", // which has no dependent launches
                 "grid: 0, cluster: 0 0 0\nlaunch: -3, wrong: 999\n");
}

static void arrays_of_pointers_are_passed_by_their_type(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("check $SOURCE/tests/cli/scripts/rows.lua --device emu:h200 --all", 1);
    assert_non_null(strstr(program.out, "changes its input: pointers of x["));
    assert_non_null(strstr(program.out, "2 valid"));
    program_expect("tune $SOURCE/tests/cli/scripts/rows.lua --device emu:h200 --budget 2 "
                   "--set MODE=0 --journal rows.jsonl",
                   0);
    program_expect("emit rows.jsonl --accept-predicted --payload ptx --script "
                   "$SOURCE/tests/cli/scripts/rows.lua -o rows.h",
                   0);
    static const char *const compilers[] = {C99, CXX11};
    for (size_t i = 0; i < 2; i++) {
        char command[1024];
        snprintf(command, sizeof command,
                 "%s" SANITIZE " -Wall -Wextra -Wpedantic -Werror -I. "
                 "$SOURCE/tests/cli/pointers_user.c -o pointers_user -ldl && "
                 "HONE_EMU_GPU=h200 HONE_LIBCUDA=%s/tests/fake/emu_cuda.so "
                 "./pointers_user;",
                 compilers[i], HONE_BINARY_DIR);
        program_run_with(command, "version >/dev/null");
        if (strcmp(program.out, "launch: 0, wrong: 0\n") != 0)
            fail_msg("%s\n%s%s", compilers[i], program.out, program.err);
    }
}

static void a_payload_is_of_the_tuned_template(void **state)
{
    (void)state;
    need_nvrtc();
    make_journal();
    program_expect("emit scale.jsonl --accept-predicted --payload ptx -o x.h", 2);
    assert_non_null(
        strstr(program.err, "--payload needs the kernel's script: --script FILE"));
    program_expect("emit scale.jsonl --accept-predicted --payload tar --script " SCALE,
                   2);
    assert_non_null(strstr(program.err, "none, source, ptx or cubin, got 'tar'"));
    program_expect(
        "emit scale.jsonl --accept-predicted --payload ptx --arch 90 --script " SCALE, 2);
    assert_non_null(strstr(program.err, "'90' is no arch"));
    program_expect("emit scale.jsonl --accept-predicted --payload ptx --arch sm_90a "
                   "--arch sm_99 --script " SCALE,
                   2);
    assert_non_null(strstr(program.err, "'sm_99' is no architecture that this NVRTC "
                                        "knows: "));
    program_run_with("mkdir -p other; cp $SOURCE/tests/cli/scripts/scale* other/; "
                     "echo '// more' >> other/scale.cu;",
                     "emit scale.jsonl --accept-predicted --payload source --script "
                     "other/scale.lua");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "the template has changed since it was tuned"));
}

// Lines of a comment that go on are one.
static void join_lines(char *text)
{
    static const char next[] = "\n *     ";
    for (char *at; (at = strstr(text, next));) {
        *at = ' ';
        memmove(at + 1, at + sizeof next - 1, strlen(at + sizeof next - 1) + 1);
    }
}

// The table has a configuration for all of them; a launch needs an image, too.
#define ALL_OF(count) "6 of 6 sizes have a configuration on " count " asked"
#define CC            "compute capability "
#define H200          "NVIDIA H200, "
#define OLDER         H200 CC "7.0, 7.5, 8.0, 8.6, 8.9"

static void gpus_without_an_image_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *archs, *coverage;
        const char *told; // of GPUs without an image
    } cases[] = {
        {"cubin", "--arch sm_80", ALL_OF("each of 3 GPUs"),
         H200 CC "7.0, 7.5, 10.0, 12.0"},
        {"cubin", "--arch sm_86 --arch sm_90a", ALL_OF("each of 3 GPUs"),
         CC "7.0, 7.5, 8.0, 10.0, 12.0"},
        {"ptx", "--arch sm_80", ALL_OF("each of 6 GPUs"), CC "7.0, 7.5"},
        {"ptx", "--arch sm_120a", ALL_OF("the one GPU"), OLDER ", 10.0"},
        {"ptx", "--arch sm_100f", ALL_OF("the one GPU"), OLDER ", 12.0"},
        {"ptx", "--arch sm_103a", "none of 8 GPUs asked has an image",
         OLDER ", 10.0, 12.0"},
        {"ptx", "--arch sm_75 --arch sm_90", ALL_OF("each of 7 GPUs"), CC "7.0"},
    };
    static const char begin[] = " * No image for ";
    need_nvrtc();
    make_journal();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[400];
        emit(cases[i].kind, cases[i].archs);
        snprintf(line, sizeof line,
                 "coverage: %s\n    no image for %s: --arch gives more\n",
                 cases[i].coverage, cases[i].told);
        if (!strstr(program.out, line)) fail_msg("%s lacks %s", program.out, line);
        char *header = program_file("scale.h");
        join_lines(header);
        const char *at = strstr(header, begin);
        if (!at || strstr(at, cases[i].told) != at + strlen(begin))
            fail_msg("%.200s", at ? at : header);
        free(header);
    }
    emit("source", "");
    assert_non_null(strstr(program.out, "coverage: " ALL_OF("each of 8 GPUs")));
    assert_null(strstr(program.out, "no image"));
}

static void what_no_arch_compiles_is_told_with_its_reason(void **state)
{
    (void)state;
    need_nvrtc();
    program_run_with("mkdir late; cp $SOURCE/tests/cli/scripts/scale* late/; "
                     "printf '#if __CUDA_ARCH__ < 900\n#error needs 9.0\n#endif\n' "
                     ">>late/scale.cu;",
                     "tune late/scale.lua --device emu:h200 --set MODE=0 --budget 2 "
                     "--journal late.jsonl");
    assert_int_equal(program.code, 0);
    program_expect("emit late.jsonl --accept-predicted --payload cubin --arch sm_80 "
                   "--arch sm_86 --script late/scale.lua -o late.h",
                   2);
    assert_non_null(strstr(program.err, "no configuration compiles for any of these "
                                        "archs; configuration 0 for sm_80: "));
    assert_non_null(strstr(program.err, "needs 9.0"));
    assert_null(program_file("late.h"));
}

static void a_header_that_loses_its_payload_is_told(void **state)
{
    (void)state;
    need_nvrtc();
    make_journal();
    emit("source", "");
    assert_null(strstr(program.err, "is replaced"));
    emit("ptx", "");
    assert_null(strstr(program.err, "is replaced"));
    program_expect("emit scale.jsonl --accept-predicted -o scale.h", 0);
    assert_non_null(strstr(program.err, "hone: warning: 'scale.h' is replaced: it had a "
                                        "payload, which --payload gives anew\n"));
    program_expect("emit scale.jsonl --accept-predicted -o scale.h", 0);
    assert_null(strstr(program.err, "is replaced"));
    emit("ptx", "");
    program_expect("header " SCALE " -o scale.h", 0);
    assert_non_null(strstr(program.err, "hone: warning: 'scale.h' is replaced by the "
                                        "author's default: it had a payload"));
    program_expect("header " SCALE " -o scale.h", 0);
    assert_null(strstr(program.err, "is replaced"));
}

// One line of sed makes the script, or the template that includes a header.
static void a_header_that_cannot_be_made_is_refused_before_the_search(void **state)
{
    (void)state;
    static const char make[] = "rm -rf early; mkdir early; cd early; "
                               "cp $SOURCE/tests/cli/scripts/scale* .; mkdir inc; "
                               "echo '#define ONE 1' >inc/one.cuh; ";
    static const struct {
        const char *change, *options, *says;
    } rows[] = {
        {"", "--name 3x", "--name '3x' cannot be a name in C"},
        {"", "--payload ptx --arch 90", "'90' is no arch: sm_80, sm_90a"},
        {"", "--payload ptx --arch sm_80 --arch sm_99", "'sm_99' is no architecture"},
        {"sed -i '1i #include \"one.cuh\"' scale.cu; "
         "sed -i 's/    name = /    include = { \"inc\" }, &/' scale.lua; ",
         "--payload source", "--payload source holds one text, and kernel 'scale'"},
        {"sed -i 's/block = { \"BLOCK\" }/block = { \"2 ^ log2(BLOCK)\" }/' scale.lua; ",
         "", "scale.lua: block '2 ^ log2(BLOCK)': no C form"},
        {"sed -i 's/N = 5000 /N = 5000, class = 1 /' scale.lua; ", "",
         "scale.lua: problem 'class' is a keyword"},
    };
    need_nvrtc();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char before[512], args[256];
        snprintf(before, sizeof before, "%s%s", make, rows[i].change);
        snprintf(args, sizeof args,
                 "tune scale.lua --device emu:a100 --set MODE=0 --budget 2 -q "
                 "--accept-predicted --journal early.jsonl -o x.h %s",
                 rows[i].options);
        program_run_with(before, args);
        if (program.code != 2 || !strstr(program.err, rows[i].says))
            fail_msg("%s: %d %s", rows[i].options, program.code, program.err);
        if (program_file("early/early.jsonl"))
            fail_msg("%s: there is a journal", rows[i].options);
    }
}

static void a_header_is_not_the_journal_that_has_no_name_of_its_own(void **state)
{
    (void)state;
    need_nvrtc();
    program_run_with("rm -rf unnamed; mkdir unnamed; cd unnamed; "
                     "cp $SOURCE/tests/cli/scripts/scale* .;",
                     "tune scale.lua --device emu:a100 --set MODE=0 --budget 2 -q "
                     "--accept-predicted -o scale-emu_a100.jsonl");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "'scale-emu_a100.jsonl': it is a journal"));
    char *text = program_file("unnamed/scale-emu_a100.jsonl");
    assert_non_null(text);
    assert_int_equal(strcspn(text, "\n") + 1, strlen(text)); // nothing was searched
    free(text);
}

// Not for the H200 and the sizes of the script alone.
static void a_payload_is_of_the_device_and_the_sizes_of_the_journal(void **state)
{
    (void)state;
    static const char make[] =
        "rm -rf own; mkdir own; cd own; cp $SOURCE/tests/cli/scripts/scale* .; "
        "sed -i 's/    tune = /    where = { \"device.cc_major == 8\", \"N <= 4096\" }, "
        "&/' "
        "scale.lua; ";
    need_nvrtc();
    program_run_with(make, "tune scale.lua --device emu:a100 --set MODE=0 --set N=4000 "
                           "--budget 2 -q --accept-predicted --journal own.jsonl "
                           "--payload ptx -o own.h");
    if (program.code != 0) fail_msg("%s", program.err);
    program_run_with("cd own;", "emit own.jsonl --accept-predicted --payload ptx "
                                "--script scale.lua -o again.h");
    if (program.code != 0) fail_msg("%s", program.err);
    program_run_with("cmp own/own.h own/again.h && ", "version");
    assert_int_equal(program.code, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(images_are_loaded_once_and_launched),
    cmocka_unit_test(source_is_compiled_where_it_is_loaded),
    cmocka_unit_test(what_is_missing_is_a_code),
    cmocka_unit_test(clusters_are_launched_where_a_gpu_has_them),
    cmocka_unit_test(arrays_of_pointers_are_passed_by_their_type),
    cmocka_unit_test(a_payload_is_of_the_tuned_template),
    cmocka_unit_test(gpus_without_an_image_are_told),
    cmocka_unit_test(what_no_arch_compiles_is_told_with_its_reason),
    cmocka_unit_test(a_header_that_loses_its_payload_is_told),
    cmocka_unit_test(a_header_that_cannot_be_made_is_refused_before_the_search),
    cmocka_unit_test(a_header_is_not_the_journal_that_has_no_name_of_its_own),
    cmocka_unit_test(a_payload_is_of_the_device_and_the_sizes_of_the_journal),
};
HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
