// hone cache: what it shows, what it removes and what it leaves alone.
#include "hone_test.h"

#include <string.h>
#include <sys/stat.h>

#include "build/cache.h"
#include "program.h"

static char folder[96];

// An entry of so many bytes of PTX, built so many days ago.
static void put(int number, size_t size, int days)
{
    char key[HONE_HASH_TEXT], line[256];
    struct hone_cache cache;
    char *text = calloc(1, size + 1);
    assert_non_null(text);
    const struct hone_output output = {
        .compiled = true, .ptx = text, .ptx_size = size, .cubin = text, .log = text};
    snprintf(key, sizeof key, "%02x%030x", number, number);
    assert_int_equal(hone_cache_init(&cache, folder, 0, NULL), HONE_OK);
    hone_cache_put(&cache, key, &output);
    hone_cache_fini(&cache);
    free(text);
    snprintf(line, sizeof line, "touch -d '%d days ago' %s/%02x/%030x", days, folder,
             number, number);
    assert_int_equal(system(line), 0);
}

static void fill(void)
{
    char line[160];
    snprintf(folder, sizeof folder, "%s/cache", program.folder);
    snprintf(line, sizeof line, "rm -rf %s", folder);
    assert_int_equal(system(line), 0);
    for (int i = 0; i < 8; i++)
        put(i, 10000, 10 * i);
    snprintf(line, sizeof line,
             "cd %s && echo mine >notes.txt && echo mine >00/notes.txt", folder);
    assert_int_equal(system(line), 0);
}

static void expect(const char *args, const char *text)
{
    char line[256];
    snprintf(line, sizeof line, "cache --cache cache %s", args);
    program_run(line);
    if (program.code != 0 || !strstr(program.out, text))
        fail_msg("hone %s: %d %s%s", line, program.code, program.out, program.err);
}

static void its_size_and_oldest_entry_are_shown(void **state)
{
    (void)state;
    fill();
    expect("", "entries  8\n");
    expect("", "size     78.6 KiB\n");
    expect("", "oldest   2");
    expect("--json", "\"entries\": 8,\n  \"bytes\": 80448,\n  \"oldest\": \"2");
    program_run_with("HONE_CACHE=cache", "cache");
    assert_non_null(strstr(program.out, "entries  8\n"));
    program_run("cache --cache nothing --json");
    assert_int_equal(program.code, 0);
    assert_non_null(
        strstr(program.out, "\"entries\": 0,\n  \"bytes\": 0,\n  \"oldest\": null"));
}

static void old_entries_and_those_over_the_size_go(void **state)
{
    (void)state;
    fill();
    expect("--evict-older-than 65d", "removed  1, ");
    expect("--evict-older-than 1000h", "removed  2, "); // 41.7 days
    expect("", "entries  5\n");
    expect("--max-size 30200 --json", "\"entries\": 3,");
    expect("--max-size 1GiB", "entries  3\n");
    expect("-M 0.02M", "entries  1\n");
    struct stat info;
    char path[160];
    snprintf(path, sizeof path, "%s/00/%030x", folder, 0); // the newest
    assert_int_equal(stat(path, &info), 0);
    expect("--clear", "entries  0\n");
    snprintf(path, sizeof path, "%s/notes.txt", folder);
    assert_int_equal(stat(path, &info), 0);
    snprintf(path, sizeof path, "%s/00/notes.txt", folder);
    assert_int_equal(stat(path, &info), 0);
}

static void what_is_no_age_or_size_removes_nothing(void **state)
{
    (void)state;
    static const char *const bad[] = {"--max-size much",
                                      "--max-size -1",
                                      "--max-size 5X",
                                      "--max-size 5GG",
                                      "--max-size 1e99",
                                      "--max-size nan",
                                      "--evict-older-than 30days",
                                      "--evict-older-than -1d",
                                      "--evict-older-than nan",
                                      "--evict-older-than x",
                                      "--max-size ''",
                                      "more"};
    fill();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char line[128];
        snprintf(line, sizeof line, "cache --cache cache %s", bad[i]);
        program_run(line);
        if (program.code != 2)
            fail_msg("hone %s: %d %s", line, program.code, program.err);
    }
    expect("", "entries  8\n");
}

static void a_folder_of_others_is_left_alone(void **state)
{
    (void)state;
    fill();
    chmod(folder, 0777);
    program_run("cache --cache cache --clear");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "may be written by others"));
    assert_non_null(strstr(program.err, "chmod go-w"));
    chmod(folder, 0700);
    expect("", "entries  8\n");
    program_run_with("ln -sfn cache link;", "cache --cache link");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "entries  8\n"));
}

// What a link leads to has names of entries, and is none of the cache's.
static void what_links_lead_to_is_kept(void **state)
{
    (void)state;
    program_run_with("rm -rf linked theirs; mkdir -p linked theirs; "
                     "e=000000000000000000000000000001; echo mine >theirs/$e; "
                     "ln -s ../theirs linked/ab; mkdir linked/cd; "
                     "ln -s ../../theirs/$e linked/cd/$e; mkfifo linked/cd/${e%1}2;",
                     "cache --cache linked --clear");
    assert_int_equal(program.code, 0);
    char *text = program_file("theirs/000000000000000000000000000001");
    assert_non_null(text);
    assert_string_equal(text, "mine\n");
    free(text);
}

static void relative_homes_are_ignored(void **state)
{
    (void)state;
    static const char *const homes[] = {"HOME=here", "HOME= XDG_CACHE_HOME=here"};
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
        char line[200];
        snprintf(line, sizeof line, "unset HONE_CACHE XDG_CACHE_HOME; export %s;",
                 homes[i]);
        program_run_with(line, "cache");
        assert_int_equal(program.code, 2);
        assert_non_null(strstr(program.err, "there is no build cache"));
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(relative_homes_are_ignored),
    cmocka_unit_test(what_links_lead_to_is_kept),
    cmocka_unit_test(its_size_and_oldest_entry_are_shown),
    cmocka_unit_test(old_entries_and_those_over_the_size_go),
    cmocka_unit_test(what_is_no_age_or_size_removes_nothing),
    cmocka_unit_test(a_folder_of_others_is_left_alone),
};
HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
