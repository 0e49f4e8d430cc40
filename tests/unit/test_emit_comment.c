/* The first comment of a header claims no more than its journals say. */
#include "emit_fixture.h"

#include <unistd.h>

#include "base/file.h"

#define HEAD(more, m)                                                                    \
    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"X\","     \
    "\"values\":[1,2]}],\"problem\":{\"M\":" m "}" more "}\n"
#define ROW(x, more) "{\"config\":[" x "],\"outcome\":\"valid\",\"time_us\":" x more "}\n"

/* A header of these journals, up to a NULL; its lines of comments joined. */
static char *comment_of(const char *const *journals)
{
    const struct hone_emit_options options = {.max_configs = 1};
    struct hone_recording *recordings[MOST] = {NULL};
    const struct hone_recording *list[MOST] = {NULL};
    struct hone_strbuf out = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    size_t count = 0;
    for (; journals[count]; count++) {
        char path[64];
        snprintf(path, sizeof path, "%s/%zu.jsonl", folder, count);
        assert_ok(hone_file_write(path, journals[count], strlen(journals[count]), &err),
                  err);
        assert_ok(hone_recording_load(&recordings[count], path, &err), err);
        list[count] = recordings[count];
        unlink(path);
    }
    assert_ok(hone_emit(&out, list, count, &options, &err), err);
    for (size_t i = 0; i < count; i++)
        hone_recording_free(recordings[i]);
    char *text = hone_strbuf_steal(&out), *to = text;
    for (const char *from = text; *from; from++)
        if (strncmp(from, "\n *     ", 8) == 0) {
            *to++ = ' ';
            from += 7;
        } else
            *to++ = *from;
    *to = '\0';
    return text;
}

#define NOT_HERE "results not verified at this size ("
#define LOOK "a look at the results of every row"

/* What is missing is what the rows say that they lack. */
static void a_row_that_was_not_compared_is_missing(void **state)
{
    (void)state;
    static const struct {
        const char *journals[MOST];
        const char *row;
        bool missing;
    } cases[] = {
        {{HEAD("", "1") ROW("1", ",\"compared\":\"reference\"")},
         "results at this size: equal to the reference's",
         false},
        {{HEAD("", "1") ROW("1", ",\"compared\":\"majority\"")},
         "results at this size: as the majority has them",
         false},
        {{HEAD("", "1") ROW("1", ",\"compared\":\"no: it takes too long\"")},
         NOT_HERE "it takes too long)",
         true},
        {{HEAD("", "1") ROW("1", "")}, NULL, true},
        // one configuration for both, of which the second has a better one
        {{HEAD("", "1") ROW("1", ",\"compared\":\"reference\""),
          HEAD("", "2") "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":0.5,"
                        "\"compared\":\"reference\"}\n" ROW("1", "")},
         NOT_HERE "it was not the best)",
         true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = comment_of(cases[i].journals);
        if (cases[i].row) assert_non_null(strstr(text, cases[i].row));
        assert_int_equal(strstr(text, NOT_HERE) != NULL,
                         cases[i].row && cases[i].missing);
        assert_int_equal(strstr(text, LOOK) != NULL, cases[i].missing);
        free(text);
    }
}

static int setup(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    return rmdir(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_row_that_was_not_compared_is_missing),
};

HONE_TEST_MAIN_WITH(tests, setup, teardown)
