/* Each key of a kernel's script, those of launches, arguments, maps and waivers among them,
 * gets each of many values that nobody means: the script is refused with a line of it, or
 * what it defines is sound. */
#include <string.h>

#include "hone_test.h"
#include "script_test.h"

static char folder[] = "/tmp/hone-keys-XXXXXX", path[64], template[64];

/* @ is where the value stands: the line after the first, as errors say. */
static const char *const keys[] = {
    "name = @",
    "entry = @",
    "template = @",
    "problem = @",
    "problem = { N = @ }",
    "problems = @",
    "problems = { { N = @ } }",
    "problems = { { N = 4, weight = @ } }",
    "tune = @",
    "tune = { B = @ }",
    "tune = { B = { @ } }",
    "derive = @",
    "derive = { D = @ }",
    "where = @",
    "where = { @ }",
    "default = @",
    "default = { B = @ }",
    "launch = @",
    "launch = { grid = @, block = '1' }",
    "launch = { grid = '1', block = { @ } }",
    "launch = { grid = '1', block = '1', shared = @ }",
    "launch = { grid = '1', block = '1', cluster = @ }",
    "launch = { grid = '1', block = '1', cluster = { @, 1 } }",
    "launch = { grid = '1', block = '1', cooperative = @ }",
    "launch = { grid = '1', block = '1', dependent = @ }",
    "args = @",
    "args = { @ }",
    "args = { hone.output(@, 'f32', 'N') }",
    "args = { hone.output('y', @, 'N') }",
    "args = { hone.output('y', 'f32', @) }",
    "args = { hone.input('x', 'f32', 'N', @) }",
    "args = { hone.input('x', 'f32', 'N', { fill = @ }) }",
    "args = { hone.input('x', 'f32', 'N', { early = @ }) }",
    "args = { hone.input('x', 'f32', 'N', { pointers = @ }) }",
    "args = { hone.output('y', 'f32', 'N', { tolerance = @ }) }",
    "args = { hone.output('y', 'f32', 'N', { tolerance = { relative = @ } }) }",
    "args = { hone.input('x', 'f32', 'N', { tensor_map = @ }) }",
    "args = { hone.input('x', 'f32', 'N', { tensor_map = { size = @, box = { 'B' } } }) "
    "}",
    "args = { hone.input('x', 'f32', 'N', { tensor_map = { size = { 'N' }, box = @ } }) "
    "}",
    "args = { hone.input('x', 'f32', 'N', { tensor_map = { size = { 'N', 'N' },"
    " box = { 'B', 'B' }, stride = @ } }) }",
    "args = { hone.input('x', 'f32', 'N', { tensor_map = { size = { 'N' }, box = { 'B' },"
    " swizzle = @ } }) }",
    "args = { hone.input('x', 'f32', 'N', { tensor_map = { size = { 'N' }, box = { 'B' },"
    " promotion = @ } }) }",
    "args = { hone.input('x', 'f32', 'N', { tensor_map = { size = { 'N' }, box = { 'B' },"
    " interleave = @ } }) }",
    "args = { hone.input('x', 'f32', 'N', { tensor_map = { size = { 'N' }, box = { 'B' },"
    " nan_fill = @ } }) }",
    "args = { hone.constant(@, 'f32', 'N') }",
    "args = { hone.symbol(@, 'f32', 'N') }",
    "args = { hone.symbol('s', 'f32', @) }",
    "args = { hone.workspace('w', 'f32', @) }",
    "args = { hone.i32(@) }",
    "args = { hone.f32('alpha', @) }",
    "reference = @",
    "reference = { template = @ }",
    "reference = { template = 'k.cu', entry = 'k', launch = @ }",
    "verify = @",
    "verify = { @ }",
    "verify = { { N = @ } }",
    "tolerance = @",
    "work = @",
    "work = { flops = @ }",
    "defines = @",
    "defines = { X = @ }",
    "options = @",
    "options = { @ }",
    "include = @",
    "include = { @ }",
    "waive = @",
    "waive = { @ }",
    "waive = { { finding = @, at = 'k.cu:1', reason = 'r' } }",
    "waive = { { finding = 'race', at = @, reason = 'r' } }",
    "waive = { { finding = 'race', buffer = @, reason = 'r' } }",
    "waive = { { finding = 'race', at = 'k.cu:1', reason = @ } }",
    "l2_set_aside = @",
};

