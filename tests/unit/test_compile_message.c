// What a helper says is foreign bytes: it arrives whole or is refused, whatever it is.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "compile_message.h"
#include "hone/rng.h"
#include "hone_test.h"

static const char *const options[] = {"-DA=1", ""};
static const struct hone_build_header headers[] = {{"a.h", "int a;"}, {"dir/b.h", ""}};

static const struct hone_build_request request = {.source = "source",
                                                  .source_name = "k.cu",
                                                  .arch = "sm_90a",
                                                  .options = options,
                                                  .option_count = 2,
                                                  .headers = headers,
                                                  .header_count = 2};

static struct hone_compile_answer sample_answer(void)
{
    static char ptx[] = "ptx text", cubin[] = {0, 1, 2, 0}, log[] = "fine\n";
    return (struct hone_compile_answer){.output = {.compiled = true,
                                                   .ptx = ptx,
                                                   .ptx_size = strlen(ptx),
                                                   .cubin = cubin,
                                                   .cubin_size = sizeof cubin,
                                                   .log = log,
                                                   .log_size = strlen(log),
                                                   .build_ms = 12.5}};
}

static struct hone_wire reader(struct hone_arena *arena, const void *data, size_t size)
{
    return (struct hone_wire){.reading = true,
                              .arena = arena,
                              .at = data,
                              .end = (const unsigned char *)data + size};
}

static void a_request_arrives_with_all_it_needs(void **state)
{
    (void)state;
    struct hone_arena arena = {0};
    struct hone_strbuf bytes = HONE_STRBUF_INIT;
    struct hone_wire out = {.out = &bytes, .arena = &arena};
    struct hone_build_request sent = request, got = {0};
    hone_wire_compile_request(&out, &sent);
    struct hone_wire in = reader(&arena, bytes.data, bytes.len);
    hone_wire_compile_request(&in, &got);
    assert_false(out.failed || in.failed);
    assert_ptr_equal(in.at, in.end);
    assert_string_equal(got.source, "source");
    assert_string_equal(got.source_name, "k.cu");
    assert_string_equal(got.arch, "sm_90a");
    assert_int_equal(got.option_count, 2);
    assert_string_equal(got.options[0], "-DA=1");
    assert_string_equal(got.options[1], "");
    assert_int_equal(got.header_count, 2);
    assert_string_equal(got.headers[1].name, "dir/b.h");
    assert_string_equal(got.headers[0].text, "int a;");
    hone_strbuf_fini(&bytes);
    hone_arena_fini(&arena);
}

static void write_answer(struct hone_strbuf *bytes, struct hone_compile_answer *answer)
{
    struct hone_wire out = {.out = bytes};
    hone_wire_compile_answer(&out, answer);
    assert_false(out.failed);
}

// Whether it was taken; what is taken is a result that the rest of the program may have.
static bool read_answer(const void *data, size_t size)
{
    struct hone_arena arena = {0};
    struct hone_compile_answer got = {0};
    struct hone_wire in = reader(&arena, data, size);
    hone_wire_compile_answer(&in, &got);
    const bool taken = !in.failed && in.at == in.end;
    const struct hone_output *output = &got.output;
    if (taken && got.status == HONE_OK) {
        assert_int_equal(strlen(output->log), output->log_size);
        assert_true(output->build_ms >= 0 && output->build_ms < 1e308 * 10);
        assert_true(!output->compiled || (output->ptx && output->cubin));
        if (output->ptx) assert_int_equal(strlen(output->ptx), output->ptx_size);
    }
    hone_output_fini(&got.output);
    hone_arena_fini(&arena);
    return taken;
}

static void an_answer_arrives_or_is_refused(void **state)
{
    (void)state;
    struct hone_strbuf bytes = HONE_STRBUF_INIT;
    struct hone_compile_answer answer = sample_answer();
    write_answer(&bytes, &answer);
    assert_true(read_answer(bytes.data, bytes.len));
    for (size_t size = 0; size < bytes.len; size++)
        assert_false(read_answer(bytes.data, size));
    hone_strbuf_add(&bytes, "x");
    assert_false(read_answer(bytes.data, bytes.len));
    hone_strbuf_fini(&bytes);
}

static void answers_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    char text[] = "a\0b", empty[] = "";
    struct hone_compile_answer cases[4];
    for (size_t i = 0; i < 4; i++)
        cases[i] = sample_answer();
    cases[0].output.ptx = text; // text that ends before it ends
    cases[0].output.ptx_size = 3;
    cases[1].output.log = text;
    cases[1].output.log_size = 3;
    cases[2].output.cubin = empty;
    cases[2].output.cubin_size = 0;
    cases[3].output.ptx = empty;
    cases[3].output.ptx_size = 0;
    for (size_t i = 0; i < 4; i++) {
        struct hone_strbuf bytes = HONE_STRBUF_INIT;
        struct hone_wire out = {.out = &bytes};
        hone_wire_compile_answer(&out, &cases[i]);
        // An empty PTX, and no machine code: of a virtual architecture there is none.
        assert_int_equal(read_answer(bytes.data, bytes.len), i >= 2);
        hone_strbuf_fini(&bytes);
    }
}

static void any_bytes_are_taken_or_refused(void **state)
{
    (void)state;
    struct hone_rng rng;
    size_t taken = 0;
    hone_rng_seed(&rng, 11);
    for (int round = 0; round < 50000; round++) {
        struct hone_strbuf bytes = HONE_STRBUF_INIT;
        struct hone_compile_answer answer = sample_answer();
        write_answer(&bytes, &answer);
        for (uint64_t n = 1 + hone_rng_below(&rng, 3); n; n--)
            bytes.data[hone_rng_below(&rng, bytes.len)] = (char)hone_rng_next(&rng);
        taken += read_answer(bytes.data, bytes.len);
        hone_strbuf_fini(&bytes);
    }
    print_message("%zu of 50000 changed answers were taken\n", taken);
    assert_true(taken > 0 && taken < 50000);
}

// Seeds of the target fuzz_compile: the type and the contents of a frame.
// HONE_UPDATE_GOLDEN=1 writes them anew.
static void the_seeds_of_the_fuzzer_are_answers(void **state)
{
    (void)state;
    char path[256], *seed = NULL;
    size_t size = 0;
    struct hone_error err = {0};
    struct hone_compile_answer answer = sample_answer();
    struct hone_strbuf bytes = HONE_STRBUF_INIT;
    hone_strbuf_add(&bytes, "\4");
    write_answer(&bytes, &answer);
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/compile/answer", HONE_SOURCE_DIR);
    if (getenv("HONE_UPDATE_GOLDEN"))
        assert_ok(hone_file_write(path, bytes.data, bytes.len, &err), err);
    assert_ok(hone_file_read(&seed, &size, path, &err), err);
    assert_int_equal(seed[0], HONE_COMPILE_ANSWER);
    assert_true(read_answer(seed + 1, size - 1));
    free(seed);
    hone_strbuf_fini(&bytes);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_seeds_of_the_fuzzer_are_answers),
    cmocka_unit_test(a_request_arrives_with_all_it_needs),
    cmocka_unit_test(an_answer_arrives_or_is_refused),
    cmocka_unit_test(answers_that_make_no_sense_are_refused),
    cmocka_unit_test(any_bytes_are_taken_or_refused),
};

HONE_TEST_MAIN(tests)
