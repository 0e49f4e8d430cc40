// The ground floor: arena, text buffer, random numbers, hash, files, errors, suggestions.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/grow.h"
#include "base/hash.h"
#include "base/hash_table.h"
#include "base/identifier.h"
#include "base/name_index.h"
#include "base/sort.h"
#include "base/suggest.h"
#include "hone/limits.h"
#include "hone/rng.h"
#include "hone/status.h"
#include "hone/strbuf.h"
#include "hone_test.h"

static void first_error_is_kept(void **state)
{
    (void)state;
    struct hone_error err = {0};
    assert_int_equal(hone_fail_at(&err, HONE_EINPUT, "a.lua", 3, "no %s", "BM"),
                     HONE_EINPUT);
    assert_int_equal(hone_fail(&err, HONE_EIO, "later"), HONE_EIO);
    assert_int_equal(err.code, HONE_EINPUT);
    assert_string_equal(err.source, "a.lua");
    assert_int_equal(err.line, 3);
    assert_string_equal(err.text, "no BM");
    assert_int_equal(hone_fail(NULL, HONE_EIO, "nobody listens"), HONE_EIO);
}

static void no_memory_says_for_what(void **state)
{
    (void)state;
    struct hone_error err = {0};
    assert_int_equal(hone_no_memory(&err, "for %zu trials", (size_t)7), HONE_ENOMEM);
    assert_int_equal(err.code, HONE_ENOMEM);
    assert_string_equal(err.text, "out of memory for 7 trials");
    assert_int_equal(hone_no_memory(NULL, "for %s", "nobody"), HONE_ENOMEM);
}

static void long_source_keeps_its_tail(void **state)
{
    (void)state;
    char path[300];
    memset(path, 'x', sizeof path);
    strcpy(path + 280, "/kernel.lua");
    struct hone_error err = {0};
    hone_fail_at(&err, HONE_EINPUT, path, 1, "broken");
    assert_int_equal(strlen(err.source), sizeof err.source - 1);
    assert_memory_equal(err.source, "...", 3);
    assert_non_null(strstr(err.source, "/kernel.lua"));
}

static void arena_memory_is_zeroed_and_aligned(void **state)
{
    (void)state;
    struct hone_arena arena = {0};
    for (size_t size = 0; size < 20000; size = size * 3 + 1) {
        unsigned char *p = hone_arena_alloc(&arena, size);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xff, size);
    }
    assert_null(hone_arena_array(&arena, SIZE_MAX / 2, 16));
    assert_string_equal(hone_arena_printf(&arena, "%d-%s", 7, "x"), "7-x");
    assert_null(hone_arena_strdup(&arena, NULL));
    hone_arena_fini(&arena);
}

static void arrays_double_and_keep_their_items(void **state)
{
    (void)state;
    uint16_t *items = NULL;
    size_t cap = 0;
    for (size_t i = 0; i < 1000; i++) {
        assert_true(HONE_GROW(&items, &cap, i + 1, 3));
        items[i] = (uint16_t)i;
    }
    assert_int_equal(cap, 1536); // 3, doubled nine times
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(items[i], i);
    assert_true(HONE_GROW(&items, &cap, 5000, 3));
    assert_int_equal(cap, 5000); // more than double
    free(items);
}

static void arrays_beyond_the_address_space_are_refused(void **state)
{
    (void)state;
    struct hone_arena arena = {0};
    const size_t most = SIZE_MAX / sizeof(uint64_t);
    uint64_t *items = NULL, *kept = NULL;
    size_t cap = 0, kept_cap = 0;
    assert_true(HONE_GROW(&items, &cap, 2, 2));
    uint64_t *before = items;
    assert_false(HONE_GROW(&items, &cap, most + 1, 2)); // the bytes overflow
    assert_false(HONE_GROW(&items, &cap, SIZE_MAX, 2));
    assert_false(HONE_GROW_IN(&arena, &kept, &kept_cap, most + 1, 2));
    assert_ptr_equal(items, before);
    assert_int_equal(cap, 2);
    assert_null(kept);
    size_t full = SIZE_MAX / 2 + 1; // the room overflows when doubled
    assert_false(hone_grow(&items, &full, SIZE_MAX / 2 + 2, 2, 1));
    free(items);
    hone_arena_fini(&arena);
}

static void arrays_in_an_arena_start_as_zeros(void **state)
{
    (void)state;
    struct hone_arena arena = {0};
    uint32_t *items = NULL;
    size_t cap = 0;
    assert_true(HONE_GROW_IN(&arena, &items, &cap, 1, 4));
    items[0] = 7;
    assert_true(HONE_GROW_IN(&arena, &items, &cap, 5, 4));
    assert_int_equal(cap, 8);
    assert_int_equal(items[0], 7);
    for (size_t i = 1; i < cap; i++)
        assert_int_equal(items[i], 0);
    hone_arena_fini(&arena);
}

