// What scripts may do, what they print, and that the documentation knows every exported
// name.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "hone/limits.h"
#include "hone/strbuf.h"
#include "hone_test.h"
#include "script_test.h"

static void collect(void *context, enum hone_log_level level, const char *line)
{
    if (level != HONE_LOG_DEBUG) hone_strbuf_printf(context, "%d %s\n", level, line);
}

// Load a good script and collect what it logs.
static enum hone_status run(const char *path, bool allow_io, struct hone_strbuf *log,
                            struct hone_error *err)
{
    struct hone_script_options options = TEST_OPTIONS;
    options.max_instructions = 30000000;
    options.allow_io = allow_io;
    struct hone_script *script;
    hone_log_set(collect, log);
    enum hone_status status = hone_script_load(&script, path, &options, err);
    hone_log_set(NULL, NULL);
    hone_script_free(script);
    return status;
}

static void permitted_lua_works_and_prints_to_the_log(void **state)
{
    (void)state;
    struct hone_strbuf first = HONE_STRBUF_INIT, second = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    assert_ok(run("tests/lua/good/sandbox.lua", false, &first, &err), err);
    assert_ok(run("tests/lua/good/sandbox.lua", false, &second, &err), err);
    assert_string_equal(first.data, second.data); // the same random number
    assert_memory_equal(first.data, "2 random\t", 9);
    assert_non_null(strstr(first.data, "\tnil\n1 careful!\n"));
    hone_strbuf_fini(&first);
    hone_strbuf_fini(&second);
}

static void files_are_reached_only_when_allowed(void **state)
{
    (void)state;
    struct hone_strbuf log = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    assert_ok(run("tests/lua/good/io.lua", true, &log, &err), err);
    assert_int_equal(run("tests/lua/good/io.lua", false, &log, &err), HONE_EINPUT);
    assert_string_equal(err.text, "attempt to index a nil value (global 'io'); scripts "
                                  "have no os or io without --allow-io");
    assert_int_equal(err.line, 3);
    hone_strbuf_fini(&log);
}

// Whether "hone.NAME" stands in text as a whole word.
static bool mentions(const char *text, const char *name, size_t length)
{
    for (const char *p = text; (p = strstr(p, "hone.")); p++) {
        const char *word = p + strlen("hone.");
        char after = strncmp(word, name, length) == 0 ? word[length] : 'x';
        if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789_", after)) return true;
    }
    return false;
}

static void every_exported_name_is_documented(void **state)
{
    (void)state;
    struct hone_strbuf log = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    char *meta, *docs;
    assert_ok(hone_file_read(&meta, NULL, "lua/meta/hone.lua", &err), err);
    assert_ok(hone_file_read(&docs, NULL, "docs/lua-api.md", &err), err);
    assert_ok(run("tests/lua/good/names.lua", false, &log, &err), err);
    size_t count = 0;
    for (const char *line = log.data; *line; count++) {
        size_t length = strcspn(line + 2, "\n");
        bool field = strncmp(line + 2, "version\n", 8) == 0;
        if (!mentions(docs, line + 2, length) ||
            (!field && !mentions(meta, line + 2, length)))
            fail_msg("hone.%.*s is not documented", (int)length, line + 2);
        line += 2 + length + 1;
    }
    assert_int_equal(count, 16 + 14);
    assert_false(mentions(docs, "kern", 4));
    free(meta);
    free(docs);
    hone_strbuf_fini(&log);
}

// The table of the page has a row for each name that expressions know, and no other.
static void every_limit_of_the_device_is_documented(void **state)
{
    (void)state;
    struct hone_error err = {0};
    char *docs, row[80];
    size_t names = 0, rows = 0;
    assert_ok(hone_file_read(&docs, NULL, "docs/lua-api.md", &err), err);
    for (; hone_limits_name(names); names++) {
        snprintf(row, sizeof row, "\n| `device.%s` | ", hone_limits_name(names));
        if (!strstr(docs, row)) fail_msg("no row of device.%s", hone_limits_name(names));
    }
    for (const char *p = docs; (p = strstr(p, "\n| `device.")); p++)
        rows++;
    assert_int_equal(rows, names);
    free(docs);
}

