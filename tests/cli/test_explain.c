// hone explain: a script, journals with counts and without, wrong uses.
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "hone_test.h"
#include "nvrtc.h"
#include "program.h"

#define GOLDEN "$SOURCE/tests/golden/"

static json_t *explain_json(const char *line)
{
    json_error_t error;
    program_expect(line, 0);
    json_t *root = json_loads(program.out, 0, &error);
    if (!root) fail_msg("%s: %s", line, error.text);
    return root;
}

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    if (!text) fail_msg("no text '%s'", key);
    return text;
}

static void a_planted_fault_is_told_with_what_cures_it(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect(
        "explain $SOURCE/tests/explain/softmax.lua --device emu:a100 --cache '' "
        "--config PLANT=1",
        0);
    assert_non_null(strstr(program.out, "limit: shared memory and L1 (docs/causes.md#"));
    assert_non_null(strstr(program.out, "  1. bank conflicts in shared memory: "));
    assert_non_null(strstr(program.out, "without it: PLANT="));
    assert_non_null(strstr(program.out, "  PLANT 0 to 1  predicted -"));
    json_t *root = explain_json("explain $SOURCE/tests/explain/softmax.lua --json "
                                "--device emu:a100 --cache '' --config PLANT=2 "
                                "--neighbours 0");
    const json_t *explained = json_object_get(root, "explained");
    const json_t *cause = json_array_get(json_object_get(explained, "causes"), 0);
    assert_string_equal(text_at(root, "times"), "predicted");
    assert_string_equal(text_at(cause, "name"), "uncoalesced");
    assert_string_equal(text_at(cause, "page"), "docs/causes.md#uncoalesced-accesses");
    assert_non_null(strstr(text_at(cause, "text"), "sectors of 32 bytes"));
    json_decref(root);
}

static void nearby_sizes_end_a_tail(void **state)
{
    (void)state;
    need_nvrtc();
    // 37 x 37 tiles are 3.17 waves of 432 blocks and take 4; 36 x 36 are just 3
    json_t *root =
        explain_json("explain $SOURCE/tests/explain/matmul.lua --json --shapes "
                     "--device emu:a100 --cache '' --set N=2368 --set PLANT=0");
    const json_t *shapes = json_object_get(root, "shapes"), *shape;
    bool found = false;
    size_t i;
    json_array_foreach(shapes, i, shape)
    {
        const double ratio = json_number_value(json_object_get(shape, "time_ratio"));
        const double each =
            json_number_value(json_object_get(shape, "time_per_work_ratio"));
        if (strcmp(text_at(shape, "problem"), "N=2304") != 0) continue;
        found = true;
        assert_true(ratio < 0.8 && each > 0.75 && each < 0.85);
    }
    assert_true(found);
    json_decref(root);
}

static void a_journal_of_a_gpu_is_explained_as_far_as_it_tells(void **state)
{
    (void)state;
    program_expect("explain " GOLDEN "sgemm_a100.jsonl", 0);
    assert_non_null(strstr(program.out, "limit: "));
    assert_non_null(strstr(program.out, "measured"));
    assert_null(strstr(program.out, "predicted"));
    json_t *root = explain_json("explain " GOLDEN "sgemm_a100.jsonl --json");
    assert_string_equal(text_at(root, "times"), "measured");
    assert_false(
        json_is_true(json_object_get(json_object_get(root, "explained"), "counted")));
    json_decref(root);
}

// Times stay those of the journal, counts are those of the script's kernel on its GPU.
static void a_script_gives_a_journal_counts(void **state)
{
    (void)state;
    need_nvrtc();
    program_run_with(
        "printf '%s\\n' "
        "'{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"saxpy\",\"params\":"
        "[{\"name\":\"BLOCK\",\"values\":[256]}],\"problem\":{\"N\":1000001},"
        "\"device\":{\"name\":\"NVIDIA A100-SXM4-80GB\",\"id\":\"cuda:0\"}}' "
        "'{\"config\":[256],\"outcome\":\"valid\",\"time_us\":50}' >gpu.jsonl;",
        "version");
    program_run("explain gpu.jsonl --shapes");
    assert_int_equal(program.code, 2);
    json_t *root = explain_json("explain gpu.jsonl --json --shapes --cache '' "
                                "--script $SOURCE/tests/explain/saxpy.lua");
    const json_t *explained = json_object_get(root, "explained");
    assert_string_equal(text_at(root, "times"), "measured");
    assert_true(json_is_true(json_object_get(explained, "counted")));
    assert_true(json_number_value(json_object_get(explained, "time_us")) == 50);
    assert_true(json_number_value(json_object_get(explained, "predicted_us")) > 0);
    assert_true(json_is_array(json_object_get(root, "shapes")));
    json_decref(root);
    assert_non_null(strstr(program.err, "the template is not the journal's"));
}

static void names_that_there_are_not_are_refused(void **state)
{
    (void)state;
    program_run("explain");
    assert_int_equal(program.code, 2);
    program_run("explain none.jsonl");
    assert_int_equal(program.code, 2);
    program_run("explain " GOLDEN "sgemm_emu.jsonl --config BX=1");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "no parameter 'BX'"));
    program_run("explain " GOLDEN "sgemm_emu.jsonl --config BK=7");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "'7' is no value of 'BK'"));
    program_run("explain " GOLDEN "sgemm_emu.jsonl --config BK");
    assert_int_equal(program.code, 2);
    program_run("explain " GOLDEN "sgemm_emu.jsonl --shapes");
    assert_int_equal(program.code, 2);
    program_run("explain $SOURCE/tests/explain/saxpy.lua --device cuda:0");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "emulated device"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_planted_fault_is_told_with_what_cures_it),
    cmocka_unit_test(nearby_sizes_end_a_tail),
    cmocka_unit_test(a_journal_of_a_gpu_is_explained_as_far_as_it_tells),
    cmocka_unit_test(a_script_gives_a_journal_counts),
    cmocka_unit_test(names_that_there_are_not_are_refused),
};
HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