static void numbers_are_sorted_and_have_a_median(void **state)
{
    (void)state;
    double values[] = {3, -1, 1e300, 2};
    hone_sort_doubles(values, 4);
    const double rising[] = {-1, 2, 3, 1e300};
    assert_memory_equal(values, rising, sizeof rising);
    assert_true(hone_sorted_median(values, 4) == 2.5);
    assert_true(hone_sorted_median(values, 3) == 2);
    assert_true(hone_sorted_median(values, 1) == -1);
    uint64_t indices[] = {UINT64_MAX, 0, 7};
    hone_sort_indices(indices, 3);
    assert_int_equal(indices[0], 0);
    assert_int_equal(indices[1], 7);
    assert_true(indices[2] == UINT64_MAX);
    hone_sort_doubles(NULL, 0);
    hone_sort_indices(NULL, 0);
}

static const uint32_t *find_key(const struct hone_hash_table *table, const uint64_t *keys,
                                uint64_t hash, uint64_t key)
{
    struct hone_probe probe = hone_hash_table_probe(table, hash);
    for (uint32_t *number; (number = hone_hash_table_next(table, &probe)) != NULL;)
        if (keys[*number] == key) return number;
    return NULL;
}

static void tables_find_what_was_added(void **state)
{
    (void)state;
    enum { KEYS = 5000 };
    static uint64_t keys[KEYS];
    struct hone_hash_table table = {0};
    assert_null(find_key(&table, keys, 0, 0)); // of an empty one
    // Every fifth hash is that of others too: the keys tell them apart.
    for (uint32_t i = 0; i < KEYS; i++) {
        keys[i] = UINT64_C(0x9e3779b97f4a7c15) * (i + 1);
        assert_true(hone_hash_table_add(&table, i % 5 ? keys[i] : UINT64_MAX, i));
        assert_true(table.count * 2 <= table.cap);
    }
    for (uint32_t i = 0; i < KEYS; i++) {
        const uint32_t *found =
            find_key(&table, keys, i % 5 ? keys[i] : UINT64_MAX, keys[i]);
        assert_true(found && *found == i);
        assert_null(find_key(&table, keys, keys[i], keys[i] + 1));
    }
    assert_int_equal(table.count, KEYS);
    hone_hash_table_fini(&table);
    assert_null(find_key(&table, keys, keys[1], keys[1]));
}

static void names_have_the_number_of_their_first_place(void **state)
{
    (void)state;
    enum { NAMES = 1000 };
    static char names[NAMES][8];
    struct hone_name_index index = {0};
    assert_true(hone_name_index_find(&index, "n1") == SIZE_MAX);
    for (int i = 0; i < NAMES; i++) {
        snprintf(names[i], sizeof names[i], "n%d", i % (NAMES / 2));
        assert_true(hone_name_index_add(&index, names[i]));
    }
    assert_int_equal(index.count, NAMES);
    for (size_t i = 0; i < NAMES; i++)
        assert_int_equal(hone_name_index_find(&index, names[i]), i % (NAMES / 2));
    assert_true(hone_name_index_find(&index, "n") == SIZE_MAX);
    hone_name_index_fini(&index);
}

static void strbuf_grows_and_can_be_stolen(void **state)
{
    (void)state;
    struct hone_strbuf buf = HONE_STRBUF_INIT;
    assert_string_equal(buf.data, "");
    for (int i = 0; i < 1000; i++)
        hone_strbuf_printf(&buf, "%d,", i % 10);
    assert_int_equal(buf.len, 2000);
    hone_strbuf_add(&buf, "end");
    char *text = hone_strbuf_steal(&buf);
    assert_string_equal(text + 2000, "end");
    free(text);
    text = hone_strbuf_steal(&buf);
    assert_string_equal(text, "");
    free(text);
}

static void rng_repeats_by_seed_and_stays_below(void **state)
{
    (void)state;
    struct hone_rng a, b, c;
    hone_rng_seed(&a, 1);
    hone_rng_seed(&b, 1);
    hone_rng_seed(&c, 2);
    int equal = 0, counts[7] = {0};
    for (int i = 0; i < 7000; i++) {
        uint64_t x = hone_rng_next(&a);
        assert_int_equal(x, hone_rng_next(&b));
        equal += x == hone_rng_next(&c);
        counts[hone_rng_below(&a, 7)]++;
        hone_rng_next(&b);
        double d = hone_rng_double(&c);
        assert_true(d >= 0 && d < 1);
    }
    assert_int_equal(equal, 0);
    for (int i = 0; i < 7; i++)
        assert_in_range(counts[i], 850, 1150);
}