// An allowance too small to open the libraries must fail like any other, whatever its
// size.
static void every_small_memory_limit_fails_cleanly(void **state)
{
    (void)state;
    bool enough = false;
    for (size_t bytes = 100; !enough; bytes += bytes / 16 + 7) {
        struct hone_script_options options = TEST_OPTIONS;
        options.max_memory_bytes = bytes;
        options.max_instructions = 0; // a refused allocation costs many
        struct hone_script *script;
        struct hone_error err = {0};
        enum hone_status status =
            hone_script_load(&script, "tests/lua/good/gemm.lua", &options, &err);
        enough = status == HONE_OK;
        if (!enough && !strstr(err.text, "bytes of memory"))
            fail_msg("%zu bytes: %s:%d: %s", bytes, err.source, err.line, err.text);
        hone_script_free(script);
        assert_true(bytes < 1 << 20);
    }
}

static void every_small_instruction_limit_fails_cleanly(void **state)
{
    (void)state;
    bool enough = false;
    for (uint64_t limit = 1; !enough; limit += 1 + limit / 16) {
        struct hone_script_options options = TEST_OPTIONS;
        options.max_instructions = limit;
        struct hone_script *script;
        struct hone_error err = {0};
        enum hone_status status =
            hone_script_load(&script, "tests/lua/good/gemm.lua", &options, &err);
        enough = status == HONE_OK;
        if (!enough && !strstr(err.text, "instructions")) fail_msg("%s", err.text);
        hone_script_free(script);
        assert_true(limit < 1000000);
    }
}

// Without the sync of hone_file_write.
static void put(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

// What an editor leaves behind: every line missing once, and the file cut at every byte.
static void damaged_scripts_fail_in_their_own_file(void **state)
{
    (void)state;
    char folder[] = "/tmp/hone-lua-XXXXXX", path[64], module[64];
    char *text, *tiles;
    size_t size;
    struct hone_error err = {0};
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/gemm.lua", folder);
    snprintf(module, sizeof module, "%s/tiles.lua", folder);
    assert_ok(hone_file_read(&text, &size, "tests/lua/good/gemm.lua", &err), err);
    assert_ok(hone_file_read(&tiles, NULL, "tests/lua/good/tiles.lua", &err), err);
    assert_ok(hone_file_write(module, tiles, strlen(tiles), &err), err);
    const char *const templates[] = {"tests/lua/good"};
    struct hone_script_options options = TEST_OPTIONS;
    options.template_path = templates;
    options.template_path_count = 1;
    size_t loaded = 0, failed = 0;
    for (size_t at = 0; at < size; at++) {
        size_t line_end = at + strcspn(text + at, "\n");
        bool at_line = at == 0 || text[at - 1] == '\n';
        struct hone_strbuf damaged = HONE_STRBUF_INIT;
        hone_strbuf_add_bytes(&damaged, text, at);
        if (at_line) hone_strbuf_add(&damaged, text + line_end);
        put(path, damaged.data, damaged.len);
        struct hone_script *script;
        struct hone_error failure = {0};
        enum hone_status status = hone_script_load(&script, path, &options, &failure);
        if (status == HONE_OK)
            loaded++;
        else if (strcmp(failure.source, path) != 0 || status != HONE_EINPUT)
            fail_msg("at %zu: %s:%d: %s", at, failure.source, failure.line, failure.text);
        else
            failed++;
        hone_script_free(script);
        hone_strbuf_fini(&damaged);
    }
    assert_true(failed > 100 && loaded > 0);
    unlink(path);
    unlink(module);
    assert_int_equal(rmdir(folder), 0);
    free(text);
    free(tiles);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(permitted_lua_works_and_prints_to_the_log),
    cmocka_unit_test(files_are_reached_only_when_allowed),
    cmocka_unit_test(every_exported_name_is_documented),
    cmocka_unit_test(every_limit_of_the_device_is_documented),
    cmocka_unit_test(every_small_memory_limit_fails_cleanly),
    cmocka_unit_test(every_small_instruction_limit_fails_cleanly),
    cmocka_unit_test(damaged_scripts_fail_in_their_own_file),
};
HONE_TEST_MAIN(tests)