static const char *const values[] = {
    "''",
    "'\\0'",
    "'a\\0b'",
    "('x'):rep(100000)",
    "'\\27[31mred'",
    "'right \\xe2\\x80\\xae left'",
    "'\\xff\\xfe'",
    "'line\\nline'",
    "'../../etc'",
    "'/etc/passwd'",
    "'__x'",
    "'register'",
    "'NULL'",
    "0",
    "-1",
    "math.maxinteger",
    "math.mininteger",
    "0/0",
    "1/0",
    "-1e308",
    "0.5",
    "true",
    "false",
    "{}",
    "{ {} }",
    "{ [0] = 1 }",
    "{ 1, nil, 3 }",
    "{ ['a b'] = 1 }",
    "{ [{}] = {} }",
    "cyclic",
    "deep",
    "spiteful",
    "function() end",
    "hone",
    "hone.kernel",
    "coroutine.create(print)",
    "hone.f32('N')",
    "hone.fn({ 'B' }, print)",
    "{ 'N', 'N', 'N', 'N', 'N', 'N', 'N' }",
    "'1/0'",
    "'N // 0'",
    "('('):rep(5000)",
    "'B .. B'",
    "'N ^ 9999'",
};

/* A second key of the same name takes the place of the first. */
static const char frame[] =
    "local cyclic, deep = {}, {} cyclic[1] = cyclic cyclic.size = cyclic "
    "for _ = 1, 1000 do deep = { deep } end "
    "local spiteful = setmetatable({}, { __index = function() error('no') end, "
    "__len = function() return 1e9 end, __pairs = error, __tostring = error, "
    "__call = error, __name = 7 }) "
    "local hone = require 'hone' local t = { name = 'k', template = 'k.cu', "
    "entry = 'k', problem = { N = 4 }, tune = { B = { 1, 2 } }, "
    "launch = { grid = 'N', block = 'B' }, args = { hone.output('y', 'f32', 'N') } }\n"
    "for key, value in next, { %s } do t[key] = value end\n"
    "return hone.kernel(t)\n";

static void write_script(const char *key, const char *value)
{
    char entry[512], *at;
    snprintf(entry, sizeof entry, "%s", key);
    at = strchr(entry, '@');
    snprintf(at, sizeof entry - (size_t)(at - entry), "%s%s", value,
             strchr(key, '@') + 1);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, frame, entry);
    assert_int_equal(fclose(file), 0);
}

// The test run takes one of three, each key and each value among them.
static size_t one_of(void)
{
    return hone_test_one_of(3);
}

static bool is_sound(const struct hone_kernel_def *def)
{
    return def->name && strlen(def->name) < 256 && def->space.param_count > 0;
}

static void a_hostile_value_of_a_key_is_refused_or_harmless(void **state)
{
    (void)state;
    const size_t key_count = sizeof keys / sizeof *keys;
    const size_t value_count = sizeof values / sizeof *values;
    const struct hone_script_options options = TEST_OPTIONS;
    size_t refused = 0, defined = 0;
    for (size_t k = 0; k < key_count; k++)
        for (size_t v = 0; v < value_count; v++) {
            if ((k + v) % one_of() != 0) continue;
            struct hone_script *script = NULL;
            struct hone_error err = {0};
            write_script(keys[k], values[v]);
            const enum hone_status status =
                hone_script_load(&script, path, &options, &err);
            if (status == HONE_OK ? !is_sound(hone_script_def(script))
                                  : !err.text[0] || err.line < 1 || err.line > 3)
                fail_msg("%s with %s: %s:%d: %s", keys[k], values[v], err.source,
                         err.line, err.text);
            refused += status != HONE_OK;
            defined += status == HONE_OK;
            hone_script_free(script);
        }
    print_message("%zu keys with %zu values: %zu refused, %zu defined\n", key_count,
                  value_count, refused, defined);
    assert_true(refused * one_of() > 2000 && defined * one_of() > 200);
}

static int setup(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/k.lua", folder);
    snprintf(template, sizeof template, "%s/k.cu", folder);
    FILE *file = fopen(template, "w");
    return file && fputs("extern \"C\" __global__ void k(float *y) {}\n", file) >= 0
               ? fclose(file)
               : -1;
}

static int teardown(void **state)
{
    (void)state;
    unlink(path);
    unlink(template);
    return rmdir(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_hostile_value_of_a_key_is_refused_or_harmless),
};
HONE_TEST_MAIN_WITH(tests, setup, teardown)