static void hash_separates_its_parts(void **state)
{
    (void)state;
    char ab_c[HONE_HASH_TEXT], a_bc[HONE_HASH_TEXT], again[HONE_HASH_TEXT];
    struct hone_hash hash;
    hone_hash_begin(&hash);
    hone_hash_text(&hash, "ab");
    hone_hash_text(&hash, "c");
    hone_hash_end(&hash, ab_c);
    hone_hash_begin(&hash);
    hone_hash_text(&hash, "a");
    hone_hash_text(&hash, "bc");
    hone_hash_end(&hash, a_bc);
    hone_hash_begin(&hash);
    hone_hash_text(&hash, "ab");
    hone_hash_text(&hash, "c");
    hone_hash_end(&hash, again);
    assert_int_equal(strlen(ab_c), 32);
    assert_string_equal(ab_c, again);
    assert_string_not_equal(ab_c, a_bc);
}

static void file_is_published_whole_or_not_at_all(void **state)
{
    (void)state;
    char folder[] = "/tmp/hone-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char *nested = hone_path_join(folder, "a/b");
    char *path = hone_path_join(nested, "file.txt");
    struct hone_error err = {0};
    assert_int_equal(hone_file_write(path, "x", 1, &err), HONE_EUSAGE);
    assert_non_null(strstr(err.text, path));
    err = (struct hone_error){0};
    assert_ok(hone_file_mkdirs(nested, &err), err);
    assert_ok(hone_file_mkdirs(nested, &err), err);
    assert_ok(hone_file_write(path, "old", 3, &err), err);
    assert_ok(hone_file_write(path, "new\0!", 5, &err), err);
    char *data = NULL;
    size_t size = 0;
    assert_ok(hone_file_read(&data, &size, path, &err), err);
    assert_int_equal(size, 5);
    assert_memory_equal(data, "new\0!", 6);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(info.st_mode & 0777, 0666 & ~mask);
    char *parent = hone_path_folder(path);
    assert_string_equal(parent, nested);
    assert_string_equal(hone_path_base(path), "file.txt");
    unlink(path);
    rmdir(nested);
    free(parent);
    parent = hone_path_folder(nested);
    assert_int_equal(rmdir(parent), 0); // nothing else was left behind
    rmdir(folder);
    free(parent);
    free(data);
    free(path);
    free(nested);
}

static void *write_often(void *path)
{
    for (int i = 0; i < 50; i++)
        assert_int_equal(hone_file_write(path, "x", 1, NULL), HONE_OK);
    return NULL;
}

enum { WHOLE = 200000, RUNS = 50 };
static char whole[WHOLE];

static void *create_once(void *path)
{
    int fd;
    if (hone_file_create(&fd, path, whole, WHOLE, NULL) != HONE_OK) return NULL;
    close(fd);
    return whole;
}

static void a_new_file_is_seen_whole_and_made_by_one(void **state)
{
    (void)state;
    char path[] = "/tmp/hone_test_XXXXXX";
    close(mkstemp(path));
    for (int run = 0; run < RUNS; run++) {
        assert_int_equal(unlink(path), 0);
        pthread_t threads[4];
        for (int i = 0; i < 4; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, create_once, path), 0);
        char *data;
        size_t size = 0;
        while (hone_file_read(&data, &size, path, NULL) != HONE_OK)
            continue;
        assert_int_equal(size, WHOLE);
        free(data);
        int made = 0;
        for (int i = 0; i < 4; i++) {
            void *mine;
            pthread_join(threads[i], &mine);
            made += mine != NULL;
        }
        assert_int_equal(made, 1);
    }
    unlink(path);
}

static void files_are_written_by_many_threads(void **state)
{
    (void)state;
    char path[] = "/tmp/hone_test_XXXXXX";
    close(mkstemp(path));
    unlink(path);
    mode_t before = umask(022);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, write_often, path), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(umask(before), 022);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0644);
    unlink(path);
}

static void missing_file_is_named(void **state)
{
    (void)state;
    char *data = NULL;
    struct hone_error err = {0};
    assert_int_equal(hone_file_read(&data, NULL, "/nowhere/x.lua", &err), HONE_ENOTFOUND);
    assert_string_equal(err.text,
                        "cannot read '/nowhere/x.lua': No such file or directory");
}

static void real_path_is_one_name_a_file(void **state)
{
    (void)state;
    char folder[] = "/tmp/hone-test-XXXXXX", link[64];
    assert_non_null(mkdtemp(folder));
    snprintf(link, sizeof link, "%s/link", folder);
    assert_int_equal(symlink(folder, link), 0);
    char *a = hone_path_real(folder), *b = hone_path_real(link);
    assert_string_equal(a, b);
    assert_null(hone_path_real("/nowhere/x.lua"));
    free(a);
    free(b);
    unlink(link);
    assert_int_equal(rmdir(folder), 0);
}

static void nearest_name_is_suggested(void **state)
{
    (void)state;
    const char *names[] = {"budget", "strategy", "device", "BM", "BN"};
    assert_string_equal(hone_suggest("buget", names, 5), "budget");
    assert_string_equal(hone_suggest("stratgey", names, 5), "strategy");
    assert_null(hone_suggest("journal", names, 5));
    assert_null(hone_suggest("x", names, 5));
    const char *words[] = {"all", "file", "worker-start", "worker", "M", "rows"};
    static const char *const meant[][2] = {
        {"fil", "file"}, {"work", "worker"}, {"worker-s", "worker-start"},
        {"m", "M"},      {"ROWS", "rows"},   {"aal", "all"}};
    for (size_t i = 0; i < sizeof meant / sizeof *meant; i++)
        assert_string_equal(hone_suggest(meant[i][0], words, 6), meant[i][1]);
    assert_null(hone_suggest("bil", words, 1));
    assert_null(hone_suggest("n", words, 6));
    assert_null(hone_suggest("wo", words, 6));
}

static void limits_are_found_by_name(void **state)
{
    (void)state;
    struct hone_limits limits = {.sm_count = 132, .max_shared_bytes = 232448};
    int64_t value = 0;
    assert_true(hone_limits_get(&limits, "sm_count", &value));
    assert_int_equal(value, 132);
    assert_true(hone_limits_get(&limits, "max_shared_bytes", &value));
    assert_int_equal(value, 232448);
    assert_false(hone_limits_get(&limits, "colour", &value));
    size_t n = 0;
    while (hone_limits_name(n))
        n++;
    assert_int_equal(n, 20);
}

static void identifiers_end_and_keywords_are_known(void **state)
{
    (void)state;
    static const char *const words[] = {
        "alignas",    "and_eq",   "auto",     "char16_t", "co_await", "const",
        "const_cast", "double",   "elseif",   "end",      "float",    "for",
        "function",   "in",       "inline",   "int",      "local",    "long",
        "nil",        "not",      "not_eq",   "or",       "private",  "register",
        "repeat",     "requires", "restrict", "return",   "static",   "template",
        "then",       "throw",    "typename", "until",    "xor_eq"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        assert_true(hone_identifier_is_keyword(words[i]));
    assert_false(hone_identifier_is_keyword("BM"));
    assert_false(hone_identifier_is_keyword("integer"));
    assert_string_equal(hone_identifier_end("_a9.b"), ".b");
    assert_string_equal(hone_identifier_end("M"), "");
    assert_null(hone_identifier_end("9a"));
    assert_null(hone_identifier_end(""));
}

static void a_name_here_has_no_folder_and_another_ending(void **state)
{
    static const char *const rows[][3] = {{"a/b.json.gz", ".lua", "b.lua"},
                                          {"b", ".jsonl", "b.jsonl"},
                                          {"/x.y/z.json", ".jsonl", "z.jsonl"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *name = hone_path_here(rows[i][0], rows[i][1]);
        assert_string_equal(name, rows[i][2]);
        free(name);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_name_here_has_no_folder_and_another_ending),
    cmocka_unit_test(names_have_the_number_of_their_first_place),
    cmocka_unit_test(files_are_written_by_many_threads),
    cmocka_unit_test(first_error_is_kept),
    cmocka_unit_test(no_memory_says_for_what),
    cmocka_unit_test(long_source_keeps_its_tail),
    cmocka_unit_test(arena_memory_is_zeroed_and_aligned),
    cmocka_unit_test(arrays_double_and_keep_their_items),
    cmocka_unit_test(arrays_beyond_the_address_space_are_refused),
    cmocka_unit_test(arrays_in_an_arena_start_as_zeros),
    cmocka_unit_test(numbers_are_sorted_and_have_a_median),
    cmocka_unit_test(tables_find_what_was_added),
    cmocka_unit_test(strbuf_grows_and_can_be_stolen),
    cmocka_unit_test(rng_repeats_by_seed_and_stays_below),
    cmocka_unit_test(hash_separates_its_parts),
    cmocka_unit_test(file_is_published_whole_or_not_at_all),
    cmocka_unit_test(missing_file_is_named),
    cmocka_unit_test(a_new_file_is_seen_whole_and_made_by_one),
    cmocka_unit_test(real_path_is_one_name_a_file),
    cmocka_unit_test(nearest_name_is_suggested),
    cmocka_unit_test(limits_are_found_by_name),
    cmocka_unit_test(identifiers_end_and_keywords_are_known),
};
HONE_TEST_MAIN(tests)
